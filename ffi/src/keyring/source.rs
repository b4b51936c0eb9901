//! The text of a key, from a file that only its owner reads or from what gives it bytes.

use std::fs::{Metadata, OpenOptions};
use std::io::{ErrorKind, Read, Result as Done};
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use zeroize::Zeroizing;

pub(super) type Text = Zeroizing<Vec<u8>>;

/// Words that follow "the file of key 'k'", and quote nothing.
pub(super) type Reason = &'static str;

pub(super) const TOO_LONG: Reason = "is too long";
const UNREADABLE: Reason = "cannot be read";

/// Reads a file that only its owner writes and, if it is a secret, reads.
pub(super) fn read(path: &Path, is_secret: bool, max_len: usize) -> Result<Text, Reason> {
    let mut options = OpenOptions::new();
    // Nothing ends a process that waits for somebody to write to a pipe.
    #[cfg(unix)]
    options.custom_flags(libc::O_NONBLOCK);
    let file = options.read(true).open(path).and_then(|file| Ok((file.metadata()?, file)));
    let (found, mut file) = file.map_err(|_| UNREADABLE)?;
    if !found.is_file() || !is_guarded(&found, is_secret) {
        return Err(match is_secret {
            true => "can be read by others than this process, or is no ordinary file",
            false => "can be written by others than this process, or is no ordinary file",
        });
    }
    let len = usize::try_from(found.len()).map_or(max_len, |len| len.min(max_len));
    match fill(len, UNREADABLE, |room| file.read(room)) {
        Err(TOO_LONG) if len < max_len => Err("changed while it was read"),
        read => read,
    }
}

/// Of the file that is open: its name may stand for another one by now.
#[cfg(unix)]
fn is_guarded(found: &Metadata, is_secret: bool) -> bool {
    // SAFETY: it has no arguments, and cannot fail.
    let (is_roots, own) = (found.uid() == 0, unsafe { libc::geteuid() });
    let others = match (is_secret, is_roots) {
        (false, _) => 0o022,
        (true, false) => 0o077,
        // As a server's certificate.
        (true, true) => 0o037,
    };
    (is_roots || found.uid() == own) && found.mode() & others == 0
}

#[cfg(not(unix))]
fn is_guarded(_: &Metadata, _: bool) -> bool {
    true
}

/// Reads to the end, which comes after at most `len` bytes. There is room for one more at once: a
/// buffer that grows leaves copies of a secret behind.
pub(super) fn fill(
    len: usize,
    reason: Reason,
    mut read: impl FnMut(&mut [u8]) -> Done<usize>,
) -> Result<Text, Reason> {
    let mut text = Text::default();
    text.try_reserve_exact(len + 1).map_err(|_| "has a key that there is no memory for")?;
    text.resize(len + 1, 0);
    let mut end = 0;
    while end <= len {
        match read(&mut text[end..]) {
            Ok(0) => {
                text.truncate(end);
                return Ok(text);
            }
            Ok(more) => end += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Err(reason),
        }
    }
    Err(TOO_LONG)
}
