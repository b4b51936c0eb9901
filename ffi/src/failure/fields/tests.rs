use super::*;
use crate::status::*;

/// Failure, status and argument of each error of the libraries.
type Told = (Failure, Status, Option<&'static str>);

fn of_message(error: sivka::Error) -> [Told; 2] {
    let (status, argument) = match error {
        sivka::Error::Open => (SIVKA_ERROR_OPEN, None),
        sivka::Error::Batch { .. } => (SIVKA_ERROR_BATCH, None),
        sivka::Error::TooLong { what, .. } => {
            // Whose name in the header depends on the call.
            let argument = match what {
                "aad" => Some("aad"),
                "ciphertext" => None,
                _ => Some("plaintext"),
            };
            (SIVKA_ERROR_TOO_LONG, argument)
        }
        sivka::Error::TooManyStrings { .. } => (SIVKA_ERROR_TOO_LONG, Some("aad_count")),
        sivka::Error::KeyLen { .. } => (SIVKA_ERROR_LENGTH, Some("key")),
        sivka::Error::NonceLen { .. } => (SIVKA_ERROR_LENGTH, Some("nonce")),
        sivka::Error::TagLen { .. } => (SIVKA_ERROR_LENGTH, Some("tag")),
        sivka::Error::OutputLen { .. } => (SIVKA_ERROR_LENGTH, None),
        sivka::Error::BatchShape { .. } => (SIVKA_ERROR_OFFSETS, None),
        sivka::Error::NegativeOffset { .. } => (SIVKA_ERROR_OFFSETS, Some("offsets")),
        sivka::Error::NoRandomNonce => (SIVKA_ERROR_NO_RANDOM_NONCE, None),
        sivka::Error::Nonce => (SIVKA_ERROR_REFUSED, Some("nonce")),
        sivka::Error::Empty => (SIVKA_ERROR_REFUSED, None),
        sivka::Error::UsageBound { .. } => (SIVKA_ERROR_USAGE_BOUND, None),
        sivka::Error::Random => (SIVKA_ERROR_RANDOM, None),
        sivka::Error::SelfCheck { .. } => (SIVKA_ERROR_SELF_CHECK, None),
        other => panic!("{other:?} has no row"),
    };
    let of_keyset = KeysetError::Aead(error);
    [
        (Failure::Message(error), status, argument),
        (Failure::Keyset(of_keyset), status, None),
    ]
}

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
        sivka::Error::NegativeOffset { given: -1 },
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
    let rows = rows.map(|(error, status)| (Failure::Keyset(error), status, None));
    let Err(KeysetError::Misuse(new_key)) = sivka_keyset::Keyset::from_kms_key("", None) else {
        panic!("a key without a URI");
    };
    let misuses = [
        (Misuse::NoSuchKey(id), SIVKA_ERROR_KEY_ID, Some("id")),
        (Misuse::AmbiguousId(id), SIVKA_ERROR_KEY_ID, Some("id")),
        (Misuse::NewId(id), SIVKA_ERROR_KEY_ID, None),
        (Misuse::NotEnabled(id), SIVKA_ERROR_KEY_STATE, Some("id")),
        (Misuse::Primary(id), SIVKA_ERROR_KEY_STATE, Some("id")),
        (Misuse::Destroyed(id), SIVKA_ERROR_KEY_STATE, Some("id")),
        (
            Misuse::OtherPrimitive(sivka_keyset::Primitive::Aead),
            SIVKA_ERROR_PRIMITIVE,
            Some("keyset"),
        ),
        (new_key, SIVKA_ERROR_KEYSET, None),
        (Misuse::TooManyKeys, SIVKA_ERROR_TOO_LONG, None),
        (Misuse::TooLarge, SIVKA_ERROR_TOO_LONG, None),
        (Misuse::TooManySegments, SIVKA_ERROR_TOO_LONG, None),
    ];
    let misuses = misuses.map(|(misuse, status, argument)| {
        let error = KeysetError::Misuse(misuse);
        (Failure::Keyset(error), status, argument)
    });
    let misuse = KeysetError::Misuse(Misuse::TooLong(too_long));
    let too_long = (Failure::Keyset(misuse), SIVKA_ERROR_TOO_LONG, Some("aad"));
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
        (FileError::UnknownKind { kind }, SIVKA_ERROR_NEWER, None),
        (FileError::HeaderDamaged, SIVKA_ERROR_DAMAGED, None),
        (FileError::PayloadMismatch, SIVKA_ERROR_DAMAGED, None),
        (FileError::Damaged { chunk }, SIVKA_ERROR_DAMAGED, None),
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
        (
            KeyFileError::NotAKeyFile { found: "" },
            SIVKA_ERROR_KEY_FILE,
            None,
        ),
    ];
    let rows = rows.map(|(error, status, argument)| (Failure::File(error), status, argument));
    let key_files =
        key_files.map(|(error, status, argument)| (Failure::KeyFile(error), status, argument));
    rows.into_iter().chain(key_files).collect()
}

#[test]
fn every_error_of_the_libraries_has_its_status_and_argument() {
    for (failure, status, argument) in messages().into_iter().chain(keysets()).chain(files()) {
        assert_eq!(failure.status(), status, "{failure:?}");
        assert_eq!(failure.argument(), argument, "{failure:?}");
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

#[test]
fn an_error_about_a_column_names_the_arguments_of_a_column() {
    let (limit, given) = (7, 9);
    let too_long = |what| sivka::Error::TooLong { what, limit, given };
    for (error, argument, begin) in [
        (sivka::Error::Nonce, Some("nonces"), "the first bit"),
        (too_long("aad"), Some("aads"), "aads is too long"),
        (too_long("plaintext"), Some("values"), "values is too long"),
        (too_long("column"), Some("output"), "column is too long"),
        (too_long("aad and plaintext together"), None, "aad and"),
        (sivka::Error::Empty, None, "MGM"),
    ] {
        let (failure, same) = (Failure::of_column(error, "output"), Failure::from(error));
        assert_eq!(failure.argument(), argument, "{failure}");
        assert_eq!(failure.status(), same.status());
        assert!(failure.to_string().starts_with(begin), "{failure}");
    }
}
