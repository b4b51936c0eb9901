//! A key of ours that is made for each message, as a type that the compiler knows.

use crate::aead::{Aead, NewKey, OneAtATime};
use crate::harness::Work;
use sivka::{Aes128GcmSiv, Aes256GcmSiv, AesSiv512, TagLen, Tier};
use sivka::{ChaCha20Blake2b, KuznyechikMgm, XChaCha20Blake2b, XChaCha20Blake2bSiv};

/// The work of this algorithm under `key`, made anew for each message.
pub(super) fn work(algorithm: &'static sivka::Algorithm, key: &[u8], tier: Tier) -> Box<dyn Work> {
    macro_rules! by_name {
        ($($name:literal: $key:ident($($tag_len:expr)?)),*) => {
            match algorithm.name() {
                $($name => {
                    let key = *key.first_chunk().expect("a key of the algorithm's length");
                    let tag_len = algorithm.tag_len();
                    let once = move || Once { key: $key::with_tier(&key, $($tag_len,)? tier), tag_len };
                    Box::new(OneAtATime(NewKey(once)))
                })*
                other => panic!("{other} is not measured with new keys"),
            }
        };
    }
    by_name! {
        "AES-128-GCM-SIV": Aes128GcmSiv(),
        "AES-256-GCM-SIV": Aes256GcmSiv(),
        "AES-SIV-512": AesSiv512(),
        "ChaCha20-BLAKE2b": ChaCha20Blake2b(TagLen::Bytes32),
        "XChaCha20-BLAKE2b": XChaCha20Blake2b(TagLen::Bytes32),
        "XChaCha20-BLAKE2b-SIV": XChaCha20Blake2bSiv(TagLen::Bytes32),
        "Kuznyechik-MGM": KuznyechikMgm()
    }
}

/// A key for one message.
struct Once<K> {
    key: K,
    tag_len: usize,
}

impl<K: sivka::Aead> Aead for Once<K> {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, tag) = message.split_at_mut(message.len() - self.tag_len);
        let sealed = self.key.seal_in_place(nonce, aad, in_out, tag);
        sealed.expect("within the limits");
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = message.split_at_mut(message.len() - self.tag_len);
        self.key.open_in_place(nonce, aad, in_out, tag).is_ok()
    }
}
