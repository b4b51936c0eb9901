//! Changing the slots of a file on disk, one change at a time, and reading between changes.

mod between;
mod turn;

use crate::atomic_file::is_same;
use crate::error::Error;
use crate::header::Unlocked;
use crate::rekey::{changed_meanwhile, rekey};
use crate::slot::Unlock;
use crate::stream::OpenOptions;
pub use between::{SealedFile, read_between_changes, read_head};
use std::fs::{self, File};
use std::io;
use std::path::Path;
pub use turn::{Turn, open_to_change};

/// Changes the slots of the file at `path` with `change`, in a [`Turn`] that other changes
/// wait for. `on_wait` is called if this one has to wait for longer than a second.
///
/// Only the header is written, in its place and with one write, and the change is durable when
/// this returns. A crash of the system in that write can leave a damaged header.
///
/// ```
/// use sivka_file::{KeyFile, Lock, OpenOptions, SealOptions, Unlock, change_slots, seal};
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("ledger.sivka");
/// let (old, new) = (KeyFile::generate("old")?, KeyFile::generate("new")?);
/// let file = std::fs::File::create(&path)?;
/// seal(&b"ledger"[..], file, &[Lock::KeyFile(&old)], &SealOptions::default(), |_| {})?;
///
/// let options = OpenOptions::default();
/// change_slots(&path, &[Unlock::KeyFile(&old)], &options, || {}, |slots| {
///     slots.add(&Lock::KeyFile(&new))?;
///     slots.remove(0)
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Header::read`](crate::Header::read) and [`Header::unlock`](crate::Header::unlock), and
/// what `change` gives: the file is unchanged then. [`Error::Read`] if the file cannot be opened
/// or locked, as [`Turn::wait_for`] says. [`Error::Write`] if the header cannot be written; also
/// if a program that takes no turn has changed the header meanwhile, or put another file there:
/// nothing is written then. Windows tells of a changed header alone.
pub fn change_slots<T>(
    path: &Path,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    on_wait: impl FnOnce(),
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let (mut file, _turn) = Turn::wait_to_write(path, on_wait).map_err(Error::Read)?;
    let ours = file.try_clone().map_err(Error::Read)?;
    let result = rekey(&mut file, keys, options, |slots| {
        let result = change(slots)?;
        match has_name(&ours, path).map_err(Error::Write)? {
            true => Ok(result),
            false => Err(changed_meanwhile()),
        }
    })?;
    file.sync_all().map_err(|error| {
        let done = "the slots are changed, and a crash may undo that";
        Error::Write(io::Error::other(format!("{done}: {error}")))
    })?;
    Ok(result)
}

/// Whether a file still has its name. It is never opened by it again.
fn has_name(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        found => is_same(file, &found?),
    }
}

#[cfg(test)]
mod tests;
