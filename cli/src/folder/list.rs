//! Listing what is in a folder, without unpacking it.

use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;

use super::entry::{Described, Kind};
use super::patterns::{Patterns, nothing_fits};
use super::reader::{Source, each_entry};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::shown_name;
use crate::report::{Name, Report};

/// What is told of an entry. Its name is a path below the folder, `.` for the folder
/// itself.
#[derive(Serialize)]
struct EntryRecord<'a> {
    #[serde(flatten)]
    entry: Name<'a>,
    kind: &'static str,
    mode: String,
    uid: u32,
    gid: u32,
    len: u64,
    /// Seconds since 1970 began, with every digit that they have.
    mtime: &'a RawValue,
    #[serde(flatten)]
    link: Option<Name<'a>>,
}

/// Tells of each entry of the archive in `reader`, as it comes: each was authenticated,
/// and the exit status says whether the end was reached, and whether there was any.
pub(crate) fn list(
    reader: impl Source,
    name: &Path,
    only: Option<&Patterns>,
    report: Report,
    console: Console<'_>,
) -> Result<(), Failure> {
    let mut is_empty = true;
    let mut tell = |described: &Described| {
        let is_folder = matches!(described.kind, Kind::Folder);
        if only.is_some_and(|only| !only.fits_or_is_within(&described.path, is_folder)) {
            return Ok(());
        }
        is_empty = false;
        console
            .progress
            .aside(|| tell_entry(described, name, report))
    };
    // One that is taken back by the next is not told of.
    let mut last = None;
    each_entry(reader, name, |_, described| match described.kind {
        Kind::Void => {
            last = None;
            Ok(())
        }
        _ => last.replace(described).as_ref().map_or(Ok(()), &mut tell),
    })?;
    last.as_ref().map_or(Ok(()), tell)?;
    match is_empty {
        true => Err(nothing_fits(name)),
        false => Ok(()),
    }
}

fn tell_entry(described: &Described, name: &Path, report: Report) -> Result<(), Failure> {
    let path = match described.path.as_os_str().is_empty() {
        true => Path::new("."),
        false => &described.path,
    };
    let (kind, link) = match &described.kind {
        Kind::Folder => ("folder", None),
        Kind::File => ("file", None),
        Kind::SymbolicLink(target) => ("symbolic link", Some(target)),
        Kind::HardLink(first) => ("hard link", Some(first)),
        Kind::Special(_) | Kind::Void => ("special", None),
    };
    let mtime = RawValue::from_string(described.mtime.to_decimal())
        .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    let record = EntryRecord {
        entry: Name {
            field: "entry",
            path,
        },
        kind,
        mode: format!("{:04o}", described.rights.mode),
        uid: described.rights.owner.0,
        gid: described.rights.owner.1,
        len: described.len,
        mtime: &mtime,
        link: link.map(|path| Name {
            field: "link",
            path,
        }),
    };
    report.tell(Some(name), record, || line(path, described))
}

fn line(path: &Path, described: &Described) -> String {
    let (kind, more) = match &described.kind {
        Kind::Folder => ('d', "/".to_owned()),
        Kind::File => ('-', String::new()),
        Kind::SymbolicLink(target) => ('l', format!(" -> {}", shown_name(target))),
        Kind::HardLink(first) => ('h', format!(" = {}", shown_name(first))),
        Kind::Special(what) => ('?', format!(", which {what}")),
        Kind::Void => ('?', String::new()),
    };
    format!(
        "{kind}{} {:>12} {} {}{more}\n",
        permissions(described.rights.mode),
        described.len,
        described.mtime.utc(),
        shown_name(path)
    )
}

/// The twelve bits as `ls` shows them.
fn permissions(mode: u32) -> String {
    let bits = (0..9_u32).rev().zip("rwxrwxrwx".chars());
    let letter = |(bit, letter)| {
        let is_set = mode >> bit & 1 == 1;
        // Of who may run it, each has one of the upper bits.
        let (upper, marked) = match bit {
            6 => (0o4000, 's'),
            3 => (0o2000, 's'),
            0 => (0o1000, 't'),
            _ => (0, letter),
        };
        match (mode & upper != 0, is_set) {
            (true, true) => marked,
            (true, false) => marked.to_ascii_uppercase(),
            (false, true) => letter,
            (false, false) => '-',
        }
    };
    bits.map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::permissions;

    #[test]
    fn modes_are_shown_as_ls_does() {
        for (mode, text) in [
            (0o644, "rw-r--r--"),
            (0o4755, "rwsr-xr-x"),
            (0o6640, "rwSr-S---"),
            (0o1777, "rwxrwxrwt"),
            (0o1770, "rwxrwx--T"),
        ] {
            assert_eq!(permissions(mode), text);
        }
    }
}
