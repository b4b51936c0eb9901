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
fn the_known_answers_are_the_oracles() {
    use sivka_oracle::chacha20_blake2b as oracle;
    let key = known_answer::key();
    for (answer, nonce_len, tag_len) in [(&SHORT, 8, 32), (&EXTENDED, 24, 48), (&SIV, 0, 64)] {
        answer.is_the_oracles(nonce_len, |nonce, aad, text| {
            oracle::seal(&key, nonce, aad, text, tag_len)
        });
    }
}
