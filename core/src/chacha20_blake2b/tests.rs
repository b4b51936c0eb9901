use super::*;

fn refused<C: Nonces>() -> Family<C> {
    Family::refused(TagLen::Bytes48, Tier::detect())
}

#[test]
fn lengths_over_the_limit_are_refused_with_both_numbers() {
    crate::aead::tests::check(refused::<Short>());
    crate::aead::tests::check(refused::<Extended>());
    crate::aead::tests::check(refused::<Siv>());
    assert_eq!(XChaCha20Blake2b::MAX_LEN, (1 << 31) - 1);
}

#[test]
fn a_tag_of_another_length_is_misuse_and_touches_nothing() {
    let key = ChaCha20Blake2b::with_tag_len(&[1; 32], TagLen::Bytes48);
    let mut message = *b"message";
    for (tag, given) in [(LongTag::from([0; 32]), 32), (LongTag::from([0; 64]), 64)] {
        let misuse = Err(Error::TagLen { expected: 48, given });
        assert_eq!(key.open_in_place(&[0; 8], b"", &mut message, &tag), misuse);
        assert_eq!(&message, b"message");
    }
    assert_eq!(LongTag::try_from(&[0; 33][..]), Err(Error::Open));
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
