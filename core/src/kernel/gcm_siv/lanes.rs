//! Many short messages at once: one message in every lane, several vectors side by
//! side, written once for every width of vector.
//!
//! A short message is a chain of dependent steps (derive, expand, hash, tag,
//! encrypt) that leaves most of the CPU idle. Here every step works on up to sixteen
//! messages, so the chains of different messages fill each other's gaps, and one
//! instruction serves one message in each lane. The mode lays the messages out.

mod kernels;
mod steps;

use crate::kernel::Block;
use crate::kernel::aes::portable::RoundKeys;
use crate::tier::secret::{self, BlockRoom};
use core::convert::Infallible;
use core::ops::{Deref, DerefMut, Range};
pub(super) use kernels::{calls, lanes};
pub(super) use steps::steps;

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
    /// Nonces as `derive_keys` has them, after a counter of zero.
    pub(super) nonces: Row,
    pub(crate) tags: Row,
    /// For each text, how many rows after the group's first text it begins. Its counter goes back
    /// by this number, in the first four bytes.
    pub(crate) delays: Row,
    /// The same, in each of four words.
    pub(crate) rows_before: Row,
    /// Ones for the bytes that the last block of each text has.
    pub(crate) ends: Row,
    /// The round keys of the key-generating key, each in every lane of a vector.
    pub(super) generating: [[Block; DERIVED]; MAX_ROUND_KEYS],
    pub(super) keys: LaneKeys,
    /// The inputs of POLYVAL, and then its results.
    pub(crate) stage: Stage,
    /// Messages in the group.
    pub(crate) messages: usize,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let row = [[0; 16]; MESSAGES];
        Self {
            nonces: row,
            tags: row,
            delays: row,
            rows_before: row,
            ends: row,
            generating: [[[0; 16]; DERIVED]; MAX_ROUND_KEYS],
            keys: LaneKeys { authentication: row, encryption: [row; MAX_ROUND_KEYS] },
            stage: Stage(BlockRoom::new()),
            messages: 0,
        }
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        secret::wipe(self.tags.as_flattened_mut());
        secret::wipe(self.generating.as_flattened_mut().as_flattened_mut());
        secret::wipe(self.keys.authentication.as_flattened_mut());
        secret::wipe(self.keys.encryption.as_flattened_mut().as_flattened_mut());
    }
}

/// The rows that a batch needs, at most [`ROWS`]. None is written before it is needed: most
/// messages are short.
pub(crate) struct Stage(BlockRoom<{ ROWS * MESSAGES }>);

impl Stage {
    /// So many rows at least.
    #[inline(always)]
    pub(crate) fn need(&mut self, rows: usize) {
        self.0.take(rows * MESSAGES);
    }
}

impl Deref for Stage {
    type Target = [Row];

    #[inline(always)]
    fn deref(&self) -> &[Row] {
        self.0.taken().as_chunks().0
    }
}

impl DerefMut for Stage {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Row] {
        self.0.taken_mut().as_chunks_mut().0
    }
}

/// The steps of RFC 8452 section 4, each for all messages of a group.
pub(crate) trait GcmSivLanes: Copy {
    /// Those of the tier's AES.
    type RoundKeys;

    /// Messages at once on this tier, at most [`MESSAGES`].
    const MESSAGES: usize;

    /// The longest text, in bytes, that is not sealed faster alone; at most [`MAX_TEXT_LEN`].
    const SEALED_LEN: usize;

    /// The longest that is not opened faster alone.
    const OPENED_LEN: usize;

    /// The longest, in bytes, that is not faster alone than in lanes with texts of other lengths.
    const MIXED_LEN: usize;

    /// So many rows take as long as the key of a message that is worked on alone.
    const KEY_ROWS: usize;

    /// Groups whose texts are all shorter than this, in bytes, are not sorted: a power of two.
    const AS_GIVEN_LEN: usize;

    /// So many messages of a batch, or fewer, are not worth the start.
    const FEW: usize;

    /// Keeps the key-generating key for [`derive_lanes`](Self::derive_lanes).
    fn start(self, keys: &Self::RoundKeys, workspace: &mut Workspace);

    /// `derive_keys` of the messages from `first` on, a multiple of [`DERIVED`].
    fn derive_lanes(self, workspace: &mut Workspace, first: usize, nonces: [&[u8; 12]; DERIVED]);

    /// The same with nonces one after the other.
    fn derive_adjacent(self, workspace: &mut Workspace, first: usize, nonces: &[[u8; 12]; DERIVED]);

    /// The blocks of texts, of the messages from `first` on, to `rows` of the stage, which all of
    /// them end with: zeros before a text that is shorter, and after what fills no block.
    fn load_lanes(
        self,
        workspace: &mut Workspace,
        rows: Range<usize>,
        first: usize,
        texts: [&[u8]; DERIVED],
    );

    /// The reverse.
    fn store_lanes(
        self,
        workspace: &Workspace,
        rows: Range<usize>,
        first: usize,
        texts: &mut [&mut [u8]; DERIVED],
    );

    /// The blocks of a string to the lane of a message, in the rows of the stage from `row` on;
    /// zeros after what fills no block.
    fn load_lane(self, workspace: &mut Workspace, row: usize, lane: usize, bytes: &[u8]);

    /// The key schedule of the derived keys.
    fn expand_lanes(self, workspace: &mut Workspace);

    /// The tags from the keys, the nonces and the first `rows` of the stage.
    fn tag_lanes(self, workspace: &mut Workspace, rows: usize);

    /// XORs the keystream from the keys and the tags into some rows of the stage. From row to row
    /// comes the next block, but as many rows later as [`Workspace::delays`] says. If `from_delay`,
    /// the rows before stay unchanged; if not, their content means nothing.
    fn encrypt_lanes(self, workspace: &mut Workspace, rows: Range<usize>, from_delay: bool);

    /// Keeps the bytes of a row's blocks that [`Workspace::ends`] marks.
    fn cut_lanes(self, workspace: &mut Workspace, row: usize);

    /// Asks for the memory of `bytes`, which is read or written soon.
    fn ask(self, bytes: &[u8]);

    /// Does the work compiled for the tier, and overwrites the stack that it used: the outer wipe
    /// does not reach so far down, past the caller's [`Workspace`].
    fn inside(self, work: impl Work);
}

/// The work inside a tier. It is no closure: the compiler makes a call of a large one, and compiles
/// it for no tier.
pub(crate) trait Work {
    /// Is always inlined.
    fn run(self);
}

/// The calls of `portable`, which is no faster with many messages than with one.
#[derive(Clone, Copy)]
pub(crate) struct NoLanes<const ROUND_KEYS: usize>(Infallible);

/// Functions that nobody can call.
macro_rules! never {
    ($($name:ident($($argument:ty),*);)*) => { $(
        fn $name(self, $(_: $argument),*) {
            match self.0 {}
        }
    )* };
}

impl<const ROUND_KEYS: usize> GcmSivLanes for NoLanes<ROUND_KEYS> {
    type RoundKeys = RoundKeys<ROUND_KEYS>;
    const MESSAGES: usize = MESSAGES;
    const SEALED_LEN: usize = 0;
    const OPENED_LEN: usize = 0;
    const MIXED_LEN: usize = 0;
    const KEY_ROWS: usize = 0;
    const AS_GIVEN_LEN: usize = 1;
    const FEW: usize = 0;

    never! {
        start(&Self::RoundKeys, &mut Workspace);
        derive_lanes(&mut Workspace, usize, [&[u8; 12]; DERIVED]);
        derive_adjacent(&mut Workspace, usize, &[[u8; 12]; DERIVED]);
        load_lanes(&mut Workspace, Range<usize>, usize, [&[u8]; DERIVED]);
        load_lane(&mut Workspace, usize, usize, &[u8]);
        store_lanes(&Workspace, Range<usize>, usize, &mut [&mut [u8]; DERIVED]);
        expand_lanes(&mut Workspace);
        tag_lanes(&mut Workspace, usize);
        encrypt_lanes(&mut Workspace, Range<usize>, bool);
        cut_lanes(&mut Workspace, usize);
        ask(&[u8]);
        inside(impl Work);
    }
}
