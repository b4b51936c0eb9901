//! Many messages under one key, their hashes side by side in the lanes of a tier.
//!
//! A lane takes a message through its hashes, `Km`, the tag's key block and the tag's
//! input, one piece after another, then takes the next message. All lanes step by as
//! many blocks as the shortest of their pieces has.

use super::mac::{Input, Piece, Scratch};
use super::{Siv, Subkeys, TagBytes, Variant, derivation_block, siv_nonce, verify, write_tag};
use crate::kernel::blake2b::{BLOCK_LEN, Run, State};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;
use crate::mode::message::{Message, Status, ToOpen, ToSeal};
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
struct Lane<'a, N, Tag> {
    message: Message<'a, N, Tag>,
    stage: Stage,
    input: Input,
    piece: Piece,
    scratch: Scratch,
}

impl<N, Tag> Drop for Lane<'_, N, Tag> {
    fn drop(&mut self) {
        secret::wipe(self.scratch.as_flattened_mut());
    }
}

impl<'a, N, Tag> Lane<'a, N, Tag> {
    #[inline(always)]
    fn new(message: Message<'a, N, Tag>, start: Start) -> Self {
        let (aad, text) = (message.aad, &*message.in_out);
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
    fn next(&mut self, state: &mut State, tag_len: usize) -> Option<Piece> {
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
        let (aad, text) = (self.message.aad, &*self.message.in_out);
        self.input.next(aad, text, &mut self.scratch)
    }

    /// The first `step` blocks of the lane's piece, and what is left of it.
    #[inline(always)]
    fn split(&self, step: usize) -> (Run<'_>, Option<Piece>) {
        let (aad, text) = (self.message.aad, &*self.message.in_out);
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
pub(super) struct Lanes<'a, N, Tag> {
    states: [State; MAX_LANES],
    lanes: [Option<Lane<'a, N, Tag>>; MAX_LANES],
}

impl<N, Tag> Lanes<'_, N, Tag> {
    pub(super) fn new(keys: &Subkeys) -> Self {
        Self {
            states: core::array::from_fn(|_| keys.mac.clone()),
            lanes: [const { None }; MAX_LANES],
        }
    }
}

/// Hashes every message. `begin` is called with a message when it enters a lane and `end`, with
/// its hash, when it leaves.
fn hash_all<'a, K, N: 'a, Tag: 'a>(
    kernels: &(impl Keyed<K> + ?Sized),
    keyed: &State,
    tag_len: usize,
    Lanes { states, lanes }: &mut Lanes<'a, N, Tag>,
    next: &mut (impl FnMut() -> Option<Message<'a, N, Tag>> + ?Sized),
    begin: impl Fn(&mut Message<'a, N, Tag>) -> Start,
    end: impl Fn(&mut Message<'a, N, Tag>, &TagBytes),
) {
    let mut enter = |state: &mut State| {
        let mut message = next()?;
        *state = keyed.clone();
        let start = begin(&mut message);
        Some(Lane::new(message, start))
    };
    let mut active = 0;
    while active < kernels.lanes() {
        lanes[active] = enter(&mut states[active]);
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
            (*run, *rest) = lane.split(step);
        }
        kernels.compress_many(&mut states[..active], &runs[..active]);
        // Backwards, because a lane without a next message takes the last one's place.
        for i in (0..active).rev() {
            let (state, Some(lane)) = (&mut states[i], &mut lanes[i]) else {
                continue;
            };
            if let Some(piece) = rests[i].or_else(|| lane.next(state, tag_len)) {
                lane.piece = piece;
                continue;
            }
            end(&mut lane.message, &state.output());
            lanes[i] = enter(state);
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
fn check_tag<N>(message: &mut ToOpen<'_, N>, hash: &TagBytes) -> bool {
    let authentic = verify(hash, message.tag);
    if !authentic {
        secret::wipe(message.in_out);
        *message.status = Status::NotOpened;
    }
    authentic
}

/// [`seal`](super::seal) of each message.
#[inline(never)]
pub(super) fn seal<'a, V: Variant>(
    kernels: &(impl Keyed<V::Nonce> + ?Sized),
    keys: &Subkeys,
    tag_len: usize,
    lanes: &mut Lanes<'a, V::Nonce, &'a mut [u8]>,
    next: &mut (impl FnMut() -> Option<ToSeal<'a, V::Nonce>> + ?Sized),
) where
    V::Nonce: 'a,
{
    let begin = |message: &mut ToSeal<'a, V::Nonce>| {
        kernels.xor_keystream(message.nonce, message.in_out);
        let (block, len) = derivation_block(message.nonce.as_ref(), V::MAC);
        Start::Nonce(block, len)
    };
    let end = |message: &mut ToSeal<'a, V::Nonce>, hash: &TagBytes| write_tag(message.tag, hash);
    hash_all(kernels, &keys.mac, tag_len, lanes, next, begin, end);
}

/// [`open`](super::open) of each message.
#[inline(never)]
pub(super) fn open<'a, V: Variant>(
    kernels: &(impl Keyed<V::Nonce> + ?Sized),
    keys: &Subkeys,
    tag_len: usize,
    lanes: &mut Lanes<'a, V::Nonce, &'a [u8]>,
    next: &mut (impl FnMut() -> Option<ToOpen<'a, V::Nonce>> + ?Sized),
) where
    V::Nonce: 'a,
{
    let begin = |message: &mut ToOpen<'a, V::Nonce>| {
        let (block, len) = derivation_block(message.nonce.as_ref(), V::MAC);
        Start::Nonce(block, len)
    };
    let end = |message: &mut ToOpen<'a, V::Nonce>, hash: &TagBytes| {
        if check_tag(message, hash) {
            kernels.xor_keystream(message.nonce, message.in_out);
        }
    };
    hash_all(kernels, &keys.mac, tag_len, lanes, next, begin, end);
}

/// [`seal_siv`](super::seal_siv) of each message.
#[inline(never)]
pub(super) fn seal_siv<'a, N: 'a>(
    kernels: &(impl Keyed<<Siv as Variant>::Nonce> + ?Sized),
    keys: &Subkeys,
    tag_len: usize,
    lanes: &mut Lanes<'a, N, &'a mut [u8]>,
    next: &mut (impl FnMut() -> Option<ToSeal<'a, N>> + ?Sized),
) {
    let begin = |_: &mut ToSeal<'a, N>| Start::Message;
    let end = |message: &mut ToSeal<'a, N>, hash: &TagBytes| {
        write_tag(message.tag, hash);
        kernels.xor_keystream(&siv_nonce(hash), message.in_out);
    };
    hash_all(kernels, &keys.mac, tag_len, lanes, next, begin, end);
}

/// [`open_siv`](super::open_siv) of each message.
#[inline(never)]
pub(super) fn open_siv<'a, N: 'a>(
    kernels: &(impl Keyed<<Siv as Variant>::Nonce> + ?Sized),
    keys: &Subkeys,
    tag_len: usize,
    lanes: &mut Lanes<'a, N, &'a [u8]>,
    next: &mut (impl FnMut() -> Option<ToOpen<'a, N>> + ?Sized),
) {
    let begin = |message: &mut ToOpen<'a, N>| {
        kernels.xor_keystream(&siv_nonce(message.tag), message.in_out);
        Start::Message
    };
    let end = |message: &mut ToOpen<'a, N>, hash: &TagBytes| {
        check_tag(message, hash);
    };
    hash_all(kernels, &keys.mac, tag_len, lanes, next, begin, end);
}
