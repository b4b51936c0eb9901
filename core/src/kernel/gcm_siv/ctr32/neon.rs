//! CTR of RFC 8452 on the AES instructions of AArch64, eight blocks in flight.

use super::first_rounds::{FirstRounds, without_low_byte};
use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::kernel::aes::neon::rounds;
use crate::tier::bytes::{load128, load128_padded, store128, store128_partial};
use crate::tier::secret;
use core::arch::aarch64::*;

/// Blocks in flight: the latency of AESE and AESMC times their throughput, rounded up.
pub(in crate::kernel) const STRIDE: usize = 8;

/// The first two rounds of one block, without the third round key.
#[inline]
#[target_feature(enable = "neon,aes")]
fn two_rounds<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    block: uint8x16_t,
) -> uint8x16_t {
    let state = vaesmcq_u8(vaeseq_u8(block, load128(&keys.0[0])));
    vaesmcq_u8(vaeseq_u8(state, load128(&keys.0[1])))
}

/// `counter` plus `blocks`, modulo 2^32.
#[inline]
#[target_feature(enable = "neon")]
fn count_on(counter: uint8x16_t, blocks: u8) -> uint8x16_t {
    let blocks = load128(&u128::from(blocks).to_le_bytes());
    let sum = vaddq_u32(vreinterpretq_u32_u8(counter), vreinterpretq_u32_u8(blocks));
    vreinterpretq_u8_u32(sum)
}

/// Memory for a table of the first two rounds.
pub(in crate::kernel) type TableRoom = secret::Room<64>;

/// The table of the first two rounds for a message that begins with `counter`.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(in crate::kernel) fn first_rounds<'a, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counter: &Block,
    room: &'a mut TableRoom,
) -> FirstRounds<'a> {
    let mut counter = load128(&without_low_byte(counter));
    FirstRounds::new(room, || {
        let mut blocks = [0; 64];
        for block in blocks.as_chunks_mut().0 {
            store128(block, two_rounds(keys, counter));
            counter = count_on(counter, 1);
        }
        blocks
    })
}

/// A keystream: the round keys and a counter.
pub(in crate::kernel) struct Keystream<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> {
    keys: &'a RoundKeys<ROUND_KEYS>,
    counter: uint8x16_t,
    /// The lowest byte of the counter.
    low: usize,
    table: FirstRounds<'a>,
    /// The third round key, with the common part of the first rounds since the lowest byte last
    /// wrapped, which is not in the table: AESE adds it at no cost.
    third_key: uint8x16_t,
    /// Whether the lowest byte has wrapped since `third_key` was made.
    wrapped: bool,
}

impl<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> Keystream<'a, ROUND_KEYS, LOOK_UP> {
    /// Starts at `counter`, whose first four bytes count, little-endian, modulo 2^32.
    /// `table` is [`FirstRounds::NONE`], or, to `LOOK_UP`, was made for this message.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in crate::kernel) fn new(
        keys: &'a RoundKeys<ROUND_KEYS>,
        counter: &Block,
        table: FirstRounds<'a>,
    ) -> Self {
        Self {
            keys,
            counter: load128(counter),
            low: usize::from(counter[0]),
            table,
            third_key: load128(&keys.0[2]),
            wrapped: false,
        }
    }

    /// How many bytes of text come before a counter that is a multiple of [`STRIDE`]: from
    /// there on no stride looks up beyond the table.
    #[inline(always)]
    pub(in crate::kernel) fn head_len(&self) -> usize {
        if LOOK_UP { 16 * (self.low.wrapping_neg() % STRIDE) } else { 0 }
    }

    /// The next counters after every round but for the last round key; `beside` as for
    /// [`rounds`]. After the head.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    pub(in crate::kernel) fn next(&mut self, beside: impl FnMut(usize)) -> [uint8x16_t; STRIDE] {
        if LOOK_UP {
            let states = self.look_up();
            rounds::<STRIDE, ROUND_KEYS, 2>(self.keys, self.third_key, states, beside)
        } else {
            let states = self.counters();
            self.advance(STRIDE);
            rounds::<STRIDE, ROUND_KEYS, 0>(self.keys, load128(&self.keys.0[0]), states, beside)
        }
    }

    /// The counters from here.
    #[inline]
    #[target_feature(enable = "neon")]
    fn counters<const N: usize>(&self) -> [uint8x16_t; N] {
        let mut states = [self.counter; N];
        for (i, state) in (0..).zip(&mut states) {
            *state = count_on(self.counter, i);
        }
        states
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn advance(&mut self, blocks: usize) {
        self.counter = count_on(self.counter, blocks as u8);
        if LOOK_UP {
            self.low += blocks;
            self.wrapped |= self.low >= 256;
            self.low %= 256;
        }
    }

    /// The next counters after two rounds.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn look_up(&mut self) -> [uint8x16_t; STRIDE] {
        if self.wrapped {
            self.wrapped = false;
            let state = two_rounds(self.keys, self.counter);
            let common = veorq_u8(state, load128(self.table.block(self.low)));
            self.third_key = veorq_u8(common, load128(&self.keys.0[2]));
        }
        let mut states = self.counters();
        match self.table.vectors::<16, STRIDE>(self.low) {
            Some(rounds) => {
                for (state, round) in states.iter_mut().zip(rounds) {
                    *state = load128(round);
                }
            }
            // Not after the head, where strides are aligned as the table is.
            None => {
                let common = veorq_u8(self.third_key, load128(&self.keys.0[2]));
                for state in &mut states {
                    *state = veorq_u8(two_rounds(self.keys, *state), common);
                }
            }
        }
        self.advance(STRIDE);
        states
    }

    /// The key that is still to be added to the result of [`Keystream::next`].
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in crate::kernel) fn last_key(&self) -> uint8x16_t {
        load128(&self.keys.0[ROUND_KEYS - 1])
    }

    /// Up to `N` blocks, the last of them perhaps cut short.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn xor_up_to<const N: usize>(&mut self, in_out: &mut [u8]) {
        let first = load128(&self.keys.0[0]);
        let states = rounds::<N, ROUND_KEYS, 0>(self.keys, first, self.counters(), |_| ());
        self.advance(in_out.len().div_ceil(16));
        for (piece, state) in in_out.chunks_mut(16).zip(states) {
            let key = veorq_u8(state, self.last_key());
            match <&mut Block>::try_from(&mut *piece) {
                Ok(block) => store128(block, veorq_u8(key, load128(block))),
                Err(_) => store128_partial(piece, veorq_u8(key, load128_padded(piece))),
            }
        }
    }

    /// XORs keystream into up to a stride, or into `from` on the way there.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    pub(in crate::kernel) fn xor_few(&mut self, from: Option<&[u8]>, in_out: &mut [u8]) {
        if let Some(from) = from {
            in_out.copy_from_slice(from);
        }
        match in_out.len().div_ceil(16) {
            0 => {}
            1 => self.xor_up_to::<1>(in_out),
            2 => self.xor_up_to::<2>(in_out),
            3 | 4 => self.xor_up_to::<4>(in_out),
            _ => self.xor_up_to::<8>(in_out),
        }
    }
}

/// The blocks of a stride.
pub(in crate::kernel) type Stride = [Block; STRIDE];

/// A text, and its input if that is elsewhere.
pub(in crate::kernel) struct Parts<'a> {
    pub(in crate::kernel) head_from: Option<&'a [u8]>,
    pub(in crate::kernel) head: &'a mut [u8],
    pub(in crate::kernel) strides_from: Option<&'a [Stride]>,
    pub(in crate::kernel) strides: &'a mut [Stride],
    pub(in crate::kernel) rest_from: Option<&'a [u8]>,
    /// Shorter than a stride.
    pub(in crate::kernel) rest: &'a mut [u8],
}

impl<'a> Parts<'a> {
    /// The parts of `in_out` with a head of up to `head_len` bytes.
    #[inline(always)]
    pub(in crate::kernel) fn of(
        head_len: usize,
        from: Option<&'a [u8]>,
        in_out: &'a mut [u8],
    ) -> Self {
        let head_len = head_len.min(in_out.len());
        let (head, text) = in_out.split_at_mut(head_len);
        let (blocks, _) = text.as_chunks::<16>();
        let (strides, rest) = text.split_at_mut(blocks.len() / STRIDE * STRIDE * 16);
        let from = from.map(|from| {
            let (head, text) = from.split_at(head_len);
            let (strides, rest) = text.split_at(strides.len());
            (head, strides.as_chunks().0.as_chunks().0, rest)
        });
        Self {
            head_from: from.map(|(head, ..)| head),
            head,
            strides_from: from.map(|(_, strides, _)| strides),
            strides: strides.as_chunks_mut().0.as_chunks_mut().0,
            rest_from: from.map(|(.., rest)| rest),
            rest,
        }
    }
}
