//! As many streams as a vector has words, written once for every width.

/// G functions (RFC 7693 section 3.1) in every lane, step by step side by side. Operands are
/// indices into the working words. The message word joins a before b does: b is what the next
/// step waits for.
macro_rules! g {
    ($v:ident, $m:ident, $s:expr, $([$a:literal, $b:literal, $c:literal, $d:literal] $x:literal $y:literal)*) => {
        $( $v[$a] = add($v[$a], word($m, $s[$x])); )*
        $( $v[$a] = add($v[$a], $v[$b]); )*
        $( $v[$d] = xor_ror32($v[$d], $v[$a]); )*
        $( $v[$c] = add($v[$c], $v[$d]); )*
        $( $v[$b] = xor_ror24($v[$b], $v[$c]); )*
        $( $v[$a] = add($v[$a], word($m, $s[$y])); )*
        $( $v[$a] = add($v[$a], $v[$b]); )*
        $( $v[$d] = xor_ror16($v[$d], $v[$a]); )*
        $( $v[$c] = add($v[$c], $v[$d]); )*
        $( $v[$b] = xor_ror63($v[$b], $v[$c]); )*
    };
}

/// Rounds with one G function after the other, where there are few registers.
macro_rules! apart {
    ($v:ident, $m:ident, $($round:literal)*) => { $(
        g!($v, $m, SIGMA[$round % 10], [0, 4, 8, 12] 0 1);
        g!($v, $m, SIGMA[$round % 10], [1, 5, 9, 13] 2 3);
        g!($v, $m, SIGMA[$round % 10], [2, 6, 10, 14] 4 5);
        g!($v, $m, SIGMA[$round % 10], [3, 7, 11, 15] 6 7);
        g!($v, $m, SIGMA[$round % 10], [0, 5, 10, 15] 8 9);
        g!($v, $m, SIGMA[$round % 10], [1, 6, 11, 12] 10 11);
        g!($v, $m, SIGMA[$round % 10], [2, 7, 8, 13] 12 13);
        g!($v, $m, SIGMA[$round % 10], [3, 4, 9, 14] 14 15);
    )* };
}

/// Rounds with four G functions side by side: one alone is a chain of dependent steps.
#[cfg(target_arch = "x86_64")]
macro_rules! together {
    ($v:ident, $m:ident, $($round:literal)*) => { $(
        g!($v, $m, SIGMA[$round % 10],
            [0, 4, 8, 12] 0 1 [1, 5, 9, 13] 2 3 [2, 6, 10, 14] 4 5 [3, 7, 11, 15] 6 7);
        g!($v, $m, SIGMA[$round % 10],
            [0, 5, 10, 15] 8 9 [1, 6, 11, 12] 10 11 [2, 7, 8, 13] 12 13 [3, 4, 9, 14] 14 15);
    )* };
}

/// Defines `compress_lanes` of a tier, whose file has names for what its vectors can do.
/// `$rounds` is `apart` or `together`.
macro_rules! compress_lanes {
    ($tier:ident, $features:literal, $rounds:ident) => {
        use $crate::kernel::blake2b::lanes::{g, $rounds};
        use $crate::kernel::blake2b::{BLOCK_LEN, IV, Run, SIGMA, State};
        use $crate::tier::kernel;
        use $crate::tier::secret::Vectors;

        /// Word `i` of a message block of every stream is in vector `i`. In memory, because the
        /// rounds fill all registers.
        #[inline]
        #[target_feature(enable = $features)]
        fn word(words: &Vectors<{ 8 * LANES }, 16>, i: u8) -> Vector {
            load(&words.0[usize::from(i)])
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn words_of(row: Vector) -> [u64; LANES] {
            let mut bytes = [0; 8 * LANES];
            store(&mut bytes, row);
            core::array::from_fn(|i| u64::from_le_bytes(bytes.as_chunks().0[i]))
        }

        kernel! {
            /// Lanes without a stream repeat the first stream and are thrown away.
            pub(super) fn compress_lanes(tier: $tier, states: &mut [State], runs: &[Run<'_>]) {
                let [first, ..] = runs else { return };
                let count = first.blocks.len();
                let lanes: [usize; LANES] =
                    core::array::from_fn(|lane| if lane < runs.len() { lane } else { 0 });
                let mut h: [Vector; 8] =
                    core::array::from_fn(|i| row(lanes.map(|lane| states[lane].h[i])));
                let mut t = row(lanes.map(|lane| states[lane].t));
                let last_len =
                    lanes.map(|lane| runs[lane].last_len.map_or(BLOCK_LEN as u64, u64::from));
                let last_flag =
                    lanes.map(|lane| if runs[lane].last_len.is_some() { u64::MAX } else { 0 });
                let blocks = lanes.map(|lane| &runs[lane].blocks[..count]);
                let nth = |i: usize| (i < count).then(|| blocks.map(|blocks| &blocks[i]));
                // The shuffles that bring a word of all streams together all want one port. They
                // belong to the next blocks and are among the rounds of these, which fill the
                // other.
                let mut words = <[Vectors<{ 8 * LANES }, 16>; 2]>::default();
                let [mut this, mut next] = words.each_mut();
                if let Some(blocks) = nth(0) {
                    load_quarter::<0>(&mut this.0, blocks);
                    load_quarter::<1>(&mut this.0, blocks);
                    load_quarter::<2>(&mut this.0, blocks);
                    load_quarter::<3>(&mut this.0, blocks);
                }
                for i in 0..count {
                    let (len, flag) = if i + 1 == count {
                        (last_len, last_flag)
                    } else {
                        ([BLOCK_LEN as u64; LANES], [0; LANES])
                    };
                    t = add(t, row(len));
                    let iv = IV.map(|word| row([word; LANES]));
                    let mut v = [
                        h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7],
                        iv[0], iv[1], iv[2], iv[3],
                        xor(iv[4], t), iv[5], xor(iv[6], row(flag)), iv[7],
                    ];
                    let following = nth(i + 1);
                    $rounds!(v, this, 0 1);
                    if let Some(blocks) = following {
                        load_quarter::<0>(&mut next.0, blocks);
                    }
                    $rounds!(v, this, 2 3 4);
                    if let Some(blocks) = following {
                        load_quarter::<1>(&mut next.0, blocks);
                    }
                    $rounds!(v, this, 5 6 7);
                    if let Some(blocks) = following {
                        load_quarter::<2>(&mut next.0, blocks);
                    }
                    $rounds!(v, this, 8 9 10);
                    if let Some(blocks) = following {
                        load_quarter::<3>(&mut next.0, blocks);
                    }
                    $rounds!(v, this, 11);
                    core::mem::swap(&mut this, &mut next);
                    for i in 0..8 {
                        h[i] = xor(h[i], xor(v[i], v[i + 8]));
                    }
                }
                let (h, t) = (h.map(|word| words_of(word)), words_of(t));
                for (lane, state) in states.iter_mut().enumerate() {
                    state.h = h.map(|word| word[lane]);
                    state.t = t[lane];
                }
            }
        }
    };
    // One pass over the lanes takes about as long as `$fewest` over one stream, or longer.
    (impl $tier:ident, $kernel_tier:expr, FEWEST: $fewest:literal) => {
        impl Blake2b for $tier {
            const LANES: usize = LANES;

            #[inline(always)]
            fn compress_many(self, states: &mut [State], runs: &[Run<'_>]) {
                if states.len() < $fewest {
                    for (state, run) in states.iter_mut().zip(runs) {
                        self.compress(state, *run);
                    }
                } else {
                    compress_lanes($kernel_tier(self), states, runs);
                }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use together;
pub(super) use {apart, compress_lanes, g};
