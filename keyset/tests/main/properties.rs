//! Keysets that nobody thought of: what is written is read. Fuzzing gives readers other bytes.

use crate::messages::{PREFIXES, read as read_binary};
use proptest::prelude::*;
use sivka_keyset::{EncryptedKeyset, Keyset, ReadOptions, Template};

fn read_json(text: &[u8]) -> Result<Keyset, sivka_keyset::Error> {
    Keyset::from_insecure_json(text, ReadOptions::default())
}

/// Steps in a keyset's life: which one, and for which key or template and which prefix, each modulo
/// their number.
fn steps() -> impl Strategy<Value = Vec<(u8, usize, usize)>> {
    prop::collection::vec((0..8_u8, 0..21_usize, 0..4_usize), 0..20)
}

/// A keyset that lived through these; what is not allowed is left out.
fn lived(first: usize, steps: &[(u8, usize, usize)]) -> Keyset {
    let template = |at: usize| Template::all()[at % Template::all().len()].1;
    let mut keyset = Keyset::generate(template(first)).unwrap();
    for &(step, at, prefix) in steps {
        let ids: Vec<u32> = keyset.info().keys.iter().map(|key| key.id).collect();
        let id = ids[at % ids.len()];
        let _ = match step {
            0..=2 => keyset.add(template(at).with_output_prefix(PREFIXES[prefix])).map(drop),
            3 => keyset.promote(id),
            4 => keyset.disable(id),
            5 => keyset.enable(id),
            6 => keyset.destroy(id),
            _ => keyset.remove(id),
        };
    }
    keyset
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(first in 0..21_usize, steps in steps(), aad: Vec<u8>) {
        let keyset = lived(first, &steps);
        let (bytes, text) = (keyset.to_insecure_binary().unwrap(), keyset.to_insecure_json().unwrap());
        prop_assert_eq!(&read_binary(&bytes).unwrap(), &keyset);
        prop_assert_eq!(&read_json(text.as_bytes()).unwrap(), &keyset);
        let master = sivka::Aes256GcmSiv::new(&[3; 32]);
        let encrypted = keyset.encrypt(&master, &aad).unwrap();
        let options = ReadOptions::default();
        let of_json = EncryptedKeyset::from_json(encrypted.to_json().unwrap().as_bytes(), options).ok();
        let of_binary = EncryptedKeyset::from_binary(&encrypted.to_binary().unwrap(), options).unwrap();
        prop_assert_eq!(of_json.as_ref(), Some(&encrypted));
        prop_assert_eq!(&of_binary.decrypt(&master, &aad).unwrap(), &keyset);
        prop_assert!(encrypted.info_agrees_with(&keyset));
    }

    #[test]
    fn what_is_damaged_is_refused_or_read_as_it_is(
        first in 0..21_usize, steps in steps(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let keyset = lived(first, &steps);
        let (bytes, text) = (keyset.to_insecure_binary().unwrap(), keyset.to_insecure_json().unwrap());
        for (original, read) in [
            (bytes.as_slice(), read_binary as fn(&[u8]) -> Result<Keyset, sivka_keyset::Error>),
            (text.as_bytes(), read_json),
        ] {
            let mut changed = original.to_vec();
            for (at, byte) in &changes {
                changed[at.index(original.len())] = *byte;
            }
            changed.truncate(original.len() - cut.index(original.len()) / 8);
            if let Ok(keyset) = read(&changed) {
                let again = keyset.to_insecure_binary().unwrap();
                prop_assert_eq!(read_binary(&again).unwrap(), keyset);
            }
        }
    }
}
