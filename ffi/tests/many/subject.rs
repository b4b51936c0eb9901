//! A key of the C interface, as the conformance tests call it.

use sivka::{BatchAad, BatchText, Column, Offsets, OffsetsMut, Status as Outcome};
use sivka_ffi::status::{
    SIVKA_ERROR_BATCH, SIVKA_ERROR_OPEN, SIVKA_ERROR_REFUSED, SIVKA_ERROR_TOO_LONG, SIVKA_OK,
    Status,
};
use sivka_ffi::{algorithm, batch, column, key, seal};
use sivka_judge::conformance::{Failure, Subject};
use std::ffi::{CString, c_void};
use std::ptr;

/// A key of C.
pub(crate) struct CKey(*mut key::Key);

impl CKey {
    /// A key of as many bytes as the algorithm has.
    pub(crate) fn new(algorithm: &str, bytes: &[u8]) -> Self {
        let name = CString::new(algorithm).expect("a name without zeros");
        let (mut number, mut made) = (0, ptr::null_mut());
        // SAFETY: a C string, live bytes with their length, and places to write to.
        let statuses = unsafe {
            [
                algorithm::sivka_algorithm_from_name(name.as_ptr(), &raw mut number),
                key::sivka_key_new(number, bytes.as_ptr(), bytes.len(), &raw mut made),
            ]
        };
        assert_eq!(statuses, [SIVKA_OK; 2], "{algorithm}");
        Self(made)
    }

    fn number(&self) -> algorithm::AlgorithmNumber {
        // SAFETY: a live key.
        unsafe { key::sivka_key_algorithm(self.0) }
    }
}

impl Drop for CKey {
    fn drop(&mut self) {
        // SAFETY: made above, and freed once.
        unsafe { key::sivka_key_free(self.0) };
    }
}

fn done(status: Status) -> Result<(), Failure> {
    match status {
        SIVKA_OK => Ok(()),
        SIVKA_ERROR_OPEN => Err(Failure::Open),
        _ => Err(Failure::Misuse),
    }
}

/// A call, in which `[x]` is the pointer of a slice and its length, and `[mut x]` one that is
/// written.
macro_rules! call {
    ($function:path => $($arguments:tt)*) => { call!(@ $function [] $($arguments)*) };
    (@ $function:path [$($done:expr),*]) => {
        // SAFETY: the key is alive, every pointer comes from a slice or a vector and is passed
        // with its length, and what is written is borrowed by nobody else. Reading and writing at
        // one place is allowed.
        unsafe { $function($($done),*) }
    };
    (@ $f:path [$($done:expr),*] [mut $slice:expr], $($rest:tt)*) => {
        call!(@ $f [$($done,)* $slice.as_mut_ptr(), $slice.len()] $($rest)*)
    };
    (@ $f:path [$($done:expr),*] [$slice:expr], $($rest:tt)*) => {
        call!(@ $f [$($done,)* $slice.as_ptr(), $slice.len()] $($rest)*)
    };
    (@ $f:path [$($done:expr),*] $value:expr, $($rest:tt)*) => {
        call!(@ $f [$($done,)* $value] $($rest)*)
    };
}

/// A call that writes to room of this length, and says how much of it.
fn written(
    len: usize,
    call: impl FnOnce(&mut [u8], *mut usize) -> Status,
) -> Result<Vec<u8>, Failure> {
    let (mut output, mut used) = (vec![0; len], usize::MAX);
    done(call(&mut output, &raw mut used))?;
    output.truncate(used);
    Ok(output)
}

/// Runs a call with statuses in the place of outcomes.
fn with_statuses(
    outcomes: &mut [Outcome],
    call: impl FnOnce(*mut Status) -> Status,
) -> Result<usize, Failure> {
    // What no message gets.
    let mut statuses = vec![SIVKA_ERROR_BATCH; outcomes.len()];
    let status = call(statuses.as_mut_ptr());
    if status != SIVKA_OK && status != SIVKA_ERROR_BATCH {
        return Err(Failure::Misuse);
    }
    for (outcome, status) in outcomes.iter_mut().zip(&statuses) {
        *outcome = match *status {
            SIVKA_OK => Outcome::Done,
            SIVKA_ERROR_OPEN => Outcome::NotOpened,
            SIVKA_ERROR_TOO_LONG => Outcome::TooLong,
            SIVKA_ERROR_REFUSED => Outcome::Refused,
            other => panic!("the status of a message is {other}"),
        };
    }
    let failed = statuses.iter().filter(|status| **status != SIVKA_OK);
    let failed = failed.count();
    assert_eq!(
        status == SIVKA_OK,
        failed == 0,
        "{status} for {failed} failures"
    );
    Ok(failed)
}

/// AADs as C has them: one buffer, and offsets unless there is one for all.
struct Buffer {
    bytes: Vec<u8>,
    offsets: Option<Vec<usize>>,
}

impl Buffer {
    fn new(aads: BatchAad<'_>) -> Self {
        match aads {
            BatchAad::Common(aad) => Self {
                bytes: aad.to_vec(),
                offsets: None,
            },
            BatchAad::Contiguous { bytes, offsets } => Self {
                bytes: bytes.to_vec(),
                offsets: Some(offsets.to_vec()),
            },
            BatchAad::Slices(aads) => {
                let ends = aads.iter().scan(0, |end, aad| {
                    *end += aad.len();
                    Some(*end)
                });
                Self {
                    offsets: Some([0].into_iter().chain(ends).collect()),
                    bytes: aads.concat(),
                }
            }
        }
    }

    fn offsets(&self) -> *const usize {
        let offsets = self.offsets.as_ref();
        offsets.map_or(ptr::null(), |offsets| offsets.as_ptr())
    }
}

/// AADs as pointers and lengths.
fn pointers(aads: BatchAad<'_>, count: usize) -> (Vec<*const u8>, Vec<usize>) {
    let each: Vec<&[u8]> = match aads {
        BatchAad::Common(aad) => vec![aad; count],
        BatchAad::Slices(aads) => aads.to_vec(),
        BatchAad::Contiguous { bytes, offsets } => {
            let ends = offsets.windows(2);
            ends.map(|ends| &bytes[ends[0]..ends[1]]).collect()
        }
    };
    let starts = each.iter().map(|aad| aad.as_ptr()).collect();
    (starts, each.iter().map(|aad| aad.len()).collect())
}

fn view(values: &Column<'_>) -> column::ColumnView {
    let (offsets, offset_bits) = match values.offsets {
        Offsets::Bits32(offsets) => (offsets.as_ptr().cast(), 32),
        Offsets::Bits64(offsets) => (offsets.as_ptr().cast(), 64),
    };
    let (validity, first_bit) = match values.validity {
        Some(validity) => (validity.bitmap.as_ptr(), validity.first_bit),
        None => (ptr::null(), 0),
    };
    column::ColumnView {
        bytes: values.bytes.as_ptr(),
        bytes_len: values.bytes.len(),
        offsets,
        validity,
        first_bit,
        offset_bits,
    }
}

fn room(offsets: OffsetsMut<'_>) -> (*mut c_void, u32) {
    match offsets {
        OffsetsMut::Bits32(offsets) => (offsets.as_mut_ptr().cast(), 32),
        OffsetsMut::Bits64(offsets) => (offsets.as_mut_ptr().cast(), 64),
    }
}

/// Calls the one function for texts in one buffer, or the other for a list: both directions
/// take the same, but for what may be done with the tags.
macro_rules! batch {
    ($contiguous:ident, $list:ident => $key:expr, $nonces:ident, $aads:ident, $texts:ident,
     [$($tags:tt)*], $outcomes:ident) => {{
        let count = $outcomes.len();
        with_statuses($outcomes, |statuses| match $texts {
            BatchText::Contiguous { bytes, offsets } => {
                let aads = Buffer::new($aads);
                call!(batch::$contiguous => $key, count, [$nonces], [aads.bytes], aads.offsets(),
                      [mut bytes], offsets.as_ptr(), [$($tags)*], statuses,)
            }
            BatchText::Slices(texts) => {
                let (aads, aad_lens) = pointers($aads, count);
                let starts: Vec<*mut u8> = texts.iter_mut().map(|text| text.as_mut_ptr()).collect();
                let lens: Vec<usize> = texts.iter().map(|text| text.len()).collect();
                call!(batch::$list => $key, count, [$nonces], aads.as_ptr(), aad_lens.as_ptr(),
                      starts.as_ptr(), lens.as_ptr(), [$($tags)*], statuses,)
            }
        })
    }};
}

impl Subject for CKey {
    fn tier_name(&self) -> &str {
        // SAFETY: a live key; the name is static.
        let name = unsafe { std::ffi::CStr::from_ptr(key::sivka_key_tier(self.0)) };
        name.to_str().expect("a name in ASCII")
    }

    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        let len = seal::sivka_seal_len(self.number(), plaintext.len());
        written(
            len,
            |output, used| call!(seal::sivka_seal => self.0, [aad], [plaintext], [mut output], used,),
        )
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        let len = seal::sivka_open_len(self.number(), sealed.len());
        written(
            len,
            |output, used| call!(seal::sivka_open => self.0, [aad], [sealed], [mut output], used,),
        )
    }

    fn seal_with_nonce(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        let len = seal::sivka_seal_with_nonce_len(self.number(), plaintext.len());
        written(
            len,
            |output, used| call!(seal::sivka_seal_with_nonce => self.0, [nonce], [aad], [plaintext], [mut output], used,),
        )
    }

    fn open_with_nonce(&self, nonce: &[u8], sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        let len = seal::sivka_open_with_nonce_len(self.number(), sealed.len());
        written(
            len,
            |output, used| call!(seal::sivka_open_with_nonce => self.0, [nonce], [aad], [sealed], [mut output], used,),
        )
    }

    fn seal_into(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure> {
        done(
            call!(seal::sivka_seal_detached => self.0, [nonce], [aad], [plaintext], [mut ciphertext],
                   [mut tag],),
        )
    }

    fn open_into(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
        tag: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Failure> {
        done(
            call!(seal::sivka_open_detached => self.0, [nonce], [aad], [ciphertext], [tag],
                   [mut plaintext],),
        )
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure> {
        let (text, len) = (in_out.as_mut_ptr(), in_out.len());
        done(
            call!(seal::sivka_seal_detached => self.0, [nonce], [aad], text, len, text, len, [mut tag],),
        )
    }

    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Failure> {
        let (text, len) = (in_out.as_mut_ptr(), in_out.len());
        done(
            call!(seal::sivka_open_detached => self.0, [nonce], [aad], text, len, [tag], text, len,),
        )
    }

    fn seal_batch(
        &self,
        nonces: &[u8],
        aads: BatchAad<'_>,
        texts: BatchText<'_, '_>,
        tags: &mut [u8],
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure> {
        batch!(sivka_seal_batch_contiguous, sivka_seal_batch => self.0, nonces, aads, texts,
               [mut tags], outcomes)
    }

    fn open_batch(
        &self,
        nonces: &[u8],
        aads: BatchAad<'_>,
        texts: BatchText<'_, '_>,
        tags: &[u8],
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure> {
        batch!(sivka_open_batch_contiguous, sivka_open_batch => self.0, nonces, aads, texts,
               [tags], outcomes)
    }

    fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Failure> {
        let (values, count, mut len) = (view(values), values.len(), usize::MAX);
        done(
            call!(column::sivka_sealed_column_len => self.0, count, &raw const values, &raw mut len,),
        )?;
        Ok(len)
    }

    fn seal_column(
        &self,
        nonces: Option<&[u8]>,
        values: &Column<'_>,
        aads: BatchAad<'_>,
        rows: &mut [u8],
        offsets: OffsetsMut<'_>,
    ) -> Result<(), Failure> {
        let (nonces, aads) = (nonces.unwrap_or_default(), Buffer::new(aads));
        let (values, count) = (view(values), values.len());
        let (offsets, bits) = room(offsets);
        done(
            call!(column::sivka_seal_column => self.0, count, &raw const values, [aads.bytes],
                   aads.offsets(), [nonces], [mut rows], offsets, bits,),
        )
    }

    fn opened_column_len(&self, rows: &Column<'_>) -> Result<usize, Failure> {
        let (rows, count, mut len) = (view(rows), rows.len(), usize::MAX);
        done(
            call!(column::sivka_opened_column_len => self.0, count, &raw const rows, &raw mut len,),
        )?;
        Ok(len)
    }

    fn open_column(
        &self,
        rows: &Column<'_>,
        aads: BatchAad<'_>,
        values: &mut [u8],
        offsets: OffsetsMut<'_>,
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure> {
        let aads = Buffer::new(aads);
        let (rows, count) = (view(rows), rows.len());
        let (offsets, bits) = room(offsets);
        with_statuses(outcomes, |statuses| {
            call!(column::sivka_open_column => self.0, count, &raw const rows, [aads.bytes],
                  aads.offsets(), [mut values], offsets, bits, statuses,)
        })
    }
}
