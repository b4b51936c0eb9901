//! The steps of RFC 8452, each the same in every lane.

/// Declares them over the vectors `v` of the kernels, with the products of POLYVAL that
/// `$module` has.
macro_rules! steps {
    ($features:literal, $module:ident) => {
        $crate::tier::helpers! {
            $features;
            fn load_vector(row: &Row, g: usize) -> v::Vector {
                v::load(&row.as_chunks().0[g])
            }

            fn store_vector(row: &mut Row, g: usize, vector: v::Vector) {
                v::store(&mut row.as_chunks_mut().0[g], vector);
            }

            /// RFC 8452 section 4, `derive_keys`, in every lane.
            fn derive_in_lanes[const ROUND_KEYS: usize](
                workspace: &mut Workspace, nonces: v::Vector, g: usize,
            ) {
                let Workspace { nonces: rows, generating: keys, keys: lane_keys, .. } = workspace;
                store_vector(rows, g, nonces);
                let key = |i: usize| v::load(&keys[i].as_chunks().0[0]);
                let first = v::xor(nonces, key(0));
                let mut states = [first; 6];
                for (counter, state) in (0_u128..).zip(&mut states) {
                    *state = v::xor(first, v::splat(&counter.to_le_bytes()));
                }
                for i in 1..ROUND_KEYS - 1 {
                    for state in &mut states {
                        *state = v::aes_round(*state, key(i));
                    }
                    v::six_side_by_side(&mut states);
                }
                let last = key(ROUND_KEYS - 1);
                let [a, b, c, d, e, f] = states.map(|state| v::aes_last_round(state, last));
                store_vector(&mut lane_keys.authentication, g, v::low_halves(a, b));
                store_vector(&mut lane_keys.encryption[0], g, v::low_halves(c, d));
                if ROUND_KEYS == 15 {
                    store_vector(&mut lane_keys.encryption[1], g, v::low_halves(e, f));
                }
            }

            /// Fills in the round keys after the first one (AES-128) or two (AES-256).
            fn expand_in_lanes[const ROUND_KEYS: usize, const G: usize](
                keys: &mut [Row; MAX_ROUND_KEYS],
            ) {
                const ROTATED_LAST_WORD: Block =
                    [13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12];
                const EVERY_WORD: u128 = 1 | 1 << 32 | 1 << 64 | 1 << 96;
                let nk = if ROUND_KEYS == 15 { 2 } else { 1 };
                // The two round keys before, in registers: the chain of one key to the next
                // would wait for memory.
                let zero = [v::splat(&[0; 16]); G];
                let (mut older, mut last) = (zero, zero);
                for g in 0..G {
                    older[g] = load_vector(&keys[0], g);
                    last[g] = load_vector(&keys[nk - 1], g);
                }
                let mut i = nk;
                let mut rcon = 1_u8;
                while i < ROUND_KEYS {
                    let constant = v::splat(&(u128::from(rcon) * EVERY_WORD).to_le_bytes());
                    for g in 0..G {
                        let word = v::shuffle(last[g], &ROTATED_LAST_WORD);
                        let word = v::aes_last_round(word, constant);
                        older[g] = next_key(older[g], word);
                        store_vector(&mut keys[i], g, older[g]);
                    }
                    rcon = (rcon << 1) ^ ((rcon >> 7) * 0x1b);
                    if nk == 1 {
                        last = older;
                    } else if i + 1 < ROUND_KEYS {
                        for g in 0..G {
                            let word = v::aes_last_round(v::last_word(older[g]), zero[g]);
                            last[g] = next_key(last[g], word);
                            store_vector(&mut keys[i + 1], g, last[g]);
                        }
                    }
                    i += nk;
                }
            }

            /// The words of a key, each with the words before it, and `word` added.
            fn next_key(key: v::Vector, word: v::Vector) -> v::Vector {
                /// Bytes of the second word into the third and the fourth.
                const SECOND_WORD_UP: Block =
                    [128, 128, 128, 128, 128, 128, 128, 128, 4, 5, 6, 7, 4, 5, 6, 7];
                let key = v::xor(key, v::odd_words_from_even(key));
                let key = v::xor(key, v::shuffle(key, &SECOND_WORD_UP));
                v::xor(key, word)
            }

            /// POLYVAL of every lane's column of the stage.
            fn polyval_in_lanes[const G: usize](workspace: &Workspace, rows: usize) -> Vectors<G> {
                use $crate::kernel::polyval::$module::{Product, halves};
                let mut sums = [v::splat(&[0; 16]); G];
                let mut keys = sums;
                for (g, key) in keys.iter_mut().enumerate() {
                    *key = load_vector(&workspace.keys.authentication, g);
                }
                let key_halves = keys.map(|key| halves(key));
                for row in &workspace.stage[..rows] {
                    for (g, lanes) in row.as_chunks().0[..G].iter().enumerate() {
                        let mut product = Product::zero();
                        product.add(v::xor(sums[g], v::load(lanes)), keys[g], key_halves[g]);
                        sums[g] = product.reduce();
                    }
                }
                sums
            }

            fn encrypt_in_lanes[const ROUND_KEYS: usize, const G: usize](
                keys: &LaneKeys, mut states: Vectors<G>,
            ) -> Vectors<G> {
                for g in 0..G {
                    states[g] = v::xor(states[g], load_vector(&keys.encryption[0], g));
                }
                for i in 1..ROUND_KEYS - 1 {
                    for g in 0..G {
                        states[g] = v::aes_round(states[g], load_vector(&keys.encryption[i], g));
                    }
                }
                for g in 0..G {
                    let last = load_vector(&keys.encryption[ROUND_KEYS - 1], g);
                    states[g] = v::aes_last_round(states[g], last);
                }
                states
            }
        }
    };
}
pub(in crate::kernel::gcm_siv) use steps;
