//! The oracle computes every known answer.

use super::*;
use std::vec;
use std::vec::Vec;

impl KnownAnswer {
    /// Has the oracle compute it. `seal` takes nonce, AAD and plaintext, and returns
    /// ciphertext and tag.
    pub(crate) fn is_the_oracles(
        &self,
        nonce_len: usize,
        seal: impl Fn(&[u8], &[u8], &[u8]) -> (Vec<u8>, Vec<u8>),
    ) {
        let last = end_of_chain(self.lens, self.tag.len(), nonce_len, &seal);
        assert_eq!(last, self.tag, "{last:02x?}");
        if let Some(answer) = self.very_long {
            let tag = second_tag(nonce_len, &seal);
            assert_eq!(tag, answer, "{tag:02x?}");
        }
    }
}

type Seal<'a> = &'a dyn Fn(&[u8], &[u8], &[u8]) -> (Vec<u8>, Vec<u8>);

fn end_of_chain(lens: &[usize], tag_len: usize, nonce_len: usize, seal: Seal<'_>) -> Vec<u8> {
    let mut message = painted::<LONGEST>();
    lens.iter().fold(vec![0; tag_len], |last, len| {
        let (sealed, tag) = seal(&last[..nonce_len], &last, &message[..*len]);
        message[..*len].copy_from_slice(&sealed);
        tag
    })
}

fn second_tag(nonce_len: usize, seal: Seal<'_>) -> Vec<u8> {
    let nonce = &[7; MAX_NONCE_LEN][..nonce_len];
    let (once, _) = seal(nonce, b"", &painted::<VERY_LONG>());
    seal(nonce, b"", &once).1
}
