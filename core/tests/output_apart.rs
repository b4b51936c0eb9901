//! Sealing and opening from one buffer into another, on every tier.

use sivka::{Aes128GcmSiv, Aes256GcmSiv, Error, Tag, Tier};
use sivka_oracle::lengths::painted;

/// Around the strides and groups of every tier, and many of them.
const LENS: [usize; 14] = [
    0, 1, 64, 128, 129, 255, 256, 1031, 4096, 8191, 8192, 8193, 16_411, 40_000,
];

macro_rules! apart_equals_in_place {
    ($name:ident, $key:ident) => {
        #[test]
        fn $name() {
            let mut ran = 0;
            for tier in Tier::available() {
                let key = $key::with_tier(&[7; $key::KEY_LEN], tier);
                for len in LENS {
                    let (nonce, aad, text) = ([len as u8; 12], b"aad", painted(len, len));
                    let mut in_place = text.clone();
                    let tag = key.seal_in_place(&nonce, aad, &mut in_place).unwrap();
                    let mut sealed = vec![0xaa; len];
                    let made = key.seal_into(&nonce, &text, aad, &mut sealed).unwrap();
                    assert_eq!((made, &sealed), (tag, &in_place), "{tier}, {len} bytes");

                    let mut opened = vec![0xaa; len];
                    let result = key.open_into(&nonce, &sealed, aad, &tag, &mut opened);
                    assert_eq!((result, &opened), (Ok(()), &text), "{tier}, {len} bytes");

                    let mut forged: [u8; 16] = tag.into();
                    forged[len % 16] ^= 1;
                    let forged = Tag::from(forged);
                    let result = key.open_into(&nonce, &sealed, aad, &forged, &mut opened);
                    assert_eq!(result, Err(Error::Open), "{tier}, {len} bytes");
                    assert!(opened.iter().all(|byte| *byte == 0), "{tier}: not wiped");
                    assert_eq!(sealed, in_place, "{tier}: the ciphertext is only read");
                    ran += 1;
                }
            }
            assert_eq!(ran, LENS.len() * Tier::available().count());
        }
    };
}
apart_equals_in_place!(aes_128_gcm_siv, Aes128GcmSiv);
apart_equals_in_place!(aes_256_gcm_siv, Aes256GcmSiv);

#[test]
fn an_output_of_another_length_is_refused_and_left_alone() {
    let key = Aes256GcmSiv::new(&[7; 32]);
    let refused = Err(Error::OutputLen {
        expected: 5,
        given: 6,
    });
    let mut output = [3; 6];
    let sealed = key.seal_into(&[0; 12], b"hello", b"", &mut output);
    assert_eq!(sealed.map(drop), refused);
    let tag = Tag::from([0; 16]);
    let opened = key.open_into(&[0; 12], b"hello", b"", &tag, &mut output);
    assert_eq!(opened, refused);
    assert_eq!(output, [3; 6]);
}
