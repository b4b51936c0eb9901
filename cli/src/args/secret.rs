//! Keys on the command line.

use std::ffi::OsString;

use sivka_file::is_key_text;

use crate::exit::Exit;
use crate::failure::Failure;

/// Refuses a command line with the text of a key in it, before anything can quote it.
pub(super) fn refuse_keys(args: &[OsString]) -> Result<(), Failure> {
    // Together: without quotes, a shell makes each word of a text an argument.
    let line = zeroize::Zeroizing::new(args.join(" ".as_ref()).into_encoded_bytes());
    match is_key_text(&line) {
        true => Err(key_for_path("a path was expected")),
        false => Ok(()),
    }
}

/// Who gave a key where its path belongs; `expected` says where.
pub(crate) fn key_for_path(expected: &str) -> Failure {
    let message = format!("{expected}, and the text of a key was given, which is not shown");
    let hint = "give the path of the key file; your shell may have kept the key in its history";
    Failure::new(Exit::Usage, message).hint(hint).ending_run()
}
