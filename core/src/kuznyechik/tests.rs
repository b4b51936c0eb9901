use super::key::{TierBothKeys, TierKeys};
use super::*;

#[test]
fn keys_are_as_all_keys_are() {
    crate::aead::tests::check(TierKeys::Refused);
}

#[test]
fn a_key_whose_tier_failed_its_check_refuses_and_touches_nothing() {
    let tier = Tier::detect();
    let error = Error::SelfCheck { tier: tier.name() };
    let key = Kuznyechik { key: TierKey { keys: Wiped::of(TierBothKeys::Refused), tier } };
    let mut block = [5; 16];
    assert_eq!(key.encrypt_block(&mut block), Err(error));
    assert_eq!(key.decrypt_block(&mut block), Err(error));
    assert_eq!(block, [5; 16]);
}

#[test]
fn the_known_answer_is_the_oracles() {
    let key = crate::aead::known_answer::key();
    super::mgm::KNOWN_ANSWER.is_the_oracles(16, |nonce, aad, text| {
        let mut nonce: [u8; 16] = nonce.try_into().unwrap();
        nonce[0] &= 0x7f;
        sivka_oracle::mgm::seal(&key, &nonce, aad, text).unwrap()
    });
}
