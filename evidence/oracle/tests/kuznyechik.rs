//! The Kuznyechik oracles against the steps that the documents print. Tests of core compare whole
//! messages with the vectors.

// Helpers outside test functions read vector files that are known to be well-formed.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use sivka_oracle::{kuznyechik, mgm, vectors};

fn file(name: &str) -> Value {
    let path = format!("{}/../../vectors/kuznyechik/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn hex(value: &Value) -> Vec<u8> {
    vectors::hex(value.as_str().unwrap()).unwrap()
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    hex(value).try_into().unwrap()
}

fn blocks(value: &Value) -> Vec<[u8; 16]> {
    value.as_array().unwrap().iter().map(array).collect()
}

#[test]
fn steps_of_rfc7801() {
    let v = file("rfc7801");
    for (name, step, back) in [
        ("s", kuznyechik::s as fn(&_) -> _, kuznyechik::s_inverse as fn(&_) -> _),
        ("r", kuznyechik::r, kuznyechik::r_inverse),
        ("l", kuznyechik::l, kuznyechik::l_inverse),
    ] {
        let chain = blocks(&v[name]);
        assert_eq!(chain.len(), 5);
        for pair in chain.windows(2) {
            assert_eq!(step(&pair[0]), pair[1], "{name}");
            assert_eq!(back(&pair[1]), pair[0], "{name}");
        }
    }
    for (i, constant) in blocks(&v["constants"]).iter().enumerate() {
        assert_eq!(kuznyechik::c(i as u8 + 1), *constant);
    }
}

#[test]
fn key_schedule_and_rounds_of_rfc7801() {
    let v = file("rfc7801");
    let keys = kuznyechik::round_keys(&array(&v["key"]));
    assert_eq!(keys.to_vec(), blocks(&v["round_keys"]));
    let plaintext = array(&v["plaintext"]);
    let mut state = plaintext;
    let lsx = blocks(&v["lsx"]);
    assert_eq!(lsx.len(), 9);
    for (i, expected) in lsx.iter().enumerate() {
        let x = kuznyechik::x(&keys[i], &state);
        let sx = kuznyechik::s(&x);
        if i == 0 {
            assert_eq!(x, array(&v["first_round"]["x"]));
            assert_eq!(sx, array(&v["first_round"]["sx"]));
        }
        state = kuznyechik::l(&sx);
        assert_eq!(state, *expected, "round {i}");
    }
    let ciphertext = array(&v["ciphertext"]);
    assert_eq!(kuznyechik::encrypt_with(&keys, &plaintext), ciphertext);
    assert_eq!(kuznyechik::decrypt_with(&keys, &ciphertext), plaintext);
}

#[test]
fn examples_of_rfc9058() {
    for v in file("rfc9058-steps")["examples"].as_array().unwrap() {
        let key = array(&v["key"]);
        let nonce: [u8; 16] = array(&v["nonce"]);
        let (aad, plaintext) = (hex(&v["aad"]), hex(&v["plaintext"]));
        let expected = [hex(&v["ciphertext"]), hex(&v["tag"])].concat();

        let mut z = u128::from_be_bytes({
            let mut block = nonce;
            block[0] |= 0x80;
            kuznyechik::encrypt(&key, &block)
        });
        assert_eq!(z.to_be_bytes(), array(&v["z1"]));
        for h in blocks(&v["h"]) {
            assert_eq!(kuznyechik::encrypt(&key, &z.to_be_bytes()), h);
            z = z.wrapping_add(1 << 64);
        }
        assert_eq!(kuznyechik::encrypt(&key, &array(&v["sum"])), array(&v["tag"]));

        let sealed = mgm::seal(&key, &nonce, &aad, &plaintext);
        assert_eq!(sealed, Some(expected));
    }
}
