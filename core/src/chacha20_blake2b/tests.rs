//! What only this module can see: refused keys, limits without the memory for them.

use super::*;

#[test]
fn lengths_over_the_limit_are_refused_with_both_numbers() {
    let limit = (1 << 31) - 1;
    let check = |aad, text| Engine::<Family<Short>>::check(&[0; 8], aad, text);
    assert_eq!(check(limit, limit), Ok(()));
    for given in [limit + 1, 1 << 32, (1 << 32) + 5, u64::MAX] {
        for (what, aad_len, text_len) in [("aad", given, limit), ("plaintext", 0, given)] {
            let refused = Err(Error::TooLong { what, limit, given });
            assert_eq!(check(aad_len, text_len), refused);
        }
    }
    assert_eq!(ChaCha20Blake2b::MAX_LEN, limit);
    assert_eq!(XChaCha20Blake2b::MAX_LEN, limit);
    assert_eq!(XChaCha20Blake2bSiv::MAX_LEN, limit);
}

#[test]
fn a_key_whose_tier_failed_its_check_refuses_and_touches_nothing() {
    let (tier, tag_len, keys) = (Tier::detect(), TagLen::Bytes32, None);
    let family = Family {
        tier,
        tag_len,
        keys,
        construction: PhantomData,
    };
    let key = XChaCha20Blake2bSiv {
        engine: Engine::new(family, tier),
    };
    let refused = Error::SelfCheck {
        tier: key.tier_name(),
    };
    let mut message = *b"message";
    assert_eq!(key.seal_in_place(b"", &mut message), Err(refused));
    let tag = LongTag::from([0; 32]);
    assert_eq!(key.open_in_place(b"", &mut message, &tag), Err(refused));
    let (mut tags, mut statuses) = ([tag], [Status::NotOpened]);
    let aad = BatchAad::Common(b"");
    let mut texts = [&mut message[..]];
    let text = BatchText::Slices(&mut texts);
    let sealed = key.seal_batch(aad, text, &mut tags, &mut statuses);
    assert_eq!(sealed, Err(refused));
    let text = BatchText::Slices(&mut texts);
    let opened = key.open_batch(aad, text, &tags, &mut statuses);
    assert_eq!(opened, Err(refused));
    assert_eq!((tags, statuses), ([tag], [Status::NotOpened]));
    assert_eq!(&message, b"message");
    #[cfg(feature = "alloc")]
    assert_eq!(key.seal(b"message", b""), Err(refused));
}

#[test]
fn a_tag_of_another_length_is_misuse_and_touches_nothing() {
    let key = ChaCha20Blake2b::with_tag_len(&[1; 32], TagLen::Bytes48);
    let mut message = *b"message";
    for (tag, given) in [(LongTag::from([0; 32]), 32), (LongTag::from([0; 64]), 64)] {
        let misuse = Err(Error::TagLen {
            expected: 48,
            given,
        });
        assert_eq!(key.open_in_place(&[0; 8], b"", &mut message, &tag), misuse);
        let mut texts = [&mut message[..]];
        let (aad, text) = (BatchAad::Common(b""), BatchText::Slices(&mut texts));
        let mut statuses = [Status::Done];
        let opened = key.open_batch(&[[0; 8]], aad, text, &[tag], &mut statuses);
        assert_eq!(opened, Err(Error::Batch { failed: 1 }));
        assert_eq!(statuses, [Status::Refused]);
        assert_eq!(&message, b"message");
    }
    assert_eq!(LongTag::try_from(&[0; 33][..]), Err(Error::Open));
}

#[test]
fn keys_are_shared_between_threads_and_do_not_print_themselves() {
    fn shared<T: Send + Sync>(_: &T) {}
    let key = XChaCha20Blake2b::new(&[0xab; 32]);
    shared(&key);
    #[cfg(feature = "alloc")]
    {
        let printed = alloc::format!("{key:?}");
        assert!(printed.contains(key.tier_name()) && printed.contains("Bytes32"));
        assert!(!printed.contains("171") && !printed.contains("ab, ab"));
    }
}

#[test]
fn the_known_answers_are_the_oracles() {
    use sivka_oracle::chacha20_blake2b as oracle;
    let key = known_answer::key();
    for (answer, nonce_len, tag_len) in [(&SHORT, 8, 32), (&EXTENDED, 24, 48), (&SIV, 0, 64)] {
        answer.is_the_oracles(nonce_len, |nonce, aad, text| {
            split(oracle::seal(&key, nonce, aad, text, tag_len), text.len())
        });
    }
}

fn split(mut sealed: std::vec::Vec<u8>, text_len: usize) -> (std::vec::Vec<u8>, std::vec::Vec<u8>) {
    let tag = sealed.split_off(text_len);
    (sealed, tag)
}
