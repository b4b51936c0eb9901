//! What a hostile header can ask for, and what a wrong key opens.

use super::support::{CHEAP, COPY_LEN, FIRST_SLOT, key, open, opened, seal, sealed_for, sealing};
use sivka_file::{Argon2Cost, Error, Header, KeyFile, Lock, OpenOptions, Passphrase, Unlock};

/// A file with a slot for each cost, which nobody paid for, in both copies.
fn file_of_costs(costs: &[[u32; 3]]) -> Vec<u8> {
    let any = Passphrase::new("other".to_owned());
    let locks = vec![Lock::Passphrase(&any, CHEAP); costs.len()];
    let mut file = sealed_for(&locks, b"plaintext");
    let copy_len = Header::parse(&file).unwrap().len() / 2;
    for (slot, cost) in costs.iter().enumerate() {
        for copy in [0, copy_len] {
            let at = copy + FIRST_SLOT + 128 * slot + 3;
            file[at..at + 12].copy_from_slice(&cost.map(u32::to_be_bytes).concat());
        }
    }
    file
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
    let outcome = |costs: &[[u32; 3]]| {
        let file = file_of_costs(costs);
        open(&file[..], Vec::new(), &keys, &options).unwrap_err()
    };
    assert!(matches!(outcome(&[[64, 1, 1]; 4]), Error::NoSlotOpens));
    let refused = outcome(&[[64, 1, 1]; 5]);
    assert!(matches!(refused, Error::CostTooHigh { index: 4, .. }));
    for cost in [[65, 1, 1], [8, 5, 1], [64, 1, 2]] {
        let refused = outcome(&[cost]);
        assert!(matches!(refused, Error::CostTooHigh { index: 0, .. }));
    }
}

#[test]
fn sealing_refuses_what_opening_would() {
    let (key, passphrase) = (key(), Passphrase::new("any".to_owned()));
    let refused = |locks: &[Lock<'_>]| {
        let mut output = Vec::new();
        let outcome = seal(&b""[..], &mut output, locks, &sealing(1));
        assert!(output.is_empty());
        outcome.unwrap_err()
    };
    assert!(matches!(refused(&[]), Error::NoSlotLeft));
    let many = [Lock::KeyFile(&key); 65];
    assert!(matches!(refused(&many), Error::TooManySlots));
    let empty = [Lock::Passphrase(&Passphrase::new(String::new()), CHEAP)];
    assert!(matches!(refused(&empty), Error::EmptyPassphrase));
    for (memory_kib, passes, lanes) in [(7, 1, 1), (8, 0, 1), (8, 1, 0), (1 << 20, 1, 256)] {
        let cost = Argon2Cost {
            memory_kib,
            passes,
            lanes,
        };
        let error = refused(&[Lock::Passphrase(&passphrase, cost)]);
        assert!(matches!(error, Error::BadCost { asked } if asked == cost));
    }
}

#[test]
fn a_wrong_key_and_no_key_open_nothing() {
    let (key, other) = (key(), KeyFile::generate("other").unwrap());
    let mut file = sealed_for(&[Lock::KeyFile(&key)], b"x");
    let mut refuse = |at: Option<usize>, keys: &[Unlock<'_>]| {
        let places = at.map_or(vec![], |at| vec![at, COPY_LEN + at]);
        places.iter().for_each(|at| file[*at] ^= 1);
        let (released, outcome) = opened(&file, keys, 1);
        assert!(matches!(outcome, Err(Error::NoSlotOpens)), "byte {at:?}");
        assert!(released.is_empty());
        places.iter().for_each(|at| file[*at] ^= 1);
    };
    refuse(None, &[]);
    refuse(None, &[Unlock::KeyFile(&other)]);
    // All of a slot's commitment counts: bytes 43 to 74 of a slot for a key file.
    for at in FIRST_SLOT + 43..FIRST_SLOT + 75 {
        refuse(Some(at), &[Unlock::KeyFile(&key)]);
    }
}
