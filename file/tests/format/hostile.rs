//! What a hostile header can ask for, and what a wrong key opens.

use super::support::{CHEAP, COPY_LEN, FIRST_SLOT, key, open, opened, seal, sealed_for};
use sivka_file::{
    Argon2Cost, Error, Header, KeyFile, Lock, OpenOptions, Passphrase, SealOptions, Unlock,
};
use std::time::{Duration, Instant};

/// A file with a slot for each cost, which nobody paid for, in both copies.
fn file_of_costs(costs: &[[u32; 3]]) -> Vec<u8> {
    let any = Passphrase::new("other".to_owned());
    let mut file = sealed_for(
        &vec![Lock::Passphrase(&any, CHEAP); costs.len()],
        b"plaintext",
    );
    let copy_len = Header::parse(&file).unwrap().len() / 2;
    for (slot, cost) in costs.iter().enumerate() {
        for copy in [0, copy_len] {
            let at = copy + FIRST_SLOT + 128 * slot + 3;
            file[at..at + 12].copy_from_slice(&cost.map(u32::to_be_bytes).concat());
        }
    }
    file
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
        open(&file[..], Vec::new(), &keys, &options).unwrap_err()
    };
    assert!(matches!(outcome(4), Error::NoSlotOpens));
    assert!(matches!(outcome(5), Error::CostTooHigh { index: 4, .. }));
}

#[test]
fn a_key_file_opens_beside_a_slot_that_costs_too_much() {
    let (key, passphrase) = (key(), Passphrase::new("any".to_owned()));
    let much = Argon2Cost {
        passes: 17,
        ..CHEAP
    };
    let locks = [Lock::Passphrase(&passphrase, much), Lock::KeyFile(&key)];
    let keys = [Unlock::Passphrase(&passphrase), Unlock::KeyFile(&key)];
    let file = sealed_for(&locks, b"plaintext");
    let (released, outcome) = opened(&file, &keys, 1);
    outcome.unwrap();
    assert_eq!(released, b"plaintext");
    let (_, outcome) = opened(&file, &keys[..1], 1);
    assert!(matches!(outcome, Err(Error::CostTooHigh { index: 0, .. })));
}

#[test]
fn sealing_refuses_what_opening_would() {
    let empty = Passphrase::new(String::new());
    let passphrase = Passphrase::new("any".to_owned());
    let key = key();
    let refused = |locks: &[Lock<'_>]| {
        let mut output = Vec::new();
        let outcome = seal(&b""[..], &mut output, locks, &SealOptions::default());
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

#[test]
fn a_wrong_key_and_no_key_open_nothing() {
    let file = sealed_for(&[Lock::KeyFile(&key())], b"x");
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
    // All of a slot's commitment counts: bytes 43 to 74 of a slot for a key file.
    for at in FIRST_SLOT + 43..FIRST_SLOT + 75 {
        let mut file = file.clone();
        file[at] ^= 1;
        file[COPY_LEN + at] ^= 1;
        let (released, outcome) = opened(&file, &[Unlock::KeyFile(&key())], 1);
        assert!(matches!(outcome, Err(Error::NoSlotOpens)), "byte {at}");
        assert!(released.is_empty());
    }
}
