//! The three AEADs under one interface, for keys.

use super::batch::{self, Lanes, Work};
use super::brief::Blocks;
use super::keyed::OnTier;
use super::{
    Extended, Short, Siv, Subkeys, TagBytes, Variant, expand, expand_siv, open, open_siv, seal,
    seal_siv,
};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;
use crate::mode::batch::{Batch, through_table};

/// One AEAD of the family. The caller has checked the lengths; `tag_len` is that of the key.
pub trait Construction: 'static {
    /// An array, of no bytes for SIV.
    type Nonce;

    /// Key set-up.
    fn expand<T: ChaCha20Blake2b>(t: T, key: &[u8; 32], tag_len: usize) -> Subkeys;

    /// Encrypts `in_out` and returns its tag in the first `tag_len` bytes.
    fn seal<T: ChaCha20Blake2b>(
        t: T,
        keys: &Subkeys,
        tag_len: usize,
        nonce: &Self::Nonce,
        aad: &[u8],
        in_out: &mut [u8],
    ) -> TagBytes;

    /// Decrypts `in_out` and says whether its tag is right; if not, `in_out` is zeros.
    fn open<T: ChaCha20Blake2b>(
        t: T,
        keys: &Subkeys,
        nonce: &Self::Nonce,
        aad: &[u8],
        in_out: &mut [u8],
        tag: &[u8],
    ) -> bool;

    /// [`seal`](Self::seal) or [`open`](Self::open) of each message.
    fn crypt_batch<T: ChaCha20Blake2b>(
        t: T,
        keys: &Subkeys,
        tag_len: usize,
        batch: &mut Batch<'_, '_, Self::Nonce>,
    );
}

macro_rules! with_nonce {
    ($($variant:ident)*) => { $(
        impl Construction for $variant {
            type Nonce = <Self as Variant>::Nonce;

            #[inline(always)]
            fn expand<T: ChaCha20Blake2b>(t: T, key: &[u8; 32], _tag_len: usize) -> Subkeys {
                expand::<T, Self>(t, key)
            }

            #[inline(always)]
            fn seal<T: ChaCha20Blake2b>(
                t: T,
                keys: &Subkeys,
                tag_len: usize,
                nonce: &Self::Nonce,
                aad: &[u8],
                in_out: &mut [u8],
            ) -> TagBytes {
                seal::<T, Self>(t, keys, tag_len, nonce, aad, in_out)
            }

            #[inline(always)]
            fn open<T: ChaCha20Blake2b>(
                t: T,
                keys: &Subkeys,
                nonce: &Self::Nonce,
                aad: &[u8],
                in_out: &mut [u8],
                tag: &[u8],
            ) -> bool {
                open::<T, Self>(t, keys, nonce, aad, in_out, tag)
            }

            #[inline(always)]
            fn crypt_batch<T: ChaCha20Blake2b>(
                t: T,
                keys: &Subkeys,
                tag_len: usize,
                batch: &mut Batch<'_, '_, Self::Nonce>,
            ) {
                through_table!(let kernels: &dyn super::keyed::Keyed<_> = &OnTier::<_, Self>::new(t, keys));
                let work = Work {
                    lanes: &mut Lanes::new(keys),
                    blocks: &mut Blocks::new(),
                };
                batch::crypt::<Self>(kernels, keys, tag_len, work, batch);
            }
        }
    )* };
}
with_nonce!(Short Extended);

impl Construction for Siv {
    type Nonce = [u8; 0];

    #[inline(always)]
    fn expand<T: ChaCha20Blake2b>(t: T, key: &[u8; 32], tag_len: usize) -> Subkeys {
        expand_siv(t, key, tag_len)
    }

    #[inline(always)]
    fn seal<T: ChaCha20Blake2b>(
        t: T,
        keys: &Subkeys,
        _tag_len: usize,
        _nonce: &[u8; 0],
        aad: &[u8],
        in_out: &mut [u8],
    ) -> TagBytes {
        seal_siv(t, keys, aad, in_out)
    }

    #[inline(always)]
    fn open<T: ChaCha20Blake2b>(
        t: T,
        keys: &Subkeys,
        _nonce: &[u8; 0],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &[u8],
    ) -> bool {
        open_siv(t, keys, aad, in_out, tag)
    }

    #[inline(always)]
    fn crypt_batch<T: ChaCha20Blake2b>(
        t: T,
        keys: &Subkeys,
        tag_len: usize,
        batch: &mut Batch<'_, '_, [u8; 0]>,
    ) {
        through_table!(let kernels: &dyn super::keyed::Keyed<_> = &OnTier::<_, Self>::new(t, keys));
        let work = Work { lanes: &mut Lanes::new(keys), blocks: &mut Blocks::new() };
        batch::crypt_siv(kernels, keys, tag_len, work, batch);
    }
}
