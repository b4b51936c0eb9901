//! AES-GCM-SIV on VAES and VPCLMULQDQ, 512 bits wide.

use super::{GcmSiv, MessageKeys};
use crate::kernel::Block;
use crate::kernel::aes::Aes;
use crate::kernel::aes::avx512::{Keystream, SHORT_LEN, STRIDE, encrypt_vector};
use crate::kernel::aes::round_keys::RoundKeys;
use crate::kernel::polyval::Polyval;
use crate::kernel::polyval::avx512::{GROUP, Horner, Powers, Product};
use crate::tier::bytes::{load128, load512, store128, store512};
use crate::tier::{Avx512, kernel, secret};
use core::arch::x86_64::*;

macro_rules! impl_gcm_siv {
    ($key_len:literal) => {
        impl GcmSiv<$key_len> for Avx512 {
            #[inline(always)]
            fn derive(
                self,
                keys: &Self::RoundKeys,
                nonce: &[u8; 12],
            ) -> MessageKeys<Self::RoundKeys> {
                let mut derived = derive(self, keys, nonce);
                let mut authentication = derived[0];
                let encryption_key = derived[1..].as_flattened().first_chunk::<$key_len>();
                let encryption = self.expand(encryption_key.unwrap_or(&[0; $key_len]));
                let keys = MessageKeys {
                    authentication,
                    encryption,
                };
                secret::wipe(derived.as_flattened_mut());
                secret::wipe(&mut authentication);
                keys
            }

            #[inline(always)]
            fn decrypt_and_hash(
                self,
                keys: &MessageKeys<Self::RoundKeys>,
                counter: &Block,
                aad: &[u8],
                in_out: &mut [u8],
                length_block: &Block,
            ) -> Block {
                if in_out.len() <= SHORT_LEN {
                    Aes::<$key_len>::ctr32_xor(self, &keys.encryption, counter, in_out);
                    self.polyval(&keys.authentication, aad, in_out, length_block)
                } else {
                    decrypt_and_hash(self, keys, counter, aad, in_out, length_block)
                }
            }
        }
    };
}
impl_gcm_siv!(16);
impl_gcm_siv!(32);

kernel! {
    /// The first halves of the encryptions of six counters with the nonce.
    fn derive[const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, nonce: &[u8; 12],
    ) -> [[u8; 16]; 3] {
        let mut block = [0; 16];
        block[4..].copy_from_slice(nonce);
        let nonce = _mm512_broadcast_i32x4(load128(&block));
        let first = _mm512_or_si512(nonce, _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0));
        let second = _mm512_or_si512(nonce, _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 4));
        let first = encrypt_vector(keys, first);
        let second = if ROUND_KEYS == 11 { first } else { encrypt_vector(keys, second) };
        let even_words = _mm512_set_epi64(0, 0, 10, 8, 6, 4, 2, 0);
        let halves = _mm512_permutex2var_epi64(first, even_words, second);
        let mut out = [[0; 16]; 3];
        store128(&mut out[0], _mm512_castsi512_si128(halves));
        store128(&mut out[1], _mm512_extracti32x4_epi32::<1>(halves));
        store128(&mut out[2], _mm512_extracti32x4_epi32::<2>(halves));
        out
    }
}

/// Vectors that are decrypted and hashed together: one group of POLYVAL.
type Group = [[u8; 64]; GROUP];

kernel! {
    fn decrypt_and_hash[const ROUND_KEYS: usize](
        tier: Avx512,
        keys: &MessageKeys<RoundKeys<ROUND_KEYS>>,
        counter: &Block,
        aad: &[u8],
        in_out: &mut [u8],
        length_block: &Block,
    ) -> Block {
        let longest = aad.len().max(in_out.len());
        let powers = Powers::new(&keys.authentication, longest.div_ceil(64));
        let mut sum = Horner::start(&powers, aad);
        let mut keystream = Keystream::new(&keys.encryption, counter);
        let whole = in_out.len() - in_out.len() % (64 * GROUP);
        let (groups, rest) = in_out.split_at_mut(whole);
        let (groups, _) = groups.as_chunks_mut::<64>().0.as_chunks_mut::<GROUP>();
        // One group behind: the plaintext of the last group is hashed beside the
        // decryption of this one, so that both units have work.
        let mut pending: Option<&Group> = None;
        for group in groups {
            match pending {
                None => decrypt_group(&mut keystream, group),
                Some(last) => decrypt_group_and_hash(&mut keystream, group, &powers, &mut sum, last),
            }
            pending = Some(group);
        }
        keystream.xor(rest);
        if let Some(last) = pending {
            sum.absorb_group(&powers, &last[..GROUP - 1], load512(&last[GROUP - 1]));
        }
        let tail = sum.absorb(&powers, rest);
        sum.finish(&powers.low, tail, length_block)
    }
}

#[inline]
#[target_feature(enable = "avx512f,vaes")]
fn decrypt_group<const ROUND_KEYS: usize>(
    keystream: &mut Keystream<ROUND_KEYS>,
    group: &mut Group,
) {
    let (strides, _) = group.as_chunks_mut::<STRIDE>();
    for stride in strides {
        keystream.xor_vectors(stride);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq")]
fn decrypt_group_and_hash<const ROUND_KEYS: usize>(
    keystream: &mut Keystream<ROUND_KEYS>,
    group: &mut Group,
    powers: &Powers,
    sum: &mut Horner,
    last: &Group,
) {
    let mut product = Product::zero();
    let (strides, _) = group.as_chunks_mut::<STRIDE>();
    for (i, stride) in strides.iter_mut().enumerate() {
        let states = keystream.next::<STRIDE>();
        for j in i * STRIDE..(i + 1) * STRIDE {
            let (power, power_halves) = powers.step(GROUP - j);
            let x = if j == 0 { sum.0 } else { load512(&last[j - 1]) };
            product.add(x, power, power_halves);
        }
        for (vector, state) in stride.iter_mut().zip(states) {
            store512(vector, keystream.last_round(state, load512(vector)));
        }
    }
    sum.0 = _mm512_xor_si512(product.reduce(), load512(&last[GROUP - 1]));
}
