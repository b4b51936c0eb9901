//! AES on the 256-bit VAES tier: a handful of blocks is no work for wide vectors.

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
        }
    };
}
impl_aes!(16, 11);
impl_aes!(24, 13);
impl_aes!(32, 15);
