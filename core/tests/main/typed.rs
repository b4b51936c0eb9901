//! A key's own calls, with arrays for slices, give what the trait gives: the same bytes, and
//! the same refusals with the same buffers left.

use sivka::{Aead, Error, LongTag, TagLen, UsageBound, XChaCha20Blake2b, XChaCha20Blake2bSiv};
use sivka_oracle::lengths::painted;

/// Every call, once more with an output that is too long, with a forged tag, and with a sealed
/// message that is too short. All keys are of one generic type.
#[test]
fn typed_calls_are_the_traits() {
    let key = XChaCha20Blake2b::with_tag_len(&[0x17; 32], TagLen::Bytes48);
    let of_trait: &dyn Aead = &key;
    assert_eq!(key.tier_name(), of_trait.tier_name());
    let (nonce, text, aad, mut bytes) = (&[0x31; 24], painted(9, 150), b"aad", [0; 48]);

    let (mut ours, mut sealed) = (text.clone(), text.clone());
    let typed = key.seal_in_place(nonce, aad, &mut ours);
    of_trait.seal_in_place(nonce, aad, &mut sealed, &mut bytes).unwrap();
    assert_eq!((typed, &ours), (Ok(LongTag::from(bytes)), &sealed));
    for (output_len, forged) in [(150, 0), (150, 0x10), (151, 0x10)] {
        let (mut ours, mut theirs) = (vec![7; output_len], vec![7; output_len]);
        let typed = key.seal_into(nonce, &text, aad, &mut ours);
        let expected = of_trait.seal_into(nonce, &text, aad, &mut theirs, &mut bytes);
        assert_eq!((typed, ours), (expected.map(|()| LongTag::from(bytes)), theirs));

        bytes[3] ^= forged;
        let tag = LongTag::from(bytes);
        let (mut ours, mut theirs) = (vec![7; output_len], vec![7; output_len]);
        let typed = key.open_into(nonce, &sealed, aad, &tag, &mut ours);
        let expected = of_trait.open_into(nonce, &sealed, aad, &bytes, &mut theirs);
        assert_eq!((typed, ours), (expected, theirs));
        let (mut ours, mut theirs) = (sealed.clone(), sealed.clone());
        let typed = key.open_in_place(nonce, aad, &mut ours, &tag);
        let expected = of_trait.open_in_place(nonce, aad, &mut theirs, &bytes);
        assert_eq!((typed, ours), (expected, theirs));
    }

    let sealed = of_trait.seal_with_nonce(nonce, &text, aad).unwrap();
    assert_eq!(key.seal_with_nonce(nonce, &text, aad).as_ref(), Ok(&sealed));
    for sealed in [&sealed[..], &sealed[..3]] {
        let expected = of_trait.open_with_nonce(nonce, sealed, aad);
        assert_eq!(key.open_with_nonce(nonce, sealed, aad), expected);
    }
}

#[test]
fn many_are_sealed_to_what_one_is() {
    let texts: Vec<Vec<u8>> = (0..600).map(|i| painted(i, i % 90)).collect();
    let key = XChaCha20Blake2bSiv::new(&[3; 32]);
    let sealed = key.seal_all(texts.iter().map(|text| &text[..]), b"aad");
    let one_by_one = texts.iter().map(|text| key.seal(text, b"aad").unwrap());
    assert_eq!(sealed.unwrap(), one_by_one.collect::<Vec<_>>());

    let key = XChaCha20Blake2b::new(&[3; 32]).with_usage_bound(UsageBound::new(700, 1000));
    let sealed = key.seal_all(texts.iter().map(|text| &text[..]), b"aad");
    for (sealed, text) in sealed.unwrap().iter().zip(&texts) {
        assert_eq!(&key.open(sealed, b"aad").unwrap(), text);
    }
    let again = key.seal_all(texts.iter().map(|text| &text[..]), b"aad");
    assert_eq!(again, Err(Error::UsageBound { messages: 700 }));
    assert_eq!(key.seal_all([], b"aad"), Ok(vec![]));
}
