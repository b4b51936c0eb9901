use super::*;

#[test]
fn keys_are_as_all_keys_are() {
    crate::aead::tests::check(aes128::TierKeys::Refused);
    crate::aead::tests::check(aes256::TierKeys::Refused);
}

#[test]
fn the_known_answer_has_more_messages_than_are_worked_on_alone() {
    for tier in Tier::available() {
        let few = Aes256GcmSiv::with_tier(&[1; 32], tier).engine.cipher().few();
        assert!(few.is_some_and(|few| few < known_answer::BATCH), "{tier:?}");
    }
}

#[test]
fn the_known_answers_are_the_oracles() {
    use sivka_oracle::gcm_siv::seal;
    let (short, long) = (known_answer::key::<16>(), known_answer::key::<32>());
    KNOWN_ANSWER_128.is_the_oracles(12, |nonce, aad, text| seal(&short, nonce, aad, text));
    KNOWN_ANSWER_256.is_the_oracles(12, |nonce, aad, text| seal(&long, nonce, aad, text));
}
