//! RustCrypto's `aead` traits give the bytes of our own calls.

use aead::inout::InOutBuf;
use aead::{Aead, AeadInOut, KeyInit, Payload};
use sivka::{Aes128GcmSiv, Aes256GcmSiv};

macro_rules! check {
    ($name:ident, $key_len:literal) => {{
        let ours = $name::new(&[7; $key_len]);
        let theirs = <$name as KeyInit>::new(&[7; $key_len].into());
        for len in [0, 1, 16, 100, 1000] {
            let message: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            let expected = ours.seal_with_nonce(&[9; 12], &message, b"aad").unwrap();
            let payload = Payload {
                msg: &message,
                aad: b"aad",
            };
            assert_eq!(theirs.encrypt(&[9; 12].into(), payload).unwrap(), expected);
            let payload = Payload {
                msg: &expected,
                aad: b"aad",
            };
            assert_eq!(theirs.decrypt(&[9; 12].into(), payload).unwrap(), message);
            let payload = Payload {
                msg: &expected,
                aad: b"AAD",
            };
            assert!(theirs.decrypt(&[9; 12].into(), payload).is_err());

            // Apart buffers: the input stays, the output is wiped on failure.
            let mut out = vec![0xff; len];
            let buffer = InOutBuf::new(&message, &mut out).unwrap();
            let tag = theirs
                .encrypt_inout_detached(&[9; 12].into(), b"aad", buffer)
                .unwrap();
            assert_eq!([out.as_slice(), tag.as_slice()].concat(), expected);
            let mut opened = vec![0xff; len];
            let buffer = InOutBuf::new(&out, &mut opened).unwrap();
            let refused = theirs.decrypt_inout_detached(&[8; 12].into(), b"aad", buffer, &tag);
            assert!(refused.is_err() && opened.iter().all(|byte| *byte == 0));
        }
        assert!(theirs.decrypt(&[9; 12].into(), &[0; 15][..]).is_err());
    }};
}

#[test]
fn aes_gcm_siv() {
    check!(Aes128GcmSiv, 16);
    check!(Aes256GcmSiv, 32);
}
