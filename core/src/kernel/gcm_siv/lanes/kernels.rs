//! The implementation of [`GcmSivLanes`](super::GcmSivLanes), for every width of vector.

/// Methods that call a kernel of the same name, which may take the keys' length, or all groups of
/// vectors or half of them.
macro_rules! calls {
    (with_keys: $($name:ident($($argument:ident: $type:ty),*);)*) => { $(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) {
            $name(self.0, self, $($argument),*);
        }
    )* };
    (without_keys: $($name:ident($($argument:ident: $type:ty),*);)*) => { $(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) {
            $name(self.0, $($argument),*);
        }
    )* };
    (
        $groups:literal:
        $($name:ident($workspace:ident: $type:ty $(, $argument:ident: $other:ty)*);)*
    ) => { $(
        #[inline(always)]
        fn $name(self, $workspace: $type $(, $argument: $other)*) {
            if $workspace.messages <= Self::MESSAGES / 2 {
                $name(self.0, self, [(); $groups / 2], $workspace $(, $argument)*);
            } else {
                $name(self.0, self, [(); $groups], $workspace $(, $argument)*);
            }
        }
    )* };
}

/// Implements [`GcmSivLanes`] for a tier: `$groups` vectors side by side.
macro_rules! lanes {
    (
        $tier:ident, $features:literal, $module:ident, $v:path, $groups:literal,
        SEALED_LEN: $sealed_len:literal, OPENED_LEN: $opened_len:literal, MIXED_LEN: $mixed_len:literal,
        KEY_ROWS: $key_rows:literal, AS_GIVEN_LEN: $as_given_len:literal, FEW: $few:literal $(,)?
    ) => {
        use super::lanes::{
            DERIVED, GcmSivLanes, LaneKeys, MAX_ROUND_KEYS, MESSAGES, Row, Work, Workspace,
        };
        use core::ops::Range;
        use super::lanes::calls;
        use $crate::tier::Token;
        use $crate::tier::bytes::prefetch;
        use $crate::tier::stack::Depth;
        use $v as v;

        type Vectors<const G: usize> = [v::Vector; G];

        /// The tier with the round keys of one key length.
        #[derive(Clone, Copy)]
        pub(crate) struct Lanes<const ROUND_KEYS: usize>(pub(super) $tier);

        impl<const ROUND_KEYS: usize> GcmSivLanes for Lanes<ROUND_KEYS> {
            type RoundKeys = RoundKeys<ROUND_KEYS>;
            const MESSAGES: usize = v::LANES * $groups;
            const SEALED_LEN: usize = $sealed_len;
            const OPENED_LEN: usize = $opened_len;
            const MIXED_LEN: usize = $mixed_len;
            const KEY_ROWS: usize = $key_rows;
            const AS_GIVEN_LEN: usize = $as_given_len;
            const FEW: usize = $few;

            #[inline(always)]
            fn start(self, keys: &Self::RoundKeys, workspace: &mut Workspace) {
                for (lanes, key) in workspace.generating.iter_mut().zip(&keys.0) {
                    lanes.fill(*key);
                }
            }

            calls! {
                with_keys:
                derive_lanes(workspace: &mut Workspace, first: usize, nonces: [&[u8; 12]; DERIVED]);
                derive_adjacent(
                    workspace: &mut Workspace, first: usize, nonces: &[[u8; 12]; DERIVED]
                );
            }
            calls! {
                without_keys:
                load_lanes(
                    workspace: &mut Workspace, rows: Range<usize>, first: usize,
                    texts: [&[u8]; DERIVED]
                );
                load_lane(workspace: &mut Workspace, row: usize, lane: usize, bytes: &[u8]);
                store_lanes(
                    workspace: &Workspace, rows: Range<usize>, first: usize,
                    texts: &mut [&mut [u8]; DERIVED]
                );
            }
            calls! {
                $groups:
                expand_lanes(workspace: &mut Workspace);
                tag_lanes(workspace: &mut Workspace, rows: usize);
                encrypt_lanes(workspace: &mut Workspace, rows: Range<usize>, from_delay: bool);
            }

            #[inline(always)]
            fn cut_lanes(self, workspace: &mut Workspace, row: usize) {
                cut_lanes(self.0, [(); $groups], workspace, row);
            }

            #[inline(always)]
            fn ask(self, bytes: &[u8]) {
                bytes.chunks(64).for_each(|line| prefetch(line, 0));
            }

            #[inline(always)]
            fn inside(self, work: impl Work) {
                self.0.run_within(Depth::Middle, || run(self.0, work));
            }
        }

        kernel! {
            fn run[W: Work](tier: $tier, work: W) {
                work.run();
            }

            fn derive_lanes[const ROUND_KEYS: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, workspace: &mut Workspace,
                first: usize, nonces: [&[u8; 12]; DERIVED],
            ) {
                let _ = lanes;
                for (i, nonces) in nonces.as_chunks().0.iter().enumerate() {
                    let g = first / v::LANES + i;
                    derive_in_lanes::<ROUND_KEYS>(workspace, v::nonces(nonces), g);
                }
            }

            fn derive_adjacent[const ROUND_KEYS: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, workspace: &mut Workspace,
                first: usize, nonces: &[[u8; 12]; DERIVED],
            ) {
                let _ = lanes;
                for (i, nonces) in nonces.as_chunks().0.iter().enumerate() {
                    let g = first / v::LANES + i;
                    derive_in_lanes::<ROUND_KEYS>(workspace, v::adjacent_nonces(nonces), g);
                }
            }

            fn load_lanes(
                tier: $tier, workspace: &mut Workspace, rows: Range<usize>, first: usize,
                texts: [&[u8]; DERIVED],
            ) {
                let rows = &mut workspace.stage[rows];
                let Some((last, before)) = rows.split_last_mut() else { return };
                for (i, texts) in texts.as_chunks().0.iter().enumerate() {
                    let texts: &[&[u8]; v::LANES] = texts;
                    let g = first / v::LANES + i;
                    let mut blocks: [&[Block]; v::LANES] = [&[]; v::LANES];
                    let mut ends = [load128(&[0; 16]); v::LANES];
                    for lane in 0..v::LANES {
                        blocks[lane] = texts[lane][..before_end(texts[lane])].as_chunks().0;
                        ends[lane] = v::load_end(texts[lane]);
                    }
                    let count = before.len();
                    let (mut delays, mut any_delay) = ([0; v::LANES], 0);
                    for lane in 0..v::LANES {
                        delays[lane] = count - blocks[lane].len();
                        any_delay |= delays[lane];
                    }
                    if any_delay == 0 {
                        // So that the compiler knows that they are as long.
                        for lane in 0..v::LANES {
                            blocks[lane] = &blocks[lane][..count];
                        }
                        for (i, row) in before.iter_mut().enumerate() {
                            let mut joined = ends;
                            for lane in 0..v::LANES {
                                if let Some(block) = blocks[lane].get(i) {
                                    joined[lane] = load128(block);
                                }
                            }
                            store_vector(row, g, v::join(joined));
                        }
                        store_vector(last, g, v::join(ends));
                        continue;
                    }
                    for (i, row) in before.iter_mut().enumerate() {
                        let mut joined = ends;
                        for lane in 0..v::LANES {
                            // A choice of address, not a branch, which CPUs would guess wrong.
                            let block = match blocks[lane].get(i.wrapping_sub(delays[lane])) {
                                Some(block) => block,
                                None => &[0; 16],
                            };
                            joined[lane] = load128(block);
                        }
                        store_vector(row, g, v::join(joined));
                    }
                    store_vector(last, g, v::join(ends));
                }
            }

            fn store_lanes(
                tier: $tier, workspace: &Workspace, rows: Range<usize>, first: usize,
                texts: &mut [&mut [u8]; DERIVED],
            ) {
                let rows = &workspace.stage[rows];
                let Some((last, before)) = rows.split_last() else { return };
                for (i, texts) in texts.as_chunks_mut().0.iter_mut().enumerate() {
                    let texts: &mut [&mut [u8]; v::LANES] = texts;
                    let g = first / v::LANES + i;
                    let ends = v::split(load_vector(last, g));
                    let previous = v::split(load_vector(before.last().unwrap_or(last), g));
                    for lane in 0..v::LANES {
                        v::store_end(texts[lane], previous[lane], ends[lane]);
                    }
                    // No closures here: what takes one is not inlined.
                    let mut blocks: [&mut [Block]; v::LANES] = Default::default();
                    for (blocks, text) in blocks.iter_mut().zip(texts) {
                        let whole = before_end(text);
                        *blocks = text[..whole].as_chunks_mut().0;
                    }
                    let mut any_delay = 0;
                    for blocks in &blocks {
                        any_delay |= before.len() - blocks.len();
                    }
                    if any_delay == 0 {
                        for blocks in &mut blocks {
                            *blocks = &mut core::mem::take(blocks)[..before.len()];
                        }
                        for (i, row) in before.iter().enumerate() {
                            let made = v::split(load_vector(row, g));
                            for (blocks, made) in blocks.iter_mut().zip(made) {
                                if let Some(block) = blocks.get_mut(i) {
                                    store128(block, made);
                                }
                            }
                        }
                        continue;
                    }
                    let mut spare = [0; 16];
                    for (i, row) in before.iter().enumerate() {
                        let made = v::split(load_vector(row, g));
                        for lane in 0..v::LANES {
                            let delay = before.len() - blocks[lane].len();
                            // As above.
                            let place = match blocks[lane].get_mut(i.wrapping_sub(delay)) {
                                Some(block) => block,
                                None => &mut spare,
                            };
                            store128(place, made[lane]);
                        }
                    }
                }
            }

            fn load_lane(
                tier: $tier, workspace: &mut Workspace, row: usize, lane: usize, bytes: &[u8],
            ) {
                let (blocks, rest) = bytes.as_chunks::<16>();
                let mut rows = workspace.stage[row..].iter_mut();
                for (block, row) in blocks.iter().zip(&mut rows) {
                    row[lane % MESSAGES] = *block;
                }
                if !rest.is_empty() && let Some(row) = rows.next() {
                    store128(&mut row[lane % MESSAGES], v::load_end(rest));
                }
            }

            fn expand_lanes[const ROUND_KEYS: usize, const G: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, groups: [(); G], workspace: &mut Workspace,
            ) {
                let (_, _) = (lanes, groups);
                expand_in_lanes::<ROUND_KEYS, G>(&mut workspace.keys.encryption);
            }

            fn tag_lanes[const ROUND_KEYS: usize, const G: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, groups: [(); G], workspace: &mut Workspace, rows: usize,
            ) {
                let (_, _) = (lanes, groups);
                // Section 4: the encryption of each sum XOR nonce with the top bit cleared.
                let top_bit_clear = v::splat(&(u128::MAX >> 1).to_le_bytes());
                let mut states = polyval_in_lanes(workspace, rows);
                for (g, state) in states.iter_mut().enumerate() {
                    let nonce = v::without_first_word(load_vector(&workspace.nonces, g));
                    *state = v::and(v::xor(*state, nonce), top_bit_clear);
                }
                let tags = encrypt_in_lanes::<ROUND_KEYS, G>(&workspace.keys, states);
                for (g, tags) in tags.into_iter().enumerate() {
                    store_vector(&mut workspace.tags, g, tags);
                }
            }

            fn encrypt_lanes[const ROUND_KEYS: usize, const G: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, groups: [(); G], workspace: &mut Workspace,
                rows: Range<usize>, from_delay: bool,
            ) {
                let (_, _) = (lanes, groups);
                // Section 4: the tag with its top bit set, then 32-bit sums.
                let top_bit = v::splat(&(1_u128 << 127).to_le_bytes());
                let top_bit_clear = v::splat(&(u128::MAX >> 1).to_le_bytes());
                let one = v::splat(&1_u128.to_le_bytes());
                let mut counters = [one; G];
                for (g, counter) in counters.iter_mut().enumerate() {
                    let tag = load_vector(&workspace.tags, g);
                    let first = v::xor(v::and(tag, top_bit_clear), top_bit);
                    *counter = v::add32(first, load_vector(&workspace.delays, g));
                }
                let minus_one = v::every_word(u32::MAX);
                let mut rows_left = v::every_word(u32::MAX);
                for row in &mut workspace.stage[rows] {
                    let mut states = encrypt_in_lanes::<ROUND_KEYS, G>(&workspace.keys, counters);
                    if from_delay {
                        for (g, state) in states.iter_mut().enumerate() {
                            let rows_left = v::add32(load_vector(&workspace.rows_before, g), rows_left);
                            *state = v::and(*state, v::signs(rows_left));
                        }
                        rows_left = v::add32(rows_left, minus_one);
                    }
                    for (g, state) in states.into_iter().enumerate() {
                        store_vector(row, g, v::xor(state, load_vector(row, g)));
                    }
                    for counter in &mut counters {
                        *counter = v::add32(*counter, one);
                    }
                }
            }

            fn cut_lanes[const G: usize](
                tier: $tier, groups: [(); G], workspace: &mut Workspace, row: usize,
            ) {
                let _ = groups;
                let row = &mut workspace.stage[row];
                for g in 0..G {
                    let kept = v::and(load_vector(row, g), load_vector(&workspace.ends, g));
                    store_vector(row, g, kept);
                }
            }
        }

        /// The bytes before the last block of a text, which may be a whole one.
        #[inline(always)]
        fn before_end(text: &[u8]) -> usize {
            text.len().saturating_sub(1) / 16 * 16
        }

        super::lanes::steps!($features, $module);
    };
}
pub(in crate::kernel::gcm_siv) use {calls, lanes};
