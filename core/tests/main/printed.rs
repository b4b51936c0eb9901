//! What errors, tags, algorithms and keys say of themselves, and how tags compare.

use sivka::{Algorithm, Error, Kuznyechik, KuznyechikOmac, LongTag, Tag};
use std::fmt::Debug;

#[test]
fn every_error_says_what_was_expected_and_given() {
    let (expected, given) = (12, 11);
    for (error, text) in [
        (Error::Open, "message does not open under this key, nonce and aad"),
        (
            Error::TooLong { what: "aad", limit: 16, given: 17 },
            "aad is too long: at most 16 bytes, 17 given",
        ),
        (
            Error::TooManyStrings { limit: 126, given: 127 },
            "too many strings of associated data: at most 126, 127 given",
        ),
        (Error::KeyLen { expected, given }, "keys of this algorithm have 12 bytes, 11 given"),
        (Error::NonceLen { expected, given }, "nonces of this algorithm have 12 bytes, 11 given"),
        (Error::NoRandomNonce, "the nonces of this algorithm are too short to be random"),
        (Error::TagLen { expected, given }, "tags of this key have 12 bytes, 11 given"),
        (Error::OutputLen { expected, given }, "the output must have 12 bytes, 11 given"),
        (Error::Batch { failed: 1 }, "1 message of the batch was not done"),
        (Error::Batch { failed: 3 }, "3 messages of the batch were not done"),
        (
            Error::BatchShape { what: "tags", expected, given },
            "batch does not fit together: tags: 12 expected, 11 given",
        ),
        (Error::NegativeOffset { given: -1 }, "an offset of the column is negative: -1"),
        (Error::UsageBound { messages: 5 }, "usage bound spent: this key sealed 5 messages"),
        (Error::UsageBound { messages: 1 }, "usage bound spent: this key sealed 1 message"),
        (Error::Nonce, "the first bit of an MGM nonce must be zero"),
        (Error::Empty, "MGM cannot seal an empty plaintext with an empty aad"),
        (
            Error::SectionLen { given: 17 },
            "a section must be a positive multiple of 16 bytes, 17 given",
        ),
        (Error::Random, "the operating system gave no random bytes"),
        (Error::SelfCheck { tier: "avx2" }, "the avx2 kernels failed their known-answer check"),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

/// RFC 8452 section 6, RFC 9058 section 4.1; the other limits are documented with the keys.
#[test]
fn an_algorithm_says_its_name_and_its_limits() {
    for algorithm in Algorithm::all() {
        let limit = match algorithm.name() {
            name if name.contains("ChaCha20") => (1 << 31) - 1,
            "Kuznyechik-MGM" => (1 << 61) - 1,
            _ => 1 << 36,
        };
        assert_eq!(algorithm.max_plaintext_len(), limit, "{algorithm}");
        assert_eq!(algorithm.max_aad_len(), limit, "{algorithm}");
        assert_eq!(format!("{algorithm:?}"), algorithm.name());
    }
}

/// Tags of some bytes, made by `tag_of`, say them and nothing else, and compare as they do.
fn tags_are_their_bytes<T>(name: &str, len: u8, tag_of: impl Fn(&[u8]) -> T)
where
    T: AsRef<[u8]> + Debug + PartialEq,
{
    let bytes: Vec<u8> = (0..len).collect();
    let tag = tag_of(&bytes);
    assert_eq!(tag.as_ref(), bytes);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(format!("{tag:?}"), format!("{name}({hex})"));
    for i in 0..bytes.len() {
        let mut other = bytes.clone();
        other[i] ^= 0x80;
        assert_ne!(tag_of(&other), tag);
    }
    assert_eq!(tag_of(&bytes), tag);
}

#[test]
fn a_tag_is_its_bytes() {
    tags_are_their_bytes("Tag", 16, |bytes| Tag::from(<[u8; 16]>::try_from(bytes).unwrap()));
    assert_eq!(<[u8; 16]>::from(Tag::from([7; 16])), [7; 16]);
    for len in [32, 48, 64] {
        tags_are_their_bytes("LongTag", len, |bytes| LongTag::try_from(bytes).unwrap());
    }
    assert_ne!(LongTag::from([0; 32]), LongTag::from([0; 48]));
    for len in [0, 31, 33, 47, 63, 65] {
        assert_eq!(LongTag::try_from(&*vec![0; len]), Err(Error::Open));
    }
}

#[test]
fn keys_without_an_aead_print_no_byte_of_themselves() {
    let key = format!("{:?}", Kuznyechik::new(&[0xab; 32]));
    assert!(key.starts_with("Kuznyechik {"), "{key}");
    let omac = KuznyechikOmac::<16>::new(&[0xab; 32]);
    let omac = format!("{omac:?}");
    assert!(omac.starts_with("KuznyechikOmac {"), "{omac}");
    assert!(!(key + &omac).contains("171"));
}
