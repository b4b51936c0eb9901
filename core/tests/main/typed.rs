//! A key's own calls, with arrays for slices, give what the trait gives: the same bytes, and
//! the same refusals with the same buffers left.

use sivka::{
    Aead, Aes128GcmSiv, Aes256GcmSiv, BatchAad, BatchText, ChaCha20Blake2b, Column, ColumnNonces,
    Error, KuznyechikMgm, LongTag, Offsets, OffsetsMut, Status, Tag, TagLen, Tier, UsageBound,
    XChaCha20Blake2b, XChaCha20Blake2bSiv,
};
use sivka_oracle::lengths::painted;

/// Nonces of two first bytes, of which MGM refuses the second, and lengths of an output, of which
/// one fits, give what they give through the trait; the tag is right, and then it is not.
macro_rules! as_the_trait {
    ($test:ident, $key:ident, $tag:ident($bytes:ty), |$tier:ident| $new:expr) => {
        #[test]
        fn $test() {
            for ($tier, byte, output_len) in Tier::available()
                .flat_map(|tier| [(tier, 0x31, 150), (tier, 0x9c, 150), (tier, 0x31, 151)])
            {
                let key = $new;
                let of_trait: &dyn Aead = &key;
                assert_eq!(key.tier_name(), of_trait.tier_name());
                let (nonce, text, aad) = (&[byte; $key::NONCE_LEN], painted(9, 150), b"aad");
                let mut bytes = vec![0; key.algorithm().tag_len()];
                let made = |typed: Result<$tag, Error>| typed.map(|tag| tag.as_ref().to_vec());

                let (mut ours, mut theirs) = (vec![7; output_len], vec![7; output_len]);
                let typed = key.seal_into(nonce, &text, aad, &mut ours);
                let expected = of_trait.seal_into(nonce, &text, aad, &mut theirs, &mut bytes);
                assert_eq!((made(typed), ours), (expected.map(|()| bytes.clone()), theirs));

                let (mut ours, mut sealed) = (text.clone(), text.clone());
                let typed = key.seal_in_place(nonce, aad, &mut ours);
                let expected = of_trait.seal_in_place(nonce, aad, &mut sealed, &mut bytes);
                assert_eq!((made(typed), &ours), (expected.map(|()| bytes.clone()), &sealed));

                for forged in [0, 0x10] {
                    bytes.iter_mut().for_each(|byte| *byte ^= forged);
                    let tag = $tag::from(<$bytes>::try_from(&bytes[..]).unwrap());
                    let (mut ours, mut theirs) = (sealed.clone(), sealed.clone());
                    let typed = key.open_in_place(nonce, aad, &mut ours, &tag);
                    let expected = of_trait.open_in_place(nonce, aad, &mut theirs, &bytes);
                    assert_eq!((typed, ours), (expected, theirs));

                    let (mut ours, mut theirs) = (vec![7; output_len], vec![7; output_len]);
                    let typed = key.open_into(nonce, &sealed, aad, &tag, &mut ours);
                    let expected = of_trait.open_into(nonce, &sealed, aad, &bytes, &mut theirs);
                    assert_eq!((typed, ours), (expected, theirs));
                }

                let expected = of_trait.seal_with_nonce(nonce, &text, aad);
                assert_eq!(key.seal_with_nonce(nonce, &text, aad), expected);
                let sealed = expected.unwrap_or(sealed);
                for len in [sealed.len(), 3] {
                    let expected = of_trait.open_with_nonce(nonce, &sealed[..len], aad);
                    assert_eq!(key.open_with_nonce(nonce, &sealed[..len], aad), expected);
                }
            }
        }
    };
}
as_the_trait!(aes_256_gcm_siv, Aes256GcmSiv, Tag([u8; 16]), |tier| {
    Aes256GcmSiv::with_tier(&[0x17; 32], tier)
});
as_the_trait!(kuznyechik_mgm, KuznyechikMgm, Tag([u8; 16]), |tier| {
    KuznyechikMgm::with_tier(&[0x17; 32], tier)
});
as_the_trait!(chacha20_blake2b, ChaCha20Blake2b, LongTag([u8; 48]), |tier| {
    ChaCha20Blake2b::of_len_on_tier(&[0x17; 32], TagLen::Bytes48, tier)
});
as_the_trait!(xchacha20_blake2b_siv, XChaCha20Blake2bSiv, LongTag([u8; 32]), |tier| {
    XChaCha20Blake2bSiv::with_tier(&[0x17; 32], tier)
});

/// What became of two messages, their nonces, and the tags.
type SealedTwo = (Result<(), Error>, [[u8; 12]; 2], [[u8; 16]; 3]);

/// Seals two messages of the given ends with so many tags and statuses.
fn seal_two(
    key: &Aes128GcmSiv,
    bytes: &mut [u8],
    offsets: [usize; 3],
    (tag_len, status_count): (usize, usize),
) -> SealedTwo {
    let (mut nonces, mut tags) = ([[0; 12]; 2], [[9; 16]; 3]);
    let text = BatchText::Contiguous { bytes, offsets: &offsets };
    let result = key.seal_batch_with_random_nonces(
        nonces.as_flattened_mut(),
        BatchAad::Common(b"aad"),
        text,
        &mut tags.as_flattened_mut()[..tag_len],
        &mut [Status::TooLong; 3][..status_count],
    );
    (result, nonces, tags)
}

#[test]
fn a_batch_with_random_nonces_spends_a_bound_once_it_fits_together() {
    let key = Aes128GcmSiv::new(&[0x17; 16]).with_usage_bound(UsageBound::new(3, 20));
    let mut bytes = *b"one, and a second message of 36 byte";
    for (ends, counts) in [
        ([0, 3, 20], (16, 2)),
        ([0, 3, 20], (32, 3)),
        ([0, 20, 3], (32, 2)),
        ([0, 3, 37], (32, 2)),
        ([0, 3, 36], (32, 2)),
        // Eighteen bytes and three of AAD.
        ([0, 3, 21], (32, 2)),
    ] {
        let (sealed, nonces, _) = seal_two(&key, &mut bytes, ends, counts);
        let refused = matches!(sealed, Err(Error::BatchShape { .. } | Error::TooLong { .. }));
        assert!(refused, "{sealed:?}");
        assert_eq!(nonces, [[0; 12]; 2]);
    }
    let plaintext = bytes;
    let (sealed, nonces, tags) = seal_two(&key, &mut bytes, [0, 3, 20], (32, 2));
    assert_eq!(sealed, Ok(()));
    assert_ne!(nonces[0], nonces[1]);
    for (i, ends) in [0..3, 3..20].into_iter().enumerate() {
        let tag = Tag::from(tags[i]);
        let opened = key.open_in_place(&nonces[i], b"aad", &mut bytes[ends], &tag);
        assert_eq!(opened, Ok(()));
    }
    assert_eq!(bytes, plaintext);

    let spent = Error::UsageBound { messages: 3 };
    let (again, ..) = seal_two(&key, &mut bytes, [0, 3, 20], (32, 2));
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

/// A key has the calls for columns itself, and those with random nonces where it may.
#[test]
fn columns_are_the_keys_own() {
    let key = KuznyechikMgm::new(&[3; 32]);
    let values = Column { bytes: b"onetwo", offsets: Offsets::Bits32(&[0, 3, 6]), validity: None };
    let aad = BatchAad::Common(b"aad");
    let mut sealed = vec![0; key.sealed_column_len(&values).unwrap()];
    let mut ends = [0_i64; 3];
    let out = OffsetsMut::Bits64(&mut ends);
    key.seal_column(ColumnNonces::Random, &values, aad, &mut sealed, out).unwrap();
    let rows = Column { bytes: &sealed, offsets: Offsets::Bits64(&ends), validity: None };
    let mut opened = vec![0; key.opened_column_len(&rows).unwrap()];
    let (mut ends, mut statuses) = ([0_i32; 3], [Status::Refused; 2]);
    let out = OffsetsMut::Bits32(&mut ends);
    key.open_column(&rows, aad, &mut opened, out, &mut statuses).unwrap();
    assert_eq!((&opened[..], ends), (&b"onetwo"[..], [0, 3, 6]));
}
