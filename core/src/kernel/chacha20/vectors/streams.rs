//! The keystreams of as many nonces as a vector has lanes, written once for every width.

/// Defines the kernel of a tier, where the operations of its vectors have names.
macro_rules! xor_streams {
    ($tier:ident) => {
        use super::{CONSTANTS, KEY_LEN};

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
                tier: $tier, key: &[u8; KEY_LEN], nonces: &[StreamNonce], extended: bool,
                texts: &mut [&mut [u8]],
            ) {
                let nonces = in_lanes(nonces);
                // The words of a key in every lane, in memory: vectors are picked from them.
                let mut keys = Vectors::<{ 4 * LANES }, 8>::default();
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
    };
    (impl $tier:ident, $kernel_tier:expr, FEWEST: $fewest:literal, LONGEST: $longest:literal) => {
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
pub(in crate::kernel::chacha20) use xor_streams;
