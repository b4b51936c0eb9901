//! ChaCha20-BLAKE2b as a program composes it of a library's ChaCha20 and BLAKE2b, like the C#
//! library with libsodium: every key is derived for each message.

use super::{Peer, PeerAlgorithm};
use crate::aead::{Aead, OneAtATime, split};

const ENCRYPTION: &[u8] = b"ChaCha20-BLAKE2b 07/12/2021 20:40 ChaCha20.Encrypt()";
const MAC: &[u8] = b"ChaCha20-BLAKE2b 07/12/2021 20:41 BLAKE2b.KeyedHash()";

const TAG_LEN: usize = 32;

/// The parts of one library.
pub(super) trait Parts {
    /// Keyed BLAKE2b of the pieces one after another; the length of `out` is the hash's.
    fn hash(&self, key: &[u8], pieces: &[&[u8]], out: &mut [u8]);

    /// XORs ChaCha20's keystream from block 0 on.
    fn cipher(&self, key: &[u8; 32], nonce: &[u8; 8], in_out: &mut [u8]);
}

/// The algorithms composed of `parts`.
pub(super) fn offering<P: Parts + 'static>(
    name: &'static str,
    parts: P,
    cipher: PeerAlgorithm,
    key: &[u8],
) -> Option<Peer> {
    let key = key.try_into().ok()?;
    match cipher {
        PeerAlgorithm::ChaCha20Blake2b => {
            Some((name, Box::new(OneAtATime(Composed { parts, key }))))
        }
        PeerAlgorithm::Blake2b => Some((name, Box::new(OneAtATime(HashAlone { parts, key })))),
        _ => None,
    }
}

fn le32(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).expect("within the limits").to_le_bytes()
}

struct Composed<P> {
    parts: P,
    key: [u8; 32],
}

impl<P: Parts> Composed<P> {
    #[inline(always)]
    fn encryption_key(&self) -> [u8; 32] {
        let mut key = [0; 32];
        self.parts.hash(&self.key, &[ENCRYPTION, &[0; 4], &le32(ENCRYPTION)], &mut key);
        key
    }

    #[inline(always)]
    fn tag(&self, nonce: &[u8], aad: &[u8], ciphertext: &[u8]) -> [u8; TAG_LEN] {
        let mut key = [0; 64];
        self.parts.hash(&self.key, &[nonce, MAC, &le32(nonce), &le32(MAC)], &mut key);
        let mut tag = [0; TAG_LEN];
        self.parts.hash(&key, &[aad, ciphertext, &le32(aad), &le32(ciphertext)], &mut tag);
        tag
    }
}

impl<P: Parts> Aead for Composed<P> {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, room) = split::<TAG_LEN>(message);
        let nonce: &[u8; 8] = nonce.try_into().expect("an 8-byte nonce");
        self.parts.cipher(&self.encryption_key(), nonce, in_out);
        *room = self.tag(nonce, aad, in_out);
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<TAG_LEN>(message);
        let nonce: &[u8; 8] = nonce.try_into().expect("an 8-byte nonce");
        // A benchmark's comparison: its time is nothing beside the rest.
        let authentic = self.tag(nonce, aad, in_out) == *tag;
        self.parts.cipher(&self.encryption_key(), nonce, in_out);
        authentic
    }
}

/// The hash of the message alone: the limit of a serial composition.
struct HashAlone<P> {
    parts: P,
    key: [u8; 32],
}

impl<P: Parts> Aead for HashAlone<P> {
    #[inline(always)]
    fn seal(&mut self, _nonce: &[u8], _aad: &[u8], message: &mut [u8]) {
        let (in_out, room) = split::<TAG_LEN>(message);
        self.parts.hash(&self.key, &[in_out], room);
    }

    #[inline(always)]
    fn open(&mut self, _nonce: &[u8], _aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<TAG_LEN>(message);
        let mut hash = [0; TAG_LEN];
        self.parts.hash(&self.key, &[in_out], &mut hash);
        hash == *tag
    }
}
