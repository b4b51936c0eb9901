//! A keyset in binary, in JSON or encrypted: no panic, and a keyset that parses is written and read
//! to the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sivka_fuzz::changed;
use sivka_keyset::{
    EncryptedKeyset, Error, KeyEncryptionKey, KeyType, Keyset, OutputPrefix, ReadOptions, Template,
};
use std::sync::LazyLock;
use zeroize::Zeroizing;

/// A good keyset with a key of each kind of message, all but three disabled, to be changed.
fn template() -> Keyset {
    let key = |len: usize| vec![7; len];
    let (of, tink) = (KeyType::AesGcmSiv, OutputPrefix::Tink);
    let keyset = Keyset::from_key(of, &key(32), tink, Some(0xcafe_babe));
    let mut keyset = keyset.expect("a good key");
    let disabled = keyset.import(of, &key(16), OutputPrefix::Raw, Some(2));
    let kms = keyset.add_kms_key("a://b", Some(Template::AES128_CTR_HMAC_SHA256));
    for id in [disabled, kms] {
        keyset.disable(id.expect("a good key")).expect("it is there");
    }
    let parameters = [(KeyType::XAesGcm, 32, 3), (KeyType::AesCtrHmac, 48, 4)];
    for (of, len, id) in parameters {
        let added = keyset.import(of, &key(len), tink, Some(id));
        added.expect("a good key");
    }
    keyset
}

/// A good keyset for streams.
fn streams() -> Keyset {
    let of = KeyType::AesCtrHmacStreaming;
    let keyset = Keyset::from_key(of, &[7; 16], OutputPrefix::Raw, Some(5));
    keyset.expect("a good key")
}

/// Reads duplicates as well, which are not written.
fn with_duplicates() -> ReadOptions {
    let mut options = ReadOptions::default();
    options.duplicate_ids = true;
    options
}

/// A keyset that parses is used, and written and read to the same.
fn check_keyset(keyset: &Keyset) {
    let _ = (keyset.aead(), keyset.deterministic_aead());
    let _ = keyset.streaming_aead();
    let options = ReadOptions::default();
    // Refused with two keys of one id, or if it would be too long.
    if let Ok(written) = keyset.to_insecure_binary() {
        let again = Keyset::from_insecure_binary(&written, options);
        assert_eq!(again.as_ref(), Ok(keyset));
    }
    if let Ok(written) = keyset.to_insecure_json() {
        let again = Keyset::from_insecure_json(written.as_bytes(), options);
        assert_eq!(again.as_ref(), Ok(keyset));
    }
}

/// Good keysets as they are written, to be changed.
static TEMPLATES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let written = |keyset: Keyset| {
        let json = keyset.to_insecure_json().expect("it is written");
        let binary = keyset.to_insecure_binary().expect("it is written");
        [json.as_bytes().to_vec(), binary.to_vec()]
    };
    let keysets = [template(), streams()].into_iter();
    keysets.flat_map(written).collect()
});

/// Encrypts nothing: the fuzzer's bytes are read as they are.
struct Open;

impl KeyEncryptionKey for Open {
    fn encrypt(&self, keyset: &[u8], _: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(keyset.to_vec())
    }

    fn decrypt(&self, encrypted: &[u8], _: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        Ok(encrypted.to_vec().into())
    }
}

fn check_encrypted(encrypted: &EncryptedKeyset) {
    if let Ok(text) = encrypted.to_json() {
        let again = EncryptedKeyset::from_json(text.as_bytes(), ReadOptions::default());
        assert_eq!(again.as_ref(), Ok(encrypted));
    }
    if let Ok(keyset) = encrypted.decrypt(&Open, b"") {
        let _ = encrypted.info_agrees_with(&keyset);
        let again = keyset.encrypt(&Open, b"").expect("what was read is written");
        assert_eq!(again.decrypt(&Open, b""), Ok(keyset));
    }
}

fn check(bytes: &[u8]) {
    let read = [Keyset::from_insecure_binary, Keyset::from_insecure_json];
    for keyset in read.map(|read| read(bytes, with_duplicates())).into_iter().flatten() {
        check_keyset(&keyset);
    }
    let read = [EncryptedKeyset::from_binary, EncryptedKeyset::from_json];
    for encrypted in read.into_iter().flat_map(|read| read(bytes, ReadOptions::default())) {
        check_encrypted(&encrypted);
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    for template in &*TEMPLATES {
        check(&changed(template, bytes));
    }
});
