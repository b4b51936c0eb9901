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

/// Messages that are worked on at once, at most.
pub(crate) const MESSAGES: usize = 16;
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
    pub(crate) nonces: Row,
    pub(crate) tags: Row,
    pub(super) keys: LaneKeys,
    /// What POLYVAL is made of.
    pub(crate) stage: [Row; ROWS],
    pub(crate) keystream: [Row; TEXT_ROWS],
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let row = [[0; 16]; MESSAGES];
        Self {
            nonces: row,
            tags: row,
            keys: LaneKeys {
                authentication: row,
                encryption: [row; MAX_ROUND_KEYS],
            },
            stage: [row; ROWS],
            keystream: [row; TEXT_ROWS],
        }
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        secret::wipe(self.tags.as_flattened_mut());
        secret::wipe(self.keys.authentication.as_flattened_mut());
        secret::wipe(self.keys.encryption.as_flattened_mut().as_flattened_mut());
        secret::wipe(self.stage.as_flattened_mut().as_flattened_mut());
        secret::wipe(self.keystream.as_flattened_mut().as_flattened_mut());
    }
}

/// The steps of RFC 8452 section 4, each for all messages of a group.
pub(crate) trait GcmSivLanes: Copy {
    /// Those of the tier's AES.
    type RoundKeys;

    /// Messages at once on this tier, at most [`MESSAGES`].
    const MESSAGES: usize;

    /// `derive_keys` and the key schedule: the keys from the nonces.
    fn derive_lanes(self, keys: &Self::RoundKeys, workspace: &mut Workspace);

    /// The tags from the keys, the nonces and the first `rows` of the stage.
    fn tag_lanes(self, workspace: &mut Workspace, rows: usize);

    /// So many rows of keystream from the keys and the tags.
    fn keystream_lanes(self, workspace: &mut Workspace, rows: usize);

    /// Asks for the memory behind `bytes`, which is read soon.
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

    fn derive_lanes(self, _keys: &RoundKeys, _workspace: &mut Workspace) {
        match self.never {}
    }

    fn tag_lanes(self, _workspace: &mut Workspace, _rows: usize) {
        match self.never {}
    }

    fn keystream_lanes(self, _workspace: &mut Workspace, _rows: usize) {
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
        use super::lanes::{GcmSivLanes, LaneKeys, MAX_ROUND_KEYS, Row, Workspace};
        use $crate::tier::bytes::prefetch;
        use $v as v;

        type Vectors = [v::Vector; $groups];

        /// The tier with the round keys of one key length.
        #[derive(Clone, Copy)]
        pub(crate) struct Lanes<const ROUND_KEYS: usize>(pub(super) $tier);

        impl<const ROUND_KEYS: usize> GcmSivLanes for Lanes<ROUND_KEYS> {
            type RoundKeys = RoundKeys<ROUND_KEYS>;
            const MESSAGES: usize = v::LANES * $groups;

            #[inline(always)]
            fn derive_lanes(self, keys: &Self::RoundKeys, workspace: &mut Workspace) {
                derive_lanes(self.0, keys, workspace);
            }

            #[inline(always)]
            fn tag_lanes(self, workspace: &mut Workspace, rows: usize) {
                tag_lanes(self.0, self, workspace, rows);
            }

            #[inline(always)]
            fn keystream_lanes(self, workspace: &mut Workspace, rows: usize) {
                keystream_lanes(self.0, self, workspace, rows);
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
                tier: $tier, keys: &RoundKeys<ROUND_KEYS>, workspace: &mut Workspace,
            ) {
                let Workspace { nonces, keys: lane_keys, .. } = workspace;
                derive_in_lanes(keys, nonces, lane_keys);
            }
        }

        kernel! {
            fn tag_lanes[const ROUND_KEYS: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, workspace: &mut Workspace, rows: usize,
            ) {
                let _ = lanes;
                let sums = polyval_in_lanes(workspace, rows);
                let tags = tags_in_lanes::<ROUND_KEYS>(&workspace.keys, &workspace.nonces, sums);
                for (g, tags) in tags.into_iter().enumerate() {
                    store_vector(&mut workspace.tags, g, tags);
                }
            }
        }

        kernel! {
            fn keystream_lanes[const ROUND_KEYS: usize](
                tier: $tier, lanes: Lanes<ROUND_KEYS>, workspace: &mut Workspace, rows: usize,
            ) {
                let _ = lanes;
                // Section 4: the tag with its top bit set, then 32-bit sums.
                let top_bit = v::splat(&(1_u128 << 127).to_le_bytes());
                let top_bit_clear = v::splat(&(u128::MAX >> 1).to_le_bytes());
                let one = v::splat(&1_u128.to_le_bytes());
                let mut counters = [one; $groups];
                for (g, counter) in counters.iter_mut().enumerate() {
                    let tag = load_vector(&workspace.tags, g);
                    *counter = v::xor(v::and(tag, top_bit_clear), top_bit);
                }
                for row in &mut workspace.keystream[..rows] {
                    let states = encrypt_in_lanes::<ROUND_KEYS>(&workspace.keys, counters);
                    for (lanes, state) in row.as_chunks_mut().0.iter_mut().zip(states) {
                        v::store(lanes, state);
                    }
                    for counter in &mut counters {
                        *counter = v::add32(*counter, one);
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

        /// RFC 8452 section 4, `derive_keys`, and FIPS 197 section 5.2 in every lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn derive_in_lanes<const ROUND_KEYS: usize>(
            keys: &RoundKeys<ROUND_KEYS>,
            nonces: &Row,
            lane_keys: &mut LaneKeys,
        ) {
            let zero = v::splat(&[0; 16]);
            for g in 0..$groups {
                let nonce = load_vector(nonces, g);
                let first = v::splat(&keys.0[0]);
                let mut states = [zero; 6];
                for (counter, state) in (0_u128..).zip(&mut states) {
                    let counter = v::splat(&counter.to_le_bytes());
                    *state = v::xor(v::xor(nonce, counter), first);
                }
                for key in &keys.0[1..ROUND_KEYS - 1] {
                    let key = v::splat(key);
                    for state in &mut states {
                        *state = v::aes_round(*state, key);
                    }
                }
                let last = v::splat(&keys.0[ROUND_KEYS - 1]);
                let [a, b, c, d, e, f] = states.map(|state| v::aes_last_round(state, last));
                store_vector(&mut lane_keys.authentication, g, v::low_halves(a, b));
                store_vector(&mut lane_keys.encryption[0], g, v::low_halves(c, d));
                if ROUND_KEYS == 15 {
                    store_vector(&mut lane_keys.encryption[1], g, v::low_halves(e, f));
                }
            }
            expand_lanes::<ROUND_KEYS>(&mut lane_keys.encryption);
        }

        /// Fills in the round keys after the first one (AES-128) or two (AES-256).
        #[inline]
        #[target_feature(enable = $features)]
        fn expand_lanes<const ROUND_KEYS: usize>(keys: &mut [Row; MAX_ROUND_KEYS]) {
            const ROTATED_LAST_WORD: Block = [
                13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12,
            ];
            /// Bytes of the second word into the third and the fourth.
            const SECOND_WORD_UP: Block = [
                128, 128, 128, 128, 128, 128, 128, 128, 4, 5, 6, 7, 4, 5, 6, 7,
            ];
            const EVERY_WORD: u128 = 1 | 1 << 32 | 1 << 64 | 1 << 96;
            let nk = if ROUND_KEYS == 15 { 2 } else { 1 };
            let mut rcon = 1_u8;
            // The two round keys before, in registers: the chain of one key to the next
            // would wait for memory.
            let zero = [v::splat(&[0; 16]); $groups];
            let (mut older, mut last) = (zero, zero);
            for g in 0..$groups {
                older[g] = load_vector(&keys[0], g);
                last[g] = load_vector(&keys[nk - 1], g);
            }
            for i in nk..ROUND_KEYS {
                let rotates = i % nk == 0;
                let rcon_word = if rotates { u128::from(rcon) } else { 0 };
                let constant = v::splat(&(rcon_word * EVERY_WORD).to_le_bytes());
                for g in 0..$groups {
                    let word = if rotates {
                        v::shuffle(last[g], &ROTATED_LAST_WORD)
                    } else {
                        v::last_word(last[g])
                    };
                    let word = v::aes_last_round(word, constant);
                    let k = if nk == 2 { older[g] } else { last[g] };
                    let k = v::xor(k, v::odd_words_from_even(k));
                    let k = v::xor(k, v::shuffle(k, &SECOND_WORD_UP));
                    older[g] = last[g];
                    last[g] = v::xor(k, word);
                    store_vector(&mut keys[i], g, last[g]);
                }
                if rotates {
                    rcon = (rcon << 1) ^ ((rcon >> 7) * 0x1b);
                }
            }
        }

        /// POLYVAL of every lane's column of the stage.
        #[inline]
        #[target_feature(enable = $features)]
        fn polyval_in_lanes(workspace: &Workspace, rows: usize) -> Vectors {
            use $crate::kernel::polyval::$module::{Product, halves};
            let mut sums = [v::splat(&[0; 16]); $groups];
            let mut keys = sums;
            for (g, key) in keys.iter_mut().enumerate() {
                *key = load_vector(&workspace.keys.authentication, g);
            }
            let key_halves = keys.map(|key| halves(key));
            for row in &workspace.stage[..rows] {
                for (g, lanes) in row.as_chunks().0[..$groups].iter().enumerate() {
                    let mut product = Product::zero();
                    product.add(v::xor(sums[g], v::load(lanes)), keys[g], key_halves[g]);
                    sums[g] = product.reduce();
                }
            }
            sums
        }

        /// Section 4: the encryption of each sum XOR nonce with the top bit cleared.
        #[inline]
        #[target_feature(enable = $features)]
        fn tags_in_lanes<const ROUND_KEYS: usize>(
            keys: &LaneKeys,
            nonces: &Row,
            sums: Vectors,
        ) -> Vectors {
            let top_bit_clear = v::splat(&(u128::MAX >> 1).to_le_bytes());
            let mut states = sums;
            for (g, state) in states.iter_mut().enumerate() {
                let nonce = v::without_first_word(load_vector(nonces, g));
                *state = v::and(v::xor(*state, nonce), top_bit_clear);
            }
            encrypt_in_lanes::<ROUND_KEYS>(keys, states)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn encrypt_in_lanes<const ROUND_KEYS: usize>(
            keys: &LaneKeys,
            mut states: Vectors,
        ) -> Vectors {
            for g in 0..$groups {
                states[g] = v::xor(states[g], load_vector(&keys.encryption[0], g));
            }
            for i in 1..ROUND_KEYS - 1 {
                for g in 0..$groups {
                    states[g] = v::aes_round(states[g], load_vector(&keys.encryption[i], g));
                }
            }
            for g in 0..$groups {
                states[g] =
                    v::aes_last_round(states[g], load_vector(&keys.encryption[ROUND_KEYS - 1], g));
            }
            states
        }
    };
}
pub(super) use lanes;
