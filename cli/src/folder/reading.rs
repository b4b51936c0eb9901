//! Folders that are read and not unpacked: judged, listed, passed on, one file of them.

use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use sivka_file::folder::{Entries, Entry, EntryKind, ReadSeek};

use super::{failure, nothing_matches};
use crate::console::Console;
use crate::copy::{CopyError, Counted, copy};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::{shown, shown_name};
use crate::output::Output;
use crate::patterns::Patterns;
use crate::report::Report;

const LOST: &str = "could not be read as a whole when it was sealed";

/// An entry of a sealed folder, and whatever else its archive has.
fn each_entry(
    (content, is_seekable): (&mut dyn ReadSeek, bool),
    path: &Path,
    mut work: impl FnMut(&Entry, &mut Entries<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut content = content;
    let failed = |error| failure(path, path, error);
    let mut entries = match is_seekable {
        true => Entries::seekable(&mut content).map_err(failed)?,
        false => Entries::new(&mut content),
    };
    while let Some(entry) = entries.next_entry().map_err(failed)? {
        work(&entry, &mut entries)?;
    }
    Ok(())
}

/// Reads the archive of a folder to its end, and judges it. Gives its length, and its lost files.
pub(crate) fn judge(
    content: &mut (dyn Read + Send),
    path: &Path,
    console: &Console,
) -> Result<(u64, Vec<PathBuf>), Failure> {
    let (mut counted, mut lost) = (Counted::new(content, console), Vec::new());
    let mut entries = Entries::new(&mut counted);
    while let Some(entry) = entries.next_entry().map_err(|error| failure(path, path, error))? {
        lost.extend((entry.kind == EntryKind::Lost).then_some(entry.path));
    }
    Ok((counted.len, lost))
}

/// A reader whose bytes go to `output` as well.
struct Passed<'a> {
    content: &'a mut (dyn Read + Send),
    output: &'a mut Output,
    failed: Option<io::Error>,
}

impl Read for Passed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.content.read(bytes)?;
        self.output.write_all(&bytes[..len]).map_err(|error| {
            self.failed = Some(error);
            io::Error::other("writing failed")
        })?;
        Ok(len)
    }
}

/// Writes the archive of a folder as it is, and judges it meanwhile. Gives its length, and whether
/// files are lost, which it tells.
pub(crate) fn pass(
    content: &mut (dyn Read + Send),
    path: &Path,
    output: &mut Output,
    console: &Console,
) -> Result<(u64, bool), Failure> {
    let mut passed = Passed { content, output, failed: None };
    let judged = judge(&mut passed, path, console);
    if let Some(error) = passed.failed {
        return Err(output.not_written(path, &error));
    }
    let (len, lost) = judged?;
    for path in &lost {
        console.note(&format!("{}: {LOST}, and has zeros", shown_name(path)));
    }
    Ok((len, !lost.is_empty()))
}

/// Writes the one file that `only` matches, which is whole. Gives its length.
pub(crate) fn one_file(
    (content, is_seekable): (&mut dyn ReadSeek, bool),
    path: &Path,
    only: &Patterns,
    output: &mut Output,
    console: &Console,
) -> Result<(u64, bool), Failure> {
    if !is_seekable {
        return Err(Failure::io(path, &io::ErrorKind::NotSeekable.into()));
    }
    let mut found = Vec::new();
    each_entry((content, is_seekable), path, |entry, _| {
        let wanted = match &entry.kind {
            EntryKind::Lost if only.fits_or_is_within(&entry.path, false) => {
                let message = format!("{}: {LOST}, and is left out", shown_name(&entry.path));
                return Err(Failure::new(Exit::LeftOut, message));
            }
            EntryKind::File { .. } => &entry.path,
            EntryKind::HardLink { first } => first,
            _ => return Ok(()),
        };
        if only.fits_or_is_within(&entry.path, false) {
            found.push(wanted.clone());
        }
        Ok(())
    })?;
    let [wanted] = &found[..] else {
        return match found.len() {
            0 => Err(nothing_matches(path)),
            n => {
                let message = format!("{}: {n} files match --only", shown(path));
                Err(Failure::new(Exit::Usage, message)
                    .hint("standard output takes one; name a folder with -o"))
            }
        };
    };
    let mut len = 0;
    each_entry((content, is_seekable), path, |entry, archive| {
        if entry.path == *wanted && matches!(entry.kind, EntryKind::File { .. }) {
            len = copy(archive, output, console).map_err(|error| match error {
                CopyError::Read(error) => failure(path, path, error.into()),
                CopyError::Write(error) => output.not_written(path, &error),
            })?;
        }
        Ok(())
    })?;
    Ok((len, false))
}

/// Tells of each entry that is wanted, as it comes: each was authenticated, and the exit status
/// says whether the end was reached, and whether there was any.
pub(crate) fn list(
    (content, is_seekable): (&mut dyn ReadSeek, bool),
    path: &Path,
    only: Option<&Patterns>,
    report: Report,
    console: &Console,
) -> Result<(), Failure> {
    let mut is_empty = true;
    each_entry((content, is_seekable), path, |entry, _| {
        let is_folder = matches!(entry.kind, EntryKind::Folder);
        if only.is_some_and(|only| !only.fits_or_is_within(&entry.path, is_folder)) {
            return Ok(());
        }
        is_empty = false;
        if matches!(entry.kind, EntryKind::Lost) {
            console.note(&format!("{}: {LOST}, and is left out", shown_name(&entry.path)));
            return Ok(());
        }
        console.aside(|| crate::listing::tell(entry, path, report))
    })?;
    match is_empty {
        true => Err(nothing_matches(path)),
        false => Ok(()),
    }
}
