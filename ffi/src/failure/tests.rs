use super::*;
use crate::error::sivka_last_error;
use std::ffi::{CStr, c_char};
use std::io::{self, ErrorKind};

fn text(text: *const c_char) -> Option<String> {
    // SAFETY: null, or a C string of a record that is alive.
    let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })?;
    Some(text.to_str().expect("UTF-8").to_owned())
}

/// What C sees of the last failure: detail, argument, path and the argument that it overlaps.
fn shown() -> [Option<String>; 4] {
    // SAFETY: never null, and no call of this thread fails meanwhile.
    let error = unsafe { &*sivka_last_error() };
    [error.detail, error.argument, error.path, error.overlapped].map(text)
}

fn detail() -> String {
    shown()[0].take().expect("a detail is never null")
}

#[test]
fn every_status_has_a_message_of_its_own() {
    let source = include_str!("../status.rs");
    let constants = source.lines().filter(|line| line.contains(": Status = "));
    let messages: std::collections::BTreeSet<_> = (-1..=200).filter_map(message_of).collect();
    assert_eq!(constants.count(), messages.len());
    // SAFETY: the function returns a static C string.
    assert_eq!(unsafe { CStr::from_ptr(sivka_status_message(-1)) }, c"unknown status");
}

#[test]
fn a_panic_is_a_status() {
    assert_eq!(guard(|| panic!("a test panics")), SIVKA_ERROR_INTERNAL);
    assert_eq!(detail(), "internal error: a test panics");
}

#[test]
fn a_record_says_what_was_wrong_with_which_argument() {
    assert_eq!(guard(|| Err(Failure::null("nonce"))), SIVKA_ERROR_NULL);
    let said = ["nonce is NULL", "nonce"].map(|text| Some(text.to_owned()));
    assert_eq!(shown()[..2], said);
    assert_eq!(shown()[2], None);
    // What was told stays as long as nothing else fails.
    assert_eq!(guard(|| Ok(())), SIVKA_OK);
    assert_eq!(sivka_last_error(), sivka_last_error());
    assert_eq!(shown()[..2], said);
}

#[test]
fn a_detail_says_what_is_allowed() {
    let cost = |memory_kib, passes, lanes| {
        let asked = sivka_file::Argon2Cost { memory_kib, passes, lanes };
        Failure::from(FileError::BadCost(asked))
    };
    let shape = |what, given| Failure::from(sivka::Error::BatchShape { what, expected: 5, given });
    let name = Failure::name("it", SIVKA_ERROR_SUITE, ["a", "b"].into_iter(), c"c\n");
    for (failure, argument, rest) in [
        (Failure::capacity("it", 20, 15), "it", " is too small: 20 bytes needed, 15 given"),
        (name, "it", ": a or b expected, \"c\\n\" given"),
        (Failure::flags(8), "flags", " 0x8 are not known"),
        (shape("offsets", 4), "offsets", ": at least 5 expected, 4 given"),
        (shape("aad offsets", 6), "aad_offsets", ": 0 to 5 expected, 6 given"),
        (shape("bits of validity", 6), "validity", ": 5 expected, 6 given"),
        (cost(64, 0, 1), "passes", ": 1 to 4294967295 expected, 0 given"),
        (cost(64, 1, 256), "lanes", ": 1 to 255 expected, 256 given"),
        (cost(63, 1, 8), "memory_kib", ": 64 to 4294967295 expected, 63 given"),
        // Another name, and the same sentence.
        (shape("offsets", 4).of("rows"), "rows", ": at least 5 expected, 4 given"),
    ] {
        let status = failure.status();
        assert_eq!(guard(|| Err(failure)), status);
        let [detail, said, path, _] = shown();
        assert_eq!((said.as_deref(), path), (Some(argument), None));
        assert_eq!(detail, Some(format!("{argument}{rest}")));
    }
}

#[test]
fn both_arguments_that_overlap_are_named() {
    guard(|| Err(Failure::overlap("sealed", "aad")));
    let [_, argument, _, overlapped] = shown();
    assert_eq!((argument.as_deref(), overlapped.as_deref()), (Some("sealed"), Some("aad")));
    guard(|| Err(Failure::NoMemory));
    assert_eq!(shown()[3], None);
}

#[test]
fn each_thread_has_its_own_failure() {
    assert_eq!(guard(|| Err(Failure::NoMemory)), SIVKA_ERROR_NO_MEMORY);
    let elsewhere = std::thread::spawn(detail).join();
    assert_eq!(elsewhere.ok().as_deref(), Some(""));
    assert_eq!(detail(), "not enough memory");
}

#[test]
fn a_failure_of_the_system_has_its_number() {
    let code = |error: FileError| {
        guard(|| Err(error.into()));
        // SAFETY: as above.
        unsafe { &*sivka_last_error() }.os_code
    };
    for (kind, unix, windows) in [
        (ErrorKind::NotFound, 2, 2),
        (ErrorKind::PermissionDenied, 13, 5),
        (ErrorKind::NotADirectory, 20, 267),
        (ErrorKind::Other, 0, 0),
    ] {
        let expected = if cfg!(windows) { windows } else { unix };
        assert_eq!(code(FileError::Write(kind.into())), expected);
    }
    assert_eq!(code(FileError::Read(io::Error::from_raw_os_error(99))), 99);
    assert_eq!(code(FileError::NotSivka), 0);
}
