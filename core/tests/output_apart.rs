//! Sealing and opening from one buffer into another, on every tier, at lengths beyond those
//! of the conformance tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sivka::{Algorithm, Error, Tier};
use sivka_oracle::lengths::painted;

/// Around the strides and groups of every tier, and many of them.
const LENS: [usize; 14] = [
    0, 1, 64, 128, 129, 255, 256, 1031, 4096, 8191, 8192, 8193, 16_411, 40_000,
];

#[test]
fn apart_equals_in_place() {
    let mut ran = 0;
    for algorithm in Algorithm::all() {
        for (tier, len) in Tier::available().flat_map(|tier| LENS.map(|len| (tier, len))) {
            let key = vec![7; algorithm.key_len()];
            let key = algorithm
                .new_key_with_tier(&key, tier)
                .expect("a key of that length");
            let what = format!("{algorithm} on {tier}, {len} bytes");
            let nonce = vec![len as u8 & 0x7f; algorithm.nonce_len()];
            let (aad, text) = (b"aad", painted(len, len));
            let (mut in_place, mut tag) = (text.clone(), vec![0; algorithm.tag_len()]);
            key.seal_in_place(&nonce, aad, &mut in_place, &mut tag)
                .unwrap();

            let (mut sealed, mut made) = (vec![0xaa; len], vec![0xaa; tag.len()]);
            let result = key.seal_into(&nonce, &text, aad, &mut sealed, &mut made);
            assert_eq!((result, &sealed), (Ok(()), &in_place), "{what}");
            assert_eq!(made, tag, "{what}");

            let mut opened = vec![0xaa; len];
            let result = key.open_into(&nonce, &sealed, aad, &tag, &mut opened);
            assert_eq!((result, &opened), (Ok(()), &text), "{what}");

            tag[len % 16] ^= 1;
            let result = key.open_into(&nonce, &sealed, aad, &tag, &mut opened);
            assert_eq!(result, Err(Error::Open), "{what}");
            assert!(opened.iter().all(|byte| *byte == 0), "{what}: not wiped");
            ran += 1;
        }
    }
    let of_each = LENS.len() * Tier::available().count();
    assert_eq!(ran, of_each * Algorithm::all().len());
}
