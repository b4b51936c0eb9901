//! The tier of a batch, with its key.

use super::{Subkeys, Variant};
use crate::kernel::blake2b::{Run, State};
use crate::kernel::chacha20::{BLOCK_LEN, MAX_STREAMS};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;
use core::marker::PhantomData;

/// More lanes than any tier has.
pub(super) const MAX_LANES: usize = 8;

/// Which texts have their keystreams made side by side.
pub(super) struct Limits {
    /// How many at once, at most and at least.
    pub(super) most: usize,
    pub(super) fewest: usize,
    /// The longest, in bytes.
    pub(super) longest: usize,
}

/// The kernels of a tier under a key, through a table: each call is for many bytes, so that
/// the table costs little; the code around the calls is compiled once, not for each tier.
pub(super) trait Keyed<N> {
    /// How many hashes are made side by side.
    fn lanes(&self) -> usize;

    fn compress_many(&self, states: &mut [State], runs: &[Run<'_>]);

    /// The keystream of a nonce, from its beginning.
    fn xor_keystream(&self, nonce: &N, in_out: &mut [u8]);

    fn stream_limits(&self) -> Limits;

    /// Those of some nonces, within the limits.
    fn xor_streams(&self, nonces: &[N], texts: &mut [&mut [u8]]);
}

/// A variant's key on a tier.
pub(super) struct OnTier<'k, T, V> {
    tier: T,
    encryption: &'k [u8; 32],
    variant: PhantomData<V>,
}

impl<'k, T, V> OnTier<'k, T, V> {
    #[inline(always)]
    pub(super) fn new(tier: T, keys: &'k Subkeys) -> Self {
        Self { tier, encryption: &keys.encryption, variant: PhantomData }
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

    fn stream_limits(&self) -> Limits {
        const { assert!(T::STREAMS <= MAX_STREAMS) };
        Limits {
            most: T::STREAMS,
            fewest: T::FEWEST,
            // Without HChaCha20, a text that fills the vectors alone has nothing to gain.
            longest: if V::EXTENDED || T::LONGEST < BLOCK_LEN * T::STREAMS {
                T::LONGEST
            } else {
                BLOCK_LEN * T::STREAMS - 1
            },
        }
    }

    fn xor_streams(&self, nonces: &[V::Nonce], texts: &mut [&mut [u8]]) {
        let mut extended = [[0; 24]; MAX_STREAMS];
        for (place, nonce) in extended.iter_mut().zip(nonces) {
            *place = V::stream_nonce(nonce);
        }
        let nonces = &extended[..nonces.len()];
        self.tier.xor_streams(self.encryption, nonces, V::EXTENDED, texts);
    }
}
