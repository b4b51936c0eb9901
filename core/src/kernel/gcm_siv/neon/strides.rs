//! The loops over strides of blocks, written once for CPUs with and without EOR3: the
//! compiler makes it of two sums.

/// Defines `ctr32_xor` and `decrypt_and_hash` for a tier, with `$products` of POLYVAL.
macro_rules! strides {
    ($tier:ident, $features:literal, $products:ident) => {
        use core::arch::aarch64::*;
        use $crate::kernel::Block;
        use $crate::kernel::aes::RoundKeys;
        use $crate::kernel::gcm_siv::Sealed;
        use $crate::kernel::gcm_siv::steps::MessageKeys;
        use $crate::kernel::gcm_siv::ctr32::first_rounds::{FirstRounds, WORTHWHILE_LEN};
        use $crate::kernel::gcm_siv::ctr32::neon::{
            Keystream, Parts, STRIDE, Stride, TableRoom, first_rounds,
        };
        use $crate::kernel::polyval::neon::$products::{GROUP, Horner, Powers, Product};
        use $crate::tier::bytes::{load128, store128};
        use $crate::tier::kernel;

        kernel! {
            pub(in $crate::kernel) fn ctr32_xor[const ROUND_KEYS: usize](
                tier: $tier,
                keys: &RoundKeys<ROUND_KEYS>,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                if in_out.len() < WORTHWHILE_LEN {
                    let mut keystream = Keystream::<_, false>::new(keys, counter, FirstRounds::NONE);
                    xor(&mut keystream, from, in_out);
                } else {
                    let mut room = TableRoom::new();
                    let table = first_rounds(keys, counter, &mut room);
                    let mut keystream = Keystream::<_, true>::new(keys, counter, table);
                    xor(&mut keystream, from, in_out);
                }
            }
        }

        /// XORs the keystream into `in_out`, or into `from` on the way there.
        #[inline]
        #[target_feature(enable = $features)]
        fn xor<const ROUND_KEYS: usize, const LOOK_UP: bool>(
            keystream: &mut Keystream<'_, ROUND_KEYS, LOOK_UP>,
            from: Option<&[u8]>,
            in_out: &mut [u8],
        ) {
            let parts = Parts::of(keystream.head_len(), from, in_out);
            keystream.xor_few(parts.head_from, parts.head);
            let mut from = parts.strides_from.map(<[_]>::iter);
            for stride in parts.strides {
                xor_stride(keystream, from.as_mut().and_then(Iterator::next), stride);
            }
            keystream.xor_few(parts.rest_from, parts.rest);
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn xor_stride<const ROUND_KEYS: usize, const LOOK_UP: bool>(
            keystream: &mut Keystream<'_, ROUND_KEYS, LOOK_UP>,
            from: Option<&Stride>,
            stride: &mut Stride,
        ) {
            let states = keystream.next(|_| ());
            last_rounds(states, keystream.last_key(), from, stride);
        }

        /// The last round key with the text in it.
        #[inline]
        #[target_feature(enable = $features)]
        fn last_rounds(
            states: [uint8x16_t; STRIDE],
            key: uint8x16_t,
            from: Option<&Stride>,
            stride: &mut Stride,
        ) {
            for (i, (block, state)) in stride.iter_mut().zip(states).enumerate() {
                let text = load128(from.map_or(&*block, |from| &from[i]));
                store128(block, veorq_u8(veorq_u8(state, key), text));
            }
        }

        kernel! {
            pub(in $crate::kernel) fn decrypt_and_hash[const ROUND_KEYS: usize](
                tier: $tier,
                keys: &MessageKeys<RoundKeys<ROUND_KEYS>>,
                message: Sealed<'_>,
            ) -> Block {
                let Sealed { counter, aad, from, in_out, length_block, .. } = message;
                let longest = aad.len().max(in_out.len());
                let powers = Powers::new(&keys.authentication.0, longest.div_ceil(16));
                let mut sum = Horner::start(&powers, aad);
                let keys = &keys.encryption;
                if in_out.len() < WORTHWHILE_LEN {
                    let mut keystream = Keystream::<_, false>::new(keys, counter, FirstRounds::NONE);
                    decrypt_beside(&mut keystream, &powers, &mut sum, from, in_out);
                } else {
                    let mut room = TableRoom::new();
                    let table = first_rounds(keys, counter, &mut room);
                    let mut keystream = Keystream::<_, true>::new(keys, counter, table);
                    decrypt_beside(&mut keystream, &powers, &mut sum, from, in_out);
                }
                sum.finish(&powers, length_block)
            }
        }

        /// Decrypts `from` or `in_out`, and absorbs the plaintext, one stride after its
        /// decryption: AES and the multiplications then always have independent work.
        #[inline]
        #[target_feature(enable = $features)]
        fn decrypt_beside<const ROUND_KEYS: usize, const LOOK_UP: bool>(
            keystream: &mut Keystream<'_, ROUND_KEYS, LOOK_UP>,
            powers: &Powers,
            sum: &mut Horner,
            from: Option<&[u8]>,
            in_out: &mut [u8],
        ) {
            let parts = Parts::of(keystream.head_len(), from, in_out);
            keystream.xor_few(parts.head_from, parts.head);
            sum.absorb(powers, parts.head);
            let mut from = parts.strides_from.map(<[_]>::iter);
            let mut strides = parts.strides.iter_mut();
            let mut last = strides.next().map(|first| {
                let from = from.as_mut().and_then(Iterator::next);
                keystream.xor_few(from.map(|from| from.as_flattened()), first.as_flattened_mut());
                &*first
            });
            for stride in strides {
                if let Some(last) = last {
                    let from = from.as_mut().and_then(Iterator::next);
                    decrypt_stride(keystream, powers, sum, from, stride, last);
                }
                last = Some(stride);
            }
            keystream.xor_few(parts.rest_from, parts.rest);
            if let Some(last) = last {
                sum.absorb(powers, last.as_flattened());
            }
            sum.absorb(powers, parts.rest);
        }

        /// Decrypts a stride, `from` or `stride` itself, and absorbs `last`, the one before
        /// it.
        #[inline]
        #[target_feature(enable = $features)]
        fn decrypt_stride<const ROUND_KEYS: usize, const LOOK_UP: bool>(
            keystream: &mut Keystream<'_, ROUND_KEYS, LOOK_UP>,
            powers: &Powers,
            sum: &mut Horner,
            from: Option<&Stride>,
            stride: &mut Stride,
            last: &Stride,
        ) {
            let mut product = Product::zero();
            // One product a round: AES-128 has eight rounds here if two are looked up.
            let states = keystream.next(|round| {
                if round < GROUP {
                    let x = if round == 0 { sum.0 } else { load128(&last[round - 1]) };
                    let (power, across) = powers.step(GROUP - round);
                    product.add(x, power, across);
                }
            });
            last_rounds(states, keystream.last_key(), from, stride);
            sum.0 = veorq_u8(product.reduce(), load128(&last[GROUP - 1]));
        }

        const _: () = assert!(GROUP == STRIDE);
    };
}
pub(super) use strides;
