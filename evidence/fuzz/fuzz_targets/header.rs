//! Any bytes as a header: no panic, one encoding, and nothing costly without leave.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sivka_file::{
    Argon2Cost, Header, Identity, KeyFile, Lock, MAX_SLOTS, OpenOptions, Passphrase, SealOptions,
    Unlock, Writer,
};
use sivka_fuzz::changed;
use std::sync::LazyLock;

const CHEAP: Argon2Cost = Argon2Cost { memory_kib: 8, passes: 1, lanes: 1 };

/// A key, an identity, and a header with seven slots to start from.
static TEMPLATE: LazyLock<(KeyFile, Identity, Vec<u8>)> = LazyLock::new(|| {
    let key = KeyFile::from_bytes(&[7; 32], "fuzz").expect("a good name");
    let other = KeyFile::from_bytes(&[8; 32], "other").expect("a good name");
    let passphrase = Passphrase::new("fuzz".to_owned());
    let identity = Identity::generate_x25519().expect("random bytes");
    let others = Identity::generate().expect("random bytes");
    let locks = [
        Lock::KeyFile(&other),
        Lock::Recipient(others.recipient()),
        Lock::Passphrase(&passphrase, CHEAP),
        Lock::KeyFile(&key),
        Lock::Recipient(identity.recipient()),
        Lock::Passphrase(&passphrase, CHEAP),
        Lock::KeyFile(&other),
    ];
    let writer = Writer::new(Vec::new(), &locks, &SealOptions::default()).expect("it seals");
    let mut file = writer.finish().expect("it seals");
    file.truncate(Header::parse(&file).expect("a header").len());
    (key, identity, file)
});

fn check(bytes: &[u8]) {
    let (key, identity, original) = &*TEMPLATE;
    let parsed = Header::parse(bytes);
    assert_eq!(parsed.is_ok(), Header::read(bytes).is_ok());
    let Ok(header) = parsed else { return };
    let (both, copy_len) = (header.to_bytes(), header.len() / 2);
    let stands_at = |at| bytes.get(at..at + copy_len) == Some(&both[..copy_len]);
    assert!(stands_at(0) || stands_at(copy_len), "a second encoding");
    assert!((1..=MAX_SLOTS).contains(&header.slots().len()));
    let passphrase = Passphrase::new("fuzz".to_owned());
    let keys = [Unlock::Passphrase(&passphrase), Unlock::Identity(identity), Unlock::KeyFile(key)];
    let limit = Argon2Cost { passes: 2, ..CHEAP };
    if let Ok(mut unlocked) = header.unlock(&keys, limit) {
        assert_eq!(unlocked.header().to_bytes(), *original, "a forged header");
        unlocked.replace(0, &Lock::KeyFile(key)).expect("slot 0 is used");
        let changed = unlocked.header().to_bytes();
        let reparsed = Header::parse(&changed).expect("what is written parses");
        let keys = [Unlock::KeyFile(key)];
        let unlocked = reparsed.unlock(&keys, OpenOptions::default().max_cost);
        assert!(unlocked.is_ok(), "the key of slot 0");
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&changed(&TEMPLATE.2, bytes));
});
