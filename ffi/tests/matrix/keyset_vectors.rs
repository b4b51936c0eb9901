//! `vectors/keyset/tink.json` in one language: keysets of others, what was sealed under them,
//! and what must not open. Envelopes are Rust's alone, whose tests play them.

use super::player::Player;
use super::{forge, hex, unhex};
use serde_json::{Value, json};

/// How many keysets, messages of them, messages under a key, streams, messages of old Androids,
/// and encrypted keysets there were.
pub(super) fn play(player: &mut Player<'_>, text: &str) -> usize {
    let file: Value = serde_json::from_str(text).unwrap();
    let names = ["encrypted", "envelope", "keysets", "raw", "source", "streams", "values"];
    let found = file.as_object().unwrap().keys();
    assert!(found.clone().all(|name| names.contains(&&name[..])), "{found:?}");
    let mut played = 0;
    for vector in list(&file, "keysets") {
        player.case = text_of(vector, "name").to_owned();
        played += 1 + keyset(player, vector);
    }
    for vector in list(&file, "raw") {
        under_one_key(player, vector, &value_of(vector));
        played += 1;
    }
    for vector in list(&file, "values").iter().chain(list(&file, "streams")) {
        under_one_key(player, vector, &unhex(text_of(vector, "value")));
        played += 1;
    }
    old_android(player, &file);
    played + 1 + encrypted(player, &file)
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no list {name}"))
}

pub(super) fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no text {name}"))
}

/// The digits of a field, as they are in a command.
fn digits(value: &Value, name: &str) -> String {
    hex(&unhex(text_of(value, name)))
}

/// A keyset as it is written, which ends its line.
fn written(vector: &Value) -> String {
    hex(format!("{}\n", text_of(vector, "json")).as_bytes())
}

fn keyset(player: &mut Player<'_>, vector: &Value) -> usize {
    let json = hex(text_of(vector, "json").as_bytes());
    let primitive = text_of(vector, "primitive");
    player.answers(&format!("keyset-to-json {json}"), &written(vector));
    player.answers(&format!("keyset-primitive {json}"), primitive);
    if vector["binary"].is_string() {
        let binary = digits(vector, "binary");
        player.answers(&format!("keyset-to-binary {json}"), &binary);
        player.answers(&format!("keyset-from-binary {binary}"), &written(vector));
    }
    for message in list(vector, "messages") {
        opens(player, "keyset-open", &json, message, text_of(message, "ciphertext"));
        if primitive == "deterministic AEAD" {
            let (aad, text) = (digits(message, "aad"), digits(message, "plaintext"));
            let line = format!("keyset-seal {json} {aad} {text}");
            player.answers(&line, text_of(message, "ciphertext"));
        }
    }
    for message in list(vector, "refused") {
        let (aad, sealed) = (digits(message, "aad"), text_of(message, "ciphertext"));
        player.answers(&format!("keyset-open {json} {aad} {sealed}"), "forged");
        let enabled = player.language.ask(&format!("keyset-enable 9 {json}"));
        opens(player, "keyset-open", &enabled, message, sealed);
    }
    list(vector, "messages").len() + list(vector, "refused").len()
}

/// It opens; changed in any byte or cut anywhere, it does not.
fn opens(player: &mut Player<'_>, command: &str, keyset: &str, message: &Value, sealed: &str) {
    let call = format!("{command} {keyset} {}", digits(message, "aad"));
    player.answers(&format!("{call} {sealed}"), &digits(message, "plaintext"));
    let bytes = unhex(sealed);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        player.answers(&format!("{call} {}", hex(&changed)), "forged");
        player.answers(&format!("{call} {}", hex(&bytes[..at])), "forged");
    }
}

/// A message or stream under a key without a prefix, which is the message of protocol buffers.
fn under_one_key(player: &mut Player<'_>, vector: &Value, key: &[u8]) {
    let kind = text_of(vector, "type");
    player.case = format!("{kind}, {}", text_of(vector, "source"));
    let data = json!({
        "typeUrl": format!("type.googleapis.com/google.crypto.tink.{kind}"),
        "value": base64(key),
        "keyMaterialType": "SYMMETRIC",
    });
    let key = json!({
        "keyData": data, "status": "ENABLED", "keyId": 1, "outputPrefixType": "RAW",
    });
    let keyset = json!({ "primaryKeyId": 1, "key": [key] }).to_string();
    let sealed = text_of(vector, "ciphertext");
    opens(player, "keyset-open", &hex(keyset.as_bytes()), vector, sealed);
}

/// The message of a key: its bytes are field 3, or 2 for ChaCha20-Poly1305; the length of a
/// salt is in field 2.
fn value_of(raw: &Value) -> Vec<u8> {
    let (kind, key) = (text_of(raw, "type"), unhex(text_of(raw, "key")));
    let mut message = Vec::new();
    if kind == "XAesGcmKey" {
        let salt_len = u8::try_from(raw["salt_len"].as_u64().unwrap()).unwrap();
        message.extend([0x12, 2, 8, salt_len]);
    }
    let number = if kind == "ChaCha20Poly1305Key" { 2 } else { 3 };
    message.extend([number << 3 | 2, u8::try_from(key.len()).unwrap()]);
    message.extend(key);
    message
}

/// The same key as that of the first keyset, under AES-GCM.
fn old_android(player: &mut Player<'_>, file: &Value) {
    player.case = "a message of an old Android".into();
    let (keyset, message) = (&file["keysets"][0], &file["raw"][0]);
    let json = hex(text_of(keyset, "json").as_bytes());
    let sealed = format!("01cafebabe{}", text_of(message, "ciphertext"));
    let aad = digits(message, "aad");
    player.answers(&format!("keyset-open {json} {aad} {sealed}"), "forged");
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let at = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        let digit = |i: usize| match i <= group.len() {
            true => char::from(DIGITS[(bits >> (18 - 6 * i)) as usize % 64]),
            false => '=',
        };
        [0, 1, 2, 3].map(digit)
    };
    bytes.chunks(3).flat_map(group).collect()
}

fn encrypted(player: &mut Player<'_>, file: &Value) -> usize {
    player.case = "an encrypted keyset".into();
    let (vector, keyset) = (&file["encrypted"], &file["keysets"][0]);
    assert_eq!(vector["keyset"], keyset["name"]);
    let key = text_of(vector, "key");
    let other = base64(&unhex(text_of(&vector["other"], "encrypted_keyset")));
    let other = json!({ "encryptedKeyset": other }).to_string();
    let forms = [
        ("binary", "-", digits(vector, "binary")),
        ("binary", "-", digits(vector, "binary_with_info")),
        ("json", "-", hex(text_of(vector, "json").as_bytes())),
        ("json", text_of(&vector["other"], "associated_data"), hex(other.as_bytes())),
    ];
    for (form, aad, bytes) in &forms {
        let call = format!("keyset-decrypt-with AES-256-GCM-SIV {key} {form}");
        player.answers(&format!("{call} {aad} {bytes}"), &written(keyset));
        player.answers(&format!("{call} 00 {bytes}"), "forged");
        let wrong = format!("keyset-decrypt-with AES-256-GCM-SIV {} {form}", forge(key));
        player.answers(&format!("{wrong} {aad} {bytes}"), "forged");
    }
    forms.len()
}
