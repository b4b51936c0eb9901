//! The conformance tests' view of an algorithm, and a message of an algorithm.

use crate::shapes::Parts;
use core::fmt;
use sivka_oracle::vectors::{self, Case, File};

/// Properties of an algorithm, apart from any implementation.
#[derive(Clone, Copy)]
pub struct Algorithm {
    /// The name. A tag that is not the family's shortest shows in it.
    pub name: &'static str,
    /// The length of a key in bytes.
    pub key_len: usize,
    /// The length of a nonce in bytes; 0 for an algorithm without one.
    pub nonce_len: usize,
    /// The length of a tag in bytes.
    pub tag_len: usize,
    /// Whether nonces must be counted, so that no call draws them.
    pub counts_nonces: bool,
    /// Whether the tag comes before the ciphertext; else after it.
    pub tag_first: bool,
    /// The reference: seals allowed messages under the key to ciphertext ‖ tag of the given length,
    /// or to tag ‖ ciphertext.
    pub reference: fn(key: &[u8], message: &Message, tag_len: usize) -> Vec<u8>,
    /// Whether the standard forbids to seal this message at all.
    pub refuses: fn(message: &Message) -> bool,
    /// Its vector files, whose cases of other algorithms are passed over.
    pub vector_files: &'static [File],
    /// How many cases they have: a vector file that lost one is a failure.
    pub vector_count: usize,
    /// Cases made from the reference, for paths that the grid of lengths does not reach.
    pub constructed: fn(&Algorithm) -> Vec<Case>,
}

impl Algorithm {
    /// Ciphertext and tag as they are sealed in one piece.
    #[must_use]
    pub fn join(&self, ciphertext: &[u8], tag: &[u8]) -> Vec<u8> {
        if self.tag_first { [tag, ciphertext].concat() } else { [ciphertext, tag].concat() }
    }

    /// Ciphertext and tag of a message that was sealed in one piece.
    #[must_use]
    pub fn split<'a>(&self, sealed: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        if self.tag_first {
            let (tag, ciphertext) = sealed.split_at(self.tag_len);
            (ciphertext, tag)
        } else {
            sealed.split_at(sealed.len() - self.tag_len)
        }
    }

    /// Seals in one piece; `None` if the standard forbids to.
    #[must_use]
    pub fn seal(&self, key: &[u8], message: &Message) -> Option<Vec<u8>> {
        (!(self.refuses)(message)).then(|| (self.reference)(key, message, self.tag_len))
    }

    /// The purpose of drawn messages.
    #[must_use]
    pub fn parts(&self) -> Parts {
        let set = Message { nonce: vec![0xff; self.nonce_len], aad: vec![0], plaintext: vec![0] };
        Parts {
            nonce_len: self.nonce_len,
            first_byte_mask: if (self.refuses)(&set) { 0x7f } else { 0xff },
            tag_len: self.tag_len,
        }
    }

    /// The cases of the vector files. There, all tag lengths have one name.
    ///
    /// # Panics
    ///
    /// If a file is not well formed, or lost a case.
    #[must_use]
    pub fn vectors(&self) -> Vec<Case> {
        let name = self.name.split("-Tag").next();
        let files = self.vector_files.iter();
        let groups = files.flat_map(|file| vectors::read::<Case>(file.text).expect(file.name));
        let cases =
            groups.filter(|group| Some(&*group.algorithm) == name).flat_map(|group| group.cases);
        let cases: Vec<Case> = cases.filter(|case| case.tag.len() == self.tag_len).collect();
        assert_eq!(cases.len(), self.vector_count, "vectors of {}", self.name);
        cases
    }
}

/// The inputs of sealing besides the key.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    /// The nonce; empty for an algorithm without one.
    pub nonce: Vec<u8>,
    /// The additional authenticated data.
    pub aad: Vec<u8>,
    /// The plaintext.
    pub plaintext: Vec<u8>,
}

/// The lengths say enough: the bytes are painted.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nonce {:02x?}, ", self.nonce)?;
        write!(f, "aad of {} bytes, plaintext of {} bytes", self.aad.len(), self.plaintext.len())
    }
}
