//! Tests that need this crate's own view of a key: refused keys, and limits without the memory for
//! them.

use super::keys::*;
use crate::tier::Tier;
use std::format;
use std::vec;

/// Asks every key of a cipher, and one whose tier failed its check.
pub(crate) fn check<C: Calls>(refused: C)
where
    Key<C>: Aead,
{
    refuses_and_touches_nothing(&Key { engine: Engine::new(refused, Tier::detect()) });
    lengths_over_the_limit_are_refused_with_both_numbers::<C>();
    for tier in Tier::available() {
        let mut bytes = C::Key::ZEROS;
        bytes.as_mut().fill(0xab);
        let key = Key::<C>::with_tier(&bytes, tier);
        does_not_print_itself(&key);
    }
}

fn refuses_and_touches_nothing(key: &dyn Aead) {
    let refused = Err(Error::SelfCheck { tier: key.tier_name() });
    let algorithm = key.algorithm();
    let (nonce, mut tag) = (vec![0; algorithm.nonce_len()], vec![0; algorithm.tag_len()]);
    let mut message = *b"message";
    let sealed = key.seal_in_place(&nonce, b"", &mut message, &mut tag);
    assert_eq!(sealed, refused);
    assert_eq!(key.open_in_place(&nonce, b"", &mut message, &tag), refused);
    let mut statuses = [Status::NotOpened];
    let (aad, mut texts) = (BatchAad::Common(b""), [&mut message[..]]);
    let text = BatchText::Slices(&mut texts);
    let sealed = key.seal_batch(&nonce, aad, text, &mut tag, &mut statuses);
    assert_eq!(sealed, refused);
    let text = BatchText::Slices(&mut texts);
    let opened = key.open_batch(&nonce, aad, text, &tag, &mut statuses);
    assert_eq!(opened, refused);
    assert!(tag.iter().all(|byte| *byte == 0));
    assert_eq!((&message, statuses), (b"message", [Status::NotOpened]));
    #[cfg(feature = "getrandom")]
    if algorithm.nonce_rule() != NonceRule::Counter {
        assert_eq!(key.seal(b"message", b"").map(|_| ()), refused);
    }
}

fn lengths_over_the_limit_are_refused_with_both_numbers<C: Cipher>() {
    let check = |aad, text| Engine::<C>::check(&C::Nonce::ZEROS, aad, text);
    let Limits { text, aad, together, .. } = C::LIMITS;
    let most = text.min(together);
    assert_eq!(check(together.saturating_sub(most).min(aad), most), Ok(()));
    for given in [most + 1, most + 5, u64::MAX] {
        for lens in [(given, 0), (0, given)] {
            let Err(Error::TooLong { limit, given: g, .. }) = check(lens.0, lens.1) else {
                panic!("{lens:?} bytes pass");
            };
            assert_eq!((limit, g), (most, given));
        }
    }
    if together != u64::MAX {
        assert!(check(1, together).is_err() && check(together, together).is_err());
    }
}

fn does_not_print_itself(key: &impl Aead) {
    let printed = format!("{key:?}");
    assert!(printed.starts_with(key.algorithm().name()) && printed.contains(key.tier_name()));
    assert!(!printed.contains("171") && !printed.contains("ab, ab"));
}
