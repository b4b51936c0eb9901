//! The table of the file format's suites: names and numbers.

use crate::failure::{Failure, guard};
use crate::region::{Region, c_str};
use crate::status::{SIVKA_ERROR_SUITE, Status};
use sivka_file::Suite;
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::LazyLock;

/// The number of a suite of the file format: which AEAD seals the chunks of a file. It is in the
/// file's header and never changes its meaning. They count from 1; 0 is the default suite.
pub type SuiteNumber = u32;

/// Every suite of this version, with its name as C reads it.
static SUITES: LazyLock<Vec<(Suite, CString)>> = LazyLock::new(|| {
    let name = |suite: &Suite| CString::new(suite.name()).unwrap_or_default();
    Suite::ALL.iter().map(|suite| (*suite, name(suite))).collect()
});

/// The suite of a number, with 0 for the default.
pub(crate) fn find(number: SuiteNumber) -> Result<Suite, Failure> {
    match number {
        0 => Ok(Suite::default()),
        number => Suite::from_number(number)
            .ok_or_else(|| Failure::unknown(SIVKA_ERROR_SUITE, "suite", number)),
    }
}

/// Writes the number of the suite with this name, in upper or lower case, to `suite`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_suite_from_name(
    name: *const c_char,
    suite: *mut SuiteNumber,
) -> Status {
    guard(|| {
        let out = Region::new("suite", suite, 1)?;
        // SAFETY: a C string, as the header asks.
        let name = unsafe { c_str("name", name) }?;
        let same = |row: &&(Suite, CString)| row.1.to_bytes().eq_ignore_ascii_case(name.to_bytes());
        let (found, _) = SUITES.iter().find(same).ok_or_else(|| {
            let known = Suite::ALL.iter().map(|suite| suite.name());
            Failure::name("name", SIVKA_ERROR_SUITE, known, name)
        })?;
        // SAFETY: one writable number, as the header asks, and nothing else of it in use.
        unsafe { out.write(found.number()) };
        Ok(())
    })
}

/// The name of a suite, that of the default for 0, or NULL if it is not known here. Static.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_suite_name(suite: SuiteNumber) -> *const c_char {
    let found = find(suite).ok();
    let row = SUITES.iter().find(|(suite, _)| Some(*suite) == found);
    row.map_or(ptr::null(), |(_, name)| name.as_ptr())
}
