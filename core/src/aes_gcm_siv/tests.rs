//! What only this module can see: refused keys, limits without the memory for them.

use super::*;

#[test]
fn lengths_over_the_limit_are_refused_with_both_numbers() {
    let check = |aad, text| Engine::<aes256::TierKeys>::check(&[0; 12], aad, text);
    let (limit, given) = (1 << 36, (1 << 36) + 1);
    assert_eq!(check(limit, limit), Ok(()));
    for (what, aad_len, text_len) in [("aad", given, limit), ("plaintext", 0, given)] {
        let refused = Err(Error::TooLong { what, limit, given });
        assert_eq!(check(aad_len, text_len), refused);
    }
}

#[test]
fn a_key_whose_tier_failed_its_check_refuses_and_touches_nothing() {
    let mut key = Aes256GcmSiv::new(&[1; 32]);
    key.engine = Engine::new(aes256::TierKeys::Refused, key.engine.tier());
    let refused = Error::SelfCheck {
        tier: key.tier_name(),
    };
    let mut message = *b"message";
    assert_eq!(key.seal_in_place(&[0; 12], b"", &mut message), Err(refused));
    let tag = Tag::from([0; 16]);
    assert_eq!(
        key.open_in_place(&[0; 12], b"", &mut message, &tag),
        Err(refused)
    );
    assert_eq!(&message, b"message");
    #[cfg(feature = "getrandom")]
    assert_eq!(key.seal(b"message", b""), Err(refused));
}

#[test]
fn the_known_answer_has_more_messages_than_are_worked_on_alone() {
    for tier in Tier::available() {
        let few = [
            Aes128GcmSiv::with_tier(&[1; 16], tier)
                .engine
                .cipher()
                .few(),
            Aes256GcmSiv::with_tier(&[1; 32], tier)
                .engine
                .cipher()
                .few(),
        ];
        assert!(
            few.iter()
                .all(|few| few.is_some_and(|few| few < known_answer::BATCH)),
            "{tier:?}"
        );
    }
}

#[test]
fn keys_are_shared_between_threads_and_do_not_print_themselves() {
    fn shared<T: Send + Sync>(_: &T) {}
    let key = Aes128GcmSiv::new(&[0xab; 16]);
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
    use sivka_oracle::gcm_siv::seal;
    let split = |mut sealed: std::vec::Vec<u8>| {
        let tag = sealed.split_off(sealed.len() - Tag::LEN);
        (sealed, tag)
    };
    let (short, long) = (known_answer::key::<16>(), known_answer::key::<32>());
    KNOWN_ANSWER_128.is_the_oracles(12, |nonce, aad, text| split(seal(&short, nonce, aad, text)));
    KNOWN_ANSWER_256.is_the_oracles(12, |nonce, aad, text| split(seal(&long, nonce, aad, text)));
}
