//! The tier of a batch, with its key.

use super::super::{Construction, Subkeys, matrix};
use crate::kernel::blake2b::{Run, State};
use crate::kernel::chacha20::{BLOCK_LEN, MAX_STREAMS, StreamNonce};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;
use core::marker::PhantomData;

/// More lanes than any tier has.
pub(super) const MAX_LANES: usize = 8;

/// The kernels of a tier under a key, through a table: each call is for many bytes, so that
/// the table costs little; the code around the calls is compiled once, not for each tier.
pub(super) trait Keyed {
    /// How many hashes are made side by side.
    fn lanes(&self) -> usize;

    fn compress_many(&self, states: &mut [State], runs: &[Run<'_>]);

    /// How many keystreams are made side by side, at most.
    fn streams(&self) -> usize;

    /// The longest text, in bytes, whose keystream is made beside others.
    fn longest(&self) -> usize;

    /// The keystreams of some nonces, from their beginnings, for texts within the limits.
    fn xor_streams(&self, nonces: &[StreamNonce], texts: &mut [&mut [u8]]);

    /// That of one.
    fn xor_keystream(&self, nonce: &StreamNonce, in_out: &mut [u8]);
}

/// A key on a tier.
pub(super) struct OnTier<'k, T, C> {
    tier: T,
    encryption: &'k [u8; 32],
    construction: PhantomData<C>,
}

impl<'k, T, C> OnTier<'k, T, C> {
    #[inline(always)]
    pub(super) fn new(tier: T, keys: &'k Subkeys) -> Self {
        Self { tier, encryption: &keys.encryption, construction: PhantomData }
    }
}

impl<T: ChaCha20Blake2b, C: Construction> Keyed for OnTier<'_, T, C> {
    fn lanes(&self) -> usize {
        const { assert!(T::LANES <= MAX_LANES && T::STREAMS <= MAX_STREAMS) };
        T::LANES
    }

    fn compress_many(&self, states: &mut [State], runs: &[Run<'_>]) {
        self.tier.compress_many(states, runs);
    }

    fn streams(&self) -> usize {
        T::STREAMS
    }

    fn longest(&self) -> usize {
        // Without HChaCha20, a text that fills the vectors alone has nothing to gain.
        let most = if C::IS_EXTENDED { usize::MAX } else { BLOCK_LEN * T::STREAMS - 1 };
        T::LONGEST.min(most)
    }

    fn xor_streams(&self, nonces: &[StreamNonce], texts: &mut [&mut [u8]]) {
        if nonces.len() >= T::FEWEST {
            self.tier.xor_streams(self.encryption, nonces, C::IS_EXTENDED, texts);
        } else {
            for (nonce, text) in nonces.iter().zip(texts) {
                self.xor_keystream(nonce, text);
            }
        }
    }

    fn xor_keystream(&self, nonce: &StreamNonce, in_out: &mut [u8]) {
        let matrix = matrix::<T, C>(self.tier, self.encryption, nonce);
        self.tier.chacha20_xor(&matrix, 0, in_out);
    }
}
