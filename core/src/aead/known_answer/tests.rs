//! The oracle computes every known answer.

use super::*;
use std::vec;
use std::vec::Vec;

impl KnownAnswer {
    /// Has the oracle compute it. `seal` takes nonce, AAD and plaintext, and returns
    /// ciphertext ‖ tag.
    pub(crate) fn is_the_oracles(
        &self,
        nonce_len: usize,
        seal: impl Fn(&[u8], &[u8], &[u8]) -> Vec<u8>,
    ) {
        let seal = |nonce: &[u8], aad: &[u8], message: &mut [u8]| {
            let mut sealed = seal(nonce, aad, message);
            let tag = sealed.split_off(message.len());
            message.copy_from_slice(&sealed);
            tag
        };
        let mut message = painted::<LONGEST>();
        let last = self.lens.iter().fold(vec![0; self.tag.len()], |last, len| {
            seal(&last[..nonce_len], &last, &mut message[..*len])
        });
        assert_eq!(last, self.tag, "{last:02x?}");
        if let Some(answer) = self.very_long {
            let mut message = painted::<VERY_LONG>();
            let nonce = &[7; MAX_NONCE_LEN][..nonce_len];
            let [_, tag] = [0; 2].map(|_| seal(nonce, b"", &mut message));
            assert_eq!(tag, answer, "{tag:02x?}");
        }
    }
}
