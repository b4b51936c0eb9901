//! What only this module can see: refused keys, limits without the memory for them.

use super::*;

#[test]
fn lengths_over_the_limit_are_refused_with_both_numbers() {
    let of_engine = |aad, text| Engine::<aes256::TierKeys>::check(&[], aad, text);
    let (limit, given) = (1 << 36, (1 << 36) + 1);
    assert_eq!(of_engine(limit, limit), Ok(()));
    for (what, aad_len, text_len) in [("aad", given, limit), ("plaintext", 0, given)] {
        let refused = Err(Error::TooLong { what, limit, given });
        assert_eq!(of_engine(aad_len, text_len), refused);
    }
    let strings: [&[u8]; 126] = [b"aad"; 126];
    for what in ["plaintext", "ciphertext"] {
        assert_eq!(check(&strings, what, 1 << 36), Ok(()));
        let refused = Err(Error::TooLong { what, limit, given });
        assert_eq!(check(&strings, what, (1 << 36) + 1), refused);
    }
}

#[test]
fn a_key_whose_tier_failed_its_check_refuses_and_touches_nothing() {
    let mut key = AesSiv512::new(&[1; 64]);
    key.engine = Engine::new(aes256::TierKeys::Refused, key.engine.tier());
    let refused = Error::SelfCheck {
        tier: key.tier_name(),
    };
    let (mut message, tag) = (*b"message", Tag::from([0; 16]));
    assert_eq!(key.seal_in_place(b"", &mut message), Err(refused));
    assert_eq!(key.seal_in_place_with_list(&[], &mut message), Err(refused));
    assert_eq!(key.open_in_place(b"", &mut message, &tag), Err(refused));
    let opened = key.open_in_place_with_list(&[b"", b""], &mut message, &tag);
    assert_eq!(opened, Err(refused));
    assert_eq!(&message, b"message");
}

#[test]
fn keys_are_shared_between_threads_and_do_not_print_themselves() {
    fn shared<T: Send + Sync>(_: &T) {}
    let key = AesSiv384::new(&[0xab; 48]);
    shared(&key);
    #[cfg(feature = "alloc")]
    {
        let printed = alloc::format!("{key:?}");
        assert!(printed.contains(key.tier_name()));
        assert!(!printed.contains("171") && !printed.contains("ab, ab"));
    }
}

#[test]
fn the_known_answers_are_the_oracles() {
    let key = known_answer::key::<64>();
    for (answer, key_len) in KNOWN_ANSWER.iter().zip([32, 48, 64]) {
        answer.is_the_oracles(0, |_, aad, text| {
            let mut tag = sivka_oracle::aes_siv::seal(&key[..key_len], &[aad], text);
            let ciphertext = tag.split_off(Tag::LEN);
            (ciphertext, tag)
        });
    }
}
