//! Messages whose tag is a hash of one block or two: they are taken together, and go from step
//! to step together, each in its lane.

use super::keyed::{Keyed, MAX_LANES};
use super::streams::Rest;
use super::window::Window;
use super::{MAX_HASH_LEN, lengths};
use crate::kernel::blake2b::{BLOCK_LEN, Block, Run, State};
use crate::mode::batch::Batch;
use crate::tier::secret::BlockRoom;

/// Messages that are taken together, at most.
const MESSAGES: usize = 16;
/// The longest AAD and text together, in bytes: two blocks, less the lengths at their end.
const MAX_LEN: usize = 2 * BLOCK_LEN - 8;

/// The blocks of one lane.
type Pair = [Block; 2];

/// The blocks that are hashed. They belong to the caller: the batch's own part of the stack
/// stays small, and is wiped.
#[repr(align(64))]
pub(super) struct Blocks(BlockRoom<{ MAX_LANES * size_of::<Pair>() / 16 }>);

impl Blocks {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self(BlockRoom::new())
    }

    /// Those of so many lanes.
    #[inline(always)]
    fn pairs(&mut self, lanes: usize) -> &mut [Pair] {
        let blocks = self.0.take(lanes * size_of::<Pair>() / 16);
        blocks.as_flattened_mut().as_chunks_mut().0.as_chunks_mut().0
    }
}

/// The brief messages of a window, some at a time.
pub(super) struct Groups {
    /// The first message that was not looked at.
    next: usize,
    group: [usize; MESSAGES],
}

impl Groups {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { next: 0, group: [0; MESSAGES] }
    }

    /// The next ones. Others go to the rest, and brief ones too if they are too few.
    #[inline(always)]
    pub(super) fn next<K, N: AsRef<[u8]>>(
        &mut self,
        kernels: &(impl Keyed<K> + ?Sized),
        batch: &Batch<'_, '_, N>,
        rest: &mut Rest,
    ) -> Option<&[usize]> {
        let mut held = 0;
        while held < MESSAGES && self.next < batch.count() {
            let message = self.next;
            self.next += 1;
            if !batch.is_there(message) {
                continue;
            }
            let (aad_len, text_len) = batch.lens(message);
            if aad_len.saturating_add(text_len) > MAX_LEN {
                rest.insert(message);
                continue;
            }
            self.group[held] = message;
            held += 1;
        }
        let group = &self.group[..held];
        if held >= kernels.stream_limits().fewest {
            return Some(group);
        }
        group.iter().for_each(|message| rest.insert(*message));
        None
    }
}

/// How the hashes of messages begin.
pub(super) struct Start<'k> {
    /// The first state.
    pub(super) keyed: &'k State,
    /// If `Km` is not that of the key: its only block but for the nonce, and that block's length.
    pub(super) salted: Option<(Block, u8)>,
    pub(super) tag_len: usize,
}

/// Hashes each message, and goes on with it in its window.
#[inline(always)]
pub(super) fn hash<K: Copy + Default, N: AsRef<[u8]>>(
    kernels: &(impl Keyed<K> + ?Sized),
    start: &Start<'_>,
    blocks: &mut Blocks,
    batch: &mut Batch<'_, '_, N>,
    messages: &[usize],
    window: &mut Window<impl Fn(&Batch<'_, '_, N>, usize) -> K + Copy>,
) {
    let (order, ones) = by_blocks(batch, messages);
    let mut ones = ones;
    for set in order[..messages.len()].chunks(kernels.lanes()) {
        let mut states: [State; MAX_LANES] = core::array::from_fn(|_| start.keyed.clone());
        let states = &mut states[..set.len()];
        let pairs = blocks.pairs(set.len());
        // Without nonces `Km` is the key's, and the compiler knows.
        if size_of::<N>() > 0
            && let Some((block, len)) = &start.salted
        {
            for ([first, _], message) in pairs.iter_mut().zip(set) {
                let nonce = batch.nonce(*message).as_ref();
                *first = *block;
                first[..nonce.len()].copy_from_slice(nonce);
            }
            compress(kernels, states, pairs, 0, &[Some(*len); MAX_LANES]);
            for ([first, _], state) in pairs.iter_mut().zip(&mut *states) {
                let (key, rest) = first.split_at_mut(MAX_HASH_LEN);
                key.copy_from_slice(&state.output());
                rest.fill(0);
                *state = State::keyed(MAX_HASH_LEN, start.tag_len);
            }
            compress(kernels, states, pairs, 0, &[None; MAX_LANES]);
        }
        let mut last_lens = [None; MAX_LANES];
        for ((pair, last_len), message) in pairs.iter_mut().zip(&mut last_lens).zip(set) {
            *last_len = Some(write_input(pair, batch.aad(*message), batch.made(*message)));
        }
        let short = ones.min(set.len());
        ones -= short;
        let mut first_lens = [None; MAX_LANES];
        first_lens[..short].copy_from_slice(&last_lens[..short]);
        compress(kernels, states, pairs, 0, &first_lens);
        let (states_of_two, pairs_of_two) = (&mut states[short..], &pairs[short..]);
        compress(kernels, states_of_two, pairs_of_two, 1, &last_lens[short..]);
        for (message, state) in set.iter().zip(&*states) {
            window.end(kernels, batch, *message, &state.output());
        }
    }
}

/// The messages, first those whose hash has one block, and how many these are.
#[inline(always)]
fn by_blocks<N: AsRef<[u8]>>(
    batch: &Batch<'_, '_, N>,
    messages: &[usize],
) -> ([usize; MESSAGES], usize) {
    let (mut order, mut filled, mut ones) = ([0; MESSAGES], 0, 0);
    for two in [false, true] {
        for message in messages {
            let (aad_len, text_len) = batch.lens(*message);
            if (aad_len + text_len + 8 > BLOCK_LEN) == two {
                order[filled] = *message;
                filled += 1;
            }
        }
        if !two {
            ones = filled;
        }
    }
    (order, ones)
}

/// Absorbs one block of each pair, which is the last one if it has a length.
#[inline(never)]
fn compress<K>(
    kernels: &(impl Keyed<K> + ?Sized),
    states: &mut [State],
    pairs: &[Pair],
    block: usize,
    last_lens: &[Option<u8>],
) {
    let nothing = Run { blocks: &[], last_len: None };
    let mut runs = [nothing; MAX_LANES];
    for ((run, pair), last_len) in runs.iter_mut().zip(pairs).zip(last_lens) {
        *run = Run { blocks: &pair[block..=block], last_len: *last_len };
    }
    if !states.is_empty() {
        kernels.compress_many(states, &runs[..states.len()]);
    }
}

/// The input of the tag's hash, and how long its last block is.
#[inline(always)]
fn write_input(pair: &mut Pair, aad: &[u8], text: &[u8]) -> u8 {
    let bytes = pair.as_flattened_mut();
    bytes.fill(0);
    let (text_at, lengths_at) = (aad.len(), aad.len() + text.len());
    bytes[..text_at].copy_from_slice(aad);
    bytes[text_at..lengths_at].copy_from_slice(text);
    bytes[lengths_at..lengths_at + 8].copy_from_slice(&lengths(aad.len(), text.len()));
    let len = lengths_at + 8;
    let last_len = if len > BLOCK_LEN { len - BLOCK_LEN } else { len };
    last_len as u8
}
