//! Many messages under one key, their hashes side by side in the lanes of a tier.
//!
//! The messages of a window are sorted by the blocks of their hashes. As many as there are lanes go
//! from step to step together: `Km`, the tag's key block and the tag's input. The keystreams of
//! short texts are made side by side too, some before the hashes and some after them.

mod keyed;

use super::mac::{Input, Piece, Scratch};
use super::{
    Construction, MAX_HASH_LEN, Subkeys, TagBytes, derivation_block, stream_nonce, verify,
};
use crate::kernel::blake2b::{BLOCK_LEN, Block, Run, State};
use crate::kernel::chacha20::MAX_STREAMS;
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;
use crate::mode::batch::by_size::BySize;
use crate::mode::batch::{Batch, Direction, through_table};
use crate::tier::secret::BlockRoom;
use keyed::{Keyed, MAX_LANES, OnTier};

/// The working memory of a batch. It belongs to the caller: the batch's own part of the stack stays
/// small, and is wiped.
pub(crate) struct Work {
    order: BySize,
    states: [State; MAX_LANES],
    blocks: Blocks,
}

/// The blocks of each lane that are in no buffer.
#[repr(align(64))]
struct Blocks(BlockRoom<{ MAX_LANES * size_of::<Scratch>() / 16 }>);

impl Work {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            order: BySize::new(),
            states: core::array::from_fn(|_| State::keyed(0, 0)),
            blocks: Blocks(BlockRoom::new()),
        }
    }
}

impl Blocks {
    /// Those of so many lanes.
    #[inline(always)]
    fn take(&mut self, lanes: usize) -> &mut [Scratch] {
        let blocks = self.0.take(lanes * size_of::<Scratch>() / 16);
        blocks.as_flattened_mut().as_chunks_mut().0.as_chunks_mut().0
    }
}

/// How each hash begins.
struct Start<'k> {
    keyed: &'k State,
    tag_len: usize,
    /// The only block of `Km` but for the nonce, and its length.
    derivation: (Block, u8),
}

/// So many messages are worked on alone; on a tier without lanes, all.
#[inline(always)]
pub(crate) fn few<T: ChaCha20Blake2b>(_t: T) -> usize {
    if T::LANES > 1 { 2 } else { usize::MAX }
}

/// [`seal`](super::seal) or [`open`](super::open) of each message.
#[inline(always)]
pub(crate) fn crypt_batch<T: ChaCha20Blake2b, C: Construction>(
    t: T,
    keys: &Subkeys,
    tag_len: usize,
    work: &mut Work,
    batch: &mut Batch<'_, '_, C::Nonce>,
) {
    through_table!(let kernels: &dyn Keyed = &OnTier::<_, C>::new(t, keys));
    let no_nonce = &[0; 24][..size_of::<C::Nonce>()];
    let start = Start { keyed: &keys.mac, tag_len, derivation: derivation_block(no_nonce, C::MAC) };
    crypt_all::<C>(kernels, &start, work, batch);
}

#[inline(never)]
fn crypt_all<C: Construction>(
    kernels: &(impl Keyed + ?Sized),
    start: &Start<'_>,
    Work { order, states, blocks }: &mut Work,
    batch: &mut Batch<'_, '_, C::Nonce>,
) {
    while batch.advance() {
        // Limits of a window that no message reaches may be longer than a `usize` can say.
        order.take(batch, 1, |(aad_len, text_len)| {
            aad_len.saturating_add(text_len).saturating_add(8).div_ceil(BLOCK_LEN)
        });
        let mut numbers = order.numbers();
        while let [first, ..] = numbers {
            // Long texts would leave the cache before their hashes.
            let is_long = batch.lens(usize::from(*first)).1 > kernels.longest();
            let most = if is_long { kernels.lanes() } else { kernels.streams() };
            let mut messages = [0; MAX_STREAMS];
            let mut count = 0;
            for (message, number) in messages[..most].iter_mut().zip(numbers) {
                *message = usize::from(*number);
                batch.bring_in_place(*message);
                count += 1;
            }
            numbers = &numbers[count..];
            crypt::<C>(kernels, start, (states, blocks), batch, &messages[..count]);
        }
    }
}

/// Seals or opens some messages.
fn crypt<C: Construction>(
    kernels: &(impl Keyed + ?Sized),
    start: &Start<'_>,
    (states, blocks): (&mut [State; MAX_LANES], &mut Blocks),
    batch: &mut Batch<'_, '_, C::Nonce>,
    messages: &[usize],
) {
    let of_ciphertext = !C::IS_SIV;
    let is_ahead = of_ciphertext == (batch.direction() == Direction::Seal);
    if is_ahead {
        xor_keystreams::<C>(kernels, batch, messages);
    }
    let (mut authentic, mut count) = ([0; MAX_STREAMS], 0);
    for set in messages.chunks(kernels.lanes()) {
        hash::<C>(kernels, start, &mut states[..set.len()], blocks, batch, set);
        for (message, state) in set.iter().zip(&*states) {
            if put_or_check_tag(batch, *message, &state.output()) {
                authentic[count] = *message;
                count += 1;
            }
        }
    }
    if !is_ahead {
        xor_keystreams::<C>(kernels, batch, &authentic[..count]);
    }
}

/// Writes the tag; or says whether it is the message's, whose text is wiped if not.
#[inline(always)]
fn put_or_check_tag<N: AsRef<[u8]>>(
    batch: &mut Batch<'_, '_, N>,
    message: usize,
    hash: &TagBytes,
) -> bool {
    if batch.direction() == Direction::Seal {
        batch.put_tag(message, hash);
        return true;
    }
    let authentic = verify(hash, batch.tag(message));
    if !authentic {
        batch.refuse(message);
    }
    authentic
}

/// XORs its keystream into the text of each of some messages, whose nonces are there.
fn xor_keystreams<C: Construction>(
    kernels: &(impl Keyed + ?Sized),
    batch: &mut Batch<'_, '_, C::Nonce>,
    messages: &[usize],
) {
    let nonce_of = |batch: &Batch<'_, '_, C::Nonce>, message: usize| {
        let tag = if C::IS_SIV { batch.tag(message) } else { &[] };
        stream_nonce::<C>(batch.nonce(message), tag)
    };
    let (mut short, mut count) = ([0; MAX_STREAMS], 0);
    for message in messages {
        let (_, text_len) = batch.lens(*message);
        if text_len > kernels.longest() {
            kernels.xor_keystream(&nonce_of(batch, *message), batch.text(*message));
        } else if text_len > 0 {
            short[count] = *message;
            count += 1;
        }
    }
    if count == 0 {
        return;
    }
    let short = &mut short[..count];
    short.sort_unstable();
    let mut nonces = [[0; 24]; MAX_STREAMS];
    for (nonce, message) in nonces.iter_mut().zip(&*short) {
        *nonce = nonce_of(batch, *message);
    }
    let mut texts = <[&mut [u8]; MAX_STREAMS]>::default();
    batch.rising_texts(short, &mut texts);
    kernels.xor_streams(&nonces[..count], &mut texts[..count]);
}

/// The tags of as many messages as there are `states`, which are in the order of their blocks.
#[inline(never)]
fn hash<C: Construction>(
    kernels: &(impl Keyed + ?Sized),
    start: &Start<'_>,
    states: &mut [State],
    blocks: &mut Blocks,
    batch: &Batch<'_, '_, C::Nonce>,
    set: &[usize],
) {
    let blocks = blocks.take(set.len());
    begin::<C>(kernels, start, states, blocks, batch, set);
    let parts: [(&[u8], &[u8]); MAX_LANES] = core::array::from_fn(|lane| {
        set.get(lane).map(|message| (batch.aad(*message), batch.made(*message))).unwrap_or_default()
    });
    let mut inputs: [Input; MAX_LANES] =
        core::array::from_fn(|lane| Input::new(parts[lane].0, parts[lane].1.len()));
    let mut pieces = [None; MAX_LANES];
    for (lane, piece) in pieces[..set.len()].iter_mut().enumerate() {
        *piece = inputs[lane].next(parts[lane].0, parts[lane].1, &mut blocks[lane]);
    }
    if inputs[..set.len()].iter().all(Input::is_done) {
        return compress_short(kernels, states, blocks, &pieces);
    }
    let mut ended = 0;
    loop {
        // The first messages have the fewest blocks.
        ended += pieces[ended..set.len()].iter().take_while(|piece| piece.is_none()).count();
        let active = ended..set.len();
        let lens = pieces[active.clone()].iter().flatten().map(|piece| piece.blocks());
        let Some(step) = lens.min() else { return };
        let mut runs = [Run { blocks: &[], last_len: None }; MAX_LANES];
        for (run, lane) in runs.iter_mut().zip(active.clone()) {
            if let Some(piece) = pieces[lane] {
                let (aad, text) = parts[lane];
                (*run, pieces[lane]) = piece.split(step, aad, text, &blocks[lane]);
            }
        }
        kernels.compress_many(&mut states[active.clone()], &runs[..active.len()]);
        for lane in active {
            if pieces[lane].is_none() {
                pieces[lane] = inputs[lane].next(parts[lane].0, parts[lane].1, &mut blocks[lane]);
            }
        }
    }
}

/// Begins each tag's hash: with the key's state, or with the message's own `Km` as the first block.
#[inline(always)]
fn begin<C: Construction>(
    kernels: &(impl Keyed + ?Sized),
    start: &Start<'_>,
    states: &mut [State],
    blocks: &mut [Scratch],
    batch: &Batch<'_, '_, C::Nonce>,
    set: &[usize],
) {
    states.iter_mut().for_each(|state| *state = start.keyed.clone());
    if C::IS_SIV {
        return;
    }
    let (block, len) = start.derivation;
    for ([first, _], message) in blocks.iter_mut().zip(set) {
        let nonce = batch.nonce(*message).as_ref();
        *first = block;
        first[..nonce.len()].copy_from_slice(nonce);
    }
    compress(kernels, states, blocks, 0, &[Some(len); MAX_LANES]);
    for ([first, _], state) in blocks.iter_mut().zip(&mut *states) {
        let (key, rest) = first.split_at_mut(MAX_HASH_LEN);
        key.copy_from_slice(&state.output());
        rest.fill(0);
        *state = State::keyed(MAX_HASH_LEN, start.tag_len);
    }
    compress(kernels, states, blocks, 0, &[None; MAX_LANES]);
}

/// Absorbs inputs of one block or two, those of one first: each has a single piece.
#[inline(always)]
fn compress_short(
    kernels: &(impl Keyed + ?Sized),
    states: &mut [State],
    blocks: &[Scratch],
    pieces: &[Option<Piece>; MAX_LANES],
) {
    let last_lens = pieces.map(|piece| piece.and_then(|piece| piece.last_len()));
    let ones = pieces.iter().flatten().take_while(|piece| piece.blocks() == 1).count();
    let mut first_lens = [None; MAX_LANES];
    first_lens[..ones].copy_from_slice(&last_lens[..ones]);
    compress(kernels, states, blocks, 0, &first_lens);
    if ones < states.len() {
        compress(kernels, &mut states[ones..], &blocks[ones..], 1, &last_lens[ones..]);
    }
}

/// Absorbs one block of each lane, which is the last one if it has a length.
fn compress(
    kernels: &(impl Keyed + ?Sized),
    states: &mut [State],
    blocks: &[Scratch],
    block: usize,
    last_lens: &[Option<u8>],
) {
    let mut runs = [Run { blocks: &[], last_len: None }; MAX_LANES];
    for ((run, lane), last_len) in runs.iter_mut().zip(blocks).zip(last_lens) {
        *run = Run { blocks: &lane[block..=block], last_len: *last_len };
    }
    kernels.compress_many(states, &runs[..states.len()]);
}
