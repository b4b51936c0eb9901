//! A keyset in binary: no panic, and what is read is written and read to the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sivka_keyset::{KeyType, Keyset, OutputPrefix, ReadOptions};
use std::sync::OnceLock;

/// A good keyset with three keys, of which one is disabled, to be changed.
fn template() -> &'static [u8] {
    static TEMPLATE: OnceLock<Vec<u8>> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let key = |len: usize| vec![7; len];
        let (of, tink) = (KeyType::AesGcmSiv, OutputPrefix::Tink);
        let keyset = Keyset::from_key(of, &key(32), tink, Some(0xcafe_babe));
        let mut keyset = keyset.expect("a good key");
        let disabled = keyset.import(of, &key(16), OutputPrefix::Raw, Some(2));
        keyset
            .disable(disabled.expect("a good key"))
            .expect("it is there");
        let others = keyset.import(KeyType::XAesGcm, &key(32), tink, Some(3));
        others.expect("a good key");
        let written = keyset.to_insecure_binary().map(|bytes| bytes.to_vec());
        written.expect("it is written")
    })
}

fn check(bytes: &[u8]) {
    let mut options = ReadOptions::default();
    options.duplicate_ids = true;
    let Ok(keyset) = Keyset::from_insecure_binary(bytes, options) else {
        return;
    };
    let _ = (keyset.aead(), keyset.deterministic_aead());
    let options = ReadOptions::default();
    // Refused with two keys of one id, or if it would be too long.
    if let Ok(written) = keyset.to_insecure_binary() {
        let again = Keyset::from_insecure_binary(&written, options);
        assert_eq!(again.as_ref(), Ok(&keyset));
    }
    if let Ok(written) = keyset.to_insecure_json() {
        let again = Keyset::from_insecure_json(written.as_bytes(), options);
        assert_eq!(again.as_ref(), Ok(&keyset));
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // The same bytes as pairs of place and change, on a keyset that is read.
    let mut changed = template().to_vec();
    for change in bytes.chunks_exact(3) {
        let at = usize::from(u16::from_be_bytes([change[0], change[1]])) % changed.len();
        changed[at] = change[2];
    }
    check(&changed);
});
