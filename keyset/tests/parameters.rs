//! Keys with parameters: XAES-256-GCM, AES-EAX and AES-CTR-HMAC.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "data/messages.rs"]
mod messages;

use messages::{SYMMETRIC, bytes, keyset, number, read, refusal};
use sivka_keyset::{Error, KeyType, Keyset, OutputPrefix, Template};

const KEY16: [u8; 16] = [b'k'; 16];
const KEY32: [u8; 32] = [b'k'; 32];

/// A key of AES-EAX, or of XAES-256-GCM, whose salt is said where IVs are.
fn eax(version: u64, iv_len: u64, key: &[u8]) -> Vec<u8> {
    [
        number(1, version),
        bytes(2, &number(1, iv_len)),
        bytes(3, key),
    ]
    .concat()
}

#[derive(Clone, Copy)]
struct CtrHmac<'a> {
    versions: [u64; 3],
    aes_key: &'a [u8],
    iv_len: u64,
    hmac_key: &'a [u8],
    hash: u64,
    tag_len: u64,
}

const GOOD: CtrHmac<'_> = CtrHmac {
    versions: [0; 3],
    aes_key: &KEY16,
    iv_len: 16,
    hmac_key: &KEY32,
    hash: 3,
    tag_len: 16,
};

impl CtrHmac<'_> {
    fn value(self) -> Vec<u8> {
        let [version, of_aes, of_hmac] = self.versions.map(|version| number(1, version));
        let parameters = [number(1, self.hash), number(2, self.tag_len)].concat();
        let aes = [
            of_aes,
            bytes(2, &number(1, self.iv_len)),
            bytes(3, self.aes_key),
        ];
        let hmac = [of_hmac, bytes(2, &parameters), bytes(3, self.hmac_key)];
        [version, bytes(2, &aes.concat()), bytes(3, &hmac.concat())].concat()
    }

    fn refused(self) -> String {
        refusal("AesCtrHmacAeadKey", &self.value())
    }
}

#[test]
fn every_length_of_parameters_is_sealed_and_opened() {
    let roundtrip = |key_type: &str, value: &[u8], overhead: usize| {
        let binary = keyset(key_type, value, SYMMETRIC);
        let keyset = read(&binary).unwrap();
        assert_eq!(*keyset.to_insecure_binary().unwrap(), binary);
        let aead = keyset.aead().unwrap();
        for len in [0, 1, 15, 16, 17, 100] {
            let sealed = aead.seal(&vec![7; len], b"aad").unwrap();
            assert_eq!(sealed.len(), len + overhead);
            assert_eq!(aead.open(&sealed, b"aad"), Ok(vec![7; len]));
            assert_eq!(aead.open(&sealed, b""), Err(Error::Open));
        }
    };
    for salt_len in 8..=12 {
        let overhead = salt_len as usize + 12 + 16;
        roundtrip("XAesGcmKey", &eax(0, salt_len, &KEY32), overhead);
    }
    for key in [&KEY16[..], &KEY32] {
        for iv_len in [12, 16] {
            roundtrip("AesEaxKey", &eax(0, iv_len, key), iv_len as usize + 16);
        }
        for iv_len in 12..=16 {
            for (hash, longest) in [(1, 20), (5, 28), (3, 32), (2, 48), (4, 64)] {
                for (tag_len, hmac_key) in [(10, &[b'k'; 16][..]), (longest, &[b'k'; 200])] {
                    let value = CtrHmac {
                        aes_key: key,
                        iv_len,
                        hmac_key,
                        hash,
                        tag_len,
                        ..GOOD
                    };
                    let overhead = (iv_len + tag_len) as usize;
                    roundtrip("AesCtrHmacAeadKey", &value.value(), overhead);
                }
            }
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    for len in [0, 11, 13, 15, 17, 1 << 31] {
        let said = format!("keys of this type do not have an IV of {len} bytes");
        assert_eq!(refusal("AesEaxKey", &eax(0, len, &KEY16)), said);
    }
    for len in [0, 7, 13] {
        let said = format!("keys of this type do not have a salt of {len} bytes");
        assert_eq!(refusal("XAesGcmKey", &eax(0, len, &KEY32)), said);
    }
    for len in [0, 11, 17, u64::from(u32::MAX)] {
        let said = format!("keys of this type do not have an IV of {len} bytes");
        assert_eq!(
            CtrHmac {
                iv_len: len,
                ..GOOD
            }
            .refused(),
            said
        );
    }
    for len in [0, 15, 24, 33] {
        let said = format!("keys of this type do not have {len} bytes");
        let key = vec![b'k'; len];
        assert_eq!(refusal("AesEaxKey", &eax(0, 16, &key)), said);
        let key = CtrHmac {
            aes_key: &key,
            ..GOOD
        };
        assert_eq!(key.refused(), said);
    }
    let short = CtrHmac {
        hmac_key: &KEY16[..15],
        ..GOOD
    };
    assert_eq!(short.refused(), "keys of this type do not have 15 bytes");
    for hash in [0, 6, 99] {
        let said = format!("keys of this type do not have the hash {hash}");
        assert_eq!(CtrHmac { hash, ..GOOD }.refused(), said);
    }
    for (hash, longest) in [(1, 20), (5, 28), (3, 32), (2, 48), (4, 64)] {
        for tag_len in [0, 9, longest + 1] {
            let said = format!("keys of this type do not have a tag of {tag_len} bytes");
            let key = CtrHmac {
                hash,
                tag_len,
                ..GOOD
            };
            assert_eq!(key.refused(), said);
        }
    }
}

#[test]
fn versions_are_looked_at_in_every_message() {
    let said = "version 7 of its type is not known; only 0 is";
    assert_eq!(refusal("AesEaxKey", &eax(7, 16, &KEY16)), said);
    for versions in [[7, 0, 0], [0, 7, 0], [0, 0, 7]] {
        assert_eq!(CtrHmac { versions, ..GOOD }.refused(), said);
    }
}

#[test]
fn repeated_messages_are_merged() {
    let (first, second) = (
        CtrHmac {
            aes_key: &[1; 32],
            ..GOOD
        },
        GOOD,
    );
    let twice = [first.value(), second.value()].concat();
    let merged = read(&keyset("AesCtrHmacAeadKey", &twice, SYMMETRIC)).unwrap();
    assert_eq!(
        merged,
        read(&keyset("AesCtrHmacAeadKey", &GOOD.value(), SYMMETRIC)).unwrap()
    );
    let cut = bytes(2, &[8]);
    let said = "the key data are not a message of the key's type: a varint is cut off";
    assert_eq!(refusal("AesEaxKey", &cut), said);
    // A field that a type does not have may hold anything.
    let unknown = [bytes(2, &[8]), bytes(3, &KEY16)].concat();
    assert!(read(&keyset("AesGcmSivKey", &unknown, SYMMETRIC)).is_ok());
}

#[test]
fn keys_from_elsewhere_get_the_parameters_of_templates() {
    let import = |key_type, key: &[u8]| Keyset::from_key(key_type, key, OutputPrefix::Raw, Some(1));
    let written = |keyset: Keyset| keyset.to_insecure_binary().unwrap().to_vec();
    let imported = import(KeyType::AesEax, &KEY32).unwrap();
    let wanted = keyset("AesEaxKey", &eax(0, 16, &KEY32), SYMMETRIC);
    assert_eq!(written(imported), wanted);
    for (aes_key, tag_len) in [(&KEY16[..], 16), (&KEY32, 32)] {
        let key = [aes_key, &KEY32].concat();
        let imported = import(KeyType::AesCtrHmac, &key).unwrap();
        let value = CtrHmac {
            aes_key,
            tag_len,
            ..GOOD
        };
        let wanted = keyset("AesCtrHmacAeadKey", &value.value(), SYMMETRIC);
        assert_eq!(written(imported), wanted);
    }
    for len in [16, 47, 49, 63, 65] {
        let refused = import(KeyType::AesCtrHmac, &vec![1; len]).unwrap_err();
        let said = format!("keys of this type do not have {len} bytes");
        assert!(refused.to_string().ends_with(&said), "{refused}");
    }
    for (key_type, template) in [
        (KeyType::AesGcmHkdfStreaming, Template::AES256_GCM_HKDF_4KB),
        (
            KeyType::AesCtrHmacStreaming,
            Template::AES256_CTR_HMAC_SHA256_4KB,
        ),
    ] {
        let imported = import(key_type, &KEY32).unwrap();
        assert_eq!(imported.primary_template(), Some(template));
    }
}
