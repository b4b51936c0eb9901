use super::*;
use crate::error::{sivka_error_detail, sivka_error_os_code};
use std::ffi::CStr;

/// What C sees of the last failure, in a buffer of `capacity` bytes.
fn detail(capacity: usize) -> (usize, Vec<u8>) {
    let mut text = vec![0xAA_u8; capacity + 1];
    // SAFETY: `capacity` writable bytes are there, and one more to see that it stays.
    let len = unsafe { sivka_error_detail(text.as_mut_ptr().cast(), capacity) };
    assert_eq!(text.pop(), Some(0xAA));
    (len, text)
}

#[test]
fn statuses_are_distinct_and_each_has_its_message() {
    for (index, (status, message)) in MESSAGES.iter().enumerate() {
        assert!(MESSAGES[..index].iter().all(|(other, _)| other != status));
        assert!(MESSAGES[..index].iter().all(|(_, other)| other != message));
        // SAFETY: the function returns a static C string.
        let found = unsafe { CStr::from_ptr(sivka_status_message(*status)) };
        assert_eq!(found, *message);
    }
    // SAFETY: as above.
    let unknown = unsafe { CStr::from_ptr(sivka_status_message(-1)) };
    assert_eq!(unknown, c"unknown status");
}

#[test]
fn every_constant_of_the_source_is_in_the_table() {
    let source = include_str!("../status.rs");
    let constants = source.lines().filter(|line| line.contains(": Status = "));
    assert_eq!(constants.count(), MESSAGES.len());
}

#[test]
fn a_panic_is_a_status() {
    assert_eq!(guard(|| panic!("a test panics")), SIVKA_ERROR_INTERNAL);
    assert_eq!(detail(64).1[..29], *b"internal error: a test panics");
}

#[test]
fn a_detail_is_cut_and_ended_as_snprintf_does() {
    let failure = || Err(Failure::Null { what: "n\u{e4}me" });
    assert_eq!(guard(failure), SIVKA_ERROR_NULL);
    assert_eq!(detail(0), (13, vec![]));
    assert_eq!(detail(1), (13, vec![0]));
    // The second byte of the two-byte letter does not fit, so neither is there.
    assert_eq!(detail(3).1[..2], *b"n\0");
    assert_eq!(detail(14), (13, "n\u{e4}me is NULL\0".as_bytes().to_vec()));
}

#[test]
fn each_thread_has_its_own_failure() {
    assert_eq!(guard(|| Err(Failure::NoMemory)), SIVKA_ERROR_NO_MEMORY);
    let elsewhere = std::thread::spawn(|| detail(64).0).join();
    assert_eq!(elsewhere.ok(), Some(0));
    assert_eq!(detail(64).0, "not enough memory".len());
}

#[test]
fn a_failure_of_the_system_keeps_its_number() {
    let refused = FileError::Write(std::io::Error::from_raw_os_error(13));
    assert_eq!(guard(|| Err(refused.into())), SIVKA_ERROR_WRITE);
    assert_eq!(sivka_error_os_code(), 13);
    let exists = FileError::Write(ErrorKind::AlreadyExists.into());
    assert_eq!(guard(|| Err(exists.into())), SIVKA_ERROR_EXISTS);
    assert_ne!(sivka_error_os_code(), 0);
    assert_eq!(
        guard(|| Err(FileError::NotSivka.into())),
        SIVKA_ERROR_NOT_SIVKA
    );
    assert_eq!(sivka_error_os_code(), 0);
}
