//! Streams that keysets seal and open.

use super::Keyset;
use crate::failure::guard;
use crate::key::result;
use crate::region::{Region, handle};
use crate::status::Status;
use crate::stream::{Input, Opener, Opening, Output, Sealer};

/// Begins a stream that the primary key of a keyset for streams seals, and writes the sealer to
/// `made`. Go on as with sivka_sealer_new(). Each Tink's StreamingAead opens it. The keyset and the
/// AAD may be freed before it.
///
/// SIVKA_ERROR_PRIMITIVE, _RANDOM; SIVKA_ERROR_KEYSET if its enabled keys are for different
/// primitives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_sealer_new(
    keyset: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    made: *mut *mut Sealer,
) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, as the header asks.
        let mut made = unsafe { result("made", made) }?;
        let aad = Region::new("aad", aad, aad_len)?;
        // SAFETY: a live keyset and memory, as the header asks.
        let (keyset, aad) = unsafe { (handle("keyset", keyset)?, aad.as_slice()) };
        made.handle = Sealer::give(keyset.keys.streaming_aead()?.seal(Output::default(), aad)?);
        Ok(())
    })
}

/// Makes an opener for a stream that an enabled key of a keyset for streams has sealed, and writes
/// it to `made`. Go on as with sivka_opener_new(). The keyset and the AAD may be freed before it.
///
/// The first segment decides which key it is, in the keyset's order.
///
/// SIVKA_ERROR_PRIMITIVE; SIVKA_ERROR_KEYSET if its enabled keys are for different primitives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_opener_new(
    keyset: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    made: *mut *mut Opener,
) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, as the header asks.
        let mut made = unsafe { result("made", made) }?;
        let aad = Region::new("aad", aad, aad_len)?;
        // SAFETY: a live keyset and memory, as the header asks.
        let (keyset, aad) = unsafe { (handle("keyset", keyset)?, aad.as_slice()) };
        let reader = keyset.keys.streaming_aead()?.open(Input::default(), aad);
        made.handle = Opener::give(Opening::Running(Box::new(reader)));
        Ok(())
    })
}
