//! AES-GCM-SIV on a tier with vectors: all kernels from what the tiers differ in.

pub(super) mod chains;
pub(super) mod ctr32;
pub(super) mod fused;
pub(super) mod tag_block;

/// Defines the kernels of a tier, and implements [`GcmSiv`](super::GcmSiv) with them. A tier says:
///
/// - its features, its vectors, and the modules of its counter mode and of its POLYVAL;
/// - up to which lengths of a text the kernels for short messages are called, and with how many
///   vectors, and which kernel opens a very long message, if another one does;
/// - when lanes are worth it: see [`GcmSivLanes`](super::lanes::GcmSivLanes).
///
/// The file has `derive_halves`.
macro_rules! instance {
    (
        $tier:ident, $features:literal, $vector:ident, $ctr32:ident,
        $polyval:ident::$powers:ident $(<$n:ident>)?,
        seal: $seal:tt, open: $open:tt, FEW_FOR_LANES: $few:literal, $($lanes:tt)*
    ) => {
        use super::vectors::chains::chains;
        use super::vectors::fused::fused;
        use super::vectors::single_messages;
        use super::lanes::lanes;
        use super::{GcmSiv, Sealed, UnderWay, Unsealed};
        use $crate::kernel::Block;
        use $crate::kernel::aes::RoundKeys;
        use $crate::kernel::aes::blocks::Schedule;
        use $crate::kernel::polyval::Step;
        use $crate::tier::{$tier, kernel};

        single_messages!($tier, 16, $few, $seal, $open);
        single_messages!($tier, 32, $few, $seal, $open);

        /// Round keys being made. `KERNEL` makes one type for each kernel, so each copy has one
        /// caller, and is inlined.
        struct Scheduling<'a, const ROUND_KEYS: usize, const KERNEL: usize>(
            $tier,
            Schedule<'a, ROUND_KEYS>,
        );

        impl<const ROUND_KEYS: usize, const KERNEL: usize> Step
            for Scheduling<'_, ROUND_KEYS, KERNEL>
        {
            #[inline(always)]
            fn step(&mut self) {
                step_schedule(self.0, &mut self.1);
            }
        }

        kernel! {
            fn step_schedule[const ROUND_KEYS: usize](
                tier: $tier, schedule: &mut Schedule<'_, ROUND_KEYS>,
            ) {
                schedule.step();
            }
        }

        /// Messages without AAD and of at most one block.
        mod one_block {
            // On Intel, 512-bit instructions close a port to the narrow ones after them.
            use $crate::kernel::gcm_siv::vectors::tag_block::derive_halves;

            super::chains!($tier, $features, one_block::TwoPowers<N>, m128);
        }

        /// Messages of a few vectors, and of at most 64 bytes of AAD.
        mod short {
            super::chains!($tier, $features, $polyval::$powers$(<$n>)?, $vector);
        }

        fused!($tier, $features, $ctr32, $polyval, $vector);
        lanes!($tier, $features, $polyval, $vector, $($lanes)*);
    };
}

/// Implements [`GcmSiv`](super::GcmSiv) for a tier and a length of keys with the kernels of
/// `instance!`.
macro_rules! single_messages {
    (
        $tier:ident, $key_len:literal, $few:literal,
        [$($seal_len:literal => $seal_vectors:literal),*],
        [$($open_len:literal => $open_vectors:literal),* $(, very_long => $open_very_long:ident)?]
    ) => {
        impl GcmSiv<$key_len> for $tier {
            const FEW_FOR_LANES: Option<usize> = Some($few);

            #[inline(always)]
            fn derive_and_seal(
                self,
                key_generating_key: &Self::RoundKeys,
                message: Unsealed<'_>,
            ) -> Block {
                // One by one: otherwise the memory would be read back in other widths.
                let Unsealed { nonce, aad, from, in_out, length_block: lengths } = message;
                let keys = key_generating_key;
                match (aad.len(), in_out.len()) {
                    (0, ..=16) => {
                        one_block::seal(self, keys, nonce, aad, from, in_out, lengths, [(); 1])
                    }
                    $((..=64, ..=$seal_len) => {
                        let vectors = [(); $seal_vectors];
                        short::seal(self, keys, nonce, aad, from, in_out, lengths, vectors)
                    })*
                    _ => seal_long(self, keys, nonce, aad, from, in_out, lengths),
                }
            }

            #[inline(always)]
            fn derive_and_open(
                self,
                key_generating_key: &Self::RoundKeys,
                message: Sealed<'_>,
            ) -> Block {
                let Sealed { nonce, counter, aad, from, in_out, length_block: lengths } = message;
                let keys = key_generating_key;
                match (aad.len(), in_out.len()) {
                    (0, ..=16) => {
                        let vectors = [(); 1];
                        one_block::open(self, keys, nonce, counter, aad, from, in_out, lengths, vectors)
                    }
                    $((..=64, ..=$open_len) => {
                        let vectors = [(); $open_vectors];
                        short::open(self, keys, nonce, counter, aad, from, in_out, lengths, vectors)
                    })*
                    $((_, WORTHWHILE_LEN..) => {
                        $open_very_long(self, keys, nonce, counter, aad, from, in_out, lengths)
                    })?
                    _ => open_long(self, keys, nonce, counter, aad, from, in_out, lengths),
                }
            }

            const BESIDE_LEN: usize = STRIDE_LEN;

            #[inline(always)]
            fn seal_beside(
                self,
                key_generating_key: &Self::RoundKeys,
                under_way: &mut UnderWay<Self::RoundKeys>,
                (from, in_out): (Option<&[u8]>, &mut [u8]),
                (nonce, aad, text): (&[u8; 12], &[u8], &[u8]),
                lengths: &Block,
            ) -> Block {
                seal_beside(self, key_generating_key, under_way, from, in_out, nonce, aad, text, lengths)
            }

            #[inline(always)]
            fn ctr32_xor(
                self, message: &UnderWay<Self::RoundKeys>, from: Option<&[u8]>, in_out: &mut [u8],
            ) {
                xor_keystream(self, &message.keys, &message.counter, from, in_out);
            }

            #[inline(always)]
            fn in_lanes(self, work: impl Work<Self::RoundKeys>) {
                let workspace = &mut Workspace::new();
                self.run_within(WipeExtent::LANES, || run(self, work, workspace));
            }
        }
    };
}
pub(super) use {instance, single_messages};
