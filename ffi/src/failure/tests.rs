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

/// The numbers: least, most, step and given.
fn numbers() -> [u64; 4] {
    // SAFETY: as above.
    let error = unsafe { &*sivka_last_error() };
    [
        error.expected_least,
        error.expected_most,
        error.expected_step,
        error.given,
    ]
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
    assert_eq!(detail(), "internal error: a test panics");
}

#[test]
fn a_record_says_what_was_wrong_with_which_argument() {
    let null = Failure::Null { what: "nonce" };
    assert_eq!(guard(|| Err(null)), SIVKA_ERROR_NULL);
    let said = ["nonce is NULL", "nonce"].map(|text| Some(text.to_owned()));
    assert_eq!(shown()[..2], said);
    assert_eq!((shown()[2].as_deref(), numbers()), (None, [0; 4]));
    // What was told stays as long as nothing else fails.
    assert_eq!(guard(|| Ok(())), SIVKA_OK);
    assert_eq!(sivka_last_error(), sivka_last_error());
    assert_eq!(shown()[..2], said);
}

#[test]
fn the_numbers_that_are_allowed_are_said_in_words_too() {
    let told = |failure| {
        guard(|| Err(failure));
        (detail(), numbers())
    };
    let length = |expected| Failure::Length {
        what: "it",
        expected,
        given: 15,
    };
    let said = |text: &str, numbers| (text.to_owned(), numbers);
    let most = u64::MAX;
    for (failure, expected) in [
        (
            length(Expected::exactly(16)),
            said("it: 16 expected, 15 given", [16, 16, 1, 15]),
        ),
        (
            length(Expected::multiple_of(16)),
            said("it: a multiple of 16 expected, 15 given", [0, most, 16, 15]),
        ),
        (
            length(Expected::between(4, 8)),
            said("it: 4 to 8 expected, 15 given", [4, 8, 1, 15]),
        ),
        (
            Failure::Capacity {
                what: "it",
                needed: 20,
                given: 15,
            },
            said(
                "it is too small: 20 bytes needed, 15 given",
                [20, most, 1, 15],
            ),
        ),
        (
            Failure::Message(sivka::Error::SectionLen { given: 15 }),
            said(
                "a section must be a positive multiple of 16 bytes, 15 given",
                [16, most, 16, 15],
            ),
        ),
    ] {
        assert_eq!(told(failure), expected);
    }
}

#[test]
fn wrong_offsets_are_named() {
    for (what, argument, given, allowed) in [
        ("offsets", "offsets", 4, [5, u64::MAX]),
        ("aad offsets", "aad_offsets", 6, [0, 5]),
    ] {
        let expected = 5;
        let wrong = sivka::Error::BatchShape {
            what,
            expected,
            given,
        };
        assert_eq!(guard(|| Err(Failure::Message(wrong))), SIVKA_ERROR_OFFSETS);
        assert_eq!(shown()[1].as_deref(), Some(argument));
        assert_eq!(numbers(), [allowed[0], allowed[1], 1, given as u64]);
    }
}

#[test]
fn a_failure_of_a_file_names_its_path_once() {
    let (input, output) = (Path::new("/from"), Path::new("/to"));
    for (error, path) in [
        (FileError::Damaged { chunk: 3 }, "/from"),
        (FileError::Read(ErrorKind::NotFound.into()), "/from"),
        (FileError::Write(ErrorKind::NotFound.into()), "/to"),
    ] {
        guard(|| Err(Failure::from(error).at(input, output)));
        assert_eq!(shown()[1..], [None, Some(path.to_owned())]);
        assert_eq!(detail().matches(path).count(), 1);
    }
    // What is wrong with the call is not wrong with a file.
    guard(|| Err(Failure::from(FileError::TooManySlots).at(input, output)));
    assert_eq!(shown()[1..], [Some("keys".to_owned()), None]);
}

#[test]
fn the_part_of_a_cost_that_is_not_allowed_is_named() {
    for (memory_kib, passes, lanes, named, expected) in [
        (64, 0, 1, "passes", [1, u64::from(u32::MAX), 1, 0]),
        (64, 1, 256, "lanes", [1, 255, 1, 256]),
        (63, 1, 8, "memory_kib", [64, u64::from(u32::MAX), 1, 63]),
    ] {
        let asked = sivka_file::Argon2Cost {
            memory_kib,
            passes,
            lanes,
        };
        guard(|| Err(FileError::BadCost { asked }.into()));
        assert_eq!(shown()[1].as_deref(), Some(named));
        assert_eq!(numbers(), expected);
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

/// Failure, status, argument and numbers of each error of the libraries.
type Told = (
    Failure,
    Status,
    Option<&'static str>,
    Option<(Expected, u64)>,
);

fn of_message(error: sivka::Error) -> [Told; 2] {
    let (status, argument, numbers) = match error {
        sivka::Error::Open => (SIVKA_ERROR_OPEN, None, None),
        sivka::Error::Batch { .. } => (SIVKA_ERROR_BATCH, None, None),
        sivka::Error::TooLong { what, .. } => {
            // Whose name in the header depends on the call.
            let argument = match what {
                "aad" => Some("aad"),
                "ciphertext" => None,
                _ => Some("plaintext"),
            };
            let numbers = Some((Expected::between(0, 7), 9));
            (SIVKA_ERROR_TOO_LONG, argument, numbers)
        }
        sivka::Error::TooManyStrings { .. } => {
            let numbers = Some((Expected::between(0, 7), 9));
            (SIVKA_ERROR_TOO_LONG, Some("aad_count"), numbers)
        }
        sivka::Error::KeyLen { .. } => (SIVKA_ERROR_LENGTH, Some("key"), SEVEN),
        sivka::Error::NonceLen { .. } => (SIVKA_ERROR_LENGTH, Some("nonce"), SEVEN),
        sivka::Error::TagLen { .. } => (SIVKA_ERROR_LENGTH, Some("tag"), SEVEN),
        sivka::Error::OutputLen { .. } => (SIVKA_ERROR_LENGTH, None, SEVEN),
        sivka::Error::BatchShape { .. } => (SIVKA_ERROR_OFFSETS, None, SEVEN),
        sivka::Error::NoRandomNonce => (SIVKA_ERROR_NO_RANDOM_NONCE, None, None),
        sivka::Error::Nonce => (SIVKA_ERROR_REFUSED, Some("nonce"), None),
        sivka::Error::Empty => (SIVKA_ERROR_REFUSED, None, None),
        sivka::Error::UsageBound { .. } => (SIVKA_ERROR_USAGE_BOUND, None, None),
        sivka::Error::Random => (SIVKA_ERROR_RANDOM, None, None),
        sivka::Error::SelfCheck { .. } => (SIVKA_ERROR_SELF_CHECK, None, None),
        other => panic!("{other:?} has no row"),
    };
    let of_keyset = KeysetError::Aead(error);
    [
        (Failure::Message(error), status, argument, numbers),
        (Failure::Keyset(of_keyset), status, None, None),
    ]
}

/// Seven were expected, and nine given.
const SEVEN: Option<(Expected, u64)> = Some((
    Expected {
        least: 7,
        most: 7,
        step: 1,
    },
    9,
));

fn messages() -> Vec<Told> {
    let (what, expected, given) = ("it", 7, 9);
    let too_long = |what| sivka::Error::TooLong {
        what,
        limit: 7,
        given: 9,
    };
    let errors = [
        sivka::Error::Open,
        sivka::Error::Batch { failed: 1 },
        too_long("aad"),
        too_long("plaintext"),
        too_long("plaintext and aad under this key's usage bound"),
        too_long("ciphertext"),
        sivka::Error::TooManyStrings { limit: 7, given },
        sivka::Error::KeyLen { expected, given },
        sivka::Error::NonceLen { expected, given },
        sivka::Error::TagLen { expected, given },
        sivka::Error::OutputLen { expected, given },
        sivka::Error::BatchShape {
            what,
            expected,
            given,
        },
        sivka::Error::NoRandomNonce,
        sivka::Error::Nonce,
        sivka::Error::Empty,
        sivka::Error::UsageBound { messages: 1 },
        sivka::Error::Random,
        sivka::Error::SelfCheck { tier: "none" },
    ];
    errors.into_iter().flat_map(of_message).collect()
}

fn keysets() -> Vec<Told> {
    let id = 1;
    let too_long = sivka::Error::TooLong {
        what: "aad",
        limit: 7,
        given: 9,
    };
    let rows = [
        (KeysetError::Open, SIVKA_ERROR_OPEN),
        (KeysetError::LooksEncrypted, SIVKA_ERROR_KEYSET),
        (KeysetError::LooksCleartext, SIVKA_ERROR_KEYSET),
        (KeysetError::Random, SIVKA_ERROR_RANDOM),
    ];
    let rows = rows.map(|(error, status)| (Failure::Keyset(error), status, None, None));
    let misuses = [
        (Misuse::NoSuchKey { id }, SIVKA_ERROR_KEY_ID, Some("id")),
        (Misuse::AmbiguousId { id }, SIVKA_ERROR_KEY_ID, Some("id")),
        (Misuse::NewId { id }, SIVKA_ERROR_KEY_ID, None),
        (Misuse::NotEnabled { id }, SIVKA_ERROR_KEY_STATE, Some("id")),
        (Misuse::Primary { id }, SIVKA_ERROR_KEY_STATE, Some("id")),
        (Misuse::Destroyed { id }, SIVKA_ERROR_KEY_STATE, Some("id")),
        (
            Misuse::OtherPrimitive(sivka_keyset::Primitive::Aead),
            SIVKA_ERROR_PRIMITIVE,
            Some("keyset"),
        ),
        (
            Misuse::NewKey(sivka_keyset::Rule::NoKey),
            SIVKA_ERROR_KEYSET,
            None,
        ),
        (Misuse::TooManyKeys, SIVKA_ERROR_TOO_LONG, None),
        (Misuse::TooLarge, SIVKA_ERROR_TOO_LONG, None),
    ];
    let misuses = misuses.map(|(misuse, status, argument)| {
        let error = KeysetError::Misuse(misuse);
        (Failure::Keyset(error), status, argument, None)
    });
    let misuse = KeysetError::Misuse(Misuse::TooLong(too_long));
    let numbers = Some((Expected::between(0, 7), 9));
    let too_long = (
        Failure::Keyset(misuse),
        SIVKA_ERROR_TOO_LONG,
        Some("aad"),
        numbers,
    );
    rows.into_iter().chain(misuses).chain([too_long]).collect()
}

fn files() -> Vec<Told> {
    let asked = sivka_file::Argon2Cost::default();
    let (version, suite, index, kind, chunk) = (2, 9, 0, 9, 1);
    let rows = [
        (FileError::NotSivka, SIVKA_ERROR_NOT_SIVKA, None),
        (
            FileError::UnknownVersion { version },
            SIVKA_ERROR_NEWER,
            None,
        ),
        (FileError::UnknownSuite { suite }, SIVKA_ERROR_NEWER, None),
        (
            FileError::UnknownSlot { index, kind },
            SIVKA_ERROR_NEWER,
            None,
        ),
        (FileError::HeaderDamaged, SIVKA_ERROR_DAMAGED, None),
        (FileError::PayloadMismatch, SIVKA_ERROR_DAMAGED, None),
        (FileError::Damaged { chunk }, SIVKA_ERROR_DAMAGED, None),
        (FileError::DamagedEnd { chunk }, SIVKA_ERROR_DAMAGED, None),
        (
            FileError::Truncated { chunks: 1 },
            SIVKA_ERROR_TRUNCATED,
            None,
        ),
        (FileError::NoSlotOpens, SIVKA_ERROR_WRONG_KEY, None),
        (
            FileError::CostTooHigh {
                index,
                asked,
                limit: asked,
            },
            SIVKA_ERROR_COST_LIMIT,
            None,
        ),
        (FileError::TooLong, SIVKA_ERROR_FILE_TOO_LONG, None),
        (
            FileError::EmptyPassphrase,
            SIVKA_ERROR_EMPTY_PASSPHRASE,
            Some("passphrase"),
        ),
        (FileError::NoMemory { kib: 8 }, SIVKA_ERROR_NO_MEMORY, None),
        (FileError::NoSlotLeft, SIVKA_ERROR_KEY_COUNT, Some("keys")),
        (FileError::TooManySlots, SIVKA_ERROR_KEY_COUNT, Some("keys")),
        (
            FileError::BadKeyName(KeyFileError::BadName),
            SIVKA_ERROR_KEY_NAME,
            Some("name"),
        ),
        (
            FileError::NoSuchSlot { index },
            SIVKA_ERROR_SLOT,
            Some("index"),
        ),
        (FileError::Random, SIVKA_ERROR_RANDOM, None),
        (FileError::Aead(sivka::Error::Open), SIVKA_ERROR_OPEN, None),
    ];
    let key_files = [
        (KeyFileError::UnknownVersion, SIVKA_ERROR_NEWER, None),
        (KeyFileError::BadName, SIVKA_ERROR_KEY_NAME, Some("name")),
        (KeyFileError::Checksum, SIVKA_ERROR_KEY_FILE, None),
        (KeyFileError::NotAKeyFile, SIVKA_ERROR_KEY_FILE, None),
    ];
    let rows = rows.map(|(error, status, argument)| (Failure::File(error), status, argument, None));
    let key_files = key_files
        .map(|(error, status, argument)| (Failure::KeyFile(error), status, argument, None));
    rows.into_iter().chain(key_files).collect()
}

#[test]
fn every_error_of_the_libraries_has_its_status_argument_and_numbers() {
    for (failure, status, argument, numbers) in
        messages().into_iter().chain(keysets()).chain(files())
    {
        assert_eq!(failure.status(), status, "{failure:?}");
        assert_eq!(failure.argument(), argument, "{failure:?}");
        assert_eq!(failure.numbers(), numbers, "{failure:?}");
        assert_ne!(status, SIVKA_ERROR_INTERNAL, "{failure:?}");
    }
}

#[test]
fn a_kind_of_error_has_the_systems_number() {
    let code = |error| Failure::File(FileError::Read(error)).os_code();
    for (kind, unix, windows) in [
        (ErrorKind::NotFound, 2, 2),
        (ErrorKind::PermissionDenied, 13, 5),
        (ErrorKind::AlreadyExists, 17, 80),
        (ErrorKind::NotADirectory, 20, 267),
        (ErrorKind::IsADirectory, 21, 5),
    ] {
        let expected = if cfg!(windows) { windows } else { unix };
        assert_eq!(code(kind.into()), Some(expected));
    }
    assert_eq!(code(ErrorKind::Other.into()), None);
    assert_eq!(code(std::io::Error::from_raw_os_error(99)), Some(99));
}

#[test]
fn what_is_allowed_is_said_in_few_words() {
    let step = |least, most, step| Expected { least, most, step };
    for (expected, words) in [
        (Expected::exactly(7), "7"),
        (Expected::at_least(7), "at least 7"),
        (Expected::multiple_of(16), "a multiple of 16"),
        (Expected::between(7, 8), "7 or 8"),
        (Expected::between(7, 9), "7 to 9"),
        (step(16, 24, 8), "16 or 24"),
        (step(16, 32, 8), "16 to 32"),
        (step(8, 12, 2), "8 to 12"),
    ] {
        assert_eq!(expected.to_string(), words);
    }
}

#[test]
fn a_misuse_is_of_the_argument_that_it_is_said_of() {
    let of = |error| {
        let failure = Failure::File(error).of("cost_of_it");
        (failure.argument(), failure.status())
    };
    let empty = (Some("cost_of_it"), SIVKA_ERROR_EMPTY_PASSPHRASE);
    assert_eq!(of(FileError::EmptyPassphrase), empty);
    assert_eq!(of(FileError::Random), (None, SIVKA_ERROR_RANDOM));
    assert_eq!(of(FileError::NotSivka), (None, SIVKA_ERROR_NOT_SIVKA));
}
