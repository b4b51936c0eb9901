//! Keysets written by hand, around messages of keys as the vectors have them, and what every
//! primitive seals and opens.

#![allow(dead_code, reason = "not every test needs all of it")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base64ct::{Base64UrlUnpadded, Encoding as _};
use serde_json::Value;
use sivka_keyset::{
    Error, KeyEncryptionKey, Keyset, OutputPrefix, Primitive, ReadOptions, SharedKeyEncryptionKey,
};
use std::io::{Read as _, Write as _};
use std::sync::{Arc, LazyLock};
use zeroize::Zeroizing;

pub(crate) const PREFIXES: [OutputPrefix; 4] =
    [OutputPrefix::Tink, OutputPrefix::Crunchy, OutputPrefix::Legacy, OutputPrefix::Raw];

pub(crate) static VECTORS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../vectors/keyset/tink.json")).unwrap()
});

pub(crate) fn unhex(value: &Value) -> Vec<u8> {
    of_digits(value.as_str().unwrap())
}

pub(crate) fn of_digits(digits: &str) -> Vec<u8> {
    let digits = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A field of bytes, or of a message.
pub(crate) fn bytes(field: u8, content: &[u8]) -> Vec<u8> {
    [&[field << 3 | 2], &varint(content.len() as u64)[..], content].concat()
}

/// A field with a number, which is left out if it is 0.
pub(crate) fn number(field: u8, number: u64) -> Vec<u8> {
    match number {
        0 => Vec::new(),
        _ => [&[field << 3], &varint(number)[..]].concat(),
    }
}

/// Numbers in the fields from 1 on.
pub(crate) fn numbers(values: &[u64]) -> Vec<u8> {
    let fields = (1..).zip(values);
    fields.flat_map(|(field, value)| number(field, *value)).collect()
}

/// The message of a key with parameters, and the same with an IV, or a salt, alone.
pub(crate) fn with_parameters(parameters: &[u8], key: &[u8]) -> Vec<u8> {
    [bytes(2, parameters), bytes(3, key)].concat()
}

pub(crate) fn with_iv(iv_len: u64, key: &[u8]) -> Vec<u8> {
    with_parameters(&number(1, iv_len), key)
}

/// The message of a key of AES-CTR-HMAC: `hmac` is the hash and the bytes of the tag.
pub(crate) fn ctr_hmac(iv_len: u64, aes_key: &[u8], hmac: [u64; 2], hmac_key: &[u8]) -> Vec<u8> {
    let hmac = with_parameters(&numbers(&hmac), hmac_key);
    [bytes(2, &with_iv(iv_len, aes_key)), bytes(3, &hmac)].concat()
}

/// That of a stream: the bytes of a segment and of derived keys, and the hash of HKDF.
pub(crate) fn stream(parameters: [u64; 3], hmac: Option<[u64; 2]>, key: &[u8]) -> Vec<u8> {
    let hmac = hmac.map(|hmac| bytes(4, &numbers(&hmac)));
    let parameters = [numbers(&parameters), hmac.unwrap_or_default()];
    with_parameters(&parameters.concat(), key)
}

/// What the URLs of key types begin with.
pub(crate) const TINK: &str = "type.googleapis.com/google.crypto.tink.";
/// `KeyMaterialType`
pub(crate) const SYMMETRIC: u64 = 1;
pub(crate) const REMOTE: u64 = 4;

/// A key with this id and status, without a prefix.
pub(crate) fn key(key_type: &str, value: &[u8], material: u64, id: u64, status: u64) -> Vec<u8> {
    let url = format!("{TINK}{key_type}");
    let data = [bytes(1, url.as_bytes()), bytes(2, value), number(3, material)];
    let key = [bytes(1, &data.concat()), number(2, status), number(3, id), number(4, 3)];
    bytes(2, &key.concat())
}

/// A keyset with one key, whose id is 1, without a prefix.
pub(crate) fn keyset(key_type: &str, value: &[u8], material_type: u64) -> Vec<u8> {
    let key = key(key_type, value, material_type, 1, 1);
    [number(1, 1), key].concat()
}

pub(crate) fn read(keyset: &[u8]) -> Result<Keyset, Error> {
    Keyset::from_insecure_binary(keyset, ReadOptions::default())
}

/// What is said of a key that is refused, which holds none of its bytes (`kkkk`).
pub(crate) fn refusal(key_type: &str, value: &[u8]) -> String {
    let error = read(&keyset(key_type, value, SYMMETRIC)).unwrap_err();
    assert!(!format!("{error:?}").contains("kkkk"));
    let said = error.to_string();
    said.strip_prefix("key 1 (key[0]): ").unwrap().to_owned()
}

/// A key-encryption key that does as both say.
pub(crate) struct Kek<E, D>(pub(crate) E, pub(crate) D);

impl<E, D> KeyEncryptionKey for Kek<E, D>
where
    E: Fn(&[u8], &[u8]) -> Vec<u8>,
    D: Fn(&[u8], &[u8]) -> Result<Vec<u8>, Error>,
{
    fn encrypt(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.0(plaintext, aad))
    }

    fn decrypt(&self, encrypted: &[u8], aad: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.1(encrypted, aad).map(Zeroizing::new)
    }
}

/// One that encrypts whatever it is to so many bytes, and is not there to decrypt.
pub(crate) fn to_len(len: usize) -> impl KeyEncryptionKey + Send + Sync {
    Kek(
        move |_: &[u8], _: &[u8]| vec![1; len],
        |_: &[u8], _: &[u8]| Err(Error::Kms("not reached".into())),
    )
}

pub(crate) const FAKE_KMS: &str = "fake-kms://";

/// The key behind a URI, which holds it.
fn kms(uri: &str) -> Option<SharedKeyEncryptionKey> {
    let keyset = Base64UrlUnpadded::decode_vec(uri.strip_prefix(FAKE_KMS)?).ok()?;
    Some(Arc::new(read(&keyset).ok()?.aead().ok()?))
}

pub(crate) fn seal(keyset: &Keyset, text: &[u8], aad: &[u8]) -> Vec<u8> {
    match keyset.primitive().unwrap() {
        Primitive::StreamingAead => {
            let streams = keyset.streaming_aead().unwrap();
            let mut writer = streams.seal(Vec::new(), aad).unwrap();
            writer.write_all(text).unwrap();
            Ok(writer.finish().unwrap())
        }
        Primitive::DeterministicAead => keyset.deterministic_aead().unwrap().seal(text, aad),
        _ => match keyset.aead() {
            Ok(aead) => aead.seal(text, aad),
            Err(_) => keyset.aead_with_kms(&kms).unwrap().seal(text, aad),
        },
    }
    .unwrap()
}

pub(crate) fn open(keyset: &Keyset, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
    match keyset.primitive().unwrap() {
        Primitive::StreamingAead => {
            let mut text = Vec::new();
            let streams = keyset.streaming_aead().unwrap();
            let opened = streams.open(sealed, aad).read_to_end(&mut text);
            opened.map(|_| text).map_err(|_| Error::Open)
        }
        Primitive::DeterministicAead => keyset.deterministic_aead().unwrap().open(sealed, aad),
        _ => match keyset.aead() {
            Ok(aead) => aead.open(sealed, aad),
            Err(_) => keyset.aead_with_kms(&kms).unwrap().open(sealed, aad),
        },
    }
}

/// A message of the vectors opens as it is, and neither with another bit, those of a prefix
/// too, nor cut off, nor with other associated data. What it is.
pub(crate) fn assert_opens(
    open: impl Fn(&[u8], &[u8]) -> Result<Vec<u8>, Error>,
    vector: &Value,
) -> [Vec<u8>; 3] {
    let message = ["ciphertext", "aad", "plaintext"].map(|name| unhex(&vector[name]));
    let [sealed, aad, plaintext] = &message;
    assert_eq!(open(sealed, aad).as_ref(), Ok(plaintext), "{vector}");
    for bit in 0..8 * sealed.len() {
        let mut changed = sealed.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(open(&changed, aad), Err(Error::Open), "{vector}: {bit}");
    }
    for len in 0..sealed.len() {
        assert_eq!(open(&sealed[..len], aad), Err(Error::Open), "{vector}");
    }
    assert_eq!(open(sealed, b"other"), Err(Error::Open), "{vector}");
    message
}
