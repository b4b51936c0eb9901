use super::*;

#[test]
fn keys_are_as_all_keys_are() {
    crate::aead::tests::check(aes128::TierKeys::Refused);
    crate::aead::tests::check(aes192::TierKeys::Refused);
    crate::aead::tests::check(aes256::TierKeys::Refused);
}

#[test]
fn lists_are_refused_for_their_lengths_and_by_a_refused_key() {
    let (limit, given) = (1 << 36, (1 << 36) + 1);
    let strings: [&[u8]; 126] = [b"aad"; 126];
    for what in ["plaintext", "ciphertext"] {
        assert_eq!(check(&strings, what, limit), Ok(()));
        let refused = Err(Error::TooLong { what, limit, given });
        assert_eq!(check(&strings, what, given), refused);
    }
    let key = AesSiv512 { engine: Engine::new(aes256::TierKeys::Refused, Tier::detect()) };
    let refused = Error::SelfCheck { tier: key.tier_name() };
    let (mut message, tag) = (*b"message", Tag::from([0; 16]));
    assert_eq!(key.seal_in_place_with_list(&[], &mut message), Err(refused));
    let opened = key.open_in_place_with_list(&[b"", b""], &mut message, &tag);
    assert_eq!(opened, Err(refused));
    assert_eq!(&message, b"message");
}

#[test]
fn the_known_answers_are_the_oracles() {
    let key = known_answer::key::<64>();
    for (answer, key_len) in KNOWN_ANSWER.iter().zip([32, 48, 64]) {
        answer.is_the_oracles(0, |_, aad, text| {
            let mut sealed = sivka_oracle::aes_siv::seal(&key[..key_len], &[aad], text);
            sealed.rotate_left(Tag::LEN);
            sealed
        });
    }
}
