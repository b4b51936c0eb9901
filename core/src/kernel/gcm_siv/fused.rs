//! Decryption and POLYVAL in one pass, written once for every width of vector.
//!
//! Plaintext is hashed one group behind its decryption, so that AES and the
//! carry-less multiplier always have independent work: the pass takes as long as
//! the busier of the two, not their sum.

/// Defines `decrypt_and_hash` for a tier from its AES and POLYVAL kernels, which
/// share the shape `Keystream` / `Horner` / `Powers` over vectors of `$vector_len` bytes.
macro_rules! fused {
    ($tier:ident, $features:literal, $module:ident, $vector_len:literal, $load:ident, $store:ident, $xor:ident) => {
        use $crate::kernel::gcm_siv::ctr32::first_rounds::FirstRounds;
        use $crate::kernel::gcm_siv::ctr32::$module::{Keystream, STRIDE};
        use $crate::kernel::polyval::$module::{GROUP, Horner, Powers, Product, in_vectors};

        /// The vectors of one group of POLYVAL.
        type Group = [[u8; $vector_len]; GROUP];

        kernel! {
            fn decrypt_and_hash[const ROUND_KEYS: usize](
                tier: $tier,
                keys: &MessageKeys<RoundKeys<ROUND_KEYS>>,
                counter: &Block,
                aad: &[u8],
                from: Option<&[u8]>,
                in_out: &mut [u8],
                length_block: &Block,
            ) -> Block {
                let table = FirstRounds::NONE;
                decrypt_and_hash_with::<_, false>(keys, counter, table, aad, from, in_out, length_block)
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn decrypt_and_hash_with<const ROUND_KEYS: usize, const LOOK_UP: bool>(
            keys: &MessageKeys<RoundKeys<ROUND_KEYS>>,
            counter: &Block,
            table: FirstRounds<'_>,
            aad: &[u8],
            from: Option<&[u8]>,
            in_out: &mut [u8],
            length_block: &Block,
        ) -> Block {
            let mut keystream = Keystream::<_, LOOK_UP>::new(&keys.encryption, counter, table);
            let longest = aad.len().max(in_out.len());
            let h = load128(&keys.authentication.0);
            let powers = Powers::from_key(h, longest.div_ceil($vector_len), &mut ());
            let mut sum = Horner::start(&powers, aad, &mut ());
            let whole = in_out.len() - in_out.len() % ($vector_len * GROUP);
            let (groups, rest) = in_out.split_at_mut(whole);
            let (groups, _) = groups
                .as_chunks_mut::<$vector_len>()
                .0
                .as_chunks_mut::<GROUP>();
            let mut sources = from.map(|from| {
                let (groups, rest_from) = from.split_at(whole);
                rest.copy_from_slice(rest_from);
                groups
                    .as_chunks::<$vector_len>()
                    .0
                    .as_chunks::<GROUP>()
                    .0
                    .iter()
            });
            let mut pending: Option<&Group> = None;
            for group in groups {
                let from = sources.as_mut().and_then(Iterator::next);
                match pending {
                    None => decrypt(&mut keystream, from, group),
                    Some(last) => {
                        decrypt_beside(&mut keystream, from, group, &powers, &mut sum, last);
                    }
                }
                pending = Some(group);
            }
            keystream.xor(None, rest);
            if let Some(last) = pending {
                sum.absorb_group(&powers, &last[..GROUP - 1], $load(&last[GROUP - 1]), &mut ());
            }
            let (vectors, rest) = in_vectors(rest);
            let tail = sum.absorb(&powers, vectors, rest, &mut ());
            let mut s_s = [0; 16];
            store128(&mut s_s, sum.finish(&powers, tail, load128(length_block), &mut ()));
            s_s
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn decrypt<const ROUND_KEYS: usize, const LOOK_UP: bool>(
            keystream: &mut Keystream<ROUND_KEYS, LOOK_UP>,
            from: Option<&Group>,
            group: &mut Group,
        ) {
            let mut sources = from.map(|from| from.as_chunks::<STRIDE>().0.iter());
            for stride in group.as_chunks_mut::<STRIDE>().0 {
                keystream.xor_vectors(sources.as_mut().and_then(Iterator::next), stride);
            }
        }

        /// Decrypts a group, `from` or `group` itself, and hashes `last`, the group before it.
        #[inline]
        #[target_feature(enable = $features)]
        fn decrypt_beside<const ROUND_KEYS: usize, const LOOK_UP: bool>(
            keystream: &mut Keystream<ROUND_KEYS, LOOK_UP>,
            from: Option<&Group>,
            group: &mut Group,
            powers: &Powers,
            sum: &mut Horner,
            last: &Group,
        ) {
            let mut product = Product::zero();
            let (strides, _) = group.as_chunks_mut::<STRIDE>();
            for (i, stride) in strides.iter_mut().enumerate() {
                // One product a round; AES-128 has eight or nine rounds here, enough for the eight.
                let states = keystream.next::<STRIDE>(|round| {
                    if round < STRIDE {
                        let j = i * STRIDE + round;
                        let (power, power_halves) = powers.step(GROUP - j);
                        let x = if j == 0 { sum.0 } else { $load(&last[j - 1]) };
                        product.add(x, power, power_halves);
                    }
                });
                for (j, (vector, state)) in stride.iter_mut().zip(states).enumerate() {
                    let text = $load(from.map_or(&*vector, |from| &from[i * STRIDE + j]));
                    $store(vector, keystream.last_round(state, text));
                }
            }
            sum.0 = $xor(product.reduce(), $load(&last[GROUP - 1]));
        }
    };
}
pub(super) use fused;

/// Defines `decrypt_and_hash_long`, which looks the first rounds of AES up, for a tier where
/// that is faster.
macro_rules! fused_long {
    ($tier:ident, $module:ident) => {
        use $crate::kernel::gcm_siv::ctr32::$module::{TableRoom, first_rounds};

        kernel! {
            fn decrypt_and_hash_long[const ROUND_KEYS: usize](
                tier: $tier,
                keys: &MessageKeys<RoundKeys<ROUND_KEYS>>,
                counter: &Block,
                aad: &[u8],
                from: Option<&[u8]>,
                in_out: &mut [u8],
                length_block: &Block,
            ) -> Block {
                let mut room = TableRoom::new();
                let table = first_rounds(&keys.encryption, counter, &mut room);
                decrypt_and_hash_with::<_, true>(keys, counter, table, aad, from, in_out, length_block)
            }
        }
    };
}
pub(super) use fused_long;
