//! Decryption and POLYVAL in one pass, written once for every width of vector.
//!
//! Plaintext is hashed one group behind its decryption, so that AES and the
//! carry-less multiplier always have independent work: the pass takes as long as
//! the busier of the two, not their sum.

/// Defines `derive_and_open_long` for a tier from its AES and POLYVAL kernels, which
/// share the shape `Keystream` / `Horner` / `Powers` over vectors of `$vector_len` bytes.
macro_rules! fused {
    ($tier:ident, $features:literal, $module:ident, $vector_len:literal, $load:ident, $store:ident, $xor:ident) => {
        use $crate::kernel::gcm_siv::ctr32::first_rounds::FirstRounds;
        use $crate::kernel::gcm_siv::ctr32::$module::{Keystream, STRIDE};
        use $crate::kernel::polyval::$module::{GROUP, Horner, Powers, Product};

        /// The vectors of one group of POLYVAL.
        type Group = [[u8; $vector_len]; GROUP];

        kernel! {
            fn derive_and_open_long[const ROUND_KEYS: usize](
                tier: $tier,
                key_generating_key: &RoundKeys<ROUND_KEYS>,
                message: Sealed<'_>,
            ) -> Block {
                let Sealed { nonce, counter, aad, from, in_out, length_block } = message;
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, _mm_slli_si128::<4>(nonce));
                let mut keys = RoundKeys::<ROUND_KEYS>::default();
                let mut scheduling = Scheduling(tier, Schedule::start(&mut keys, halves));
                let longest = aad.len().max(in_out.len());
                let powers = Powers::from_key(h, longest.div_ceil($vector_len), &mut scheduling);
                let sum = Horner::start(&powers, aad, &mut scheduling);
                scheduling.1.finish_all();
                let keystream = Keystream::<_, false>::new(&keys, counter, FirstRounds::NONE);
                let s_s = decrypt_and_hash(keystream, &powers, sum, from, in_out, load128(length_block));
                tag(&keys, nonce, s_s)
            }
        }

        /// Decrypts `from` to `in_out`, or `in_out` in place if there is no `from`, and goes on
        /// with POLYVAL to its end.
        #[inline]
        #[target_feature(enable = $features)]
        fn decrypt_and_hash<const ROUND_KEYS: usize, const LOOK_UP: bool>(
            mut keystream: Keystream<ROUND_KEYS, LOOK_UP>,
            powers: &Powers,
            mut sum: Horner,
            from: Option<&[u8]>,
            in_out: &mut [u8],
            length_block: __m128i,
        ) -> __m128i {
            let whole = in_out.len() - in_out.len() % ($vector_len * GROUP);
            let (groups, rest) = in_out.split_at_mut(whole);
            let (groups, _) = groups
                .as_chunks_mut::<$vector_len>()
                .0
                .as_chunks_mut::<GROUP>();
            let (mut sources, rest_from) = match from.map(|from| from.split_at(whole)) {
                Some((groups, rest)) => {
                    let (vectors, _) = groups.as_chunks::<$vector_len>();
                    (Some(vectors.as_chunks::<GROUP>().0.iter()), Some(rest))
                }
                None => (None, None),
            };
            let mut pending: Option<&Group> = None;
            for group in groups {
                let from = sources.as_mut().and_then(Iterator::next);
                match pending {
                    None => decrypt(&mut keystream, from, group),
                    Some(last) => {
                        decrypt_beside(&mut keystream, from, group, powers, &mut sum, last);
                    }
                }
                pending = Some(group);
            }
            keystream.xor(rest_from, rest);
            if let Some([others @ .., last]) = pending {
                sum.absorb_group(powers, others, $load(last), &mut ());
            }
            let tail = sum.absorb(powers, in_vectors(rest), &mut ());
            sum.finish(powers, tail, length_block, &mut ())
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

/// Defines `derive_and_open_very_long`, which looks the first rounds of AES up, for a tier
/// where that is faster.
macro_rules! fused_very_long {
    ($tier:ident, $module:ident, $vector_len:literal) => {
        use $crate::kernel::gcm_siv::ctr32::$module::{TableRoom, first_rounds};

        kernel! {
            fn derive_and_open_very_long[const ROUND_KEYS: usize](
                tier: $tier,
                key_generating_key: &RoundKeys<ROUND_KEYS>,
                message: Sealed<'_>,
            ) -> Block {
                let Sealed { nonce, counter, aad, from, in_out, length_block } = message;
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, _mm_slli_si128::<4>(nonce));
                let mut keys = RoundKeys::<ROUND_KEYS>::default();
                Schedule::start(&mut keys, halves).finish_all();
                let powers = Powers::from_key(h, GROUP, &mut ());
                let sum = Horner::start(&powers, aad, &mut ());
                let mut room = TableRoom::new();
                let table = first_rounds(&keys, counter, &mut room);
                let keystream = Keystream::<_, true>::new(&keys, counter, table);
                let s_s = decrypt_and_hash(keystream, &powers, sum, from, in_out, load128(length_block));
                tag(&keys, nonce, s_s)
            }
        }
    };
}
pub(super) use fused_very_long;
