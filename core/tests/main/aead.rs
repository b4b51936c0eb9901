//! The trait and its algorithms where they differ from the keys' own calls: slices of wrong
//! lengths, with nothing written, and nonces that are drawn.

use sivka::{Aead, Algorithm, Error, NonceRule, UsageBound};
use std::sync::Barrier;
use std::thread;

fn key_of(algorithm: &Algorithm) -> Box<dyn Aead> {
    algorithm.new_key(&vec![7; algorithm.key_len()]).expect("a key of that length")
}

/// What every call under a given nonce answers to a nonce and a tag of these lengths. None
/// of them may write to its output.
fn answers(key: &dyn Aead, nonce_len: usize, tag_len: usize) -> [Result<(), Error>; 4] {
    let (nonce, mut in_out, mut tag) = (vec![1; nonce_len], *b"message", vec![3; tag_len]);
    let answers = [
        key.seal_into(&nonce, b"another", b"", &mut in_out, &mut tag),
        key.open_into(&nonce, b"another", b"", &tag, &mut in_out),
        key.seal_in_place(&nonce, b"", &mut in_out, &mut tag),
        key.open_in_place(&nonce, b"", &mut in_out, &tag),
    ];
    assert_eq!(&in_out, b"message");
    assert!(tag.iter().all(|byte| *byte == 3));
    answers
}

/// Lengths around the right one.
fn wrong(len: usize) -> impl Iterator<Item = usize> {
    [0, len.saturating_sub(1), len + 1, 2 * len].into_iter().filter(move |wrong| *wrong != len)
}

#[test]
fn a_key_a_nonce_and_a_tag_of_another_length_are_refused() {
    for algorithm in Algorithm::all() {
        let key = key_of(algorithm);
        let (nonce_len, tag_len) = (algorithm.nonce_len(), algorithm.tag_len());
        for given in wrong(nonce_len) {
            let refused = Error::NonceLen { expected: nonce_len, given };
            assert_eq!(answers(&*key, given, tag_len), [Err(refused); 4]);
            let (nonce, sealed) = (vec![1; given], [0; 100]);
            let answer = key.seal_with_nonce(&nonce, b"message", b"");
            assert_eq!(answer, Err(refused), "{algorithm}");
            let answer = key.open_with_nonce(&nonce, &sealed, b"");
            assert_eq!(answer, Err(refused), "{algorithm}");
        }
        for given in wrong(tag_len) {
            let refused = Error::TagLen { expected: tag_len, given };
            assert_eq!(answers(&*key, nonce_len, given), [Err(refused); 4]);
        }
        let expected = algorithm.key_len();
        for given in wrong(expected) {
            let made = algorithm.new_key(&vec![7; given]).map(drop);
            assert_eq!(made, Err(Error::KeyLen { expected, given }), "{algorithm}");
        }
    }
}

#[test]
fn an_output_of_another_length_is_refused() {
    for algorithm in Algorithm::all() {
        let (key, nonce) = (key_of(algorithm), vec![1; algorithm.nonce_len()]);
        for given in wrong(5) {
            let refused = Err(Error::OutputLen { expected: 5, given });
            let (mut output, mut tag) = (vec![3; given], vec![3; algorithm.tag_len()]);
            let sealed = key.seal_into(&nonce, b"hello", b"", &mut output, &mut tag);
            assert_eq!(sealed, refused, "{algorithm}");
            let opened = key.open_into(&nonce, b"hello", b"", &tag, &mut output);
            assert_eq!(opened, refused, "{algorithm}");
            assert!(output.iter().chain(&tag).all(|byte| *byte == 3));
        }
    }
}

#[test]
fn an_algorithm_is_found_by_its_name_in_either_case() {
    for algorithm in Algorithm::all() {
        let name = algorithm.name();
        assert_eq!(algorithm.to_string(), name);
        for name in [name.into(), name.to_lowercase(), name.to_uppercase()] {
            let found = Algorithm::find(&name).expect("an algorithm");
            assert!(core::ptr::eq(found, *algorithm), "{name}");
        }
        assert!(Algorithm::find(&name[..name.len() - 1]).is_none());
        assert!(core::ptr::eq(key_of(algorithm).algorithm(), *algorithm));
    }
    assert!(Algorithm::find("").is_none());
}

#[test]
fn a_nonce_is_allowed_by_its_length_and_its_first_byte() {
    for algorithm in Algorithm::all() {
        let len = algorithm.nonce_len();
        assert!(algorithm.allows_nonce(&vec![0x7f; len]), "{algorithm}");
        for wrong in wrong(len) {
            assert!(!algorithm.allows_nonce(&vec![0; wrong]), "{algorithm}");
        }
        let is_mgm = algorithm.name() == "Kuznyechik-MGM";
        assert_eq!(algorithm.allows_nonce(&vec![0x80; len]), !is_mgm);
    }
}

/// Each nonce of many differs, and every bit that may be drawn is: none is clear 64 times,
/// but once in 2^57 runs.
fn assert_drawn(algorithm: &Algorithm, nonces: &[u8]) {
    let NonceRule::Random { first_byte_mask, .. } = algorithm.nonce_rule() else {
        panic!("{algorithm} draws no nonces");
    };
    let nonces: Vec<_> = nonces.chunks_exact(algorithm.nonce_len()).collect();
    assert_eq!(nonces.len(), 64);
    let first = nonces.iter().fold(0, |seen, nonce| seen | nonce[0]);
    let second = nonces.iter().fold(0, |seen, nonce| seen | nonce[1]);
    assert_eq!((first, second), (first_byte_mask, 0xff), "{algorithm}");
    for (i, nonce) in nonces.iter().enumerate() {
        assert!(algorithm.allows_nonce(nonce), "{algorithm}");
        assert!(!nonces[..i].contains(nonce), "{algorithm}");
    }
}

#[test]
fn nonces_are_drawn_where_they_may_be_random() {
    for algorithm in Algorithm::all() {
        let (key, len) = (key_of(algorithm), algorithm.nonce_len());
        let mut nonces = vec![0; 64 * len];
        let mut one_more = vec![3; len + 1];
        let filled = algorithm.fill_nonces(&mut nonces);
        match algorithm.nonce_rule() {
            NonceRule::Random { .. } => {
                assert_eq!(filled, Ok(()));
                assert_drawn(algorithm, &nonces);
                assert_eq!(key.draw_nonces(&mut nonces, 0), Ok(()));
                assert_drawn(algorithm, &nonces);
            }
            NonceRule::Counter => {
                assert_eq!(filled, Err(Error::NoRandomNonce));
                let drawn = key.draw_nonces(&mut nonces, 0);
                assert_eq!(drawn, Err(Error::NoRandomNonce));
                assert!(nonces.iter().all(|byte| *byte == 0), "{algorithm}");
            }
            rule => {
                assert_eq!((rule, len), (NonceRule::Absent, 0), "{algorithm}");
                assert_eq!((filled, key.draw_nonces(&mut [], 0)), (Ok(()), Ok(())));
            }
        }
        let refused = Err(Error::NonceLen { expected: len, given: len + 1 });
        assert_eq!(algorithm.fill_nonces(&mut one_more), refused);
        assert_eq!(key.draw_nonces(&mut one_more, 0), refused, "{algorithm}");
        assert!(one_more.iter().all(|byte| *byte == 3), "{algorithm}");
    }
}

/// Each key is another one, and as long as a key is.
#[test]
fn keys_are_drawn() {
    for algorithm in Algorithm::all() {
        let keys: Vec<_> = (0..64).map(|_| algorithm.generate_key().unwrap()).collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(algorithm.new_key(key).is_ok(), "{algorithm}");
            assert!(!keys[..i].contains(key), "{algorithm}");
        }
        // Every bit is set in one key and not in another.
        for i in 0..algorithm.key_len() {
            let bits =
                keys.iter().fold((0, 0), |(set, unset), key| (set | key[i], unset | !key[i]));
            assert_eq!(bits, (0xff, 0xff), "{algorithm}");
        }
    }
    let (one, other) = (sivka::Aes128GcmSiv::generate_key(), sivka::Aes128GcmSiv::generate_key());
    assert_ne!(*one.unwrap(), *other.unwrap());
}

#[test]
fn a_usage_bound_has_what_it_was_made_of() {
    let bound = UsageBound::new(7, 100);
    assert_eq!((bound.messages(), bound.message_len()), (7, 100));
    assert_eq!(bound.at_most(9), bound);
    assert_eq!(bound.at_most(3), UsageBound::new(3, 100));
    assert_eq!(UsageBound::KIB_16, UsageBound::new(1 << 61, 16 << 10));
}

/// What draws nonces counts them, whole calls or not at all; nothing else does.
#[test]
fn a_usage_bound_counts_the_nonces_that_are_drawn() {
    for algorithm in Algorithm::all() {
        let (mut key, len) = (key_of(algorithm), algorithm.nonce_len());
        key.set_usage_bound(UsageBound::new(4, 20));
        let draws = matches!(algorithm.nonce_rule(), NonceRule::Random { .. });
        if !draws {
            if algorithm.nonce_rule() == NonceRule::Absent {
                (0..9).for_each(|_| drop(key.seal(&[0; 21], b"").unwrap()));
            }
            continue;
        }
        let spent = Error::UsageBound { messages: 4 };
        let too_long = Error::TooLong {
            what: "plaintext and aad under this key's usage bound",
            limit: 20,
            given: 21,
        };
        // What is refused for another reason, and nonces of the caller's own, spend nothing.
        for _ in 0..5 {
            assert_eq!(key.seal(&[0; 21], b""), Err(too_long), "{algorithm}");
            // AAD is hashed as the plaintext is, and counted as it.
            assert_eq!(key.seal(&[0; 11], &[0; 10]), Err(too_long), "{algorithm}");
            assert_eq!(key.seal(b"", &[0; 21]), Err(too_long), "{algorithm}");
            assert_eq!(key.draw_nonces(&mut vec![0; len], 21), Err(too_long));
            assert_eq!(key.draw_nonces(&mut vec![0; 5 * len], 0), Err(spent));
            let ragged = key.draw_nonces(&mut vec![0; len + 1], 0);
            assert!(matches!(ragged, Err(Error::NonceLen { .. })), "{ragged:?}");
            key.seal_with_nonce(&vec![0; len], &[0; 21], b"").unwrap();
        }
        let sealed = key.seal(&[5; 20], b"").expect("the first");
        let mut nonces = vec![0; 2 * len];
        assert_eq!(key.draw_nonces(&mut nonces, 20), Ok(()), "{algorithm}");
        let mut two = nonces.clone();
        assert_eq!(key.draw_nonces(&mut two, 0), Err(spent), "{algorithm}");
        assert_eq!(two, nonces, "{algorithm}: drawn in spite of the bound");
        assert!(key.seal(b"the fourth", b"").is_ok(), "{algorithm}");
        assert_eq!(key.seal(b"the fifth", b""), Err(spent), "{algorithm}");
        assert_eq!(key.open(&sealed, b"").unwrap(), [5; 20], "{algorithm}");
    }
}

/// A race would draw more.
#[test]
#[cfg(not(target_family = "wasm"))] // It has no threads.
fn threads_together_do_not_overrun_a_usage_bound() {
    const BOUND: usize = 2_000_000;
    let mut key = key_of(Algorithm::all()[0]);
    key.set_usage_bound(UsageBound::new(BOUND as u64, 0));
    let start = Barrier::new(4);
    let draw = || {
        start.wait();
        let draws = (0..BOUND).map(|_| key.draw_nonces(&mut [0; 12], 0));
        draws.filter(Result::is_ok).count()
    };
    let drawn = thread::scope(|scope| {
        let threads = [0; 4].map(|_| scope.spawn(draw));
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(drawn.iter().sum::<usize>(), BOUND);
}
