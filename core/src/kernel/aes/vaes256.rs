//! AES on the 256-bit VAES tier: still the 128-bit kernel.

use super::Aes;
use super::round_keys::RoundKeys;
use crate::kernel::Block;
use crate::tier::Vaes256;

macro_rules! impl_aes {
    ($key_len:literal, $round_keys:literal) => {
        impl Aes<$key_len> for Vaes256 {
            type RoundKeys = RoundKeys<$round_keys>;

            #[inline(always)]
            fn expand(self, key: &[u8; $key_len]) -> Self::RoundKeys {
                self.avx2().expand(key)
            }

            #[inline(always)]
            fn encrypt_blocks<const N: usize>(
                self,
                keys: &Self::RoundKeys,
                blocks: &mut [Block; N],
            ) {
                Aes::<$key_len>::encrypt_blocks(self.avx2(), keys, blocks);
            }

            #[inline(always)]
            fn ctr32_xor(self, keys: &Self::RoundKeys, counter: &Block, in_out: &mut [u8]) {
                Aes::<$key_len>::ctr32_xor(self.avx2(), keys, counter, in_out);
            }
        }
    };
}
impl_aes!(16, 11);
impl_aes!(32, 15);
