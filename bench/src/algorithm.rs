//! What is measured: each algorithm's operations, lengths and contenders.

mod chacha20_blake2b;
mod gcm_siv;
pub(crate) mod kuznyechik;

use crate::harness::{Contender, Operation, Row};
use crate::messages::Shape;

/// Every algorithm the bench knows.
pub(crate) const ALL: &[Algorithm] = &[
    gcm_siv::AES_128,
    gcm_siv::AES_256,
    chacha20_blake2b::CHACHA20,
    chacha20_blake2b::XCHACHA20,
    chacha20_blake2b::SIV,
    kuznyechik::BLOCKS,
    kuznyechik::DEPENDENT,
    kuznyechik::MGM,
];

/// An algorithm and the questions asked about it. Lengths are in bytes.
pub(crate) struct Algorithm {
    /// The name that filters and reports use.
    pub(crate) name: &'static str,
    /// What is timed.
    pub(crate) operations: &'static [Operation],
    /// 0 for none.
    pub(crate) nonce_len: usize,
    /// 0 for none.
    pub(crate) tag_len: usize,
    /// Messages of single calls.
    pub(crate) lens: &'static [usize],
    /// Additional authenticated data; `&[0]` for algorithms without any.
    pub(crate) aad_lens: &'static [usize],
    /// Messages in batches, as many as [`batch`] says; empty for no batches.
    pub(crate) batch_lens: &'static [usize],
    /// Everyone who computes it, for messages of this shape, key set-up done.
    /// The first peer named is the reference of ratios.
    pub(crate) contenders: fn(Shape) -> Vec<Contender>,
}

/// Messages in a batch of short ones.
pub(crate) const BATCH: usize = 1_000_000;

/// Messages in a batch of `len` bytes each: of long ones as many as a core's
/// second-level cache holds, so that memory is not what is measured.
pub(crate) const fn batch(len: usize) -> usize {
    if len < 4096 { BATCH } else { (1 << 20) / len }
}

impl Algorithm {
    /// Every row of this algorithm, or with `sizes` the single calls of those
    /// lengths and the batches that have one of them.
    pub(crate) fn rows(&self, sizes: Option<&[usize]>) -> Vec<Row> {
        let mut rows = Vec::new();
        let lens = sizes.unwrap_or(self.lens);
        for &operation in self.operations {
            for &aad_len in self.aad_lens {
                let single = lens.iter().map(|&len| (len, 1));
                let batches = self
                    .batch_lens
                    .iter()
                    .filter(|len| sizes.is_none_or(|sizes| sizes.contains(len)))
                    .map(|&len| (len, batch(len)));
                for (len, batch) in single.chain(batches) {
                    rows.push(Row {
                        algorithm: self.name,
                        operation,
                        shape: self.shape(len, aad_len, batch),
                    });
                }
            }
        }
        rows
    }

    /// The shape of `batch` messages of `len` bytes.
    pub(crate) fn shape(&self, len: usize, aad_len: usize, batch: usize) -> Shape {
        Shape {
            len,
            aad_len,
            nonce_len: self.nonce_len,
            tag_len: self.tag_len,
            batch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, batch};
    use crate::harness::agree;
    use crate::messages::Messages;

    /// Every row's code runs and every contender of it agrees, at small sizes.
    #[test]
    fn every_contender_agrees() {
        for algorithm in ALL {
            for &aad_len in algorithm.aad_lens {
                for (len, batch) in [(16, 1), (100, 1), (1024, 1), (0, 1), (16, 10), (64, 3)] {
                    if batch > 1 && algorithm.batch_lens.is_empty() {
                        continue;
                    }
                    let shape = algorithm.shape(len, aad_len, batch);
                    let mut contenders = (algorithm.contenders)(shape);
                    let outputs = agree(&mut contenders, &mut Messages::new(shape));
                    assert!(outputs.iter().any(|(name, _)| *name == algorithm.name));
                }
            }
        }
    }

    /// No row is listed twice, and the shapes are the algorithm's own.
    #[test]
    fn rows_are_distinct() {
        for algorithm in ALL {
            let rows = algorithm.rows(None);
            for (i, row) in rows.iter().enumerate() {
                assert_eq!(row.algorithm, algorithm.name);
                assert!(row.shape.batch == 1 || row.shape.batch == batch(row.shape.len));
                let again = rows[..i]
                    .iter()
                    .any(|other| other.operation == row.operation && other.shape == row.shape);
                assert!(!again, "{row:?}");
            }
        }
    }
}
