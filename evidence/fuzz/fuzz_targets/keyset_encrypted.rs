//! An encrypted keyset, in either form, and what it decrypts to never make the reader panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sivka_keyset::{EncryptedKeyset, Error, KeyEncryptionKey, ReadOptions};

/// Encrypts nothing: what is read is what the fuzzer wrote.
struct Open;

impl KeyEncryptionKey for Open {
    fn encrypt(&self, keyset: &[u8], _: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(keyset.to_vec())
    }

    fn decrypt(&self, encrypted: &[u8], _: &[u8]) -> Result<zeroize::Zeroizing<Vec<u8>>, Error> {
        Ok(encrypted.to_vec().into())
    }
}

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions::default();
    let binary = EncryptedKeyset::from_binary(bytes, options);
    let json = EncryptedKeyset::from_json(bytes, options);
    for encrypted in [binary, json].into_iter().flatten() {
        if let Ok(text) = encrypted.to_json() {
            assert_eq!(
                EncryptedKeyset::from_json(text.as_bytes(), options),
                Ok(encrypted.clone())
            );
        }
        if let Ok(keyset) = encrypted.decrypt(&Open, b"") {
            let _ = encrypted.info_agrees_with(&keyset);
            let again = keyset
                .encrypt(&Open, b"")
                .expect("what was read is written");
            assert_eq!(again.decrypt(&Open, b""), Ok(keyset));
        }
    }
});
