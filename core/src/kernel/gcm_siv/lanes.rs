//! Many short messages at once: one message in every lane, several vectors side by
//! side, written once for every width of vector.
//!
//! A short message is a chain of dependent steps (derive, expand, hash, tag,
//! encrypt) that leaves most of the CPU idle. Here every step works on up to sixteen
//! messages, so the chains of different messages fill each other's gaps, and one
//! instruction serves one message in each lane. The mode lays the messages out.

use crate::kernel::Block;
use crate::tier::secret;
use core::convert::Infallible;
use core::marker::PhantomData;
use core::ops::Range;

/// Messages that are worked on at once, at most.
pub(crate) const MESSAGES: usize = 32;
/// Messages whose keys are derived at once: as many as the widest vector has lanes.
pub(crate) const DERIVED: usize = 4;
/// The longest text, in bytes, that is worked on in lanes.
pub(crate) const MAX_TEXT_LEN: usize = 512;
/// The longest AAD, in bytes, that is worked on in lanes.
pub(crate) const MAX_AAD_LEN: usize = 64;

const TEXT_ROWS: usize = MAX_TEXT_LEN / 16;
/// AAD, text and the length block.
const ROWS: usize = MAX_AAD_LEN / 16 + TEXT_ROWS + 1;

/// A block of every message, side by side.
pub(crate) type Row = [Block; MESSAGES];

/// Round keys of AES-256.
pub(super) const MAX_ROUND_KEYS: usize = 15;

/// The keys of the messages of a group.
pub(super) struct LaneKeys {
    pub(super) authentication: Row,
    pub(super) encryption: [Row; MAX_ROUND_KEYS],
}

/// Scratch memory of a batch, made once and wiped at its end. A lane without a message may
/// hold anything.
#[repr(align(64))]
pub(crate) struct Workspace {
    /// Nonces as `derive_keys` has them, behind a counter of zero.
    pub(super) nonces: Row,
    pub(crate) tags: Row,
    /// The round keys of the key-generating key, each in every lane of a vector.
    pub(super) generating: [[Block; DERIVED]; MAX_ROUND_KEYS],
    pub(super) keys: LaneKeys,
    /// What POLYVAL is made of, and then what was made of the texts.
    pub(crate) stage: [Row; ROWS],
    /// Messages in the group.
    pub(crate) messages: usize,
    /// The rows of the stage that hold anything.
    pub(super) used_rows: usize,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let row = [[0; 16]; MESSAGES];
        Self {
            nonces: row,
            tags: row,
            generating: [[[0; 16]; DERIVED]; MAX_ROUND_KEYS],
            keys: LaneKeys {
                authentication: row,
                encryption: [row; MAX_ROUND_KEYS],
            },
            stage: [row; ROWS],
            messages: 0,
            used_rows: 0,
        }
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        secret::wipe(self.tags.as_flattened_mut());
        secret::wipe(self.generating.as_flattened_mut().as_flattened_mut());
        secret::wipe(self.keys.authentication.as_flattened_mut());
        secret::wipe(self.keys.encryption.as_flattened_mut().as_flattened_mut());
        let used = &mut self.stage[..self.used_rows];
        secret::wipe(used.as_flattened_mut().as_flattened_mut());
    }
}

/// The steps of RFC 8452 section 4, each for all messages of a group.
pub(crate) trait GcmSivLanes: Copy {
    /// Those of the tier's AES.
    type RoundKeys;

    /// Messages at once on this tier, at most [`MESSAGES`].
    const MESSAGES: usize;

    /// Keeps the key-generating key for [`derive_lanes`](Self::derive_lanes).
    fn start(self, keys: &Self::RoundKeys, workspace: &mut Workspace);

    /// `derive_keys` of the messages from `first` on, a multiple of [`DERIVED`].
    fn derive_lanes(self, workspace: &mut Workspace, first: usize, nonces: [&[u8; 12]; DERIVED]);

    /// The same with nonces one behind the other.
    fn derive_adjacent(self, workspace: &mut Workspace, first: usize, nonces: &[[u8; 12]; DERIVED]);

    /// The blocks of texts of one length, of the messages from `first` on, to the rows of
    /// the stage from `row` on; zeros behind what fills no block.
    fn load_lanes(
        self,
        workspace: &mut Workspace,
        row: usize,
        first: usize,
        texts: [&[u8]; DERIVED],
    );

    /// The reverse.
    fn store_lanes(
        self,
        workspace: &Workspace,
        row: usize,
        first: usize,
        texts: [&mut [u8]; DERIVED],
    );

    /// The key schedule of the derived keys.
    fn expand_lanes(self, workspace: &mut Workspace);

    /// The tags from the keys, the nonces and the first `rows` of the stage.
    fn tag_lanes(self, workspace: &mut Workspace, rows: usize);

    /// A keystream from the keys and the tags, to some rows of the stage.
    fn keystream_lanes(self, workspace: &mut Workspace, rows: Range<usize>);

    /// The same XORed into these rows, of whose last blocks `last_len` bytes stay.
    fn encrypt_lanes(self, workspace: &mut Workspace, rows: Range<usize>, last_len: usize);

    /// Asks for the memory where `bytes` begin, which is read or written soon.
    fn ask(self, bytes: &[u8]);

    /// The same of the memory behind `bytes`.
    fn ask_ahead(self, bytes: &[u8]);

    /// Calls `f` compiled for the tier, also where the compiler makes a call of it that
    /// would be outside.
    fn inside<R>(self, f: impl FnOnce() -> R) -> R;
}

/// What a tier has that is no faster with many messages than with one.
pub(crate) struct NoLanes<RoundKeys> {
    never: Infallible,
    keys: PhantomData<RoundKeys>,
}

impl<RoundKeys> Clone for NoLanes<RoundKeys> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<RoundKeys> Copy for NoLanes<RoundKeys> {}

impl<RoundKeys> GcmSivLanes for NoLanes<RoundKeys> {
    type RoundKeys = RoundKeys;
    const MESSAGES: usize = MESSAGES;

    fn start(self, _keys: &RoundKeys, _workspace: &mut Workspace) {
        match self.never {}
    }

    fn derive_lanes(
        self,
        _workspace: &mut Workspace,
        _first: usize,
        _nonces: [&[u8; 12]; DERIVED],
    ) {
        match self.never {}
    }

    fn derive_adjacent(
        self,
        _workspace: &mut Workspace,
        _first: usize,
        _nonces: &[[u8; 12]; DERIVED],
    ) {
        match self.never {}
    }

    fn load_lanes(
        self,
        _workspace: &mut Workspace,
        _row: usize,
        _first: usize,
        _texts: [&[u8]; DERIVED],
    ) {
        match self.never {}
    }

    fn store_lanes(
        self,
        _workspace: &Workspace,
        _row: usize,
        _first: usize,
        _texts: [&mut [u8]; DERIVED],
    ) {
        match self.never {}
    }

    fn expand_lanes(self, _workspace: &mut Workspace) {
        match self.never {}
    }

    fn tag_lanes(self, _workspace: &mut Workspace, _rows: usize) {
        match self.never {}
    }

    fn keystream_lanes(self, _workspace: &mut Workspace, _rows: Range<usize>) {
        match self.never {}
    }

    fn encrypt_lanes(self, _workspace: &mut Workspace, _rows: Range<usize>, _last_len: usize) {
        match self.never {}
    }

    fn ask(self, _bytes: &[u8]) {
        match self.never {}
    }

    fn ask_ahead(self, _bytes: &[u8]) {
        match self.never {}
    }

    fn inside<R>(self, _f: impl FnOnce() -> R) -> R {
        match self.never {}
    }
}

/// Implements [`GcmSivLanes`] for a tier: `$groups` vectors side by side.
macro_rules! lanes {
    ($tier:ident, $features:literal, $module:ident, $v:path, $groups:literal) => {
        use super::lanes::{
            DERIVED, GcmSivLanes, LaneKeys, MAX_ROUND_KEYS, MESSAGES, Row, Workspace,
        };
        use core::ops::Range;
        use $crate::tier::bytes::{load128_padded, prefetch, store128_partial};
        use $v as v;

        type Vectors<const G: usize> = [v::Vector; G];

        /// The tier with the round keys of one key length.
        #[derive(Clone, Copy)]
        pub(crate) struct Lanes<const ROUND_KEYS: usize>(pub(super) $tier);

        impl<const ROUND_KEYS: usize> GcmSivLanes for Lanes<ROUND_KEYS> {
            type RoundKeys = RoundKeys<ROUND_KEYS>;
            const MESSAGES: usize = v::LANES * $groups;

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
                workspace.used_rows = workspace.used_rows.max(rows);
                if workspace.messages <= Self::MESSAGES / 2 {
                    tag_lanes(self.0, self, [(); $groups / 2], workspace, rows);
                } else {
                    tag_lanes(self.0, self, [(); $groups], workspace, rows);
                }
            }

            #[inline(always)]
            fn keystream_lanes(self, workspace: &mut Workspace, rows: Range<usize>) {
                workspace.used_rows = workspace.used_rows.max(rows.end);
                workspace.stage[rows.clone()].fill([[0; 16]; MESSAGES]);
                self.encrypt_lanes(workspace, rows, 16);
            }

            #[inline(always)]
            fn encrypt_lanes(self, workspace: &mut Workspace, rows: Range<usize>, last_len: usize) {
                workspace.used_rows = workspace.used_rows.max(rows.end);
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
            fn ask_ahead(self, bytes: &[u8]) {
                // Where messages stand one behind the other, CPUs do not look beyond a page
                // by themselves.
                prefetch(bytes, 2048);
            }

            #[inline(always)]
            fn inside<R>(self, f: impl FnOnce() -> R) -> R {
                inside(self.0, f)
            }
        }

        kernel! {
            fn inside[R, F: FnOnce() -> R](tier: $tier, f: F) -> R {
                f()
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

        #[inline]
        #[target_feature(enable = $features)]
        fn load_vector(row: &Row, g: usize) -> v::Vector {
            v::load(&row.as_chunks().0[g])
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store_vector(row: &mut Row, g: usize, vector: v::Vector) {
            v::store(&mut row.as_chunks_mut().0[g], vector);
        }

        /// RFC 8452 section 4, `derive_keys`, in every lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn derive_in_lanes<const ROUND_KEYS: usize>(
            keys: &[[Block; DERIVED]; MAX_ROUND_KEYS],
            nonces: v::Vector,
            g: usize,
            lane_keys: &mut LaneKeys,
        ) {
            let key = |i: usize| v::load(&keys[i].as_chunks().0[0]);
            let first = v::xor(nonces, key(0));
            let mut states = [first; 6];
            for (counter, state) in (0_u128..).zip(&mut states) {
                *state = v::xor(first, v::splat(&counter.to_le_bytes()));
            }
            for i in 1..ROUND_KEYS - 1 {
                for state in &mut states {
                    *state = v::aes_round(*state, key(i));
                }
                v::six_side_by_side(&mut states);
            }
            let last = key(ROUND_KEYS - 1);
            let [a, b, c, d, e, f] = states.map(|state| v::aes_last_round(state, last));
            store_vector(&mut lane_keys.authentication, g, v::low_halves(a, b));
            store_vector(&mut lane_keys.encryption[0], g, v::low_halves(c, d));
            if ROUND_KEYS == 15 {
                store_vector(&mut lane_keys.encryption[1], g, v::low_halves(e, f));
            }
        }

        /// Fills in the round keys after the first one (AES-128) or two (AES-256).
        #[inline]
        #[target_feature(enable = $features)]
        fn expand_in_lanes<const ROUND_KEYS: usize, const G: usize>(keys: &mut [Row; MAX_ROUND_KEYS]) {
            const ROTATED_LAST_WORD: Block = [
                13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12,
            ];
            const EVERY_WORD: u128 = 1 | 1 << 32 | 1 << 64 | 1 << 96;
            let nk = if ROUND_KEYS == 15 { 2 } else { 1 };
            // The two round keys before, in registers: the chain of one key to the next
            // would wait for memory.
            let zero = [v::splat(&[0; 16]); G];
            let (mut older, mut last) = (zero, zero);
            for g in 0..G {
                older[g] = load_vector(&keys[0], g);
                last[g] = load_vector(&keys[nk - 1], g);
            }
            let mut i = nk;
            let mut rcon = 1_u8;
            while i < ROUND_KEYS {
                let constant = v::splat(&(u128::from(rcon) * EVERY_WORD).to_le_bytes());
                for g in 0..G {
                    let word = v::shuffle(last[g], &ROTATED_LAST_WORD);
                    let word = v::aes_last_round(word, constant);
                    older[g] = next_key(older[g], word);
                    store_vector(&mut keys[i], g, older[g]);
                }
                rcon = (rcon << 1) ^ ((rcon >> 7) * 0x1b);
                if nk == 1 {
                    last = older;
                } else if i + 1 < ROUND_KEYS {
                    for g in 0..G {
                        let word = v::aes_last_round(v::last_word(older[g]), zero[g]);
                        last[g] = next_key(last[g], word);
                        store_vector(&mut keys[i + 1], g, last[g]);
                    }
                }
                i += nk;
            }
        }

        /// The words of a key, each with the words before it, and `word` added.
        #[inline]
        #[target_feature(enable = $features)]
        fn next_key(key: v::Vector, word: v::Vector) -> v::Vector {
            /// Bytes of the second word into the third and the fourth.
            const SECOND_WORD_UP: Block = [
                128, 128, 128, 128, 128, 128, 128, 128, 4, 5, 6, 7, 4, 5, 6, 7,
            ];
            let key = v::xor(key, v::odd_words_from_even(key));
            let key = v::xor(key, v::shuffle(key, &SECOND_WORD_UP));
            v::xor(key, word)
        }

        /// POLYVAL of every lane's column of the stage.
        #[inline]
        #[target_feature(enable = $features)]
        fn polyval_in_lanes<const G: usize>(workspace: &Workspace, rows: usize) -> Vectors<G> {
            use $crate::kernel::polyval::$module::{Product, halves};
            let mut sums = [v::splat(&[0; 16]); G];
            let mut keys = sums;
            for (g, key) in keys.iter_mut().enumerate() {
                *key = load_vector(&workspace.keys.authentication, g);
            }
            let key_halves = keys.map(|key| halves(key));
            for row in &workspace.stage[..rows] {
                for (g, lanes) in row.as_chunks().0[..G].iter().enumerate() {
                    let mut product = Product::zero();
                    product.add(v::xor(sums[g], v::load(lanes)), keys[g], key_halves[g]);
                    sums[g] = product.reduce();
                }
            }
            sums
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn encrypt_in_lanes<const ROUND_KEYS: usize, const G: usize>(
            keys: &LaneKeys,
            mut states: Vectors<G>,
        ) -> Vectors<G> {
            for g in 0..G {
                states[g] = v::xor(states[g], load_vector(&keys.encryption[0], g));
            }
            for i in 1..ROUND_KEYS - 1 {
                for g in 0..G {
                    states[g] = v::aes_round(states[g], load_vector(&keys.encryption[i], g));
                }
            }
            for g in 0..G {
                states[g] =
                    v::aes_last_round(states[g], load_vector(&keys.encryption[ROUND_KEYS - 1], g));
            }
            states
        }
    };
}
pub(super) use lanes;
