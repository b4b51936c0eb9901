//! A line, or an object, for an entry of a sealed folder.

use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use sivka_file::folder::{Entry, EntryKind};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::shown_name;
use crate::report::{Name, Report};

/// The report on an entry. Its name is a path below the folder, `.` for the folder itself.
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

pub(crate) fn tell(entry: &Entry, name: &Path, report: Report) -> Result<(), Failure> {
    let path = match entry.path.as_os_str().is_empty() {
        true => Path::new("."),
        false => &entry.path,
    };
    let (kind, letter, len, link, more) = match &entry.kind {
        EntryKind::Folder => ("folder", 'd', 0, None, "/".to_owned()),
        EntryKind::File { len } => ("file", '-', *len, None, String::new()),
        EntryKind::SymbolicLink { target } => {
            let more = format!(" -> {}", shown_name(target));
            ("symbolic link", 'l', 0, Some(target), more)
        }
        EntryKind::HardLink { first } => {
            let more = format!(" = {}", shown_name(first));
            ("hard link", 'h', 0, Some(first), more)
        }
        EntryKind::Lost => ("lost", '?', 0, None, String::new()),
    };
    let mtime = RawValue::from_string(entry.mtime.to_string())
        .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    let record = EntryRecord {
        entry: Name("entry", path),
        kind,
        mode: format!("{:04o}", entry.mode),
        uid: entry.uid,
        gid: entry.gid,
        len,
        mtime: &mtime,
        link: link.map(|path| Name("link", path)),
    };
    report.tell(Some(name), record, || {
        let (rights, time) = (permissions(entry.mode), utc(entry.mtime.seconds));
        format!("{letter}{rights} {len:>12} {time} {}{more}\n", shown_name(path))
    })
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

/// Date and time in UTC, by the calendar of today carried backwards and forwards.
fn utc(seconds: i64) -> String {
    let (day, second) = (seconds.div_euclid(86400), seconds.rem_euclid(86400));
    // Years of 400 begin with March 1, so that a leap day is the last of its year.
    let day = i128::from(day) + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year + era * 400 + next;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// As `date -u -d @SECONDS` says.
    #[test]
    fn times_are_shown_by_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00Z"),
            (-1, "1969-12-31 23:59:59Z"),
            (951_782_400, "2000-02-29 00:00:00Z"),
            (4_107_542_400, "2100-03-01 00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), text);
        }
    }
}
