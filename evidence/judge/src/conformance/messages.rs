//! The messages that the conformance tests seal.

use super::{Algorithm, Message};
use sivka_oracle::lengths::painted;

impl Message {
    /// Painted inputs of these lengths. The nonce depends on `seed` and has its
    /// first bit clear, which no algorithm refuses.
    pub(super) fn painted(
        algorithm: &Algorithm,
        seed: usize,
        aad_len: usize,
        plaintext_len: usize,
    ) -> Self {
        let mut nonce = painted(seed, algorithm.nonce_len);
        if let Some(first) = nonce.first_mut() {
            *first &= 0x7f;
        }
        Self { nonce, aad: painted(31, aad_len), plaintext: painted(0, plaintext_len) }
    }
}

/// Messages that differ from one another in as little as can be: only the
/// nonce, only the AAD, only where the AAD ends and the plaintext begins.
pub(super) fn neighbours(algorithm: &Algorithm) -> Vec<Message> {
    let texts: [(&[u8], &[u8]); 15] = [
        (b"aad", b"plaintext"),
        (b"AAD", b"plaintext"),
        (b"", b"plaintext"),
        (b"aa", b"dplaintext"),
        (b"aadplaintext", b""),
        (b"", b"aadplaintext"),
        (b"\0", b""),
        (b"", b"\0"),
        (b"\0\0", b""),
        (b"", b"\0\0"),
        (&[0; 16], b""),
        (b"", &[0; 16]),
        (&[0; 16], &[0; 16]),
        (&[1; 300], &[2; 300]),
        (b"", b""),
    ];
    let mut messages = Vec::new();
    let mut seeds = [0, 1, 200];
    for (aad, plaintext) in texts {
        // So that the nonce changes with the text as well, not only between texts.
        seeds.rotate_left(1);
        for seed in seeds {
            let mut message = Message::painted(algorithm, seed, 0, 0);
            message.aad = aad.to_vec();
            message.plaintext = plaintext.to_vec();
            if !(algorithm.refuses)(&message) && !messages.contains(&message) {
                messages.push(message);
            }
        }
    }
    messages
}
