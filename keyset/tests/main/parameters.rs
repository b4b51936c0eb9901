//! Keys with parameters: XAES-256-GCM, AES-EAX and AES-CTR-HMAC.

use crate::messages::{SYMMETRIC, bytes, ctr_hmac, keyset, number, read, refusal, with_iv};
use hmac::{Hmac, KeyInit as _, Mac};
use sha2::Sha256;
use sivka_keyset::{Error, KeyType, Keyset, OutputPrefix, Template};

const KEY16: [u8; 16] = [b'k'; 16];
const KEY32: [u8; 32] = [b'k'; 32];

/// What is said of a key of AES-CTR-HMAC.
fn refused(iv_len: u64, aes_key: &[u8], hmac: [u64; 2], hmac_key: &[u8]) -> String {
    let value = ctr_hmac(iv_len, aes_key, hmac, hmac_key);
    refusal("AesCtrHmacAeadKey", &value)
}

fn good() -> Vec<u8> {
    ctr_hmac(16, &KEY16, [3, 16], &KEY32)
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
        roundtrip("XAesGcmKey", &with_iv(salt_len, &KEY32), overhead);
    }
    for key in [&KEY16[..], &KEY32] {
        for iv_len in [12, 16] {
            roundtrip("AesEaxKey", &with_iv(iv_len, key), iv_len as usize + 16);
        }
        for iv_len in 12..=16 {
            for (hash, longest) in [(1, 20), (5, 28), (3, 32), (2, 48), (4, 64)] {
                for (tag_len, hmac_key) in [(10, &[b'k'; 16][..]), (longest, &[b'k'; 200])] {
                    let value = ctr_hmac(iv_len, key, [hash, tag_len], hmac_key);
                    let overhead = (iv_len + tag_len) as usize;
                    roundtrip("AesCtrHmacAeadKey", &value, overhead);
                }
            }
        }
    }
}

/// Computed here again: no vector has an AAD over 8 KiB, whose bits fill more than 16.
#[test]
fn the_bits_of_a_long_aad_are_counted() {
    let aad = vec![7; 9000];
    let keyset = read(&keyset("AesCtrHmacAeadKey", &good(), SYMMETRIC)).unwrap();
    let sealed = keyset.aead().unwrap().seal(b"text", &aad).unwrap();
    let (iv_and_text, tag) = sealed.split_at(sealed.len() - 16);
    let maced = [&aad, iv_and_text, &72_000_u64.to_be_bytes()].concat();
    let hmac = Hmac::<Sha256>::new_from_slice(&KEY32).unwrap().chain_update(maced);
    assert_eq!(hmac.finalize().into_bytes()[..16], *tag);
}

#[test]
fn parameters_out_of_range_are_refused() {
    for len in [0, 11, 13, 15, 17, 1 << 31] {
        let said = format!("keys of this type do not have an IV of {len} bytes");
        assert_eq!(refusal("AesEaxKey", &with_iv(len, &KEY16)), said);
    }
    for len in [0, 7, 13] {
        let said = format!("keys of this type do not have a salt of {len} bytes");
        assert_eq!(refusal("XAesGcmKey", &with_iv(len, &KEY32)), said);
    }
    for len in [0, 11, 17, u64::from(u32::MAX)] {
        let said = format!("keys of this type do not have an IV of {len} bytes");
        assert_eq!(refused(len, &KEY16, [3, 16], &KEY32), said);
    }
    for len in [0, 15, 24, 33] {
        let said = format!("keys of this type do not have {len} bytes");
        let key = vec![b'k'; len];
        assert_eq!(refusal("AesEaxKey", &with_iv(16, &key)), said);
        assert_eq!(refused(16, &key, [3, 16], &KEY32), said);
    }
    let said = "keys of this type do not have 15 bytes";
    assert_eq!(refused(16, &KEY16, [3, 16], &KEY16[..15]), said);
    for hash in [0, 6, 99] {
        let said = format!("keys of this type do not have the hash {hash}");
        assert_eq!(refused(16, &KEY16, [hash, 16], &KEY32), said);
    }
    for (hash, longest) in [(1, 20), (5, 28), (3, 32), (2, 48), (4, 64)] {
        for len in [0, 9, longest + 1] {
            let said = format!("keys of this type do not have a tag of {len} bytes");
            assert_eq!(refused(16, &KEY16, [hash, len], &KEY32), said);
        }
    }
}

#[test]
fn versions_are_looked_at_in_every_message() {
    let said = "version 7 of its type is not known; only 0 is";
    let version = number(1, 7);
    let eax = [version.clone(), with_iv(16, &KEY16)].concat();
    assert_eq!(refusal("AesEaxKey", &eax), said);
    for at in [bytes(2, &version), bytes(3, &version), version] {
        assert_eq!(refusal("AesCtrHmacAeadKey", &[at, good()].concat()), said);
    }
}

#[test]
fn repeated_messages_are_merged() {
    let read_value = |value: &[u8]| read(&keyset("AesCtrHmacAeadKey", value, SYMMETRIC)).unwrap();
    let twice = [ctr_hmac(12, &[1; 32], [3, 16], &KEY32), good()].concat();
    assert_eq!(read_value(&twice), read_value(&good()));
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
    let wanted = keyset("AesEaxKey", &with_iv(16, &KEY32), SYMMETRIC);
    assert_eq!(written(imported), wanted);
    for (aes_key, tag_len) in [(&KEY16[..], 16), (&KEY32, 32)] {
        let key = [aes_key, &KEY32].concat();
        let imported = import(KeyType::AesCtrHmac, &key).unwrap();
        let value = ctr_hmac(16, aes_key, [3, tag_len], &KEY32);
        let wanted = keyset("AesCtrHmacAeadKey", &value, SYMMETRIC);
        assert_eq!(written(imported), wanted);
    }
    for len in [16, 47, 49, 63, 65] {
        let refused = import(KeyType::AesCtrHmac, &vec![1; len]).unwrap_err();
        let said = format!("keys of this type do not have {len} bytes");
        assert!(refused.to_string().ends_with(&said), "{refused}");
    }
    for (key_type, template) in [
        (KeyType::AesGcmHkdfStreaming, Template::AES256_GCM_HKDF_4KB),
        (KeyType::AesCtrHmacStreaming, Template::AES256_CTR_HMAC_SHA256_4KB),
    ] {
        let imported = import(key_type, &KEY32).unwrap();
        assert_eq!(imported.primary_template(), Some(template));
    }
}
