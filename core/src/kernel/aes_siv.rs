//! Steps of AES-SIV (RFC 5297): the trait of a tier.
//!
//! In the chain of CMAC, each block waits for the one before; the counters of CTR wait for nothing.
//! So a tier makes the chain fast, with CTR beside it, and with many chains side by side.

mod portable;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod vectors;

use super::Block;
use super::aes::Aes;

/// The most lanes of any tier. Those of each are a power of two.
pub(crate) const MAX_LANES: usize = 32;

/// CMAC's chain and CTR, with keys of `KEY_LEN` bytes each: half of AES-SIV's.
pub(crate) trait AesSiv<const KEY_LEN: usize>: Aes<KEY_LEN> {
    /// As many chains side by side as keep the AES unit busy.
    const LANES: usize;

    /// For each block in turn, `state` becomes the encryption of itself XORed with the block.
    fn cbc_mac(self, keys: &Self::RoundKeys, state: &mut Block, blocks: &[Block]);

    /// XORs the keystream into `in_out`, or writes `from`, which is as long, XORed with it. The
    /// counter is big-endian and public. Its low 64 bits have the highest bit clear, and do not
    /// wrap within 2^67 bytes.
    fn ctr_xor(
        self,
        keys: &Self::RoundKeys,
        counter: &Block,
        from: Option<&[u8]>,
        in_out: &mut [u8],
    );

    /// [`ctr_xor`](Self::ctr_xor) of whole blocks under `ctr_keys`, and [`cbc_mac`](Self::cbc_mac)
    /// of the result under `mac_keys`.
    #[inline(always)]
    fn ctr_xor_and_cbc_mac(
        self,
        ctr_keys: &Self::RoundKeys,
        counter: &Block,
        from: Option<&[Block]>,
        in_out: &mut [Block],
        mac_keys: &Self::RoundKeys,
        state: &mut Block,
    ) {
        let from = from.map(<[Block]>::as_flattened);
        self.ctr_xor(ctr_keys, counter, from, in_out.as_flattened_mut());
        self.cbc_mac(mac_keys, state, in_out);
    }

    /// Encrypts any number of blocks, each on its own.
    fn encrypt_all(self, keys: &Self::RoundKeys, blocks: &mut [Block]);

    /// Chains side by side, from states of zeros on. A row of `rows` is a block of each of the
    /// [`LANES`](Self::LANES) lanes, and is replaced by the states of their chains.
    fn cbc_mac_lanes(self, keys: &Self::RoundKeys, rows: &mut [Block]);
}
