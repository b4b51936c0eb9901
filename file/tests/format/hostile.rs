//! What a hostile header can ask for, and what two keys can open.

use super::reference::{Payload, Slot, fixed, header, prefix};
use super::support::{CHEAP, error_name, key, opened, sealing};
use super::two_keys;
use sivka_file::{
    Argon2Cost, Error, Header, KeyFile, Lock, OpenOptions, Passphrase, SealOptions, Unlock, open,
    seal,
};
use std::time::{Duration, Instant};

fn file_of_costs(costs: &[[u32; 3]]) -> Vec<u8> {
    let prefix = prefix(1, 1);
    let slots: Vec<_> = costs
        .iter()
        .map(|&cost| Slot::passphrase_cost_only(cost, fixed("salt"), [1; 32]).encode(&prefix))
        .collect();
    header(&prefix, &slots, &[1; 32])
}

#[test]
fn costs_over_the_limit_are_refused_before_anything_is_done() {
    let passphrase = Passphrase::new("any".to_owned());
    let (gib, limit) = (1 << 20, Argon2Cost::DEFAULT_LIMIT);
    for cost in [
        [100 * gib, 1, 1],
        [u32::MAX, u32::MAX, 255],
        [limit.memory_kib + 1, 1, 1],
        [64, limit.passes + 1, 1],
    ] {
        let start = Instant::now();
        let (_, outcome) = opened(
            &file_of_costs(&[cost; 15]),
            &[Unlock::Passphrase(&passphrase)],
            1,
        );
        match outcome {
            Err(Error::CostTooHigh {
                index: 0,
                asked,
                limit: shown,
            }) => {
                assert_eq!([asked.memory_kib, asked.passes, asked.lanes], cost);
                assert_eq!(shown, limit);
            }
            outcome => panic!("{cost:?}: {outcome:?}"),
        }
        assert!(start.elapsed() < Duration::from_secs(1), "{cost:?}");
    }
}

/// Several slots may each be within the limit and still add up.
#[test]
fn all_slots_together_stay_within_the_limit() {
    let passphrase = Passphrase::new("any".to_owned());
    let keys = [Unlock::Passphrase(&passphrase)];
    let options = OpenOptions {
        max_cost: Argon2Cost {
            memory_kib: 64,
            passes: 4,
            lanes: 1,
        },
        ..OpenOptions::default()
    };
    let outcome = |count: usize| {
        let file = file_of_costs(&vec![[64, 1, 1]; count]);
        open(&file[..], Vec::new(), &keys, &options, |_| {}).unwrap_err()
    };
    assert!(matches!(outcome(4), Error::NoSlotOpens));
    assert!(matches!(outcome(5), Error::CostTooHigh { index: 4, .. }));
}

#[test]
fn a_key_file_opens_beside_a_slot_that_costs_too_much() {
    let prefix = prefix(1, 1);
    let (file_key, key_bytes) = ([1; 32], [2; 32]);
    let slots = [
        Slot::passphrase_cost_only([u32::MAX, 1, 1], [3; 32], file_key).encode(&prefix),
        Slot::key_file(key_bytes, [4; 32], file_key).encode(&prefix),
    ];
    let payload = Payload::new(1, &file_key, &[5; 24], b"plaintext");
    let file = [header(&prefix, &slots, &file_key), payload.to_bytes()].concat();
    let key = KeyFile::from_bytes(&key_bytes, "key").unwrap();
    let passphrase = Passphrase::new("any".to_owned());
    let keys = [Unlock::Passphrase(&passphrase), Unlock::KeyFile(&key)];
    let (released, outcome) = opened(&file, &keys, 1);
    outcome.unwrap();
    assert_eq!(released, b"plaintext");
}

#[test]
fn sealing_refuses_what_opening_would() {
    let empty = Passphrase::new(String::new());
    let passphrase = Passphrase::new("any".to_owned());
    let key = key();
    let refused = |locks: &[Lock<'_>]| {
        let mut output = Vec::new();
        let outcome = seal(
            &b""[..],
            &mut output,
            locks,
            &SealOptions::default(),
            |_| {},
        );
        assert!(output.is_empty());
        outcome.unwrap_err()
    };
    assert!(matches!(refused(&[]), Error::NoSlotLeft));
    assert!(matches!(
        refused(&[Lock::KeyFile(&key); 65]),
        Error::TooManySlots
    ));
    assert!(matches!(
        refused(&[Lock::Passphrase(&empty, CHEAP)]),
        Error::EmptyPassphrase
    ));
    for cost in [
        Argon2Cost {
            memory_kib: 7,
            ..CHEAP
        },
        Argon2Cost { passes: 0, ..CHEAP },
        Argon2Cost { lanes: 0, ..CHEAP },
        Argon2Cost {
            memory_kib: 1 << 20,
            lanes: 256,
            ..CHEAP
        },
    ] {
        let error = refused(&[Lock::Passphrase(&passphrase, cost)]);
        assert!(matches!(error, Error::BadCost { asked } if asked == cost));
    }
}

/// Each passphrase's file key has its own right MAC and payload here: the commitment
/// alone refuses the second one.
#[test]
fn a_slot_that_two_passphrases_would_unwrap_opens_under_one() {
    for (passphrase, expected) in [("first", None), ("second", Some("no-slot-opens"))] {
        let file = two_keys::file(["first", "second"], passphrase, passphrase.as_bytes());
        let key = Passphrase::new(passphrase.to_owned());
        let (released, outcome) = opened(&file, &[Unlock::Passphrase(&key)], 1);
        assert_eq!(
            outcome.err().as_ref().map(error_name),
            expected,
            "{passphrase}"
        );
        assert_eq!(released.is_empty(), expected.is_some());
    }
}

#[test]
fn a_wrong_key_and_no_key_open_nothing() {
    let mut file = Vec::new();
    seal(
        &b"x"[..],
        &mut file,
        &[Lock::KeyFile(&key())],
        &sealing(1),
        |_| {},
    )
    .unwrap();
    let other = KeyFile::generate("other").unwrap();
    let passphrase = Passphrase::new("any".to_owned());
    for keys in [
        &[][..],
        &[Unlock::KeyFile(&other)],
        &[Unlock::Passphrase(&passphrase)],
        &[Unlock::KeyFile(&other), Unlock::Passphrase(&passphrase)],
    ] {
        let (released, outcome) = opened(&file, keys, 1);
        assert!(matches!(outcome, Err(Error::NoSlotOpens)));
        assert!(released.is_empty());
    }
    // All of a slot's commitment counts: bytes 43 to 74 of the first slot, which is at byte 20.
    for at in 20 + 43..20 + 75 {
        file[at] ^= 1;
        let (released, outcome) = opened(&file, &[Unlock::KeyFile(&key())], 1);
        assert!(matches!(outcome, Err(Error::NoSlotOpens)), "byte {at}");
        assert!(released.is_empty());
        file[at] ^= 1;
    }
}

#[test]
fn a_header_has_one_encoding() {
    let mut file = Vec::new();
    let passphrase = Passphrase::new("any".to_owned());
    let locks = [Lock::KeyFile(&key()), Lock::Passphrase(&passphrase, CHEAP)];
    seal(&b"x"[..], &mut file, &locks, &sealing(1), |_| {}).unwrap();
    let header = Header::parse(&file).unwrap();
    assert_eq!(header.to_bytes()[..], file[..sivka_file::HEADER_LEN]);
    // Whatever still parses with a changed byte is that other header, byte for byte.
    for at in 0..sivka_file::HEADER_LEN {
        for change in [1, 0x80, 0xff] {
            let mut changed = file[..sivka_file::HEADER_LEN].to_vec();
            changed[at] ^= change;
            if let Ok(header) = Header::parse(&changed) {
                assert_eq!(header.to_bytes()[..], changed[..], "byte {at}");
            }
        }
    }
}
