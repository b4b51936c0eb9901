//! MGM's multiplication by the products of POLYVAL, a block in each lane of a vector.

/// Defines it with the vectors `$vector` and the products of `$polyval`, and implements the trait
/// for tiers that make the token of `$tier`.
macro_rules! mgm_multiply {
    (
        $tier:ident, $vector:ident, $polyval:ident, $features:literal,
        $($token:ident: $kernel_token:expr),*
    ) => {
        use super::{MgmMultiply, portable};
        use crate::kernel::Block;
        use crate::kernel::polyval::$polyval::{Product, halves};
        use crate::kernel::vector::$vector::{self as vector, LANES, Vector};
        use crate::tier::kernel;

        $crate::tier::helpers! {
            $features;
            /// Blocks as numbers: the field's elements are big-endian.
            fn numbers(blocks: Vector) -> Vector {
                const REVERSED: Block = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
                vector::shuffle(blocks, &REVERSED)
            }

            fn add(sum: &mut Product, h: Vector, blocks: Vector) {
                let h = numbers(h);
                sum.add(numbers(blocks), h, halves(h));
            }
        }

        kernel! {
            fn zero(tier: $tier) -> Product {
                Product::zero()
            }

            fn multiply_add(tier: $tier, sum: &mut Product, h: &[Block], data: &[u8]) {
                let (blocks, _) = data.as_chunks();
                let (vectors, _) = blocks.as_chunks::<LANES>();
                let rest = &data[16 * LANES * vectors.len()..];
                let (h_vectors, h_rest) = h.as_chunks::<LANES>();
                for (h, blocks) in h_vectors.iter().zip(vectors) {
                    add(sum, vector::load(h), vector::load(blocks));
                }
                if !rest.is_empty() {
                    // The blocks that are not there count as zero. A last block that is not
                    // whole may have had its multiplier among the vectors.
                    let h_rest = match h_vectors {
                        [.., last] if h_rest.is_empty() => last,
                        _ => h_rest,
                    };
                    let h = vector::load_padded(h_rest.as_flattened());
                    add(sum, h, vector::load_padded(rest));
                }
            }

            /// Adds the lanes and reduces, once a message.
            fn reduce(tier: $tier, sum: Product) -> Block {
                let [low, middle, high] = sum.parts().map(|part| {
                    let mut lanes = [[0; 16]; LANES];
                    vector::store(&mut lanes, part);
                    lanes.iter().fold(0, |sum, lane| sum ^ u128::from_le_bytes(*lane))
                });
                portable::reduce(low ^ middle << 64, high ^ middle >> 64)
            }
        }

        $(
            impl MgmMultiply for crate::tier::$token {
                type Sum = Product;

                #[inline(always)]
                fn zero(self) -> Product {
                    zero($kernel_token(self))
                }

                #[inline(always)]
                fn multiply_add(self, sum: &mut Product, h: &[Block], data: &[u8]) {
                    multiply_add($kernel_token(self), sum, h, data);
                }

                #[inline(always)]
                fn reduce(self, sum: Product) -> Block {
                    reduce($kernel_token(self), sum)
                }
            }
        )*
    };
}
pub(super) use mgm_multiply;
