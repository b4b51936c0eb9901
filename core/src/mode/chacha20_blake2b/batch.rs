//! Many messages under one key, their hashes side by side in the lanes of a tier.
//!
//! A lane takes a message through its hashes, `Km`, the tag's key block and the tag's
//! input, one piece after another, then takes the next message. All lanes step by as
//! many blocks as the shortest of their pieces has.

use super::brief::{self, Groups, Start};
use super::keyed::{Keyed, MAX_LANES};
use super::mac::{Input, Piece, Scratch};
use super::streams;
use super::window::Window;
use super::{Siv, Subkeys, Variant, derivation_block, siv_nonce};
use crate::kernel::blake2b::{BLOCK_LEN, Run, State};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;
use crate::mode::batch::{Batch, Direction};
use crate::tier::secret;

/// The part of a message that a lane hashes.
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
    fn new(message: usize, nonce: &[u8], (aad, text): (&[u8], &[u8]), start: &Start<'_>) -> Self {
        let mut input = Input::new(aad, text.len());
        let mut scratch = [[0; BLOCK_LEN]; 2];
        let (stage, piece) = match start.salted {
            Some((block, len)) => {
                scratch[0] = block;
                scratch[0][..nonce.len()].copy_from_slice(nonce);
                (Stage::Km, Piece::scratch(Some(len)))
            }
            None => {
                let first = input.next(aad, text, &mut scratch);
                // The lengths at the end make every input at least one piece.
                (Stage::Message, first.unwrap_or(Piece::scratch(Some(0))))
            }
        };
        Self { message, stage, input, piece, scratch }
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

    /// The first `step` blocks of the lane's piece, and the rest of it.
    #[inline(always)]
    fn split<'a>(
        &'a self,
        (aad, text): (&'a [u8], &'a [u8]),
        step: usize,
    ) -> (Run<'a>, Option<Piece>) {
        self.piece.split(step, aad, text, &self.scratch)
    }
}

/// The lanes, with the work of each. They belong to the caller: the batch's own part of the stack
/// stays small, and is wiped.
pub(super) struct Lanes {
    states: [State; MAX_LANES],
    lanes: [Option<Lane>; MAX_LANES],
}

impl Lanes {
    #[inline(always)]
    pub(super) fn new(keys: &Subkeys) -> Self {
        Self {
            states: core::array::from_fn(|_| keys.mac.clone()),
            lanes: [const { None }; MAX_LANES],
        }
    }
}

/// AAD and text of a message, as they are now.
#[inline(always)]
fn parts<'m, N: AsRef<[u8]>>(batch: &'m Batch<'_, '_, N>, message: usize) -> (&'m [u8], &'m [u8]) {
    (batch.aad(message), batch.made(message))
}

/// Takes the next message into a lane.
#[inline(never)]
fn enter<K: Copy + Default, N: AsRef<[u8]>>(
    kernels: &(impl Keyed<K> + ?Sized),
    start: &Start<'_>,
    state: &mut State,
    batch: &mut Batch<'_, '_, N>,
    window: &mut Window<impl Fn(&Batch<'_, '_, N>, usize) -> K + Copy>,
) -> Option<Lane> {
    let message = window.next(kernels, batch)?;
    *state = start.keyed.clone();
    let nonce = batch.nonce(message).as_ref();
    Some(Lane::new(message, nonce, parts(batch, message), start))
}

/// Hashes every message that is left of the window.
fn hash_all<K: Copy + Default, N: AsRef<[u8]>>(
    kernels: &(impl Keyed<K> + ?Sized),
    start: &Start<'_>,
    Lanes { states, lanes }: &mut Lanes,
    batch: &mut Batch<'_, '_, N>,
    window: &mut Window<impl Fn(&Batch<'_, '_, N>, usize) -> K + Copy>,
) {
    let mut active = 0;
    while active < kernels.lanes() {
        lanes[active] = enter(kernels, start, &mut states[active], batch, window);
        if lanes[active].is_none() {
            break;
        }
        active += 1;
    }
    while active > 0 {
        let step =
            lanes[..active].iter().flatten().map(|lane| lane.piece.blocks()).min().unwrap_or(0);
        let mut runs = [Run { blocks: &[], last_len: None }; MAX_LANES];
        let mut rests = [None; MAX_LANES];
        for ((run, rest), lane) in
            runs.iter_mut().zip(&mut rests).zip(lanes[..active].iter().flatten())
        {
            (*run, *rest) = lane.split(parts(batch, lane.message), step);
        }
        kernels.compress_many(&mut states[..active], &runs[..active]);
        // Backwards, because a lane without a next message takes the last one's place.
        for i in (0..active).rev() {
            let (state, Some(lane)) = (&mut states[i], &mut lanes[i]) else {
                continue;
            };
            let next = || lane.next(parts(batch, lane.message), state, start.tag_len);
            if let Some(piece) = rests[i].or_else(next) {
                lane.piece = piece;
                continue;
            }
            window.end(kernels, batch, lane.message, &state.output());
            lanes[i] = enter(kernels, start, state, batch, window);
            if lanes[i].is_none() {
                active -= 1;
                states.swap(i, active);
                lanes.swap(i, active);
            }
        }
    }
}

/// The working memory of a batch. It belongs to the caller, as its lanes do.
pub(super) struct Work<'w> {
    pub(super) lanes: &'w mut Lanes,
    pub(super) blocks: &'w mut brief::Blocks,
}

/// So many messages are worked on alone; on a tier without lanes, all.
#[inline(always)]
pub(crate) fn few<T: ChaCha20Blake2b>(_t: T) -> usize {
    if T::LANES > 1 { 2 } else { usize::MAX }
}

/// [`seal`](super::seal) or [`open`](super::open) of each message.
#[inline(never)]
pub(super) fn crypt<V: Variant>(
    kernels: &(impl Keyed<V::Nonce> + ?Sized),
    keys: &Subkeys,
    tag_len: usize,
    work: Work<'_>,
    batch: &mut Batch<'_, '_, V::Nonce>,
) {
    let start = Start {
        keyed: &keys.mac,
        salted: Some(derivation_block(V::Nonce::default().as_ref(), V::MAC)),
        tag_len,
    };
    let nonce_of = |batch: &Batch<'_, '_, V::Nonce>, message: usize| *batch.nonce(message);
    crypt_each(kernels, &start, Direction::Seal, work, batch, nonce_of);
}

/// [`seal_siv`](super::seal_siv) or [`open_siv`](super::open_siv) of each message.
#[inline(never)]
pub(super) fn crypt_siv(
    kernels: &(impl Keyed<<Siv as Variant>::Nonce> + ?Sized),
    keys: &Subkeys,
    tag_len: usize,
    work: Work<'_>,
    batch: &mut Batch<'_, '_, [u8; 0]>,
) {
    let start = Start { keyed: &keys.mac, salted: None, tag_len };
    let nonce_of = |batch: &Batch<'_, '_, [u8; 0]>, message: usize| siv_nonce(batch.tag(message));
    crypt_each(kernels, &start, Direction::Open, work, batch, nonce_of);
}

/// Seals or opens each message. In the direction `ahead`, its keystream comes before its hash.
#[inline(always)]
fn crypt_each<K: Copy + Default, N: AsRef<[u8]>>(
    kernels: &(impl Keyed<K> + ?Sized),
    start: &Start<'_>,
    ahead: Direction,
    Work { lanes, blocks }: Work<'_>,
    batch: &mut Batch<'_, '_, N>,
    nonce_of: impl Fn(&Batch<'_, '_, N>, usize) -> K + Copy,
) {
    let is_ahead = batch.direction() == ahead;
    while batch.advance() {
        let mut window = Window::new(is_ahead, nonce_of);
        let mut groups = Groups::new();
        while let Some(messages) = groups.next(kernels, batch, &mut window.rest) {
            messages.iter().for_each(|i| batch.bring_in_place(*i));
            if is_ahead {
                streams::xor(kernels, batch, messages, nonce_of);
            }
            brief::hash(kernels, start, blocks, batch, messages, &mut window);
        }
        hash_all(kernels, start, lanes, batch, &mut window);
        window.finish(kernels, batch);
    }
}
