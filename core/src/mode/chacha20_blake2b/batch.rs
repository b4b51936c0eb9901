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

/// Hashes every message. `begin` is called when a message enters a lane and `end`, with
/// its hash, when it leaves.
#[inline(always)]
fn hash_all<'a, T: ChaCha20Blake2b, N: 'a, Tag: 'a>(
    t: T,
    keyed: &State,
    tag_len: usize,
    mut messages: impl Iterator<Item = Message<'a, N, Tag>>,
    mut begin: impl FnMut(&mut Message<'a, N, Tag>) -> Start,
    mut end: impl FnMut(&mut Message<'a, N, Tag>, &TagBytes),
) {
    const { assert!(T::LANES <= MAX_LANES) };
    let mut states: [State; MAX_LANES] = core::array::from_fn(|_| keyed.clone());
    let mut lanes: [Option<Lane<'a, N, Tag>>; MAX_LANES] = [const { None }; MAX_LANES];
    let mut enter = |state: &mut State| {
        let mut message = messages.next()?;
        *state = keyed.clone();
        let start = begin(&mut message);
        Some(Lane::new(message, start))
    };
    let mut active = 0;
    while active < T::LANES {
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
        t.compress_many(&mut states[..active], &runs[..active]);
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
#[inline(always)]
pub(crate) fn seal_batch<'a, T: ChaCha20Blake2b, V: Variant>(
    t: T,
    keys: &Subkeys,
    tag_len: usize,
    messages: impl Iterator<Item = ToSeal<'a, V::Nonce>>,
) where
    V::Nonce: 'a,
{
    let begin = |message: &mut ToSeal<'a, V::Nonce>| {
        let matrix = V::matrix(t, &keys.encryption, message.nonce);
        t.chacha20_xor(&matrix, 0, message.in_out);
        let (block, len) = derivation_block(message.nonce.as_ref(), V::MAC);
        Start::Nonce(block, len)
    };
    hash_all(t, &keys.mac, tag_len, messages, begin, |message, hash| {
        write_tag(message.tag, hash);
    });
}

/// [`open`](super::open) of each message.
#[inline(always)]
pub(crate) fn open_batch<'a, T: ChaCha20Blake2b, V: Variant>(
    t: T,
    keys: &Subkeys,
    tag_len: usize,
    messages: impl Iterator<Item = ToOpen<'a, V::Nonce>>,
) where
    V::Nonce: 'a,
{
    let begin = |message: &mut ToOpen<'a, V::Nonce>| {
        let (block, len) = derivation_block(message.nonce.as_ref(), V::MAC);
        Start::Nonce(block, len)
    };
    hash_all(t, &keys.mac, tag_len, messages, begin, |message, hash| {
        if check_tag(message, hash) {
            let matrix = V::matrix(t, &keys.encryption, message.nonce);
            t.chacha20_xor(&matrix, 0, message.in_out);
        }
    });
}

/// [`seal_siv`](super::seal_siv) of each message.
#[inline(always)]
pub(crate) fn seal_siv_batch<'a, T: ChaCha20Blake2b, N: 'a>(
    t: T,
    keys: &Subkeys,
    tag_len: usize,
    messages: impl Iterator<Item = ToSeal<'a, N>>,
) {
    let begin = |_: &mut ToSeal<'a, N>| Start::Message;
    hash_all(t, &keys.mac, tag_len, messages, begin, |message, hash| {
        write_tag(message.tag, hash);
        let matrix = Siv::matrix(t, &keys.encryption, &siv_nonce(hash));
        t.chacha20_xor(&matrix, 0, message.in_out);
    });
}

/// [`open_siv`](super::open_siv) of each message.
#[inline(always)]
pub(crate) fn open_siv_batch<'a, T: ChaCha20Blake2b, N: 'a>(
    t: T,
    keys: &Subkeys,
    tag_len: usize,
    messages: impl Iterator<Item = ToOpen<'a, N>>,
) {
    let begin = |message: &mut ToOpen<'a, N>| {
        let matrix = Siv::matrix(t, &keys.encryption, &siv_nonce(message.tag));
        t.chacha20_xor(&matrix, 0, message.in_out);
        Start::Message
    };
    hash_all(t, &keys.mac, tag_len, messages, begin, |message, hash| {
        check_tag(message, hash);
    });
}
