//! Streams that keysets seal and open.

use super::{Keyset, Ready, is_for};
use crate::failure::{Failure, guard};
use crate::key::result;
use crate::piecewise::{Opener, Opening, Sealer, Sealing};
use crate::region::{Region, handle};
use crate::status::Status;
use crate::stream::{Caller, Input, Output, ReadFunction, WriteFunction};
use sivka_keyset::KeysetStreamingAead;
use std::ffi::c_void;

impl Keyset {
    /// The enabled keys, if they are for streams.
    fn streams(&self) -> Result<&KeysetStreamingAead, Failure> {
        match self.ready()? {
            Ready::Streaming(streams) => Ok(streams),
            other => Err(is_for(other.primitive())),
        }
    }
}

/// Begins a stream that the primary key of a keyset for streams seals, and writes the sealer to
/// `made`; NULL on a failure. Go on with sivka_sealer_write(), end it with
/// sivka_sealer_finish(), and free it with sivka_sealer_free(). Each Tink's StreamingAead opens
/// it. The keyset and the AAD may be freed before it.
///
/// Nothing is written through `write` before a segment is full. The stream opens to its end
/// only after sivka_sealer_finish(): where the source of the plaintext fails, free the sealer.
///
/// SIVKA_ERROR_NULL, _TOO_LONG, _PRIMITIVE, _RANDOM; SIVKA_ERROR_KEYSET if its enabled keys are
/// for different primitives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_sealer_new(
    write: WriteFunction,
    context: *mut c_void,
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
        let output = Output::new(write, Caller::new(context))?;
        let writer = keyset.streams()?.seal(output, aad)?;
        made.handle = Sealer::give(Sealing::Keyset(Box::new(writer)));
        Ok(())
    })
}

/// Begins to open a stream that an enabled key of a keyset for streams has sealed, and writes
/// the opener to `made`; NULL on a failure. Go on with sivka_opener_read(), and free it with
/// sivka_opener_free(). The keyset and the AAD may be freed before it.
///
/// Nothing is read through `read` before something is asked for. The first segment decides
/// which key it is, in the keyset's order.
///
/// SIVKA_ERROR_NULL, _TOO_LONG, _PRIMITIVE; SIVKA_ERROR_KEYSET if its enabled keys are for
/// different primitives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_opener_new(
    read: ReadFunction,
    context: *mut c_void,
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
        let input = Input::new(read, Caller::new(context))?;
        let reader = keyset.streams()?.open(input, aad);
        made.handle = Opener::give(Opening::Keyset(Box::new(reader)));
        Ok(())
    })
}
