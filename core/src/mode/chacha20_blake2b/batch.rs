//! Many messages under one key, their hashes side by side in the lanes of a tier.
//!
//! A lane takes a message through its hashes, `Km`, the tag's key block and the tag's
//! input, one piece after another, then takes the next message. All lanes step by as
//! many blocks as the shortest of their pieces has.

use super::mac::{Input, Piece, Scratch};
use super::{Siv, Subkeys, TagBytes, Variant, derivation_block, siv_nonce, verify};
use crate::kernel::blake2b::{BLOCK_LEN, Run, State};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;
use crate::mode::batch::parts::Tags;
use crate::mode::batch::{Batch, Direction};
use crate::tier::secret;
use core::marker::PhantomData;

/// More lanes than any tier has.
const MAX_LANES: usize = 8;

/// How a message's hashes begin.
#[derive(Clone, Copy)]
enum Start {
    /// With `Km`, whose only block is given, with its length.
    Nonce([u8; BLOCK_LEN], u8),
    /// With the tag: `Km` belongs to the key.
    Message,
}

/// What is being hashed in a lane.
enum Stage {
    Km,
    KeyBlock,
    Message,
}

/// A lane at work, beside its [`State`].
struct Lane {
    /// The number of its message.
    message: usize,
    stage: Stage,
    input: Input,
    piece: Piece,
    scratch: Scratch,
}

impl Drop for Lane {
    fn drop(&mut self) {
        secret::wipe(self.scratch.as_flattened_mut());
    }
}

impl Lane {
    #[inline(always)]
    fn new(message: usize, (aad, text): (&[u8], &[u8]), start: Start) -> Self {
        let mut input = Input::new(aad, text.len());
        let mut scratch = [[0; BLOCK_LEN]; 2];
        let (stage, piece) = match start {
            Start::Nonce(block, len) => {
                scratch[0] = block;
                (Stage::Km, Piece::scratch(Some(len)))
            }
            Start::Message => {
                let first = input.next(aad, text, &mut scratch);
                // The lengths at the end make every input at least one piece.
                (Stage::Message, first.unwrap_or(Piece::scratch(Some(0))))
            }
        };
        Self {
            message,
            stage,
            input,
            piece,
            scratch,
        }
    }

    /// The next piece after this one is absorbed, or `None` if the tag is ready.
    #[inline(always)]
    fn next(
        &mut self,
        (aad, text): (&[u8], &[u8]),
        state: &mut State,
        tag_len: usize,
    ) -> Option<Piece> {
        if matches!(self.stage, Stage::Km) {
            let mut km = state.output();
            *state = State::keyed(km.len(), tag_len);
            self.scratch = [[0; BLOCK_LEN]; 2];
            self.scratch[0][..km.len()].copy_from_slice(&km);
            secret::wipe(&mut km);
            self.stage = Stage::KeyBlock;
            return Some(Piece::scratch(None));
        }
        self.stage = Stage::Message;
        self.input.next(aad, text, &mut self.scratch)
    }

    /// The first `step` blocks of the lane's piece, and what is left of it.
    #[inline(always)]
    fn split<'a>(
        &'a self,
        (aad, text): (&'a [u8], &'a [u8]),
        step: usize,
    ) -> (Run<'a>, Option<Piece>) {
        self.piece.split(step, aad, text, &self.scratch)
    }
}

/// The kernels of a tier under a key, through a table: each call is for many bytes, so that
/// the table costs little; the code around the calls is compiled once, not for each tier.
pub(super) trait Keyed<N> {
    /// How many hashes are made side by side.
    fn lanes(&self) -> usize;

    fn compress_many(&self, states: &mut [State], runs: &[Run<'_>]);

    /// The keystream of a nonce, from its beginning.
    fn xor_keystream(&self, nonce: &N, in_out: &mut [u8]);
}

/// A variant's key on a tier.
pub(super) struct OnTier<'k, T, V> {
    tier: T,
    encryption: &'k [u8; 32],
    variant: PhantomData<V>,
}

impl<'k, T, V> OnTier<'k, T, V> {
    pub(super) fn new(tier: T, keys: &'k Subkeys) -> Self {
        Self {
            tier,
            encryption: &keys.encryption,
            variant: PhantomData,
        }
    }
}

impl<T: ChaCha20Blake2b, V: Variant> Keyed<V::Nonce> for OnTier<'_, T, V> {
    fn lanes(&self) -> usize {
        const { assert!(T::LANES <= MAX_LANES) };
        T::LANES
    }

    fn compress_many(&self, states: &mut [State], runs: &[Run<'_>]) {
        self.tier.compress_many(states, runs);
    }

    fn xor_keystream(&self, nonce: &V::Nonce, in_out: &mut [u8]) {
        let matrix = V::matrix(self.tier, self.encryption, nonce);
        self.tier.chacha20_xor(&matrix, 0, in_out);
    }
}

/// The lanes, with what each is at. They belong to the caller: the batch's own part of the
/// stack stays small, and is wiped.
pub(super) struct Lanes {
    states: [State; MAX_LANES],
    lanes: [Option<Lane>; MAX_LANES],
}

impl Lanes {
    pub(super) fn new(keys: &Subkeys) -> Self {
        Self {
            states: core::array::from_fn(|_| keys.mac.clone()),
            lanes: [const { None }; MAX_LANES],
        }
    }
}

/// AAD and text of a message, as they are now.
#[inline(always)]
fn parts<'m, N: AsRef<[u8]>>(
    batch: &'m Batch<'_, '_, N, impl Tags>,
    message: usize,
) -> (&'m [u8], &'m [u8]) {
    (batch.aad(message), batch.made(message))
}

/// Hashes every message of the window. `begin` is called with a message when it enters a lane and
/// `end`, with its hash, when it leaves.
fn hash_all<K, N: AsRef<[u8]>, T: Tags>(
    kernels: &(impl Keyed<K> + ?Sized),
    keyed: &State,
    tag_len: usize,
    Lanes { states, lanes }: &mut Lanes,
    batch: &mut Batch<'_, '_, N, T>,
    begin: impl Fn(&mut Batch<'_, '_, N, T>, usize) -> Start,
    end: impl Fn(&mut Batch<'_, '_, N, T>, usize, &TagBytes),
) {
    let mut next = 0;
    let mut enter = |state: &mut State, batch: &mut Batch<'_, '_, N, T>| {
        while next < batch.count() && !batch.is_there(next) {
            next += 1;
        }
        if next >= batch.count() {
            return None;
        }
        let message = next;
        next += 1;
        batch.bring_in_place(message);
        *state = keyed.clone();
        let start = begin(batch, message);
        Some(Lane::new(message, parts(batch, message), start))
    };
    let mut active = 0;
    while active < kernels.lanes() {
        lanes[active] = enter(&mut states[active], batch);
        if lanes[active].is_none() {
            break;
        }
        active += 1;
    }
    while active > 0 {
        let step = lanes[..active]
            .iter()
            .flatten()
            .map(|lane| lane.piece.blocks())
            .min()
            .unwrap_or(0);
        let mut runs = [Run {
            blocks: &[],
            last_len: None,
        }; MAX_LANES];
        let mut rests = [None; MAX_LANES];
        for ((run, rest), lane) in runs
            .iter_mut()
            .zip(&mut rests)
            .zip(lanes[..active].iter().flatten())
        {
            (*run, *rest) = lane.split(parts(batch, lane.message), step);
        }
        kernels.compress_many(&mut states[..active], &runs[..active]);
        // Backwards, because a lane without a next message takes the last one's place.
        for i in (0..active).rev() {
            let (state, Some(lane)) = (&mut states[i], &mut lanes[i]) else {
                continue;
            };
            let next = || lane.next(parts(batch, lane.message), state, tag_len);
            if let Some(piece) = rests[i].or_else(next) {
                lane.piece = piece;
                continue;
            }
            end(batch, lane.message, &state.output());
            lanes[i] = enter(state, batch);
            if lanes[i].is_none() {
                active -= 1;
                states.swap(i, active);
                lanes.swap(i, active);
            }
        }
    }
}

/// Whether the hash begins with the message's tag; if not, the text is wiped.
#[inline(always)]
fn check_tag<N: AsRef<[u8]>>(
    batch: &mut Batch<'_, '_, N, impl Tags>,
    message: usize,
    hash: &TagBytes,
) -> bool {
    let authentic = verify(hash, batch.tag(message));
    if !authentic {
        batch.refuse(message);
    }
    authentic
}

/// [`seal`](super::seal) or [`open`](super::open) of each message.
#[inline(never)]
pub(super) fn crypt<V: Variant, T: Tags>(
    kernels: &(impl Keyed<V::Nonce> + ?Sized),
    keys: &Subkeys,
    tag_len: usize,
    lanes: &mut Lanes,
    batch: &mut Batch<'_, '_, V::Nonce, T>,
) {
    let direction = batch.direction();
    let begin = |batch: &mut Batch<'_, '_, V::Nonce, T>, message: usize| {
        let nonce = batch.nonce(message);
        if direction == Direction::Seal {
            kernels.xor_keystream(nonce, batch.text(message));
        }
        let (block, len) = derivation_block(nonce.as_ref(), V::MAC);
        Start::Nonce(block, len)
    };
    let end = |batch: &mut Batch<'_, '_, V::Nonce, T>, message: usize, hash: &TagBytes| {
        if direction == Direction::Seal {
            batch.put_tag(message, hash);
        } else if check_tag(batch, message, hash) {
            kernels.xor_keystream(batch.nonce(message), batch.text(message));
        }
    };
    while batch.advance() {
        hash_all(kernels, &keys.mac, tag_len, lanes, batch, begin, end);
    }
}

/// [`seal_siv`](super::seal_siv) or [`open_siv`](super::open_siv) of each message.
#[inline(never)]
pub(super) fn crypt_siv<T: Tags>(
    kernels: &(impl Keyed<<Siv as Variant>::Nonce> + ?Sized),
    keys: &Subkeys,
    tag_len: usize,
    lanes: &mut Lanes,
    batch: &mut Batch<'_, '_, [u8; 0], T>,
) {
    let direction = batch.direction();
    let begin = |batch: &mut Batch<'_, '_, [u8; 0], T>, message: usize| {
        if direction == Direction::Open {
            kernels.xor_keystream(&siv_nonce(batch.tag(message)), batch.text(message));
        }
        Start::Message
    };
    let end = |batch: &mut Batch<'_, '_, [u8; 0], T>, message: usize, hash: &TagBytes| {
        if direction == Direction::Seal {
            batch.put_tag(message, hash);
            kernels.xor_keystream(&siv_nonce(hash), batch.text(message));
        } else {
            check_tag(batch, message, hash);
        }
    };
    while batch.advance() {
        hash_all(kernels, &keys.mac, tag_len, lanes, batch, begin, end);
    }
}
