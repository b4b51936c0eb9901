//! RustCrypto's `cipher` traits, so that their modes run on this key.

use super::Kuznyechik;
use crate::kernel::Block;
use cipher::array::Array;
use cipher::consts::{U16, U32, U64};
use cipher::inout::{InOut, InOutBuf};
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, Key, KeyInit, KeySizeUser, ParBlocks,
    ParBlocksSizeUser,
};

impl KeySizeUser for Kuznyechik {
    type KeySize = U32;
}

impl KeyInit for Kuznyechik {
    fn new(key: &Key<Self>) -> Self {
        Self::new(&key.0)
    }
}

impl BlockSizeUser for Kuznyechik {
    type BlockSize = U16;
}

impl BlockCipherEncrypt for Kuznyechik {
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        f.call(&Backend(self));
    }
}

impl BlockCipherDecrypt for Kuznyechik {
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        f.call(&Backend(self));
    }
}

/// These traits cannot report an error: a key whose tier failed its known-answer check
/// leaves no way but to stop.
const FAILED: &str = "the tier's kernels passed their known-answer check";

struct Backend<'a>(&'a Kuznyechik);

impl BlockSizeUser for Backend<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Backend<'_> {
    type ParBlocksSize = U64;
}

/// Makes an apart pair of buffers an in-place one.
fn copy_in_to_out<'a>(mut buffer: InOutBuf<'_, 'a, cipher::Block<Kuznyechik>>) -> &'a mut [Block] {
    for mut block in buffer.reborrow() {
        *block.get_out() = block.clone_in();
    }
    Array::cast_slice_to_core_mut(buffer.into_out())
}

/// Implements the trait of a direction by the calls of the key with the same names.
macro_rules! backend {
    ($trait:ident: $block:ident $par_blocks:ident $tail_blocks:ident, $blocks:ident) => {
        impl $trait for Backend<'_> {
            fn $block(&self, mut block: InOut<'_, '_, cipher::Block<Kuznyechik>>) {
                *block.get_out() = block.clone_in();
                self.0.$block(&mut block.get_out().0).expect(FAILED);
            }

            fn $par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.$tail_blocks(blocks.into_buf());
            }

            fn $tail_blocks(&self, blocks: InOutBuf<'_, '_, cipher::Block<Kuznyechik>>) {
                self.0.$blocks(copy_in_to_out(blocks)).expect(FAILED);
            }
        }
    };
}
backend! {
    BlockCipherEncBackend: encrypt_block encrypt_par_blocks encrypt_tail_blocks, encrypt_blocks
}
backend! {
    BlockCipherDecBackend: decrypt_block decrypt_par_blocks decrypt_tail_blocks, decrypt_blocks
}
