use super::*;

/// Checks the status and the argument of errors that neither the matrix nor a program in C meets.
macro_rules! told {
    ($of:expr; $($error:expr => $status:ident $(, $argument:literal)?;)*) => {
        $({
            let (argument, failure) = (None::<&str>, $of($error));
            $(let argument = argument.or(Some($argument));)?
            assert_eq!(failure.status(), $status, "{failure:?}");
            assert_eq!(failure.argument(), argument, "{failure:?}");
            assert_ne!($status, SIVKA_ERROR_INTERNAL, "{failure:?}");
        })*
    };
}

/// As an error of a message, and inside of a keyset's.
macro_rules! told_of_messages {
    ($($error:expr => $status:ident $(, $argument:literal)?;)*) => {
        told! { Failure::Message; $($error => $status $(, $argument)?;)* }
        told! { |error| Failure::Keyset(KeysetError::Aead(error)); $($error => $status;)* }
    };
}

#[test]
fn other_errors_of_a_message_have_their_status_and_argument() {
    use sivka::Error;
    let (expected, given) = (7, 9);
    let too_long = |what| Error::TooLong { what, limit: 7, given: 9 };
    told_of_messages! {
        Error::Batch { failed: 1 } => SIVKA_ERROR_BATCH;
        too_long("aad") => SIVKA_ERROR_TOO_LONG, "aad";
        too_long("plaintext") => SIVKA_ERROR_TOO_LONG, "plaintext";
        too_long("plaintext and aad under this key's usage bound") => SIVKA_ERROR_TOO_LONG, "plaintext";
        // Whose name in the header depends on the call.
        too_long("ciphertext") => SIVKA_ERROR_TOO_LONG;
        Error::SectionLen { given: 15 } => SIVKA_ERROR_LENGTH, "section_len";
        Error::BatchShape { what: "it", expected, given } => SIVKA_ERROR_OFFSETS;
        Error::BatchShape { what: "bits of validity", expected, given } => SIVKA_ERROR_OFFSETS, "validity";
        Error::NegativeOffset { given: -1 } => SIVKA_ERROR_OFFSETS, "offsets";
        Error::UsageBound { messages: 1 } => SIVKA_ERROR_USAGE_BOUND;
        Error::Random => SIVKA_ERROR_RANDOM;
        Error::SelfCheck { tier: "none" } => SIVKA_ERROR_SELF_CHECK;
    }
}

#[test]
fn other_errors_of_a_keyset_have_their_status_and_argument() {
    let too_long = sivka::Error::TooLong { what: "aad", limit: 7, given: 9 };
    let Err(KeysetError::Misuse(new_key)) = sivka_keyset::Keyset::from_kms_key("", None) else {
        panic!("a key without a URI");
    };
    told! { Failure::Keyset;
        KeysetError::LooksEncrypted => SIVKA_ERROR_KEYSET;
        KeysetError::LooksCleartext => SIVKA_ERROR_KEYSET;
        KeysetError::Random => SIVKA_ERROR_RANDOM;
    }
    told! { |misuse| Failure::Keyset(KeysetError::Misuse(misuse));
        Misuse::AmbiguousId(1) => SIVKA_ERROR_KEY_ID, "id";
        Misuse::NewId(1) => SIVKA_ERROR_KEY_ID;
        Misuse::NotEnabled(1) => SIVKA_ERROR_KEY_STATE, "id";
        Misuse::Destroyed(1) => SIVKA_ERROR_KEY_STATE, "id";
        new_key => SIVKA_ERROR_KEYSET;
        Misuse::NoCiphertext => SIVKA_ERROR_LENGTH;
        Misuse::TooManyKeys => SIVKA_ERROR_TOO_LONG;
        Misuse::TooLarge => SIVKA_ERROR_TOO_LONG;
        Misuse::TooManySegments => SIVKA_ERROR_TOO_LONG;
        Misuse::TooLong(too_long) => SIVKA_ERROR_TOO_LONG, "aad";
    }
}

#[test]
fn other_errors_of_a_file_have_their_status_and_argument() {
    told! { Failure::File;
        FileError::TooLong => SIVKA_ERROR_FILE_TOO_LONG;
        FileError::EmptyPassphrase => SIVKA_ERROR_EMPTY_PASSPHRASE, "passphrase";
        FileError::NoMemory(8) => SIVKA_ERROR_NO_MEMORY;
        FileError::Write(ErrorKind::OutOfMemory.into()) => SIVKA_ERROR_NO_MEMORY;
        FileError::NoSlotLeft => SIVKA_ERROR_KEY_COUNT, "keys";
        FileError::TooManySlots => SIVKA_ERROR_KEY_COUNT, "keys";
        FileError::BadKeyName(KeyFileError::BadName) => SIVKA_ERROR_KEY_NAME, "name";
        FileError::NoSuchSlot(0) => SIVKA_ERROR_SLOT, "index";
        FileError::Random => SIVKA_ERROR_RANDOM;
        FileError::Aead(sivka::Error::Open) => SIVKA_ERROR_OPEN;
    }
    told! { Failure::KeyFile;
        KeyFileError::UnknownVersion => SIVKA_ERROR_NEWER;
        KeyFileError::BadName => SIVKA_ERROR_KEY_NAME, "name";
        KeyFileError::Checksum => SIVKA_ERROR_KEY_FILE;
        KeyFileError::NotAKeyFile => SIVKA_ERROR_KEY_FILE;
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
