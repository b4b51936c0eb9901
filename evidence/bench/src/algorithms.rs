//! Every algorithm that the bench measures.

mod aead;
mod aes_siv_nonce;
pub(crate) mod kuznyechik;

use crate::algorithm::Algorithm;

/// Every algorithm the bench knows.
pub(crate) const ALL: &[Algorithm] = &[
    aead::AES_128_GCM_SIV,
    aead::AES_256_GCM_SIV,
    aead::CHACHA20_BLAKE2B,
    aead::XCHACHA20_BLAKE2B,
    aead::XCHACHA20_BLAKE2B_SIV,
    aead::AES_SIV_512,
    aes_siv_nonce::AES_SIV_256_NONCE,
    kuznyechik::BLOCKS,
    kuznyechik::DEPENDENT,
    aead::KUZNYECHIK_MGM,
    aead::POLYVAL,
];

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::algorithm::batch;
    use crate::harness::agree;
    use crate::messages::Messages;

    /// Every row's code runs and every contender of it agrees, at small sizes.
    #[test]
    fn every_contender_agrees() {
        for algorithm in ALL {
            let mut shapes = Vec::new();
            for &aad_len in algorithm.aad_lens {
                for (len, batch) in [(16, 1), (100, 1), (1024, 1), (0, 1), (16, 10), (64, 3)] {
                    if batch == 1 || !algorithm.batch_lens.is_empty() {
                        shapes.push(algorithm.shape(len, aad_len, batch, None));
                    }
                }
            }
            let rows = algorithm.rows(None, None).into_iter().map(|row| row.shape);
            shapes.extend(rows.filter(|shape| shape.interface.is_some()));
            for shape in shapes {
                let mut contenders = (algorithm.contenders)(algorithm, shape);
                let outputs = agree(&mut contenders, &mut Messages::new(shape));
                assert!(outputs.iter().any(|(name, _)| *name == algorithm.name));
            }
        }
    }

    /// No row is listed twice, and the shapes are the algorithm's own.
    #[test]
    fn rows_are_distinct() {
        for algorithm in ALL {
            let rows = algorithm.rows(None, None);
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
