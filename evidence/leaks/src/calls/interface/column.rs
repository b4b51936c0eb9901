//! Columns through the C interface.

use super::{AAD, AAD_BOUNDS, BOUNDS, CCall, COUNT};
use sivka_ffi::column::*;
use sivka_ffi::status::{SIVKA_OK, Status};
use std::ffi::c_void;

pub(super) const CALL: (&str, CCall, CCall) = ("a column", seal, open);

/// The third value is null.
const BITMAP: [u8; 1] = [!(1 << 2)];

/// The rows of the messages, and where each begins and ends.
#[derive(Default)]
pub(super) struct Given {
    pub(super) rows: Vec<u8>,
    offsets: [i64; COUNT + 1],
}

fn view(bytes: &[u8], offsets: &[i64; COUNT + 1]) -> ColumnView {
    ColumnView {
        bytes: bytes.as_ptr(),
        bytes_len: bytes.len(),
        offsets: offsets.as_ptr().cast::<c_void>(),
        validity: BITMAP.as_ptr(),
        first_bit: 0,
        offset_bits: 64,
    }
}

fn seal(given: &mut super::Given) -> Status {
    let (key, offsets) = (given.key.0, BOUNDS.map(|bound| bound as i64));
    let values = view(&given.text, &offsets);
    let mut len = 0;
    // SAFETY: a live key, and a column whose parts live as long as the calls.
    let status = unsafe { sivka_sealed_column_len(key, COUNT, &raw const values, &raw mut len) };
    assert_eq!(status, SIVKA_OK);
    given.column.rows = vec![0; len];
    // SAFETY: as above, and room for the rows and their offsets.
    unsafe {
        sivka_seal_column(
            key,
            COUNT,
            &raw const values,
            AAD.as_ptr(),
            AAD.len(),
            AAD_BOUNDS.as_ptr(),
            given.nonces.as_ptr(),
            given.nonces.len(),
            given.column.rows.as_mut_ptr(),
            len,
            given.column.offsets.as_mut_ptr().cast(),
            64,
        )
    }
}

fn open(given: &mut super::Given) -> Status {
    let key = given.key.0;
    let rows = view(&given.column.rows, &given.column.offsets);
    let (mut len, mut offsets) = (0, [0_i64; COUNT + 1]);
    // SAFETY: as above.
    let status = unsafe { sivka_opened_column_len(key, COUNT, &raw const rows, &raw mut len) };
    assert_eq!(status, SIVKA_OK);
    given.text = vec![0; len];
    // SAFETY: as above.
    unsafe {
        sivka_open_column(
            key,
            COUNT,
            &raw const rows,
            AAD.as_ptr(),
            AAD.len(),
            AAD_BOUNDS.as_ptr(),
            given.text.as_mut_ptr(),
            len,
            offsets.as_mut_ptr().cast(),
            64,
            given.statuses.as_mut_ptr(),
        )
    }
}
