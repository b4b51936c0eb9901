//! The algorithms: what Go has for their keys, and the functions that it calls.

use crate::arguments::{Asking, KEY_ALIGN, Key, NewKey};
use crate::batch::Batch;
use crate::status::Status;
use sivka::Tier;

/// A key of so many bytes, for which Go has so much memory: whether its known answers hold on a
/// tier, and its maker from its bytes, a tier and the length of tags.
macro_rules! key {
    ($key:ident: $len:literal, $room:literal, $known_answers:path) => {
        key!($key: $len, $room, $known_answers, |secret, tier, _| Self::with_tier(secret, tier));
    };
    ($key:ident: $len:literal, $room:literal, $known_answers:path, $make:expr) => {
        const _: () = assert!(size_of::<$key>() <= $room && align_of::<$key>() <= KEY_ALIGN);

        impl Key for $key {
            type Secret = [u8; $len];

            fn known_answers(tier: Tier) -> bool {
                $known_answers(tier)
            }

            #[inline(always)]
            fn make(secret: &[u8; $len], tier: Tier, tag_len: usize) -> Self {
                let make: fn(&[u8; $len], Tier, usize) -> Self = $make;
                make(secret, tier, tag_len)
            }
        }
    };
}

/// Functions of these names; each calls a method of its arguments.
macro_rules! entries {
    ($($name:ident: $arguments:ty => $method:ident;)*) => {$(
        /// # Safety
        ///
        /// As the method asks.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(call: &$arguments) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.$method() }
        }
    )*};
}

#[cfg(feature = "gcm-siv-128")]
mod gcm_siv_128 {
    use super::*;
    use crate::gcm_siv::GcmSivCall;
    use sivka::Aes128GcmSiv;

    key!(Aes128GcmSiv: 16, 1088, Aes128GcmSiv::__gives_known_answers);
    entries! {
        gcm_siv_128_known_answers: Asking<Aes128GcmSiv> => ask;
        gcm_siv_128_new: NewKey<Aes128GcmSiv> => make;
        gcm_siv_128_seal: GcmSivCall<Aes128GcmSiv> => seal;
        gcm_siv_128_open: GcmSivCall<Aes128GcmSiv> => open;
        gcm_siv_128_seal_batch: Batch<Aes128GcmSiv> => seal;
        gcm_siv_128_open_batch: Batch<Aes128GcmSiv> => open;
    }
}

#[cfg(feature = "gcm-siv-256")]
mod gcm_siv_256 {
    use super::*;
    use crate::gcm_siv::GcmSivCall;
    use sivka::Aes256GcmSiv;

    key!(Aes256GcmSiv: 32, 1088, Aes256GcmSiv::__gives_known_answers);
    entries! {
        gcm_siv_256_known_answers: Asking<Aes256GcmSiv> => ask;
        gcm_siv_256_new: NewKey<Aes256GcmSiv> => make;
        gcm_siv_256_seal: GcmSivCall<Aes256GcmSiv> => seal;
        gcm_siv_256_open: GcmSivCall<Aes256GcmSiv> => open;
        gcm_siv_256_seal_batch: Batch<Aes256GcmSiv> => seal;
        gcm_siv_256_open_batch: Batch<Aes256GcmSiv> => open;
    }
}

#[cfg(feature = "aes-siv")]
mod aes_siv {
    use super::*;
    use crate::lists::ListCall;
    use sivka::{AesSiv256, AesSiv384, AesSiv512};

    // Those of one size are those of all.
    key!(AesSiv256: 32, 2112, AesSiv512::__gives_known_answers);
    key!(AesSiv384: 48, 2112, AesSiv512::__gives_known_answers);
    key!(AesSiv512: 64, 2112, AesSiv512::__gives_known_answers);
    entries! {
        aes_siv_known_answers: Asking<AesSiv512> => ask;
        aes_siv_new_256: NewKey<AesSiv256> => make;
        aes_siv_seal_256: ListCall<AesSiv256> => seal;
        aes_siv_open_256: ListCall<AesSiv256> => open;
        aes_siv_seal_batch_256: Batch<AesSiv256> => seal;
        aes_siv_open_batch_256: Batch<AesSiv256> => open;
        aes_siv_new_384: NewKey<AesSiv384> => make;
        aes_siv_seal_384: ListCall<AesSiv384> => seal;
        aes_siv_open_384: ListCall<AesSiv384> => open;
        aes_siv_seal_batch_384: Batch<AesSiv384> => seal;
        aes_siv_open_batch_384: Batch<AesSiv384> => open;
        aes_siv_new_512: NewKey<AesSiv512> => make;
        aes_siv_seal_512: ListCall<AesSiv512> => seal;
        aes_siv_open_512: ListCall<AesSiv512> => open;
        aes_siv_seal_batch_512: Batch<AesSiv512> => seal;
        aes_siv_open_batch_512: Batch<AesSiv512> => open;
    }
}

#[cfg(feature = "chacha20-blake2b")]
mod chacha20_blake2b {
    use super::*;
    use crate::message::Call;
    use sivka::{ChaCha20Blake2b, TagLen, XChaCha20Blake2b, XChaCha20Blake2bSiv};

    /// Go has checked that it is one of these.
    fn tags_of(len: usize) -> TagLen {
        match len {
            32 => TagLen::Bytes32,
            48 => TagLen::Bytes48,
            _ => TagLen::Bytes64,
        }
    }

    // Those of one variant are those of the family.
    key!(ChaCha20Blake2b: 32, 448, ChaCha20Blake2b::__gives_known_answers, |secret, tier, len| {
        Self::of_len_on_tier(secret, tags_of(len), tier)
    });
    key!(XChaCha20Blake2b: 32, 448, ChaCha20Blake2b::__gives_known_answers, |secret, tier, len| {
        Self::of_len_on_tier(secret, tags_of(len), tier)
    });
    key!(XChaCha20Blake2bSiv: 32, 448, ChaCha20Blake2b::__gives_known_answers, |secret, tier, len| {
        Self::of_len_on_tier(secret, tags_of(len), tier)
    });
    entries! {
        chacha20_blake2b_known_answers: Asking<ChaCha20Blake2b> => ask;
        chacha20_blake2b_new_short: NewKey<ChaCha20Blake2b> => make;
        chacha20_blake2b_seal_short: Call<ChaCha20Blake2b, 8> => seal;
        chacha20_blake2b_open_short: Call<ChaCha20Blake2b, 8> => open;
        chacha20_blake2b_seal_batch_short: Batch<ChaCha20Blake2b> => seal;
        chacha20_blake2b_open_batch_short: Batch<ChaCha20Blake2b> => open;
        chacha20_blake2b_new_extended: NewKey<XChaCha20Blake2b> => make;
        chacha20_blake2b_seal_extended: Call<XChaCha20Blake2b, 24> => seal;
        chacha20_blake2b_open_extended: Call<XChaCha20Blake2b, 24> => open;
        chacha20_blake2b_seal_batch_extended: Batch<XChaCha20Blake2b> => seal;
        chacha20_blake2b_open_batch_extended: Batch<XChaCha20Blake2b> => open;
        chacha20_blake2b_new_siv: NewKey<XChaCha20Blake2bSiv> => make;
        chacha20_blake2b_seal_siv: Call<XChaCha20Blake2bSiv, 0> => seal;
        chacha20_blake2b_open_siv: Call<XChaCha20Blake2bSiv, 0> => open;
        chacha20_blake2b_seal_batch_siv: Batch<XChaCha20Blake2bSiv> => seal;
        chacha20_blake2b_open_batch_siv: Batch<XChaCha20Blake2bSiv> => open;
    }
}

#[cfg(feature = "kuznyechik")]
mod kuznyechik {
    use super::*;
    use crate::blocks::Blocks;
    use crate::message::Call;
    use sivka::{Kuznyechik, KuznyechikMgm};

    // Those of the cipher are those of MGM, too.
    key!(Kuznyechik: 32, 2944, Kuznyechik::gives_known_answers);
    key!(KuznyechikMgm: 32, 2944, Kuznyechik::gives_known_answers);
    entries! {
        kuznyechik_known_answers: Asking<Kuznyechik> => ask;
        kuznyechik_new_blocks: NewKey<Kuznyechik> => make;
        kuznyechik_encrypt_blocks: Blocks => encrypt;
        kuznyechik_decrypt_blocks: Blocks => decrypt;
        kuznyechik_new_mgm: NewKey<KuznyechikMgm> => make;
        kuznyechik_seal_mgm: Call<KuznyechikMgm, 16> => seal;
        kuznyechik_open_mgm: Call<KuznyechikMgm, 16> => open;
        kuznyechik_seal_batch_mgm: Batch<KuznyechikMgm> => seal;
        kuznyechik_open_batch_mgm: Batch<KuznyechikMgm> => open;
    }
}
