//! Streams that keysets seal and open.

use super::Keyset;
use crate::handle::{handle, making};
use crate::region::Region;
use crate::status::Status;
use crate::stream::{Input, Opener, Opening, Output, Sealer};

/// Begins a stream that the primary key of a keyset for streams seals. Go on as with
/// sivka_sealer_new(). Each Tink's StreamingAead opens it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_sealer_new(
    keyset: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    made: *mut *mut Sealer,
) -> Status {
    let make = || {
        let aad = Region::new("aad", aad, aad_len)?;
        // SAFETY: a live keyset and memory, as the header asks.
        let (keyset, aad) = unsafe { (handle("keyset", keyset)?, aad.as_slice()) };
        let writer = keyset.keys.streaming_aead()?.seal(Output::default(), aad)?;
        Ok(Sealer::new(writer))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Makes an opener for a stream that an enabled key of a keyset for streams has sealed: the first
/// segment decides which one, in the keyset's order. Go on as with sivka_opener_new().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_opener_new(
    keyset: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    made: *mut *mut Opener,
) -> Status {
    let make = || {
        let aad = Region::new("aad", aad, aad_len)?;
        // SAFETY: a live keyset and memory, as the header asks.
        let (keyset, aad) = unsafe { (handle("keyset", keyset)?, aad.as_slice()) };
        let reader = keyset.keys.streaming_aead()?.open(Input::default(), aad);
        Ok(Opener::new(Opening::Running(Box::new(reader))))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}
