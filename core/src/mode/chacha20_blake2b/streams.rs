//! The keystreams of a batch: those of short texts are made side by side.
//!
//! Where the hash is of the ciphertext, or of a plaintext that is to be opened, messages are
//! encrypted together before they enter a lane ([`Ahead`]). Where the keystream comes last,
//! texts wait for each other ([`Waiting`]).

use super::keyed::Keyed;
use crate::kernel::chacha20::MAX_STREAMS;
use crate::mode::batch::{Batch, WINDOW};
use core::mem;

/// Messages of a window that go through the lanes each by itself.
pub(super) struct Rest([u64; WINDOW / 64]);

impl Rest {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self([0; WINDOW / 64])
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, message: usize) {
        self.0[message / 64] |= 1 << (message % 64);
    }
}

/// Takes the lowest number.
impl Iterator for Rest {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let (i, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(64 * i + bit)
    }
}

/// Messages whose texts wait for their keystreams.
pub(super) struct Waiting {
    /// Their numbers, which rise.
    messages: [usize; MAX_STREAMS],
    count: usize,
}

impl Waiting {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { messages: [0; MAX_STREAMS], count: 0 }
    }

    /// XORs its keystream into the text of a message, at the latest in
    /// [`finish`](Self::finish). `nonce_of` finds the nonce.
    #[inline(always)]
    pub(super) fn push<K: Copy + Default, N: AsRef<[u8]>>(
        &mut self,
        kernels: &(impl Keyed<K> + ?Sized),
        batch: &mut Batch<'_, '_, N>,
        message: usize,
        nonce_of: impl Fn(&Batch<'_, '_, N>, usize) -> K,
    ) {
        let (_, text_len) = batch.lens(message);
        if text_len == 0 {
            return;
        }
        let limits = kernels.stream_limits();
        if text_len > limits.longest {
            return xor_one(kernels, batch, message, nonce_of);
        }
        // Most come in order.
        let mut place = self.count;
        while place > 0 && self.messages[place - 1] > message {
            self.messages[place] = self.messages[place - 1];
            place -= 1;
        }
        self.messages[place] = message;
        self.count += 1;
        if self.count == limits.most {
            self.finish(kernels, batch, nonce_of);
        }
    }

    #[inline(never)]
    pub(super) fn finish<K: Copy + Default, N: AsRef<[u8]>>(
        &mut self,
        kernels: &(impl Keyed<K> + ?Sized),
        batch: &mut Batch<'_, '_, N>,
        nonce_of: impl Fn(&Batch<'_, '_, N>, usize) -> K,
    ) {
        let count = mem::take(&mut self.count);
        let messages = &self.messages[..count];
        if count < kernels.stream_limits().fewest {
            for message in messages {
                xor_one(kernels, batch, *message, &nonce_of);
            }
            return;
        }
        let mut nonces = [K::default(); MAX_STREAMS];
        for (nonce, message) in nonces.iter_mut().zip(messages) {
            *nonce = nonce_of(batch, *message);
        }
        let mut texts = <[&mut [u8]; MAX_STREAMS]>::default();
        batch.rising_texts(messages, &mut texts);
        kernels.xor_streams(&nonces[..count], &mut texts[..count]);
    }
}

/// XORs its keystream into the text of one message.
#[inline(always)]
pub(super) fn xor_one<K, N: AsRef<[u8]>>(
    kernels: &(impl Keyed<K> + ?Sized),
    batch: &mut Batch<'_, '_, N>,
    message: usize,
    nonce_of: impl Fn(&Batch<'_, '_, N>, usize) -> K,
) {
    let nonce = nonce_of(batch, message);
    kernels.xor_keystream(&nonce, batch.text(message));
}

/// Messages that are encrypted before they enter a lane.
pub(super) struct Ahead {
    messages: [usize; MAX_STREAMS],
    /// Those of them that are left.
    next: usize,
    count: usize,
}

impl Ahead {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { messages: [0; MAX_STREAMS], next: 0, count: 0 }
    }

    /// One of the rest, encrypted in place.
    #[inline(always)]
    pub(super) fn next<K: Copy + Default, N: AsRef<[u8]>>(
        &mut self,
        kernels: &(impl Keyed<K> + ?Sized),
        batch: &mut Batch<'_, '_, N>,
        rest: &mut Rest,
        nonce_of: impl Fn(&Batch<'_, '_, N>, usize) -> K,
    ) -> Option<usize> {
        let limits = kernels.stream_limits();
        let is_long = |batch: &Batch<'_, '_, N>, message| batch.lens(message).1 > limits.longest;
        if self.next == self.count {
            let mut waiting = Waiting::new();
            (self.next, self.count) = (0, 0);
            for (place, message) in self.messages[..limits.most].iter_mut().zip(rest) {
                *place = message;
                self.count += 1;
                if !is_long(batch, message) {
                    batch.bring_in_place(message);
                    waiting.push(kernels, batch, message, &nonce_of);
                }
            }
            waiting.finish(kernels, batch, &nonce_of);
        }
        let message = *self.messages[..self.count].get(self.next)?;
        self.next += 1;
        // A long one would leave the cache before its hash.
        if is_long(batch, message) {
            batch.bring_in_place(message);
            xor_one(kernels, batch, message, nonce_of);
        }
        Some(message)
    }
}

/// XORs its keystream into the text of each message.
#[inline(always)]
pub(super) fn xor<K: Copy + Default, N: AsRef<[u8]>>(
    kernels: &(impl Keyed<K> + ?Sized),
    batch: &mut Batch<'_, '_, N>,
    messages: &[usize],
    nonce_of: impl Fn(&Batch<'_, '_, N>, usize) -> K,
) {
    let mut waiting = Waiting::new();
    for message in messages {
        waiting.push(kernels, batch, *message, &nonce_of);
    }
    waiting.finish(kernels, batch, nonce_of);
}
