//! One word of as many blocks as a vector has lanes in each vector, or few blocks in rows:
//! written once for every width.

pub(super) mod streams;

/// The quarter rounds of the words in four vectors.
#[cfg(target_arch = "x86_64")]
macro_rules! quarter_round {
    ($x:ident, $a:literal, $b:literal, $c:literal, $d:literal) => {
        $x[$a] = add($x[$a], $x[$b]);
        $x[$d] = left_16(xor($x[$d], $x[$a]));
        $x[$c] = add($x[$c], $x[$d]);
        $x[$b] = left_12(xor($x[$b], $x[$c]));
        $x[$a] = add($x[$a], $x[$b]);
        $x[$d] = left_8(xor($x[$d], $x[$a]));
        $x[$c] = add($x[$c], $x[$d]);
        $x[$b] = left_7(xor($x[$b], $x[$c]));
    };
}

/// A step of four quarter rounds, side by side: one alone is a chain of dependent steps.
macro_rules! step {
    ($x:ident, $left:ident: $($sum:literal += $term:literal, $turned:literal;)*) => {
        $( $x[$sum] = add($x[$sum], $x[$term]); )*
        $( $x[$turned] = $left(xor($x[$turned], $x[$sum])); )*
    };
}

/// The round of columns.
macro_rules! column_round {
    ($x:ident) => {
        step!($x, left_16: 0 += 4, 12; 1 += 5, 13; 2 += 6, 14; 3 += 7, 15;);
        step!($x, left_12: 8 += 12, 4; 9 += 13, 5; 10 += 14, 6; 11 += 15, 7;);
        step!($x, left_8: 0 += 4, 12; 1 += 5, 13; 2 += 6, 14; 3 += 7, 15;);
        step!($x, left_7: 8 += 12, 4; 9 += 13, 5; 10 += 14, 6; 11 += 15, 7;);
    };
}

/// The round of diagonals.
macro_rules! diagonal_round {
    ($x:ident) => {
        step!($x, left_16: 0 += 5, 15; 1 += 6, 12; 2 += 7, 13; 3 += 4, 14;);
        step!($x, left_12: 10 += 15, 5; 11 += 12, 6; 8 += 13, 7; 9 += 14, 4;);
        step!($x, left_8: 0 += 5, 15; 1 += 6, 12; 2 += 7, 13; 3 += 4, 14;);
        step!($x, left_7: 10 += 15, 5; 11 += 12, 6; 8 += 13, 7; 9 += 14, 4;);
    };
}

/// Both.
macro_rules! double_round {
    ($x:ident) => {
        column_round!($x);
        diagonal_round!($x);
    };
}

/// Defines the rounds of blocks in lanes, where the operations of vectors have names.
macro_rules! rounds {
    ($features:literal) => {
        use super::vectors::{column_round, diagonal_round, double_round, step};

        /// Four bytes of each block.
        type Bytes = [u8; 4 * LANES];

        #[inline(always)]
        fn as_row(words: &[[u8; 4]; LANES]) -> Bytes {
            let mut row = [0; 4 * LANES];
            row.copy_from_slice(words.as_flattened());
            row
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn twenty_rounds(x: &mut [Vector; 16]) {
            for _ in 0..10 {
                double_round!(x);
            }
        }
    };
}

/// Defines the cipher of a tier: groups of a block in each lane, and what is left as whole
/// matrices in rows, which need no transposition: four of them, or eight.
#[cfg(target_arch = "x86_64")]
macro_rules! chacha20 {
    ($tier:ident, $features:literal) => {
        use super::{ChaCha20, portable};

        impl ChaCha20 for $tier {
            #[inline(always)]
            fn chacha20_xor(self, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
                // One block is sooner made in general registers, whose chains are as long and
                // step faster.
                if in_out.len() <= BLOCK_LEN {
                    return portable::chacha20_xor(matrix, counter, in_out);
                }
                let (groups, rest) = in_out.as_chunks_mut();
                let mut counter = counter;
                if !groups.is_empty() {
                    xor_groups(self, matrix, counter, groups);
                    counter = counter.wrapping_add((LANES * groups.len()) as u64);
                }
                for rest in rest.chunks_mut(LANES / 2 * BLOCK_LEN) {
                    if LANES > 8 && rest.len() > FourBlocks::LEN {
                        xor_few(self, matrix, [counter, counter.wrapping_add(4)], rest);
                    } else {
                        xor_few(self, matrix, [counter], rest);
                    }
                    counter = counter.wrapping_add(LANES as u64 / 2);
                }
            }
        }

        $crate::tier::helpers! {
            $features;
            /// The column round of the matrices in four rows.
            pub(in crate::kernel) fn columns(rows: &mut [Vector; 4]) {
                quarter_round!(rows, 0, 1, 2, 3);
            }

            /// The diagonal round.
            pub(in crate::kernel) fn diagonals(rows: &mut [Vector; 4]) {
                // Rows a, c and d turn and b, the last to be ready, stays.
                rows[0] = turn_words::<0b10_01_00_11>(rows[0]);
                rows[2] = turn_words::<0b00_11_10_01>(rows[2]);
                rows[3] = turn_words::<0b01_00_11_10>(rows[3]);
                columns(rows);
                rows[0] = turn_words::<0b00_11_10_01>(rows[0]);
                rows[2] = turn_words::<0b10_01_00_11>(rows[2]);
                rows[3] = turn_words::<0b01_00_11_10>(rows[3]);
            }
        }

        kernel! {
            /// Up to four blocks from each of `counters` on.
            fn xor_few[const N: usize](tier: $tier, matrix: &Matrix, counters: [u64; N], in_out: &mut [u8]) {
                let mut fours = counters.map(|counter| four_matrices(matrix, counter));
                for _ in 0..10 {
                    fours.as_flattened_mut().iter_mut().for_each(|rows| columns(rows));
                    fours.as_flattened_mut().iter_mut().for_each(|rows| diagonals(rows));
                }
                let texts = in_out.chunks_mut(FourBlocks::LEN);
                for ((rows, counter), text) in fours.into_iter().zip(counters).zip(texts) {
                    xor_four_matrices(rows, matrix, counter, text);
                }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use {chacha20, quarter_round};
pub(super) use {column_round, diagonal_round, double_round, rounds, step};
