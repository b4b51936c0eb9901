//! RustCrypto's `aead` traits give the bytes of our own calls.

use aead::inout::InOutBuf;
use aead::{AeadInOut, Key, KeyInit, Nonce, Payload};
use sivka::{
    Aead, Aes128GcmSiv, Aes256GcmSiv, ChaCha20Blake2b, KuznyechikMgm, TagLen, XChaCha20Blake2b,
};

fn check<K: Aead + KeyInit + AeadInOut>() {
    let theirs = K::new(&filled::<Key<K>>(7));
    let algorithm = theirs.algorithm();
    let ours = algorithm.new_key(&filled::<Key<K>>(7)).unwrap();
    let (nonce, other_nonce) = (&filled::<Nonce<K>>(9), &filled::<Nonce<K>>(8));
    for len in [0, 1, 16, 100, 1000] {
        let message: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        let expected = ours.seal_with_nonce(nonce, &message, b"aad").unwrap();
        let payload = |msg, aad| Payload { msg, aad };
        let sealed = aead::Aead::encrypt(&theirs, nonce, payload(&message, b"aad"));
        assert_eq!(sealed.as_ref(), Ok(&expected), "{algorithm}");
        let opened = aead::Aead::decrypt(&theirs, nonce, payload(&expected, b"aad"));
        assert_eq!(opened.as_ref(), Ok(&message), "{algorithm}");
        let opened = aead::Aead::decrypt(&theirs, nonce, payload(&expected, b"AAD"));
        assert!(opened.is_err(), "{algorithm}");

        // Apart buffers: the input stays, the output is wiped on failure.
        let mut out = vec![0xff; len];
        let buffer = InOutBuf::new(&message, &mut out).unwrap();
        let tag = theirs.encrypt_inout_detached(nonce, b"aad", buffer);
        let tag = tag.unwrap();
        assert_eq!([&out[..], &tag].concat(), expected, "{algorithm}");
        let mut opened = vec![0xff; len];
        let buffer = InOutBuf::new(&out, &mut opened).unwrap();
        let refused = theirs.decrypt_inout_detached(other_nonce, b"aad", buffer, &tag);
        assert!(refused.is_err() && opened.iter().all(|byte| *byte == 0));
    }
    assert!(aead::Aead::decrypt(&theirs, nonce, &[0; 15][..]).is_err());
}

fn filled<A: Default + AsMut<[u8]>>(byte: u8) -> A {
    let mut array = A::default();
    array.as_mut().fill(byte);
    array
}

#[test]
fn every_key_that_has_nonces() {
    check::<Aes128GcmSiv>();
    check::<Aes256GcmSiv>();
    check::<ChaCha20Blake2b>();
    check::<XChaCha20Blake2b>();
    check::<KuznyechikMgm>();
}

/// What is refused leaves nothing of the plaintext in an output of its own.
#[test]
fn a_refused_message_leaves_its_input_and_zeros() {
    fn check<K: AeadInOut>(key: &K, nonce: &Nonce<K>, aad: &[u8]) {
        let plaintext = *b"a plaintext that stays where it is";
        let mut out = [0xff; 34];
        let buffer = InOutBuf::new(&plaintext, &mut out).unwrap();
        assert_eq!(key.encrypt_inout_detached(nonce, aad, buffer), Err(aead::Error));
        assert_eq!(out, [0; 34]);
        out.fill(0xff);
        let (buffer, tag) = (InOutBuf::new(&plaintext, &mut out).unwrap(), filled(1));
        assert_eq!(key.decrypt_inout_detached(nonce, aad, buffer, &tag), Err(aead::Error));
        assert_eq!(out, [0; 34]);
        let mut in_out = plaintext;
        assert!(key.encrypt_inout_detached(nonce, aad, (&mut in_out[..]).into()).is_err());
        assert_eq!(in_out, plaintext);
    }
    // A nonce whose first bit is set, a key with tags of another length than the type fixes, an AAD
    // over the limit.
    check(&KuznyechikMgm::new(&[7; 32]), &filled(0xff), b"aad");
    let key = XChaCha20Blake2b::with_tag_len(&[7; 32], TagLen::Bytes48);
    check(&key, &filled(9), b"aad");
    #[cfg(target_pointer_width = "64")]
    check(&ChaCha20Blake2b::new(&[7; 32]), &filled(9), &vec![0; 1 << 31]);
}
