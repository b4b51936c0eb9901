//! The rounds of blocks in lanes, written once for every width.

/// A step of four quarter rounds, side by side: one alone is a chain of dependent steps.
macro_rules! step {
    ($x:ident, $left:ident: $($sum:literal += $term:literal, $turned:literal;)*) => {
        $( $x[$sum] = add($x[$sum], $x[$term]); )*
        $( $x[$turned] = $left(xor($x[$turned], $x[$sum])); )*
    };
}
pub(super) use step;

/// Defines the kernel of a tier, where the operations of its vectors have names.
macro_rules! xor_streams {
    ($tier:ident, $features:literal, FEWEST: $fewest:literal, LONGEST: $longest:literal) => {
        super::vectors::xor_streams!(@ $tier, core::convert::identity, $fewest, $longest);

        use crate::kernel::chacha20::streams::StreamNonce;
        use crate::kernel::chacha20::streams::vectors::step;
        use crate::kernel::chacha20::{BLOCK_LEN, CONSTANTS, KEY_LEN};

        /// The words of a key in every lane, in memory: vectors are picked from them.
        #[repr(align(64))]
        struct Keys([[u8; 4 * LANES]; 8]);

        impl Drop for Keys {
            #[inline(always)]
            fn drop(&mut self) {
                secret::wipe(self.0.as_flattened_mut());
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn twenty_rounds(x: &mut [Vector; 16]) {
            for _ in 0..10 {
                step!(x, left_16: 0 += 4, 12; 1 += 5, 13; 2 += 6, 14; 3 += 7, 15;);
                step!(x, left_12: 8 += 12, 4; 9 += 13, 5; 10 += 14, 6; 11 += 15, 7;);
                step!(x, left_8: 0 += 4, 12; 1 += 5, 13; 2 += 6, 14; 3 += 7, 15;);
                step!(x, left_7: 8 += 12, 4; 9 += 13, 5; 10 += 14, 6; 11 += 15, 7;);
                step!(x, left_16: 0 += 5, 15; 1 += 6, 12; 2 += 7, 13; 3 += 4, 14;);
                step!(x, left_12: 10 += 15, 5; 11 += 12, 6; 8 += 13, 7; 9 += 14, 4;);
                step!(x, left_8: 0 += 5, 15; 1 += 6, 12; 2 += 7, 13; 3 += 4, 14;);
                step!(x, left_7: 10 += 15, 5; 11 += 12, 6; 8 += 13, 7; 9 += 14, 4;);
            }
        }

        /// Word `i` of every nonce in row `i`; zeros in lanes without a nonce.
        #[inline(always)]
        fn in_lanes(nonces: &[StreamNonce]) -> [[u8; 4 * LANES]; 6] {
            let mut rows = [[0; 4 * LANES]; 6];
            for (lane, nonce) in nonces.iter().take(LANES).enumerate() {
                for (row, word) in rows.iter_mut().zip(nonce.as_chunks::<4>().0) {
                    row.as_chunks_mut().0[lane] = *word;
                }
            }
            rows
        }

        kernel! {
            fn xor_streams(
                tier: $tier,
                key: &[u8; KEY_LEN],
                nonces: &[StreamNonce],
                extended: bool,
                texts: &mut [&mut [u8]]
            ) {
                let nonces = in_lanes(nonces);
                let mut keys = Keys([[0; 4 * LANES]; 8]);
                for (row, word) in keys.0.iter_mut().zip(key.as_chunks().0) {
                    store(row, splat(u32::from_le_bytes(*word)));
                }
                let [c0, c1, c2, c3] = CONSTANTS;
                let constants = [splat(c0), splat(c1), splat(c2), splat(c3)];
                let [s0, s1, s2, s3] = constants;
                if extended {
                    // draft-irtf-cfrg-xchacha-03 section 2.2.
                    let [k0, k1, k2, k3, k4, k5, k6, k7] = keys.0.each_ref().map(|row| load(row));
                    let [n0, n1, n2, n3, ..] = nonces.each_ref().map(|row| load(row));
                    let mut x = [
                        s0, s1, s2, s3, k0, k1, k2, k3, k4, k5, k6, k7, n0, n1, n2, n3,
                    ];
                    twenty_rounds(&mut x);
                    for (row, word) in keys.0.iter_mut().zip(x[..4].iter().chain(&x[12..])) {
                        store(row, *word);
                    }
                }
                let mut blocks = texts.iter_mut().enumerate().flat_map(|(stream, text)| {
                    let blocks = text.chunks_mut(BLOCK_LEN).enumerate();
                    blocks.map(move |(counter, block)| (stream as u32, counter as u32, block))
                });
                loop {
                    // Lanes without a block make that of stream 0 again, which goes nowhere.
                    let (mut streams, mut counters) = ([[0; 4]; LANES], [[0; 4]; LANES]);
                    let mut places = <[&mut [u8]; LANES]>::default();
                    let mut filled = 0;
                    for (stream, counter, block) in blocks.by_ref().take(LANES) {
                        streams[filled] = stream.to_le_bytes();
                        counters[filled] = counter.to_le_bytes();
                        places[filled] = block;
                        filled += 1;
                    }
                    if filled == 0 {
                        break;
                    }
                    let streams = load(&as_row(&streams));
                    let of_stream = |row: &[u8; 4 * LANES]| select(load(row), streams);
                    let [k0, k1, k2, k3, k4, k5, k6, k7] =
                        keys.0.each_ref().map(|row| of_stream(row));
                    let (n0, n1) = (of_stream(&nonces[4]), of_stream(&nonces[5]));
                    // Texts this short do not reach the counter's upper word.
                    let counter = load(&as_row(&counters));
                    let start = [
                        s0, s1, s2, s3, k0, k1, k2, k3, k4, k5, k6, k7, counter, splat(0), n0, n1,
                    ];
                    let mut x = start;
                    twenty_rounds(&mut x);
                    for (x, start) in x.iter_mut().zip(start) {
                        *x = add(*x, start);
                    }
                    xor_blocks(x, &mut places);
                }
            }
        }

        #[inline(always)]
        fn as_row(words: &[[u8; 4]; LANES]) -> [u8; 4 * LANES] {
            let mut row = [0; 4 * LANES];
            row.copy_from_slice(words.as_flattened());
            row
        }
    };
    (@ $tier:ident, $kernel_tier:expr, $fewest:literal, $longest:literal) => {
        impl Streams for $tier {
            const STREAMS: usize = LANES;
            const FEWEST: usize = $fewest;
            const LONGEST: usize = $longest;

            #[inline(always)]
            fn xor_streams(
                self,
                key: &[u8; KEY_LEN],
                nonces: &[StreamNonce],
                extended: bool,
                texts: &mut [&mut [u8]],
            ) {
                xor_streams($kernel_tier(self), key, nonces, extended, texts);
            }
        }
    };
}
pub(super) use xor_streams;
