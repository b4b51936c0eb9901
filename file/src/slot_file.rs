//! Changing the slots of a file on disk: one change at a time, and whole or not at all.
//!
//! The header is written in its place, so that the payload need not be copied. A crash
//! in the middle of that would leave half of each header. So both are in a journal
//! beside the file first, and whoever comes after a crash finishes the change.

mod journal;
mod turn;

use crate::atomic_file::is_same;
use crate::error::Error;
use crate::header::{Header, Unlocked, read_up_to};
use crate::slot::Unlock;
use crate::stream::OpenOptions;
use journal::{Journal, Place};
use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::Path;
pub use turn::Turn;

/// Changes the slots of the file at `path` with `change`, in a [`Turn`] that other changes
/// wait for. A crash at any moment leaves the old slots or the new.
///
/// The change is durable when this returns. The folder of the file must be writable: the
/// journal is there, as `.NAME.sivka-slots`, from just before the header is written
/// until it is synced. A journal that a crash left there is applied first.
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
/// change_slots(&path, &[Unlock::KeyFile(&old)], &options, |slots| {
///     slots.add(&Lock::KeyFile(&new))?;
///     slots.remove(0)
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Header::read`] and [`Header::unlock`], and what `change` gives: the file is
/// unchanged then. [`Error::Read`] and [`Error::Write`], which also say that the file
/// could not be locked, or the journal not be written; the slots are the old ones or the
/// new ones then, and the error says so if the change has begun. [`Error::Write`] as well if
/// a program that takes no turn has changed the header meanwhile, or put another file there:
/// nothing is written then. Windows tells of a changed header alone.
pub fn change_slots<T>(
    path: &Path,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let place = Place::of(path).map_err(Error::Read)?;
    let (mut file, _turn) = Turn::take(&place, true).map_err(Error::Read)?;
    journal::finish(&mut file, &place).map_err(Error::Write)?;

    file.rewind().map_err(Error::Read)?;
    let header = Header::read(&file)?;
    let mut payload_head = [0; journal::PAYLOAD_HEAD_LEN];
    if read_up_to(&mut file, &mut payload_head)? < payload_head.len() {
        return Err(Error::Truncated { chunks: 0 });
    }
    let old = header.to_bytes();
    let mut unlocked = header.unlock(keys, options.max_cost)?;
    let result = change(&mut unlocked)?;
    let journal = Journal {
        payload_head,
        old,
        new: unlocked.header().to_bytes(),
    };
    apply(&journal, &mut file, &place).map_err(Error::Write)?;
    Ok(result)
}

/// Changes the file, unless another program has changed it since its header was read: stretching
/// a passphrase takes long, and so does making the journal durable.
fn apply(journal: &Journal, file: &mut File, place: &Place) -> io::Result<()> {
    check_unchanged(journal, file, place)?;
    journal.write(place)?;
    if let Err(changed) = check_unchanged(journal, file, place) {
        journal::remove(place)?;
        return Err(changed);
    }
    journal.apply(file, place)
}

fn check_unchanged(journal: &Journal, file: &mut File, place: &Place) -> io::Result<()> {
    let is_there = match fs::metadata(place.file()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        found => is_same(file, &found?)?,
    };
    match is_there && journal.is_before(file)? {
        true => Ok(()),
        false => Err(io::Error::other(
            "changed meanwhile, and nothing was written",
        )),
    }
}

/// Finishes a change of slots that a crash has interrupted, and gives the file's header
/// if that could not be written to it: the file cannot be written, or another program is
/// about to. `None`: the header is the one in the file.
///
/// For every program that opens files by path. It costs one look for the journal. What has a
/// journal's name and is none, or cannot be read, mends nothing: the file is read as it is.
///
/// # Errors
/// What reading the file gives.
pub fn settle_slots(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let Ok(place) = Place::of(path) else {
        return Ok(None); // Opening the file will say why.
    };
    if !matches!(Journal::read(&place), Ok(Some(_))) {
        return Ok(None);
    }
    if let Ok(mut file) = File::options().read(true).write(true).open(place.file())
        && file.try_lock().is_ok()
        && journal::finish(&mut file, &place).is_ok()
    {
        return Ok(None);
    }
    let Ok(Some(journal)) = Journal::read(&place) else {
        return Ok(None); // Somebody else has finished it.
    };
    let is_torn = journal.is_torn(&mut File::open(place.file())?)?;
    Ok(is_torn.then_some(journal.new))
}

#[cfg(test)]
mod tests;
