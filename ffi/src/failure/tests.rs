use super::*;
use crate::error::sivka_last_error;
use std::ffi::{CStr, c_char};

fn text(text: *const c_char) -> Option<String> {
    // SAFETY: null, or a C string of a record that is alive.
    let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })?;
    Some(text.to_str().expect("UTF-8").to_owned())
}

/// What C sees of the last failure: detail, argument and path.
fn shown() -> [Option<String>; 3] {
    // SAFETY: never null, and no call of this thread fails meanwhile.
    let error = unsafe { &*sivka_last_error() };
    [error.detail, error.argument, error.path].map(text)
}

fn detail() -> String {
    let [detail, ..] = shown();
    detail.expect("a detail is never null")
}

fn os_code() -> i32 {
    // SAFETY: as above.
    unsafe { &*sivka_last_error() }.os_code
}

#[test]
fn every_status_has_a_message_of_its_own() {
    let source = include_str!("../status.rs");
    let constants = source.lines().filter(|line| line.contains(": Status = "));
    let messages: std::collections::BTreeSet<_> = (-1..=200).filter_map(message_of).collect();
    assert_eq!(constants.count(), messages.len());
    // SAFETY: the function returns a static C string.
    let unknown = unsafe { CStr::from_ptr(sivka_status_message(-1)) };
    assert_eq!(unknown, c"unknown status");
}

#[test]
fn a_panic_is_a_status() {
    assert_eq!(guard(|| panic!("a test panics")), SIVKA_ERROR_INTERNAL);
    assert_eq!(detail(), "internal error: a test panics");
}

#[test]
fn a_record_says_what_was_wrong_with_which_argument() {
    let null = Failure::Null { what: "nonce" };
    assert_eq!(guard(|| Err(null)), SIVKA_ERROR_NULL);
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
    let (what, given) = ("it", 15);
    let length = |expected| Failure::Length {
        what,
        expected,
        given: 15,
    };
    for (failure, said) in [
        (
            length(Expected::multiple_of(16)),
            "it: a multiple of 16 expected, 15 given",
        ),
        (
            Failure::Capacity {
                what,
                needed: 20,
                given,
            },
            "it is too small: 20 bytes needed, 15 given",
        ),
        (
            Failure::Message(sivka::Error::SectionLen { given: 15 }),
            "a section must be a positive multiple of 16 bytes, 15 given",
        ),
        (
            Failure::name(what, SIVKA_ERROR_SUITE, ["a", "b"].into_iter(), c"c\n"),
            "it: a or b expected, \"c\\n\" given",
        ),
    ] {
        guard(|| Err(failure));
        assert_eq!(detail(), said);
    }
}

#[test]
fn both_arguments_that_overlap_are_named() {
    // SAFETY: never null, and no call of this thread fails meanwhile.
    let overlapped = || unsafe { text((*sivka_last_error()).overlapped) };
    let (one, other) = ("sealed", "aad");
    guard(|| Err(Failure::Overlap { one, other }));
    assert_eq!(shown()[1].as_deref(), Some(one));
    assert_eq!(overlapped().as_deref(), Some(other));
    guard(|| Err(Failure::NoMemory));
    assert_eq!(overlapped(), None);
}

#[test]
fn wrong_offsets_are_named() {
    for (what, argument, given, said) in [
        ("offsets", "offsets", 4, "at least 5"),
        ("aad offsets", "aad_offsets", 6, "0 to 5"),
    ] {
        let expected = 5;
        let wrong = sivka::Error::BatchShape {
            what,
            expected,
            given,
        };
        assert_eq!(guard(|| Err(Failure::Message(wrong))), SIVKA_ERROR_OFFSETS);
        assert_eq!(shown()[1].as_deref(), Some(argument));
        assert_eq!(
            detail(),
            format!("{argument}: {said} expected, {given} given")
        );
    }
}

#[test]
fn the_part_of_a_cost_that_is_not_allowed_is_named() {
    for (memory_kib, passes, lanes, named, expected) in [
        (64, 0, 1, "passes", "1 to 4294967295 expected, 0 given"),
        (64, 1, 256, "lanes", "1 to 255 expected, 256 given"),
        (
            63,
            1,
            8,
            "memory_kib",
            "64 to 4294967295 expected, 63 given",
        ),
    ] {
        let asked = sivka_file::Argon2Cost {
            memory_kib,
            passes,
            lanes,
        };
        guard(|| Err(FileError::BadCost(asked).into()));
        assert_eq!(shown()[1].as_deref(), Some(named));
        assert_eq!(detail(), format!("{named}: {expected}"));
    }
}

#[test]
fn each_thread_has_its_own_failure() {
    assert_eq!(guard(|| Err(Failure::NoMemory)), SIVKA_ERROR_NO_MEMORY);
    let elsewhere = std::thread::spawn(detail).join();
    assert_eq!(elsewhere.ok().as_deref(), Some(""));
    assert_eq!(detail(), "not enough memory");
}

#[test]
fn a_failure_of_the_system_keeps_its_number() {
    let refused = FileError::Write(std::io::Error::from_raw_os_error(13));
    assert_eq!(guard(|| Err(refused.into())), SIVKA_ERROR_WRITE);
    assert_eq!(os_code(), 13);
    let exists = FileError::Write(ErrorKind::AlreadyExists.into());
    assert_eq!(guard(|| Err(exists.into())), SIVKA_ERROR_EXISTS);
    assert_ne!(os_code(), 0);
    assert_eq!(
        guard(|| Err(FileError::NotSivka.into())),
        SIVKA_ERROR_NOT_SIVKA
    );
    assert_eq!(os_code(), 0);
}
