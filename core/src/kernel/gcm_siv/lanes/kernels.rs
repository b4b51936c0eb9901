//! The implementation of [`GcmSivLanes`](super::GcmSivLanes), for every width of vector.

/// Implements [`GcmSivLanes`] for a tier: `$groups` vectors side by side.
macro_rules! lanes {
    (
        $tier:ident, $features:literal, $module:ident, $v:path, $groups:literal,
        SEALED_LEN: $sealed_len:literal, OPENED_LEN: $opened_len:literal, MIXED_LEN: $mixed_len:expr,
        FEW: $few:literal $(,)?
    ) => {
        use super::lanes::{
            DERIVED, GcmSivLanes, LaneKeys, MAX_ROUND_KEYS, MESSAGES, Row, Workspace,
        };
        use core::ops::Range;
        use $crate::tier::Token;
        use $crate::tier::bytes::{load128_padded, prefetch, store128_partial};
        use $crate::tier::stack::WipeExtent;
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
            const MIXED_LEN: Option<usize> = $mixed_len;
            const FEW: usize = $few;

            #[inline(always)]
            fn start(self, keys: &Self::RoundKeys, workspace: &mut Workspace) {
                for (lanes, key) in workspace.generating.iter_mut().zip(&keys.0) {
                    lanes.fill(*key);
                }
            }

            #[inline(always)]
            fn derive_lanes(
                self,
                workspace: &mut Workspace,
                first: usize,
                nonces: [&[u8; 12]; DERIVED],
            ) {
                derive_lanes(self.0, self, workspace, first, nonces);
            }

            #[inline(always)]
            fn derive_adjacent(
                self,
                workspace: &mut Workspace,
                first: usize,
                nonces: &[[u8; 12]; DERIVED],
            ) {
                derive_adjacent(self.0, self, workspace, first, nonces);
            }

            #[inline(always)]
            fn load_lanes(
                self,
                workspace: &mut Workspace,
                row: usize,
                first: usize,
                texts: [&[u8]; DERIVED],
            ) {
                load_lanes(self.0, workspace, row, first, texts);
            }

            #[inline(always)]
            fn store_lanes(
                self,
                workspace: &Workspace,
                row: usize,
                first: usize,
                texts: [&mut [u8]; DERIVED],
            ) {
                store_lanes(self.0, workspace, row, first, texts);
            }

            #[inline(always)]
            fn expand_lanes(self, workspace: &mut Workspace) {
                if workspace.messages <= Self::MESSAGES / 2 {
                    expand_lanes(self.0, self, [(); $groups / 2], workspace);
                } else {
                    expand_lanes(self.0, self, [(); $groups], workspace);
                }
            }

            #[inline(always)]
            fn tag_lanes(self, workspace: &mut Workspace, rows: usize) {
                if workspace.messages <= Self::MESSAGES / 2 {
                    tag_lanes(self.0, self, [(); $groups / 2], workspace, rows);
                } else {
                    tag_lanes(self.0, self, [(); $groups], workspace, rows);
                }
            }

            #[inline(always)]
            fn keystream_lanes(self, workspace: &mut Workspace, rows: Range<usize>) {
                workspace.stage[rows.clone()].fill([[0; 16]; MESSAGES]);
                self.encrypt_lanes(workspace, rows, 16);
            }

            #[inline(always)]
            fn encrypt_lanes(self, workspace: &mut Workspace, rows: Range<usize>, last_len: usize) {
                if workspace.messages <= Self::MESSAGES / 2 {
                    encrypt_lanes(self.0, self, [(); $groups / 2], workspace, rows, last_len);
                } else {
                    encrypt_lanes(self.0, self, [(); $groups], workspace, rows, last_len);
                }
            }

            #[inline(always)]
            fn ask(self, bytes: &[u8]) {
                prefetch(bytes, 0);
            }

            #[inline(always)]
            fn ask_ahead(self, bytes: &[u8], distance: usize) {
                bytes.chunks(64).for_each(|line| prefetch(line, distance));
            }

            #[inline(always)]
            fn inside<R>(self, f: impl FnOnce() -> R) -> R {
                self.0.run_within(WipeExtent::LANES, f)
            }
        }

        kernel! {
            fn derive_lanes[const ROUND_KEYS: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, workspace: &mut Workspace,
                first: usize, nonces: [&[u8; 12]; DERIVED],
            ) {
                let _ = lanes;
                let Workspace { nonces: rows, generating, keys: lane_keys, .. } = workspace;
                for (i, nonces) in nonces.as_chunks().0.iter().enumerate() {
                    let g = first / v::LANES + i;
                    let nonces = v::nonces(nonces);
                    store_vector(rows, g, nonces);
                    derive_in_lanes::<ROUND_KEYS>(generating, nonces, g, lane_keys);
                }
            }
        }

        kernel! {
            fn derive_adjacent[const ROUND_KEYS: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, workspace: &mut Workspace,
                first: usize, nonces: &[[u8; 12]; DERIVED],
            ) {
                let _ = lanes;
                let Workspace { nonces: rows, generating, keys: lane_keys, .. } = workspace;
                for (i, nonces) in nonces.as_chunks().0.iter().enumerate() {
                    let g = first / v::LANES + i;
                    let nonces = v::adjacent_nonces(nonces);
                    store_vector(rows, g, nonces);
                    derive_in_lanes::<ROUND_KEYS>(generating, nonces, g, lane_keys);
                }
            }
        }

        kernel! {
            fn load_lanes(
                tier: $tier, workspace: &mut Workspace, row: usize, first: usize,
                texts: [&[u8]; DERIVED],
            ) {
                let rows = &mut workspace.stage[row..];
                for (i, texts) in texts.as_chunks().0.iter().enumerate() {
                    let g = first / v::LANES + i;
                    let texts: &[&[u8]; v::LANES] = texts;
                    let blocks = texts.map(|text| text.as_chunks::<16>());
                    for (i, row) in rows[..blocks[0].0.len()].iter_mut().enumerate() {
                        let block = blocks.map(|(blocks, _)| match blocks.get(i) {
                            Some(block) => load128(block),
                            None => load128(&[0; 16]),
                        });
                        store_vector(row, g, v::join(block));
                    }
                    if !blocks[0].1.is_empty() {
                        let block = blocks.map(|(_, rest)| load128_padded(rest));
                        store_vector(&mut rows[blocks[0].0.len()], g, v::join(block));
                    }
                }
            }
        }

        kernel! {
            fn store_lanes(
                tier: $tier, workspace: &Workspace, row: usize, first: usize,
                texts: [&mut [u8]; DERIVED],
            ) {
                let rows = &workspace.stage[row..];
                let mut texts = texts;
                for (i, texts) in texts.as_chunks_mut().0.iter_mut().enumerate() {
                    let g = first / v::LANES + i;
                    let texts: &mut [&mut [u8]; v::LANES] = texts;
                    let mut blocks = texts.each_mut().map(|text| text.as_chunks_mut::<16>());
                    for (i, row) in rows[..blocks[0].0.len()].iter().enumerate() {
                        let made = v::split(load_vector(row, g));
                        for ((blocks, _), made) in blocks.iter_mut().zip(made) {
                            if let Some(block) = blocks.get_mut(i) {
                                store128(block, made);
                            }
                        }
                    }
                    if !blocks[0].1.is_empty() {
                        let made = v::split(load_vector(&rows[blocks[0].0.len()], g));
                        for ((_, rest), made) in blocks.into_iter().zip(made) {
                            store128_partial(rest, made);
                        }
                    }
                }
            }
        }

        kernel! {
            fn expand_lanes[const ROUND_KEYS: usize, const G: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, groups: [(); G], workspace: &mut Workspace,
            ) {
                let (_, _) = (lanes, groups);
                expand_in_lanes::<ROUND_KEYS, G>(&mut workspace.keys.encryption);
            }
        }

        kernel! {
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
        }

        kernel! {
            fn encrypt_lanes[const ROUND_KEYS: usize, const G: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, groups: [(); G], workspace: &mut Workspace,
                rows: Range<usize>, last_len: usize,
            ) {
                let (_, _) = (lanes, groups);
                // Section 4: the tag with its top bit set, then 32-bit sums.
                let top_bit = v::splat(&(1_u128 << 127).to_le_bytes());
                let top_bit_clear = v::splat(&(u128::MAX >> 1).to_le_bytes());
                let one = v::splat(&1_u128.to_le_bytes());
                let mut counters = [one; G];
                for (g, counter) in counters.iter_mut().enumerate() {
                    let tag = load_vector(&workspace.tags, g);
                    *counter = v::xor(v::and(tag, top_bit_clear), top_bit);
                }
                let rows = &mut workspace.stage[rows];
                for row in &mut *rows {
                    let states = encrypt_in_lanes::<ROUND_KEYS, G>(&workspace.keys, counters);
                    for (g, state) in states.into_iter().enumerate() {
                        store_vector(row, g, v::xor(state, load_vector(row, g)));
                    }
                    for counter in &mut counters {
                        *counter = v::add32(*counter, one);
                    }
                }
                if last_len < 16 && let Some(row) = rows.last_mut() {
                    let mask = v::splat(&((1_u128 << (8 * last_len)) - 1).to_le_bytes());
                    for g in 0..G {
                        store_vector(row, g, v::and(load_vector(row, g), mask));
                    }
                }
            }
        }

        super::lanes::steps!($features, $module);
    };
}
pub(in crate::kernel::gcm_siv) use lanes;
