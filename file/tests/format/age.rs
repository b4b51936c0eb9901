//! age's published vectors, for the KEMs and keys that we share with it.

use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::XWing;
use hpke::{Deserializable, OpModeR, single_shot_open};
use sivka_file::Identity;
use std::collections::BTreeMap;

/// Whether X25519 with the share at the end is zero, whatever the secret key.
fn is_zero(encapsulated: &[u8]) -> bool {
    let share = encapsulated.last_chunk::<32>().expect("a share");
    x25519_dalek::x25519([1; 32], *share) == [0; 32]
}

/// The file key of a post-quantum stanza, if it has one for the identity.
fn open(identity: &str, encapsulated: &[u8], body: &[u8]) -> Option<Vec<u8>> {
    let (_, secret) = bech32::decode(identity).unwrap();
    let secret = hpke::Deserializable::from_bytes(&secret).unwrap();
    let encapsulated = <XWing as hpke::Kem>::EncappedKey::from_bytes(encapsulated).unwrap();
    let info = b"age-encryption.org/mlkem768x25519";
    single_shot_open::<ChaCha20Poly1305, HkdfSha256, XWing>(
        &OpModeR::Base,
        &secret,
        &encapsulated,
        info,
        body,
        b"",
    )
    .ok()
}

#[test]
fn stanzas_open_as_age_says() {
    let text = include_str!("../../../vectors/age/stanzas.json");
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut seen = BTreeMap::new();
    for row in json["stanzas"].as_array().unwrap() {
        let field = |name: &str| row[name].as_str().unwrap();
        let bytes = |name: &str| sivka_oracle::vectors::hex(field(name)).unwrap();
        let identity: Identity = field("identity").parse().unwrap();
        assert_eq!(identity.to_text().as_str(), field("identity"));
        let is_post_quantum = identity.recipient().is_post_quantum();
        assert_eq!(is_post_quantum, field("kind") == "mlkem768x25519");
        let (name, expect) = (field("name"), field("expect"));
        *seen.entry((field("kind"), expect)).or_insert(0) += 1;
        // A point of low order: of X-Wing, the library looks for it before.
        let encapsulated = bytes("encapsulated");
        assert_eq!(is_zero(&encapsulated), expect == "header failure", "{name}");
        // A stanza of X25519 has a derivation of its own; that of our slots is in the vectors.
        if is_post_quantum && expect != "header failure" {
            let found = open(field("identity"), &encapsulated, &bytes("body"));
            let expected = (expect == "success").then(|| bytes("file_key"));
            assert_eq!(found, expected, "{name}");
        }
    }
    let seen: Vec<_> = seen.into_iter().collect();
    assert_eq!(
        seen,
        [
            (("X25519", "header failure"), 2),
            (("X25519", "no match"), 2),
            (("X25519", "success"), 1),
            (("mlkem768x25519", "header failure"), 2),
            (("mlkem768x25519", "no match"), 4),
            (("mlkem768x25519", "success"), 1),
        ]
    );
}
