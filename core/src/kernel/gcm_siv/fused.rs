//! Decryption and POLYVAL in one pass, written once for every width of vector.
//!
//! Plaintext is hashed one group after its decryption, so that AES and the
//! carry-less multiplier always have independent work: the pass takes as long as
//! the busier of the two, not their sum.

/// Defines `open_long` for a tier from its AES and POLYVAL kernels, which both have `Keystream`,
/// `Horner` and `Powers` over vectors of one width.
macro_rules! fused {
    ($tier:ident, $features:literal, $module:ident, $polyval:ident, $vector:ident) => {
        use $crate::kernel::aes::blocks::Schedule;
        use $crate::kernel::gcm_siv::ctr32::first_rounds::FirstRounds;
        use $crate::kernel::gcm_siv::ctr32::vectors::parted;
        use $crate::kernel::gcm_siv::tag_block::{initial_counter, stored, tag};
        use $crate::kernel::polyval::Steps;
        use $crate::tier::bytes::{load96, load128, store128};
        use $crate::tier::secret;
        use $crate::kernel::gcm_siv::ctr32::$module::{Keystream, STRIDE, xor_keystream};
        use $crate::kernel::vector::{m128, $vector as wide};
        use $crate::kernel::polyval::$polyval::{Horner, Powers, Product, in_vectors};

        const SEAL_LONG: usize = 100;
        const OPEN_LONG: usize = 101;
        const SEAL_BESIDE: usize = 102;
        /// Bytes of a vector.
        const VECTOR_LEN: usize = 16 * wide::LANES;
        /// Of the texts that are worked on beside each other, in bytes.
        const STRIDE_LEN: usize = STRIDE * VECTOR_LEN;

        kernel! {
            fn seal_long[const ROUND_KEYS: usize](
                tier: $tier, key_generating_key: &RoundKeys<ROUND_KEYS>, nonce: &[u8; 12],
                aad: &[u8], from: Option<&[u8]>, in_out: &mut [u8], length_block: &Block,
            ) -> Block {
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, m128::shift_up::<4>(nonce));
                let mut keys = RoundKeys::<ROUND_KEYS>::default();
                let mut scheduling = Scheduling::<_, SEAL_LONG>(tier, Schedule::start(&mut keys, halves));
                let longest = aad.len().max(in_out.len());
                let mut room = Steps::new();
                let powers = Powers::new(h, longest.div_ceil(VECTOR_LEN), &mut room, &mut scheduling);
                let mut sum = Horner::start(&powers, aad, &mut scheduling);
                let tail = sum.absorb(&powers, in_vectors(from.unwrap_or(in_out)), &mut scheduling);
                let s_s = sum.finish(&powers, tail, load128(length_block), &mut scheduling);
                scheduling.1.finish_all();
                let tag = tag(&keys, nonce, s_s);
                let counter = initial_counter(tag);
                if in_out.len() <= STRIDE * VECTOR_LEN {
                    let states = short::rounds::<_, STRIDE>(&keys, counter);
                    short::xor_last_round::<ROUND_KEYS, STRIDE, false>(states, &keys, from, in_out);
                } else {
                    xor_keystream(tier, &keys, &secret::public(stored(counter)), from, in_out);
                }
                stored(tag)
            }

            fn seal_beside[const ROUND_KEYS: usize](
                tier: $tier, key_generating_key: &RoundKeys<ROUND_KEYS>,
                under_way: &mut UnderWay<RoundKeys<ROUND_KEYS>>, from: Option<&[u8]>,
                in_out: &mut [u8], nonce: &[u8; 12], aad: &[u8], text: &[u8], length_block: &Block,
            ) -> Block {
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, m128::shift_up::<4>(nonce));
                let mut keys = RoundKeys::<ROUND_KEYS>::default();
                let mut scheduling = Scheduling::<_, SEAL_BESIDE>(tier, Schedule::start(&mut keys, halves));
                let longest = aad.len().max(text.len());
                let mut room = Steps::new();
                let powers = Powers::new(h, longest.div_ceil(VECTOR_LEN), &mut room, &mut scheduling);
                let mut sum = Horner::start(&powers, aad, &mut scheduling);
                scheduling.1.finish_all();
                let mut keystream = Keystream::<_, false>::new(&under_way.keys, &under_way.counter, FirstRounds::NONE);
                let both = in_out.len().min(text.len());
                let both = both - both % STRIDE_LEN;
                let (hashed, text) = text.split_at(both);
                let (groups, in_out) = in_out.split_at_mut(both);
                let (sources, from) = parted(from, both);
                let hashed = hashed.as_chunks::<VECTOR_LEN>().0.as_chunks::<STRIDE>().0;
                let groups = groups.as_chunks_mut::<VECTOR_LEN>().0.as_chunks_mut::<STRIDE>().0;
                for (i, (group, hashed)) in groups.iter_mut().zip(hashed).enumerate() {
                    let source = match sources {
                        Some(sources) => sources.as_chunks::<VECTOR_LEN>().0.as_chunks::<STRIDE>().0.get(i),
                        None => None,
                    };
                    crypt_beside::<SEAL_BESIDE, _, _, _>(&mut keystream, source, group, &powers, &mut sum, hashed);
                }
                keystream.xor(from, in_out);
                let tail = sum.absorb(&powers, in_vectors(text), &mut ());
                let s_s = sum.finish(&powers, tail, load128(length_block), &mut ());
                let tag = tag(&keys, nonce, s_s);
                under_way.keys.0 = keys.0;
                under_way.counter = secret::public(stored(initial_counter(tag)));
                stored(tag)
            }

            fn open_long[const ROUND_KEYS: usize](
                tier: $tier, key_generating_key: &RoundKeys<ROUND_KEYS>, nonce: &[u8; 12],
                counter: &Block, aad: &[u8], from: Option<&[u8]>, in_out: &mut [u8],
                length_block: &Block,
            ) -> Block {
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, m128::shift_up::<4>(nonce));
                let mut keys = RoundKeys::<ROUND_KEYS>::default();
                let schedule = Schedule::start(&mut keys, halves);
                let longest = aad.len().max(in_out.len().min(STRIDE * VECTOR_LEN));
                let vectors = longest.div_ceil(VECTOR_LEN);
                let length_block = load128(length_block);
                let Some((first, rest)) = in_out.split_first_chunk_mut::<{ STRIDE * VECTOR_LEN }>() else {
                    let mut scheduling = Scheduling::<_, OPEN_LONG>(tier, schedule);
                    let mut room = Steps::new();
                    let powers = Powers::new(h, vectors, &mut room, &mut scheduling);
                    let mut sum = Horner::start(&powers, aad, &mut scheduling);
                    scheduling.1.finish_all();
                    Keystream::<_, false>::new(&keys, counter, FirstRounds::NONE).xor(from, in_out);
                    let tail = sum.absorb(&powers, in_vectors(in_out), &mut ());
                    let s_s = sum.finish(&powers, tail, length_block, &mut ());
                    return stored(tag(&keys, nonce, s_s));
                };
                let mut opening = short::Opening::<_, STRIDE, OPEN_LONG>::start(tier, schedule, counter);
                let mut room = Steps::new();
                let powers = Powers::new(h, vectors, &mut room, &mut opening);
                let sum = Horner::start(&powers, aad, &mut ());
                let states = opening.finish();
                let (from_first, from) = parted(from, first.len());
                short::xor_last_round::<ROUND_KEYS, STRIDE, false>(states, &keys, from_first, first);
                let blocks = m128::splat(&(first.len() as u128 / 16).to_le_bytes());
                let counter = stored(m128::add32(load128(counter), blocks));
                let keystream = Keystream::<_, false>::new(&keys, &counter, FirstRounds::NONE);
                let first = first.as_chunks().0.first_chunk::<STRIDE>();
                let s_s = decrypt_and_hash(keystream, &powers, sum, first, from, rest, length_block);
                stored(tag(&keys, nonce, s_s))
            }
        }

        $crate::tier::helpers! {
            $features;
            /// Decrypts `from` to `in_out`, or `in_out` in place if there is no `from`, and goes on
            /// with POLYVAL to its end; `pending` is a decrypted group that comes before them.
            fn decrypt_and_hash[
                'a,
                const ROUND_KEYS: usize, const LOOK_UP: bool, const G: usize](
                mut keystream: Keystream<ROUND_KEYS, LOOK_UP>,
                powers: &Powers<'_>,
                mut sum: Horner,
                mut pending: Option<&'a [[u8; VECTOR_LEN]; G]>,
                from: Option<&[u8]>,
                in_out: &'a mut [u8],
                length_block: m128::Vector,
            ) -> m128::Vector {
                let whole = in_out.len() - in_out.len() % (VECTOR_LEN * G);
                let (groups, rest) = in_out.split_at_mut(whole);
                let (groups, _) = groups.as_chunks_mut::<VECTOR_LEN>().0.as_chunks_mut::<G>();
                let (sources, rest_from) = parted(from, whole);
                let mut sources = match sources {
                    Some(sources) => Some(sources.as_chunks::<VECTOR_LEN>().0.as_chunks::<G>().0.iter()),
                    None => None,
                };
                for group in groups {
                    // No closures here: what takes one is not inlined into a kernel.
                    let from = match &mut sources {
                        Some(sources) => sources.next(),
                        None => None,
                    };
                    match pending {
                        None => decrypt(&mut keystream, from, group),
                        Some(last) => {
                            crypt_beside::<OPEN_LONG, _, _, _>(&mut keystream, from, group, powers, &mut sum, last);
                        }
                    }
                    pending = Some(group);
                }
                keystream.xor(rest_from, rest);
                if let Some(group) = pending
                    && let Some((last, others)) = group.split_last()
                {
                    sum.absorb_group(powers, others, wide::load_bytes(last), &mut ());
                }
                let tail = sum.absorb(powers, in_vectors(rest), &mut ());
                sum.finish(powers, tail, length_block, &mut ())
            }

            fn decrypt[const ROUND_KEYS: usize, const LOOK_UP: bool, const G: usize](
                keystream: &mut Keystream<ROUND_KEYS, LOOK_UP>,
                from: Option<&[[u8; VECTOR_LEN]; G]>, group: &mut [[u8; VECTOR_LEN]; G],
            ) {
                let mut sources = from.map(|from| from.as_chunks::<STRIDE>().0.iter());
                for stride in group.as_chunks_mut::<STRIDE>().0 {
                    keystream.xor_vectors(sources.as_mut().and_then(Iterator::next), stride);
                }
            }

            /// Encrypts or decrypts a group, `from` or `group` itself, and hashes `last`: the group
            /// before it, or one of another message. `PURPOSE` is another for each caller: what two
            /// call is not inlined.
            fn crypt_beside[
                const PURPOSE: usize, const ROUND_KEYS: usize, const LOOK_UP: bool, const G: usize
            ](
                keystream: &mut Keystream<ROUND_KEYS, LOOK_UP>,
                from: Option<&[[u8; VECTOR_LEN]; G]>, group: &mut [[u8; VECTOR_LEN]; G],
                powers: &Powers<'_>, sum: &mut Horner, last: &[[u8; VECTOR_LEN]; G],
            ) {
                let mut product = Product::zero();
                let (strides, _) = group.as_chunks_mut::<STRIDE>();
                for (i, stride) in strides.iter_mut().enumerate() {
                    // One product a round; AES-128 has eight or nine rounds here, enough for them.
                    let states = keystream.next::<STRIDE>(|round| {
                        if round < STRIDE {
                            let j = i * STRIDE + round;
                            let (power, power_halves) = powers.step(G - j);
                            let x = if j == 0 { sum.0 } else { wide::load_bytes(&last[j - 1]) };
                            product.add(x, power, power_halves);
                        }
                    });
                    for (j, (vector, state)) in stride.iter_mut().zip(states).enumerate() {
                        let text = wide::load_bytes(from.map_or(&*vector, |from| &from[i * STRIDE + j]));
                        wide::store_bytes(vector, keystream.last_round(state, text));
                    }
                }
                sum.0 = wide::xor(product.reduce(), wide::load_bytes(&last[G - 1]));
            }
        }
    };
}
pub(super) use fused;

/// Defines `open_very_long`, which looks the first rounds of AES up, for a tier
/// where that is faster.
macro_rules! fused_very_long {
    ($tier:ident, $module:ident, $polyval:ident) => {
        use $crate::kernel::gcm_siv::ctr32::$module::{TableRoom, first_rounds};
        use $crate::kernel::polyval::$polyval::GROUP;

        kernel! {
            fn open_very_long[const ROUND_KEYS: usize](
                tier: $tier, key_generating_key: &RoundKeys<ROUND_KEYS>, nonce: &[u8; 12],
                counter: &Block, aad: &[u8], from: Option<&[u8]>, in_out: &mut [u8],
                length_block: &Block,
            ) -> Block {
                let nonce = load96(nonce);
                let [h, halves @ ..] = derive_halves(key_generating_key, m128::shift_up::<4>(nonce));
                let mut keys = RoundKeys::<ROUND_KEYS>::default();
                Schedule::start(&mut keys, halves).finish_all();
                let longest = aad.len().max(in_out.len());
                let mut room = Steps::new();
                let powers = Powers::new(h, longest.div_ceil(VECTOR_LEN), &mut room, &mut ());
                let sum = Horner::start(&powers, aad, &mut ());
                let mut room = TableRoom::new();
                let table = first_rounds(&keys, counter, &mut room);
                let keystream = Keystream::<_, true>::new(&keys, counter, table);
                let s_s = decrypt_and_hash::<_, _, GROUP>(keystream, &powers, sum, None, from, in_out, load128(length_block));
                stored(tag(&keys, nonce, s_s))
            }
        }
    };
}
pub(super) use fused_very_long;
