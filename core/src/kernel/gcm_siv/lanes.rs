//! Many short messages at once: one message in every lane, several vectors side by
//! side, written once for every width of vector.
//!
//! A short message is a chain of dependent steps (derive, expand, hash, tag,
//! encrypt) that leaves most of the CPU idle. Here every step works on up to sixteen
//! messages, so the chains of different messages fill each other's gaps, and one
//! instruction serves one message in each lane.
//!
//! ```text
//! stage        message 0   1     2     …        rows of blocks, ends aligned:
//! row 0        0           A1    0              zeros in front change nothing,
//! row 1        A1          X1    0              so messages of different length
//! row 2        X1          X2    A1             share the rows
//! row 3        L           L     L
//! ```

use crate::kernel::Block;
use crate::tier::secret;

/// Messages that are worked on at once, at most.
pub(crate) const MESSAGES: usize = 16;
/// The longest text, in bytes, that is worked on in lanes.
pub(crate) const MAX_TEXT_LEN: usize = 512;
/// The longest AAD, in bytes, that is worked on in lanes.
pub(crate) const MAX_AAD_LEN: usize = 64;

const TEXT_ROWS: usize = MAX_TEXT_LEN / 16;
/// AAD, text and the length block.
const ROWS: usize = MAX_AAD_LEN / 16 + TEXT_ROWS + 1;

/// One message of a batch.
pub(crate) struct Message<'a> {
    /// Its place in the caller's batch.
    pub(crate) index: usize,
    pub(crate) nonce: &'a [u8; 12],
    pub(crate) aad: &'a [u8],
    pub(crate) in_out: &'a mut [u8],
    /// Written when sealing, expected when opening.
    pub(crate) tag: Block,
    /// Whether the tag was right; sealing leaves it alone.
    pub(crate) authentic: bool,
}

impl Message<'_> {
    /// A place that holds no message.
    pub(crate) fn none() -> Self {
        Self {
            index: 0,
            nonce: &[0; 12],
            aad: &[],
            in_out: &mut [],
            tag: [0; 16],
            authentic: false,
        }
    }

    /// Whether lanes can take this message.
    #[inline(always)]
    pub(crate) fn is_short(&self) -> bool {
        self.in_out.len() <= MAX_TEXT_LEN && self.aad.len() <= MAX_AAD_LEN
    }

    /// The nonce where `derive_keys` has it: after a counter of four bytes.
    pub(super) fn nonce_block(&self) -> Block {
        let mut block = [0; 16];
        block[4..].copy_from_slice(self.nonce);
        block
    }

    /// Of AAD and text, in bytes.
    #[inline(always)]
    pub(super) fn lens(&self) -> (usize, usize) {
        (self.aad.len(), self.in_out.len())
    }

    pub(super) fn text_blocks(&self) -> usize {
        self.in_out.len().div_ceil(16)
    }

    fn blocks(&self) -> usize {
        self.aad.len().div_ceil(16) + self.text_blocks() + 1
    }
}

/// How many rows the longest message of a group takes.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The lengths of AAD and text in bytes, if they are those of every message.
    alike: Option<(usize, usize)>,
    /// Of AAD, text and length block together.
    pub(super) rows: usize,
    /// Of text alone.
    pub(super) text_rows: usize,
}

impl Shape {
    /// `alike` says whether all have the lengths of the first.
    #[inline(always)]
    pub(super) fn of(messages: &[Message<'_>], alike: bool) -> Self {
        let mut shape = Self {
            alike: None,
            rows: 0,
            text_rows: 0,
        };
        let measured = if alike {
            messages.len().min(1)
        } else {
            messages.len()
        };
        for message in &messages[..measured] {
            shape.rows = shape.rows.max(message.blocks());
            shape.text_rows = shape.text_rows.max(message.text_blocks());
            shape.alike = alike.then_some(message.lens());
        }
        shape
    }
}

/// Blocks of all messages of a group, side by side in rows.
pub(super) type Row = [Block; MESSAGES];

/// Round keys of AES-256.
pub(super) const MAX_ROUND_KEYS: usize = 15;

/// The keys of the messages of a group.
pub(super) struct LaneKeys {
    pub(super) authentication: Row,
    pub(super) encryption: [Row; MAX_ROUND_KEYS],
}

/// Scratch memory of a batch, made once and wiped at its end.
#[repr(align(64))]
pub(crate) struct Workspace {
    pub(super) keys: LaneKeys,
    pub(super) stage: [Row; ROWS],
    pub(super) keystream: [Row; TEXT_ROWS],
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let keys = LaneKeys {
            authentication: [[0; 16]; MESSAGES],
            encryption: [[[0; 16]; MESSAGES]; MAX_ROUND_KEYS],
        };
        Self {
            keys,
            stage: [[[0; 16]; MESSAGES]; ROWS],
            keystream: [[[0; 16]; MESSAGES]; TEXT_ROWS],
        }
    }

    /// Lays out `messages` for POLYVAL in the rows of their shape.
    #[inline(always)]
    pub(super) fn lay_out(&mut self, messages: &[Message<'_>], shape: Shape) {
        match shape.alike {
            Some(lens) => self.lay_out_alike(messages, shape, lens),
            None => self.lay_out_each(messages, shape.rows),
        }
    }

    /// Messages of one length fill every row from end to end.
    #[inline(always)]
    fn lay_out_alike(
        &mut self,
        messages: &[Message<'_>],
        shape: Shape,
        (aad_len, text_len): (usize, usize),
    ) {
        let (texts, lengths) = self.stage[..shape.rows].split_at_mut(shape.rows - 1);
        let (aads, texts) = texts.split_at_mut(shape.rows - 1 - shape.text_rows);
        fill_rows(aads, messages, |message| message.aad);
        fill_rows(texts, messages, |message| message.in_out);
        for row in lengths {
            *row = [length_block(aad_len, text_len); MESSAGES];
        }
    }

    #[inline(always)]
    fn lay_out_each(&mut self, messages: &[Message<'_>], rows: usize) {
        for (lane, message) in messages.iter().enumerate() {
            let (in_front, column) = self.stage[..rows].split_at_mut(rows - message.blocks());
            for row in in_front {
                row[lane % MESSAGES] = [0; 16];
            }
            let mut places = column.iter_mut().map(|row| &mut row[lane % MESSAGES]);
            pad_into(&mut places, message.aad);
            pad_into(&mut places, message.in_out);
            if let Some(place) = places.next() {
                *place = length_block(message.aad.len(), message.in_out.len());
            }
        }
    }

    /// XORs the keystream into every message's text.
    #[inline(always)]
    pub(super) fn xor_into(&self, messages: &mut [Message<'_>]) {
        for (lane, message) in messages.iter_mut().enumerate() {
            let mut keystream = self.keystream.iter().map(|row| &row[lane % MESSAGES]);
            let (blocks, rest) = message.in_out.as_chunks_mut::<16>();
            for block in blocks {
                let Some(key) = keystream.next() else { break };
                let text = u128::from_ne_bytes(*block) ^ u128::from_ne_bytes(*key);
                *block = text.to_ne_bytes();
            }
            if let Some(key) = keystream.next() {
                for (byte, key) in rest.iter_mut().zip(key) {
                    *byte ^= key;
                }
            }
        }
    }
}

/// Section 4: the block of the two lengths in bits.
#[inline(always)]
fn length_block(aad_len: usize, text_len: usize) -> Block {
    let bits = |bytes: usize| bytes as u128 * 8;
    (bits(aad_len) | bits(text_len) << 64).to_le_bytes()
}

/// Copies the blocks of every message to its lane, the last one padded with zeros.
#[inline(always)]
fn fill_rows(
    rows: &mut [Row],
    messages: &[Message<'_>],
    bytes: impl for<'m> Fn(&'m Message<'_>) -> &'m [u8],
) {
    // Row by row while they are few: then the loop over a message's blocks is the cost.
    if rows.len() <= 4 {
        for (i, row) in rows.iter_mut().enumerate() {
            for (place, message) in row.iter_mut().zip(messages) {
                let (blocks, rest) = bytes(message).as_chunks::<16>();
                if let Some(block) = blocks.get(i) {
                    *place = *block;
                } else {
                    *place = [0; 16];
                    place[..rest.len()].copy_from_slice(rest);
                }
            }
        }
        return;
    }
    for (lane, message) in messages.iter().enumerate() {
        pad_into(
            &mut rows.iter_mut().map(|row| &mut row[lane % MESSAGES]),
            bytes(message),
        );
    }
}

/// Copies `bytes` into the next places, the last block padded with zeros.
#[inline(always)]
fn pad_into<'a>(places: &mut impl Iterator<Item = &'a mut Block>, bytes: &[u8]) {
    let (blocks, rest) = bytes.as_chunks::<16>();
    for block in blocks {
        let Some(place) = places.next() else { return };
        *place = *block;
    }
    if !rest.is_empty()
        && let Some(place) = places.next()
    {
        *place = [0; 16];
        place[..rest.len()].copy_from_slice(rest);
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        secret::wipe(self.keys.authentication.as_flattened_mut());
        secret::wipe(self.keys.encryption.as_flattened_mut().as_flattened_mut());
        secret::wipe(self.stage.as_flattened_mut().as_flattened_mut());
        secret::wipe(self.keystream.as_flattened_mut().as_flattened_mut());
    }
}

/// Defines `seal_lanes` and `open_lanes` for a tier: `$groups` vectors side by side.
macro_rules! lanes {
    ($tier:ident, $features:literal, $module:ident, $v:ident, $groups:literal) => {
        use super::lanes::{LaneKeys, MAX_ROUND_KEYS, Message, Row, Shape, Workspace};
        use super::vector::$v as v;
        use $crate::tier::bytes::prefetch;

        /// How far ahead of a message memory is asked for, in bytes: where messages stand
        /// one behind the other, CPUs do not look beyond a page by themselves.
        const AHEAD: usize = 2048;

        /// Messages at once on this tier.
        const MESSAGES: usize = v::LANES * $groups;

        type Vectors = [v::Vector; $groups];

        kernel! {
            /// Encrypts up to sixteen short messages and writes their tags.
            pub(super) fn seal_lanes[const ROUND_KEYS: usize](
                tier: $tier,
                keys: &RoundKeys<ROUND_KEYS>,
                workspace: &mut Workspace,
                messages: &mut [Message<'_>],
            ) {
                for messages in messages.chunks_mut(MESSAGES) {
                    let lens = messages.first().map(Message::lens);
                    let mut alike = true;
                    // One loop for both: a loop over lengths alone becomes slow gathers.
                    let nonces = gather(messages, |message| {
                        alike &= Some(message.lens()) == lens;
                        prefetch(message.in_out, AHEAD);
                        prefetch(message.nonce, AHEAD);
                        message.nonce_block()
                    });
                    let shape = Shape::of(messages, alike);
                    derive_lanes(keys, &nonces, &mut workspace.keys);
                    workspace.lay_out(messages, shape);
                    let sums = polyval_lanes(workspace, shape.rows);
                    let tags = tags_lanes::<ROUND_KEYS>(&workspace.keys, &nonces, sums);
                    keystream_lanes::<ROUND_KEYS>(tags, workspace, shape.text_rows);
                    workspace.xor_into(messages);
                    let tags = scatter(tags);
                    for (message, tag) in messages.iter_mut().zip(tags) {
                        message.tag = tag;
                    }
                }
            }
        }

        kernel! {
            /// Decrypts up to sixteen short messages and says which are authentic.
            pub(super) fn open_lanes[const ROUND_KEYS: usize](
                tier: $tier,
                keys: &RoundKeys<ROUND_KEYS>,
                workspace: &mut Workspace,
                messages: &mut [Message<'_>],
            ) {
                for messages in messages.chunks_mut(MESSAGES) {
                    let lens = messages.first().map(Message::lens);
                    let mut alike = true;
                    // One loop for both: a loop over lengths alone becomes slow gathers.
                    let nonces = gather(messages, |message| {
                        alike &= Some(message.lens()) == lens;
                        prefetch(message.in_out, AHEAD);
                        prefetch(message.nonce, AHEAD);
                        message.nonce_block()
                    });
                    let shape = Shape::of(messages, alike);
                    derive_lanes(keys, &nonces, &mut workspace.keys);
                    let expected = gather(messages, |message| message.tag);
                    keystream_lanes::<ROUND_KEYS>(expected, workspace, shape.text_rows);
                    workspace.xor_into(messages);
                    workspace.lay_out(messages, shape);
                    let sums = polyval_lanes(workspace, shape.rows);
                    let tags = scatter(tags_lanes::<ROUND_KEYS>(&workspace.keys, &nonces, sums));
                    for (message, tag) in messages.iter_mut().zip(tags) {
                        message.authentic = secret::equal(&message.tag, &tag);
                        if !message.authentic {
                            secret::wipe(message.in_out);
                        }
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

        /// One block of each message to its lane; empty lanes are zero.
        #[inline]
        #[target_feature(enable = $features)]
        fn gather(
            messages: &[Message<'_>],
            mut block: impl FnMut(&Message<'_>) -> Block,
        ) -> Vectors {
            let mut blocks = [[0; 16]; MESSAGES];
            for (lane, message) in blocks.iter_mut().zip(messages) {
                *lane = block(message);
            }
            let mut vectors = [v::splat(&[0; 16]); $groups];
            for (vector, lanes) in vectors.iter_mut().zip(blocks.as_chunks().0) {
                *vector = v::load(lanes);
            }
            vectors
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn scatter(vectors: Vectors) -> [Block; MESSAGES] {
            let mut blocks = [[0; 16]; MESSAGES];
            for (vector, lanes) in vectors.into_iter().zip(blocks.as_chunks_mut().0) {
                v::store(lanes, vector);
            }
            blocks
        }

        /// RFC 8452 section 4, `derive_keys`, and FIPS 197 section 5.2 in every lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn derive_lanes<const ROUND_KEYS: usize>(
            keys: &RoundKeys<ROUND_KEYS>,
            nonces: &Vectors,
            lane_keys: &mut LaneKeys,
        ) {
            let zero = v::splat(&[0; 16]);
            for (g, nonce) in nonces.iter().enumerate() {
                let first = v::splat(&keys.0[0]);
                let mut states = [zero; 6];
                for (counter, state) in (0_u128..).zip(&mut states) {
                    let counter = v::splat(&counter.to_le_bytes());
                    *state = v::xor(v::xor(*nonce, counter), first);
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
        fn polyval_lanes(workspace: &Workspace, rows: usize) -> Vectors {
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
        fn tags_lanes<const ROUND_KEYS: usize>(
            keys: &LaneKeys,
            nonces: &Vectors,
            sums: Vectors,
        ) -> Vectors {
            let top_bit_clear = v::splat(&(u128::MAX >> 1).to_le_bytes());
            let mut states = sums;
            for (state, nonce) in states.iter_mut().zip(nonces) {
                *state = v::and(v::xor(*state, v::without_first_word(*nonce)), top_bit_clear);
            }
            encrypt_lanes::<ROUND_KEYS>(keys, states)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn encrypt_lanes<const ROUND_KEYS: usize>(keys: &LaneKeys, mut states: Vectors) -> Vectors {
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

        /// Keystream for the longest of `messages`, in rows.
        #[inline]
        #[target_feature(enable = $features)]
        fn keystream_lanes<const ROUND_KEYS: usize>(
            tags: Vectors,
            workspace: &mut Workspace,
            rows: usize,
        ) {
            // Section 4: the tag with its top bit set, then 32-bit sums.
            let top_bit = v::splat(&(1_u128 << 127).to_le_bytes());
            let top_bit_clear = v::splat(&(u128::MAX >> 1).to_le_bytes());
            let one = v::splat(&1_u128.to_le_bytes());
            let mut counters = tags.map(|tag| v::xor(v::and(tag, top_bit_clear), top_bit));
            for row in &mut workspace.keystream[..rows] {
                let states = encrypt_lanes::<ROUND_KEYS>(&workspace.keys, counters);
                for (lanes, state) in row.as_chunks_mut().0.iter_mut().zip(states) {
                    v::store(lanes, state);
                }
                for counter in &mut counters {
                    *counter = v::add32(*counter, one);
                }
            }
        }
    };
}
pub(super) use lanes;
