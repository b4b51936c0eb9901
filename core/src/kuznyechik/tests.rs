//! What only this module can see: refused keys, limits without the memory for them.

use super::key::{TierBothKeys, TierKeys};
use super::*;
use crate::aead::engine::Engine;
use crate::tag::Tag;
use crate::tier::erased::Erased;

#[test]
fn lengths_over_the_limit_are_refused_with_both_numbers() {
    let limit = (1 << 61) - 1;
    let check = |aad, text| Engine::<TierKeys>::check(&[0; 16], aad, text);
    assert_eq!(check(1, limit - 1), Ok(()));
    assert_eq!(check(limit, 0), Ok(()));
    for (aad_len, plaintext_len, given) in [
        (limit + 1, 0, limit + 1),
        (1, limit, limit + 1),
        (limit, limit, 2 * limit),
        (1, u64::MAX, u64::MAX),
    ] {
        let Err(Error::TooLong {
            limit: l, given: g, ..
        }) = check(aad_len, plaintext_len)
        else {
            panic!("{aad_len} and {plaintext_len} bytes pass");
        };
        assert_eq!((l, g), (limit, given));
    }
}

#[test]
fn a_key_whose_tier_failed_its_check_refuses_and_touches_nothing() {
    let tier = Tier::detect();
    let error = Error::SelfCheck { tier: tier.name() };
    let key = Kuznyechik {
        key: TierKey {
            keys: Erased::new(TierBothKeys::Refused),
            tier,
        },
    };
    let mut block = [5; 16];
    assert_eq!(key.encrypt_block(&mut block), Err(error));
    assert_eq!(key.decrypt_block(&mut block), Err(error));
    assert_eq!(block, [5; 16]);

    let key = KuznyechikMgm::from_keys(TierKeys::Refused, tier);
    let mut message = *b"message";
    assert_eq!(key.seal_in_place(&[0; 16], b"", &mut message), Err(error));
    let tag = Tag::from([0; 16]);
    assert_eq!(
        key.open_in_place(&[0; 16], b"", &mut message, &tag),
        Err(error)
    );
    assert_eq!(&message, b"message");
}

#[test]
fn keys_are_shared_between_threads_and_do_not_print_themselves() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&Kuznyechik::new(&[0xab; 32]));
    let key = KuznyechikMgm::new(&[0xab; 32]);
    shared(&key);
    #[cfg(feature = "alloc")]
    {
        let printed = alloc::format!("{key:?}");
        assert!(printed.contains(key.tier_name()));
        assert!(!printed.contains("171") && !printed.contains("ab, ab"));
    }
}

#[test]
fn the_known_answer_is_the_oracles() {
    let key = crate::aead::known_answer::key();
    super::mgm::KNOWN_ANSWER.is_the_oracles(16, |nonce, aad, text| {
        let mut nonce: [u8; 16] = nonce.try_into().unwrap();
        nonce[0] &= 0x7f;
        let mut sealed = sivka_oracle::mgm::seal(&key, &nonce, aad, text).unwrap();
        let tag = sealed.split_off(text.len());
        (sealed, tag)
    });
}
