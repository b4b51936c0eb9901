//! age's published vectors, for the KEMs and keys that we share with it.

use chacha20poly1305::ChaCha20Poly1305;
use chacha20poly1305::aead::{Aead, KeyInit};
use hkdf::Hkdf;
use hpke::aead::ChaCha20Poly1305 as HpkeAead;
use hpke::kdf::HkdfSha256;
use hpke::kem::XWing;
use hpke::{Deserializable, OpModeR, single_shot_open};
use sha2::Sha256;
use sivka_file::Identity;
use std::collections::BTreeMap;

/// Whether X25519 with the share at the end is zero, whatever the secret key.
fn is_zero(encapsulated: &[u8]) -> bool {
    let share = encapsulated.last_chunk::<32>().expect("a share");
    x25519_dalek::x25519([1; 32], *share) == [0; 32]
}

/// The stanza's file key, if it has one for the identity.
fn open(kind: &str, secret: &[u8; 32], encapsulated: &[u8], body: &[u8]) -> Option<Vec<u8>> {
    if kind == "X25519" {
        // Its own derivation, on the X25519 that HPKE's KEM is made of.
        if is_zero(encapsulated) {
            return None;
        }
        let public = x25519_dalek::x25519(*secret, x25519_dalek::X25519_BASEPOINT_BYTES);
        let shared = x25519_dalek::x25519(*secret, encapsulated.try_into().unwrap());
        let salt = [encapsulated, &public].concat();
        let mut key = [0; 32];
        let hkdf = Hkdf::<Sha256>::new(Some(&salt), &shared);
        hkdf.expand(b"age-encryption.org/v1/X25519", &mut key)
            .unwrap();
        let cipher = ChaCha20Poly1305::new(&key.into());
        return cipher.decrypt(&[0; 12].into(), body).ok();
    }
    let secret = hpke::Deserializable::from_bytes(secret).unwrap();
    let encapsulated = <XWing as hpke::Kem>::EncappedKey::from_bytes(encapsulated).unwrap();
    let info = b"age-encryption.org/mlkem768x25519";
    single_shot_open::<HpkeAead, HkdfSha256, XWing>(
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
        let (name, secret) = bech32::decode(field("identity")).unwrap();
        let is_x25519 = name.as_str().eq_ignore_ascii_case("age-secret-key-");
        let secret: [u8; 32] = secret.try_into().unwrap();
        let identity: Identity = field("identity").parse().unwrap();
        assert_eq!(identity.to_text().as_str(), field("identity"));
        let encapsulated = bytes("encapsulated");
        let found = open(field("kind"), &secret, &encapsulated, &bytes("body"));
        let (name, expect) = (field("name"), field("expect"));
        *seen.entry((field("kind"), expect)).or_insert(0) += 1;
        match expect {
            "success" => assert_eq!(found.unwrap(), bytes("file_key"), "{name}"),
            // A point of low order: of X-Wing, the library looks for it before.
            "header failure" => assert!(is_zero(&encapsulated), "{name}"),
            "no match" => assert_eq!(found, None, "{name}"),
            other => panic!("{name}: {other}"),
        }
        assert_eq!(is_x25519, field("kind") == "X25519");
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
