//! The bench's view of an algorithm: operations, lengths and contenders.

use crate::harness::{Contender, Operation, Row};
use crate::messages::{Interface, Shape};
use crate::peer::PeerAlgorithm;

/// An algorithm and the questions asked about it. Lengths are in bytes.
pub(crate) struct Algorithm {
    /// The name that filters and reports use.
    pub(crate) name: &'static str,
    /// For the hash of an AEAD of ours, the name of that AEAD.
    pub(crate) hash_of: Option<&'static str>,
    /// The timed operation.
    pub(crate) operations: &'static [Operation],
    /// Messages of single calls.
    pub(crate) lens: &'static [usize],
    /// Additional authenticated data; `&[0]` for algorithms without any.
    pub(crate) aad_lens: &'static [usize],
    /// Messages in batches, as many as [`batch`] says; empty for no batches.
    pub(crate) batch_lens: &'static [usize],
    /// Of these, as many as are sealed in one call.
    pub(crate) at_once: usize,
    /// Messages in rows that measure interfaces; empty for no such rows.
    pub(crate) interface_lens: &'static [usize],
    /// The input for peers.
    pub(crate) ciphers: &'static [PeerAlgorithm],
    /// All contenders for messages of this kind, with their keys made. The first peer named is the
    /// reference of ratios.
    pub(crate) contenders: fn(&Self, Shape) -> Vec<Contender>,
}

/// The key of all algorithms; of its first half, where that is enough.
pub(crate) const KEY: &[u8; 32] = b"a 256-bit key, not a secret one.";

/// The key of AES-SIV: one of CMAC, and one of CTR.
const TWO_KEYS: &[u8; 64] = b"a 256-bit key, not a secret one.another, as long as the first is";

/// Messages in a batch of short ones.
pub(crate) const BATCH: usize = 1_000_000;

/// Messages in a batch of `len` bytes each. Of long ones, as many as a core's second-level cache
/// holds, so that the speed of memory does not count.
pub(crate) const fn batch(len: usize) -> usize {
    if len < 1024 { BATCH } else { (1 << 20) / len }
}

impl Algorithm {
    /// Every row of this algorithm, or with `sizes` the single calls of those
    /// lengths and the batches that have one of them. With `messages`, batches have so many.
    pub(crate) fn rows(&self, sizes: Option<&[usize]>, messages: Option<u32>) -> Vec<Row> {
        let mut rows = Vec::new();
        let lens = sizes.unwrap_or(self.lens);
        for &operation in self.operations {
            for &aad_len in self.aad_lens {
                let single = lens.iter().map(|&len| (len, 1));
                let batches = self
                    .batch_lens
                    .iter()
                    .filter(|len| sizes.is_none_or(|sizes| sizes.contains(len)))
                    .map(|&len| (len, messages.map_or(batch(len), |count| count as usize)));
                let shapes = single
                    .chain(batches)
                    .map(|(len, batch)| self.shape(len, aad_len, batch, None))
                    .chain(self.interfaces(operation, aad_len, sizes));
                rows.extend(shapes.map(|shape| Row { algorithm: self.name, operation, shape }));
            }
        }
        rows
    }

    /// The question about interfaces. A chain goes through the nonce or the AAD, and when opening
    /// through the plaintext: if they are empty there is none.
    fn interfaces(
        &self,
        operation: Operation,
        aad_len: usize,
        sizes: Option<&[usize]>,
    ) -> impl Iterator<Item = Shape> {
        let all = [Interface::InPlace, Interface::Apart, Interface::Chained];
        let lens = self.interface_lens.iter().copied();
        let lens = lens.filter(move |len| sizes.is_none_or(|sizes| sizes.contains(len)));
        let shapes = all.into_iter().flat_map(move |interface| {
            let lens = lens.clone();
            lens.map(move |len| self.shape(len, aad_len, 1, Some(interface)))
        });
        shapes.filter(move |shape| {
            shape.interface != Some(Interface::Chained)
                || (shape.nonce_len + aad_len > 0
                    && (operation == Operation::Seal || shape.len > 0))
        })
    }

    /// The shape of `batch` messages of `len` bytes.
    pub(crate) fn shape(
        &self,
        len: usize,
        aad_len: usize,
        batch: usize,
        interface: Option<Interface>,
    ) -> Shape {
        let aead = sivka::Algorithm::find(self.aead());
        Shape {
            len,
            aad_len,
            nonce_len: aead.map_or(0, sivka::Algorithm::nonce_len),
            tag_len: aead.map_or(0, sivka::Algorithm::tag_len),
            batch,
            interface,
        }
    }

    /// The AEAD that is called, by name.
    pub(crate) fn aead(&self) -> &'static str {
        self.hash_of.unwrap_or(self.name)
    }

    /// Our library's row of this AEAD, which has the same name there.
    pub(crate) fn sivka(&self) -> &'static sivka::Algorithm {
        sivka::Algorithm::find(self.aead()).expect("an AEAD of ours")
    }

    /// A key for this AEAD.
    pub(crate) fn key(&self) -> &'static [u8] {
        let key_len = self.sivka().key_len();
        if key_len > KEY.len() { &TWO_KEYS[..key_len] } else { &KEY[..key_len] }
    }
}
