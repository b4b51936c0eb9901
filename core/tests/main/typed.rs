//! A key's own calls, with arrays for slices, give what the trait gives: the same bytes, and
//! the same refusals with the same buffers left.

use sivka::{
    Aead, Aes128GcmSiv, Aes256GcmSiv, AesSiv256, AesSiv384, AesSiv512, BatchAad, BatchText,
    ChaCha20Blake2b, Error, KuznyechikMgm, LongTag, Status, Tag, TagLen, Tier, UsageBound,
    XChaCha20Blake2b, XChaCha20Blake2bSiv,
};
use sivka_oracle::lengths::painted;

/// First bytes of nonces; MGM refuses the second.
const NONCE_BYTES: [u8; 2] = [0x31, 0x9c];

/// AADs; MGM refuses the first where the text is empty too.
const AADS: [&[u8]; 2] = [b"", b"aad"];

/// Lengths of texts and of outputs, one of which does not fit.
const LENS: [(usize, usize); 5] = [(0, 0), (1, 1), (5, 6), (150, 150), (1100, 1100)];

/// Says to the compiler that nonces are arrays of this length; SIV has no such line.
fn of_len<const LEN: usize>(nonces: &[[u8; LEN]]) -> &[[u8; LEN]] {
    nonces
}

macro_rules! typed_calls {
    ($name:ident, $key:ident, $tag:ident, tag: $tag_bytes:ty $(, $tag_len:expr)?;
     nonce: $($nonce_len:literal)?) => {
        mod $name {
            use super::*;

            const NONCE_LEN: usize = 0 $(+ $nonce_len)?;

            fn key(tier: Tier) -> $key {
                $key::with_tier(&[0x17; $key::KEY_LEN], $($tag_len,)? tier)
            }

            fn tag(bytes: &[u8]) -> $tag {
                $tag::from(<$tag_bytes>::try_from(bytes).unwrap())
            }

            #[test]
            fn lengths_and_names() {
                for tier in Tier::available() {
                    let key = key(tier);
                    assert_eq!(key.tier_name(), Aead::tier_name(&key));
                    let algorithm = Aead::algorithm(&key);
                    let lens = (algorithm.key_len(), algorithm.nonce_len(), algorithm.tag_len());
                    assert_eq!(lens, ($key::KEY_LEN, NONCE_LEN, size_of::<$tag_bytes>()));
                    $(assert_eq!($key::NONCE_LEN, $nonce_len);)?
                }
            }

            /// One message of every length, nonce and AAD, from sealing to a forgery.
            #[test]
            fn one_message() {
                let inputs = LENS.iter().flat_map(|lens| NONCE_BYTES.map(|byte| (*lens, byte)));
                let inputs = inputs.flat_map(|input| AADS.map(|aad| (input, aad)));
                for (((len, output_len), byte), aad) in inputs {
                    Tier::available().for_each(|tier| message(&key(tier), len, output_len, byte, aad));
                }
            }

            fn message(key: &$key, len: usize, output_len: usize, byte: u8, aad: &[u8]) {
                let of_trait: &dyn Aead = key;
                let (nonce, text) = (&[byte; NONCE_LEN], painted(len, len));
                let mut bytes = [0; size_of::<$tag_bytes>()];
                let made = |typed: Result<$tag, Error>| typed.map(|tag| tag.as_bytes().to_vec());

                let (mut ours, mut theirs) = (vec![7; output_len], vec![7; output_len]);
                let typed = key.seal_into($(&[byte; $nonce_len],)? &text, aad, &mut ours);
                let expected = of_trait.seal_into(nonce, &text, aad, &mut theirs, &mut bytes);
                assert_eq!(made(typed), expected.map(|()| bytes.to_vec()));
                assert_eq!(ours, theirs);

                let (mut ours, mut theirs) = (text.clone(), text.clone());
                let typed = key.seal_in_place($(&[byte; $nonce_len],)? aad, &mut ours);
                let expected = of_trait.seal_in_place(nonce, aad, &mut theirs, &mut bytes);
                assert_eq!(made(typed), expected.map(|()| bytes.to_vec()));
                assert_eq!(ours, theirs);

                let sealed = theirs;
                let forged = bytes.map(|byte| byte ^ 0x10);
                for bytes in [&bytes[..], &forged] {
                    let (mut ours, mut theirs) = (sealed.clone(), sealed.clone());
                    let typed = key.open_in_place($(&[byte; $nonce_len],)? aad, &mut ours, &tag(bytes));
                    let expected = of_trait.open_in_place(nonce, aad, &mut theirs, bytes);
                    assert_eq!((typed, ours), (expected, theirs));

                    let (mut ours, mut theirs) = (vec![7; output_len], vec![7; output_len]);
                    let (nonces, tag) = (nonce, tag(bytes));
                    let typed = key.open_into($(&[byte; $nonce_len],)? &sealed, aad, &tag, &mut ours);
                    let expected = of_trait.open_into(nonces, &sealed, aad, bytes, &mut theirs);
                    assert_eq!((typed, ours), (expected, theirs));
                }
            }

            #[test]
            fn batches() {
                for (tier, aad) in Tier::available().flat_map(|tier| AADS.map(|aad| (tier, aad))) {
                    let (key, aad) = (key(tier), BatchAad::Common(aad));
                    let of_trait: &dyn Aead = &key;
                    let (mut ours, offsets) = (painted(0, 300), [0, 0, 100, 117, 300]);
                    let mut theirs = ours.clone();
                    let nonces: [[u8; NONCE_LEN]; 4] =
                        core::array::from_fn(|i| [NONCE_BYTES[i / 2]; NONCE_LEN]);
                    let mut tags = [tag(&[9; size_of::<$tag_bytes>()]); 4];
                    let mut flat_tags = [[9; size_of::<$tag_bytes>()]; 4];
                    let (mut statuses, mut flat_statuses) = ([Status::TooLong; 4], [Status::TooLong; 4]);

                    // Parts that do not fit.
                    for (tag_count, status_count) in [(3, 4), (4, 3)] {
                        let text = BatchText::Contiguous { bytes: &mut ours, offsets: &offsets };
                        let (tags, statuses) = (&mut tags[..tag_count], &mut statuses[..status_count]);
                        let sealed = key.seal_batch($(of_len::<$nonce_len>(&nonces),)? aad, text, tags, statuses);
                        assert!(matches!(sealed, Err(Error::BatchShape { .. })), "{sealed:?}");
                        let text = BatchText::Contiguous { bytes: &mut ours, offsets: &offsets };
                        let opened = key.open_batch($(of_len::<$nonce_len>(&nonces),)? aad, text, tags, statuses);
                        assert_eq!(opened, sealed);
                    }
                    assert_eq!((&ours, statuses), (&theirs, [Status::TooLong; 4]));
                    assert!(tags.iter().all(|tag| tag.as_bytes().iter().all(|byte| *byte == 9)));

                    let text = BatchText::Contiguous { bytes: &mut ours, offsets: &offsets };
                    let typed = key.seal_batch($(of_len::<$nonce_len>(&nonces),)? aad, text, &mut tags, &mut statuses);
                    let text = BatchText::Contiguous { bytes: &mut theirs, offsets: &offsets };
                    let (flat_nonces, flat) = (nonces.as_flattened(), flat_tags.as_flattened_mut());
                    let expected = of_trait.seal_batch(flat_nonces, aad, text, flat, &mut flat_statuses);
                    assert_eq!((typed, &ours, statuses), (expected, &theirs, flat_statuses));
                    for i in (0..4).filter(|i| statuses[*i] == Status::Done) {
                        assert_eq!(tags[i].as_bytes()[..], flat_tags[i]);
                    }

                    tags[2] = tags[3];
                    flat_tags[2] = flat_tags[3];
                    let text = BatchText::Contiguous { bytes: &mut ours, offsets: &offsets };
                    let typed = key.open_batch($(of_len::<$nonce_len>(&nonces),)? aad, text, &tags, &mut statuses);
                    let text = BatchText::Contiguous { bytes: &mut theirs, offsets: &offsets };
                    let flat = flat_tags.as_flattened();
                    let expected = of_trait.open_batch(flat_nonces, aad, text, flat, &mut flat_statuses);
                    assert_eq!((typed, &ours, statuses), (expected, &theirs, flat_statuses));
                    assert_eq!(statuses[2], Status::NotOpened);
                }
            }

            #[test]
            fn typed_calls_use_no_heap() {
                let key = key(Tier::detect());
                let (mut ours, mut apart) = ([3; 500], [3; 500]);
                let used = allocation_counter::measure(|| {
                    let tag = key.seal_into($(&[1; $nonce_len],)? &ours, b"", &mut apart).unwrap();
                    key.open_into($(&[1; $nonce_len],)? &apart, b"", &tag, &mut ours).unwrap();
                    let tag = key.seal_in_place($(&[1; $nonce_len],)? b"", &mut ours).unwrap();
                    key.open_in_place($(&[1; $nonce_len],)? b"", &mut ours, &tag).unwrap();
                });
                assert_eq!(used.count_total, 0);
            }

            $(
            #[test]
            fn to_a_vec_under_a_given_nonce() {
                let inputs = NONCE_BYTES.into_iter().flat_map(|byte| AADS.map(|aad| (byte, aad)));
                for ((byte, aad), (len, _)) in inputs.flat_map(|input| LENS.map(|lens| (input, lens))) {
                    let (key, nonce, text) = (key(Tier::detect()), [byte; $nonce_len], painted(len, len));
                    let expected = Aead::seal_with_nonce(&key, &nonce, &text, aad);
                    assert_eq!(key.seal_with_nonce(&nonce, &text, aad), expected);
                    let sealed = expected.unwrap_or_else(|_| vec![0; len + 64]);
                    for len in [sealed.len(), sealed.len() - 1, 3, 0] {
                        let expected = Aead::open_with_nonce(&key, &nonce, &sealed[..len], aad);
                        assert_eq!(key.open_with_nonce(&nonce, &sealed[..len], aad), expected);
                    }
                }
            }
            )?
        }
    };
}
typed_calls!(aes_128_gcm_siv, Aes128GcmSiv, Tag, tag: [u8; 16]; nonce: 12);
typed_calls!(aes_256_gcm_siv, Aes256GcmSiv, Tag, tag: [u8; 16]; nonce: 12);
typed_calls!(kuznyechik_mgm, KuznyechikMgm, Tag, tag: [u8; 16]; nonce: 16);
typed_calls!(chacha20_blake2b, ChaCha20Blake2b, LongTag, tag: [u8; 48], TagLen::Bytes48; nonce: 8);
typed_calls!(xchacha20_blake2b, XChaCha20Blake2b, LongTag, tag: [u8; 64], TagLen::Bytes64; nonce: 24);
typed_calls!(xchacha20_blake2b_siv, XChaCha20Blake2bSiv, LongTag, tag: [u8; 32], TagLen::Bytes32; nonce:);
typed_calls!(aes_siv_256, AesSiv256, Tag, tag: [u8; 16]; nonce:);
typed_calls!(aes_siv_384, AesSiv384, Tag, tag: [u8; 16]; nonce:);
typed_calls!(aes_siv_512, AesSiv512, Tag, tag: [u8; 16]; nonce:);

/// The calls of a key that draws its nonces: level one, usage bounds, batches.
macro_rules! random_nonces {
    ($name:ident, $key:ident, $tag:ident::from([$byte:literal; $tag_len:literal])) => {
        mod $name {
            use super::*;

            const NONCE_LEN: usize = $key::NONCE_LEN;

            fn key(messages: u64) -> $key {
                let key = $key::new(&[0x17; $key::KEY_LEN]);
                key.with_usage_bound(UsageBound::new(messages, 20))
            }

            #[test]
            fn what_one_seals_the_other_opens() {
                let key = key(2);
                let (ours, theirs) = (key.seal(b"text", b"aad"), Aead::seal(&key, b"text", b"aad"));
                let (ours, theirs) = (ours.unwrap(), theirs.unwrap());
                assert_ne!(ours, theirs);
                assert_eq!(Aead::open(&key, &ours, b"aad").unwrap(), b"text");
                assert_eq!(key.open(&theirs, b"aad").unwrap(), b"text");
                for len in 0..ours.len() {
                    assert_eq!(key.open(&ours[..len], b"aad"), Err(Error::Open));
                }
                let spent = Err(Error::UsageBound { messages: 2 });
                assert_eq!(key.seal(b"text", b"aad"), spent);
                assert_eq!(Aead::seal(&key, b"text", b"aad"), spent);
            }

            /// Seals two messages of the given ends with so many tags and statuses.
            fn seal(
                key: &$key,
                bytes: &mut [u8],
                ends: [usize; 3],
                (tag_count, status_count): (usize, usize),
            ) -> (Result<(), Error>, [[u8; NONCE_LEN]; 2], [$tag; 3]) {
                let mut nonces = [[0; NONCE_LEN]; 2];
                let (mut tags, mut statuses) =
                    ([$tag::from([$byte; $tag_len]); 3], [Status::TooLong; 3]);
                let text = BatchText::Contiguous {
                    bytes,
                    offsets: &ends,
                };
                let result = key.seal_batch_with_random_nonces(
                    &mut nonces,
                    BatchAad::Common(b"aad"),
                    text,
                    &mut tags[..tag_count],
                    &mut statuses[..status_count],
                );
                (result, nonces, tags)
            }

            #[test]
            fn batches() {
                let key = key(3);
                let mut bytes = *b"one, and a second message of 36 byte";
                // What is refused for its shape or a length spends nothing of the bound.
                for (ends, counts) in [
                    ([0, 3, 20], (1, 2)),
                    ([0, 3, 20], (2, 3)),
                    ([0, 20, 3], (2, 2)),
                    ([0, 3, 37], (2, 2)),
                    ([0, 3, 36], (2, 2)),
                    // Eighteen bytes and three of AAD.
                    ([0, 3, 21], (2, 2)),
                ] {
                    let (sealed, nonces, _) = seal(&key, &mut bytes, ends, counts);
                    let refused = matches!(
                        sealed,
                        Err(Error::BatchShape { .. } | Error::TooLong { .. })
                    );
                    assert!(refused, "{sealed:?}");
                    assert_eq!(nonces, [[0; NONCE_LEN]; 2]);
                }
                let plaintext = bytes;
                let (sealed, nonces, tags) = seal(&key, &mut bytes, [0, 3, 20], (2, 2));
                assert_eq!(sealed, Ok(()));
                assert_ne!(nonces[0], nonces[1]);
                for (i, ends) in [0..3, 3..20].into_iter().enumerate() {
                    let opened = key.open_in_place(&nonces[i], b"aad", &mut bytes[ends], &tags[i]);
                    assert_eq!(opened, Ok(()));
                }
                assert_eq!(bytes, plaintext);

                let spent = Error::UsageBound { messages: 3 };
                assert_eq!(seal(&key, &mut bytes, [0, 3, 20], (2, 2)).0, Err(spent));
                assert_eq!(bytes, plaintext);
                assert!(key.seal(b"the third", b"").is_ok());
                assert_eq!(key.seal(b"the fourth", b""), Err(spent));
            }
        }
    };
}
random_nonces!(
    aes_128_gcm_siv_with_random_nonces,
    Aes128GcmSiv,
    Tag::from([9; 16])
);
random_nonces!(
    aes_256_gcm_siv_with_random_nonces,
    Aes256GcmSiv,
    Tag::from([9; 16])
);
random_nonces!(
    kuznyechik_mgm_with_random_nonces,
    KuznyechikMgm,
    Tag::from([9; 16])
);
random_nonces!(
    xchacha20_blake2b_with_random_nonces,
    XChaCha20Blake2b,
    LongTag::from([9; 32])
);

#[test]
fn siv_without_a_nonce() {
    for tier in Tier::available() {
        let key = XChaCha20Blake2bSiv::with_tier(&[3; 32], TagLen::Bytes48, tier);
        let sealed = key.seal(b"text", b"aad").unwrap();
        assert_eq!(Aead::seal(&key, b"text", b"aad").unwrap(), sealed);
        let of_trait = Aead::seal_with_nonce(&key, &[], b"text", b"aad");
        assert_eq!(of_trait.unwrap(), sealed);
        for len in 0..=sealed.len() {
            let opened = key.open(&sealed[..len], b"aad");
            assert_eq!(opened, Aead::open(&key, &sealed[..len], b"aad"));
            assert_eq!(opened.is_ok(), len == sealed.len());
        }
    }
}
