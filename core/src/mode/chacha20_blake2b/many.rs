//! Many messages under one key, their hashes side by side in the lanes of a tier.
//!
//! A lane takes a message through its hashes, `Km`, the tag's key block and the tag's
//! input, one piece after another, then takes the next message. All lanes step by as
//! many blocks as the shortest of their pieces has.

use super::mac::{Input, Piece, Scratch};
use super::{Keys, Siv, TagBytes, Variant, derivation_block, siv_nonce, verify};
use crate::kernel::blake2b::{BLOCK_LEN, Run, State};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;
use crate::tier::secret;

/// More lanes than any tier has.
const MAX_LANES: usize = 8;

/// One message of a batch, in the caller's type.
pub(crate) trait Message<N> {
    /// Whether the message is to be left alone: a limit is broken.
    fn is_refused(&self) -> bool;
    /// The nonce.
    fn nonce(&self) -> &N;
    /// The additional authenticated data.
    fn aad(&self) -> &[u8];
    /// Plaintext or ciphertext.
    fn text(&self) -> &[u8];
    /// The same, to be encrypted or decrypted in place.
    fn text_mut(&mut self) -> &mut [u8];
    /// The tag that an opened message must have, of the key's length.
    fn expected(&self) -> &[u8];
    /// Takes the tag of a sealed message.
    fn set_tag(&mut self, tag: &TagBytes);
    /// Takes the verdict on an opened message.
    fn set_authentic(&mut self, authentic: bool);
}

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
    /// Which message.
    index: usize,
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
    fn new(index: usize, start: Start, aad: &[u8], text: &[u8]) -> Self {
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
            index,
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
        state: &mut State,
        tag_len: usize,
        aad: &[u8],
        text: &[u8],
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
}

/// Hashes every message that is not refused. `begin` is called when a message enters a
/// lane and `end`, with its hash, when it leaves.
#[inline(always)]
fn hash_all<T: ChaCha20Blake2b, N, M: Message<N>>(
    t: T,
    keyed: &State,
    tag_len: usize,
    messages: &mut [M],
    mut begin: impl FnMut(&mut M) -> Start,
    mut end: impl FnMut(&mut M, &TagBytes),
) {
    const { assert!(T::LANES <= MAX_LANES) };
    let mut states: [State; MAX_LANES] = core::array::from_fn(|_| keyed.clone());
    let mut lanes: [Option<Lane>; MAX_LANES] = [const { None }; MAX_LANES];
    let mut waiting = 0..messages.len();
    let mut enter = |state: &mut State, messages: &mut [M]| {
        let index = waiting.find(|index| !messages[*index].is_refused())?;
        *state = keyed.clone();
        let message = &mut messages[index];
        let start = begin(message);
        Some(Lane::new(index, start, message.aad(), message.text()))
    };
    let mut active = 0;
    while active < T::LANES {
        lanes[active] = enter(&mut states[active], messages);
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
            let message = &messages[lane.index];
            (*run, *rest) = lane
                .piece
                .split(step, message.aad(), message.text(), &lane.scratch);
        }
        t.compress_many(&mut states[..active], &runs[..active]);
        // Backwards, because a lane without a next message takes the last one's place.
        for i in (0..active).rev() {
            let (state, Some(lane)) = (&mut states[i], &mut lanes[i]) else {
                continue;
            };
            let message = &mut messages[lane.index];
            let next =
                rests[i].or_else(|| lane.next(state, tag_len, message.aad(), message.text()));
            if let Some(piece) = next {
                lane.piece = piece;
                continue;
            }
            end(message, &state.output());
            lanes[i] = enter(state, messages);
            if lanes[i].is_none() {
                active -= 1;
                states.swap(i, active);
                lanes.swap(i, active);
            }
        }
    }
}

/// [`seal`](super::seal) of each message.
#[inline(always)]
pub(crate) fn seal_many<T: ChaCha20Blake2b, V: Variant, M: Message<V::Nonce>>(
    t: T,
    keys: &Keys,
    tag_len: usize,
    messages: &mut [M],
) {
    let begin = |message: &mut M| {
        let matrix = V::matrix(t, &keys.encryption, message.nonce());
        t.chacha20_xor(&matrix, 0, message.text_mut());
        let (block, len) = derivation_block(message.nonce().as_ref(), V::MAC);
        Start::Nonce(block, len)
    };
    hash_all(t, &keys.mac, tag_len, messages, begin, |message, tag| {
        message.set_tag(tag);
    });
}

/// [`open`](super::open) of each message.
#[inline(always)]
pub(crate) fn open_many<T: ChaCha20Blake2b, V: Variant, M: Message<V::Nonce>>(
    t: T,
    keys: &Keys,
    tag_len: usize,
    messages: &mut [M],
) {
    let begin = |message: &mut M| {
        let (block, len) = derivation_block(message.nonce().as_ref(), V::MAC);
        Start::Nonce(block, len)
    };
    hash_all(t, &keys.mac, tag_len, messages, begin, |message, tag| {
        let authentic = verify(tag, message.expected());
        if authentic {
            let matrix = V::matrix(t, &keys.encryption, message.nonce());
            t.chacha20_xor(&matrix, 0, message.text_mut());
        } else {
            secret::wipe(message.text_mut());
        }
        message.set_authentic(authentic);
    });
}

/// [`seal_siv`](super::seal_siv) of each message.
#[inline(always)]
pub(crate) fn seal_siv_many<T: ChaCha20Blake2b, M: Message<()>>(
    t: T,
    keys: &Keys,
    tag_len: usize,
    messages: &mut [M],
) {
    hash_all(
        t,
        &keys.mac,
        tag_len,
        messages,
        |_| Start::Message,
        |message, tag| {
            let matrix = Siv::matrix(t, &keys.encryption, &siv_nonce(tag));
            t.chacha20_xor(&matrix, 0, message.text_mut());
            message.set_tag(tag);
        },
    );
}

/// [`open_siv`](super::open_siv) of each message.
#[inline(always)]
pub(crate) fn open_siv_many<T: ChaCha20Blake2b, M: Message<()>>(
    t: T,
    keys: &Keys,
    tag_len: usize,
    messages: &mut [M],
) {
    let begin = |message: &mut M| {
        let matrix = Siv::matrix(t, &keys.encryption, &siv_nonce(message.expected()));
        t.chacha20_xor(&matrix, 0, message.text_mut());
        Start::Message
    };
    hash_all(t, &keys.mac, tag_len, messages, begin, |message, tag| {
        let authentic = verify(tag, message.expected());
        if !authentic {
            secret::wipe(message.text_mut());
        }
        message.set_authentic(authentic);
    });
}
