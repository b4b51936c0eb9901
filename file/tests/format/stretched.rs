//! Many files sealed with one run of Argon2id.

use super::support::{CHEAP, opened, sealing};
use sivka_file::{Error, Lock, Passphrase, StretchedPassphrase, Unlock};

/// Files sealed together with a stretched passphrase: one salt, and each its own file.
#[test]
fn a_stretched_passphrase_seals_many_files_that_do_not_mix() {
    let passphrase = Passphrase::new("backup".to_owned());
    let stretched = StretchedPassphrase::new(&passphrase, CHEAP).unwrap();
    let seal = |plaintext: &[u8]| {
        let mut file = Vec::new();
        let locks = [Lock::Stretched(&stretched)];
        sivka_file::seal(plaintext, &mut file, &locks, &sealing(1), |_| {}).unwrap();
        file
    };
    let (one, two) = (seal(b"one"), seal(b"two"));
    let salt = 16 + 13..16 + 45;
    let wrapped = 16 + 77..16 + 125;
    assert_eq!(one[salt.clone()], two[salt]);
    assert_ne!(one[wrapped.clone()], two[wrapped]);

    // Anybody who knows the passphrase opens them, who never saw the shared salt.
    let typed = Passphrase::new("backup".to_owned());
    let keys = [Unlock::Passphrase(&typed)];
    for (file, plaintext) in [(&one, b"one"), (&two, b"two")] {
        let (released, outcome) = opened(file, &keys, 1);
        assert!(outcome.is_ok());
        assert_eq!(released, plaintext);
    }
    // A slot of one in the header of the other unwraps, and proves nothing.
    let mut mixed = one.clone();
    mixed[16..141].copy_from_slice(&two[16..141]);
    assert!(matches!(
        opened(&mixed, &keys, 1),
        (_, Err(Error::HeaderDamaged))
    ));
}
