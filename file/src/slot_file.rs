//! Changing the slots of a file on disk: one change at a time, and whole or not at all.
//!
//! The header is written where it stands, so that the payload need not be copied. A crash
//! in the middle of that would leave half of each header. So both stand in a journal
//! beside the file first, and whoever comes after a crash finishes the change.

mod journal;

use crate::error::Error;
use crate::header::{HEADER_LEN, Header, Unlocked, read_up_to};
use crate::slot::Unlock;
use crate::stream::OpenOptions;
use journal::{Journal, Place};
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::Path;

/// Changes the slots of the file at `path` with `change`, under a lock that other
/// changes wait for, and so that a crash at any moment leaves the old slots or the new.
///
/// The change is durable when this returns. The folder of the file must be writable: the
/// journal stands there, as `.NAME.sivka-slots`, from just before the header is written
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
/// new ones then.
pub fn change_slots<T>(
    path: &Path,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let place = Place::of(path).map_err(Error::Read)?;
    let mut file = lock(place.file()).map_err(Error::Read)?;
    finish(&mut file, &place).map_err(Error::Write)?;

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
    journal
        .write(&place)
        .and_then(|()| apply(&mut file, &place, &journal.new))
        .map_err(Error::Write)?;
    Ok(result)
}

/// Finishes a change of slots that a crash has interrupted, and gives the file's header
/// if that could not be written to it: the file cannot be written, or another program is
/// about to. `None`: the header is the one in the file.
///
/// For every program that opens files by path. It costs one look for the journal.
///
/// # Errors
/// What reading the file or its journal gives.
pub fn settle_slots(path: &Path) -> io::Result<Option<[u8; HEADER_LEN]>> {
    let Ok(place) = Place::of(path) else {
        return Ok(None); // Opening the file will say why.
    };
    if !place.journal().try_exists()? {
        return Ok(None);
    }
    if let Ok(mut file) = File::options().read(true).write(true).open(place.file())
        && file.try_lock().is_ok()
        && finish(&mut file, &place).is_ok()
    {
        return Ok(None);
    }
    let Some(journal) = Journal::read(&place)? else {
        return Ok(None); // Somebody else has finished it.
    };
    let is_torn = journal.is_torn(&mut File::open(place.file())?)?;
    Ok(is_torn.then_some(journal.new))
}

/// Opens the file and waits until nobody else changes its slots.
fn lock(path: &Path) -> io::Result<File> {
    loop {
        let file = File::options().read(true).write(true).open(path)?;
        file.lock()?;
        // Another file may have taken its name while we waited.
        if is_at(&file, path)? {
            return Ok(file);
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (ours, theirs) = (file.metadata()?, fs::metadata(path)?);
    Ok((ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true) // A file that is open keeps its name.
}

/// Applies the journal that a crash has left, if there is one. The file is locked.
fn finish(file: &mut File, place: &Place) -> io::Result<()> {
    match Journal::read(place)? {
        None => Ok(()),
        Some(journal) if journal.is_torn(file)? => apply(file, place, &journal.new),
        // The header was not written yet, or completely, or the journal is another
        // file's, which had this name before.
        Some(_) => remove(place),
    }
}

/// Writes the header, and only when it is safe removes the journal.
fn apply(file: &mut File, place: &Place, header: &[u8; HEADER_LEN]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(header)?;
    file.sync_all()?;
    remove(place)
}

fn remove(place: &Place) -> io::Result<()> {
    match fs::remove_file(place.journal()) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        // A journal that comes back after a crash finds the header whole.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
