//! What the targets that read keysets have in common.

use sivka_keyset::{KeyType, Keyset, OutputPrefix, ReadOptions, Template};

/// A good keyset with a key of each kind of message, all but three disabled, to be changed.
pub(crate) fn template() -> Keyset {
    let key = |len: usize| vec![7; len];
    let (of, tink) = (KeyType::AesGcmSiv, OutputPrefix::Tink);
    let keyset = Keyset::from_key(of, &key(32), tink, Some(0xcafe_babe));
    let mut keyset = keyset.expect("a good key");
    let disabled = keyset.import(of, &key(16), OutputPrefix::Raw, Some(2));
    let kms = keyset.add_kms_key("a://b", Some(Template::AES128_CTR_HMAC_SHA256));
    for id in [disabled, kms] {
        keyset
            .disable(id.expect("a good key"))
            .expect("it is there");
    }
    let parameters = [(KeyType::XAesGcm, 32, 3), (KeyType::AesCtrHmac, 48, 4)];
    for (of, len, id) in parameters {
        let added = keyset.import(of, &key(len), tink, Some(id));
        added.expect("a good key");
    }
    keyset
}

/// A good keyset for streams.
pub(crate) fn streams() -> Keyset {
    let of = KeyType::AesCtrHmacStreaming;
    let keyset = Keyset::from_key(of, &[7; 16], OutputPrefix::Raw, Some(5));
    keyset.expect("a good key")
}

/// Reads duplicates as well, which are not written.
pub(crate) fn options() -> ReadOptions {
    let mut options = ReadOptions::default();
    options.duplicate_ids = true;
    options
}

/// What was read is used, and written and read to the same.
pub(crate) fn check(keyset: &Keyset) {
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

/// The bytes as pairs of place and change, on a keyset that is read.
pub(crate) fn changed(template: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut changed = template.to_vec();
    for change in bytes.chunks_exact(3) {
        let at = usize::from(u16::from_be_bytes([change[0], change[1]])) % changed.len();
        changed[at] = change[2];
    }
    changed
}
