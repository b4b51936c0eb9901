//! A key's own calls, with arrays for slices, give what the trait gives: the same bytes, and
//! the same refusals with the same buffers left.

use sivka::{
    Aead, Aes128GcmSiv, BatchAad, BatchText, Error, LongTag, Status, Tag, TagLen, UsageBound,
    XChaCha20Blake2b, XChaCha20Blake2bSiv,
};
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
fn a_batch_with_random_nonces_spends_a_bound_once_it_fits_together() {
    let key = Aes128GcmSiv::new(&[0x17; 16]).with_usage_bound(UsageBound::new(3, 20));
    // Seals two messages of the given ends with so many bytes of tags and statuses.
    let seal_two = |bytes: &mut [u8], offsets: [usize; 3], tag_len, status_count| {
        let (mut nonces, mut tags) = ([[0; 12]; 2], [[9; 16]; 3]);
        let result = key.seal_batch_with_random_nonces(
            nonces.as_flattened_mut(),
            BatchAad::Common(b"aad"),
            BatchText::Contiguous { bytes, offsets: &offsets },
            &mut tags.as_flattened_mut()[..tag_len],
            &mut [Status::TooLong; 3][..status_count],
        );
        (result, nonces, tags)
    };
    let plaintext = *b"one, and a second message of 36 byte";
    let mut bytes = plaintext;
    for (ends, tag_len, status_count) in [
        ([0, 3, 20], 16, 2),
        ([0, 3, 20], 32, 3),
        ([0, 20, 3], 32, 2),
        ([0, 3, 37], 32, 2),
        ([0, 3, 36], 32, 2),
        // Eighteen bytes and three of AAD.
        ([0, 3, 21], 32, 2),
    ] {
        let (sealed, nonces, _) = seal_two(&mut bytes, ends, tag_len, status_count);
        let refused = matches!(sealed, Err(Error::BatchShape { .. } | Error::TooLong { .. }));
        assert!(refused, "{sealed:?}");
        assert_eq!((nonces, bytes), ([[0; 12]; 2], plaintext));
    }
    let (sealed, nonces, tags) = seal_two(&mut bytes, [0, 3, 20], 32, 2);
    assert_eq!(sealed, Ok(()));
    assert_ne!(nonces[0], nonces[1]);
    for (i, ends) in [0..3, 3..20].into_iter().enumerate() {
        let tag = Tag::from(tags[i]);
        let opened = key.open_in_place(&nonces[i], b"aad", &mut bytes[ends], &tag);
        assert_eq!(opened, Ok(()));
    }
    assert_eq!(bytes, plaintext);

    let spent = Error::UsageBound { messages: 3 };
    let (again, ..) = seal_two(&mut bytes, [0, 3, 20], 32, 2);
    assert_eq!((again, bytes), (Err(spent), plaintext));
    assert!(key.seal(b"the third", b"").is_ok());
    assert_eq!(key.seal(b"the fourth", b""), Err(spent));
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
