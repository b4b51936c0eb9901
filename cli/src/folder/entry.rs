//! What an entry of an archive says, and whether that may be believed.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use tar::{Entry, EntryType};

use super::attributes::Attribute;
use super::restore::Rights;
use super::time::Mtime;

/// Records that say again what a header does.
const MEANT_BY_HEADERS: [&[u8]; 9] = [
    b"path",
    b"linkpath",
    b"size",
    b"uid",
    b"gid",
    b"uname",
    b"gname",
    b"atime",
    b"ctime",
];

/// An entry whose names were looked at: they stay in the folder.
pub(super) struct Described {
    /// Below the folder, with no component but names; empty for the folder itself.
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    pub(super) rights: Rights,
    pub(super) mtime: Mtime,
    /// Bytes of a file.
    pub(super) len: u64,
}

pub(super) enum Kind {
    Folder,
    File,
    /// Leads wherever it says.
    SymbolicLink(PathBuf),
    /// To a path below the folder, as [`Described::path`].
    HardLink(PathBuf),
    /// No file at all, and what it is.
    Special(&'static str),
    /// Takes back the file before it.
    Void,
}

/// Reads what `entry` says of itself.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] where it says what `pack` does not write.
pub(super) fn describe<R: Read>(entry: &mut Entry<'_, R>) -> io::Result<Described> {
    let header = entry.header();
    let kind = header.entry_type();
    if kind == EntryType::XGlobalHeader {
        return Ok(described_void());
    }
    if !matches!(kind, EntryType::Regular | EntryType::GNUSparse) && header.entry_size()? != 0 {
        return Err(refuse("a size of what is no file"));
    }
    let mode = header.mode()? & 0o7777;
    let owner = (number(header.uid()?)?, number(header.gid()?)?);
    let seconds = i64::try_from(header.mtime()?).map_err(|_| refuse("a time beyond all clocks"))?;
    let (mtime, attributes) = records(entry)?;
    let mtime = mtime.unwrap_or(Mtime::new(seconds, 0));
    let name = entry.path_bytes().into_owned();
    let name = match (kind, name.as_slice()) {
        (EntryType::Directory, b"./") => None,
        (EntryType::Directory, [name @ .., b'/']) => Some(name),
        (EntryType::Directory, _) => return Err(refuse("a folder's name without a slash")),
        (_, name) => Some(name),
    };
    let path = name.map_or(Ok(PathBuf::new()), inside)?;
    let link = || {
        let name = entry.link_name_bytes().unwrap_or_default().into_owned();
        PathBuf::from(OsStr::from_bytes(&name))
    };
    let kind = match kind {
        EntryType::Directory => Kind::Folder,
        EntryType::Regular | EntryType::GNUSparse => Kind::File,
        EntryType::Symlink if link().as_os_str().is_empty() => {
            return Err(refuse("a link to nothing"));
        }
        EntryType::Symlink => Kind::SymbolicLink(link()),
        EntryType::Link => Kind::HardLink(inside(link().as_os_str().as_bytes())?),
        EntryType::Fifo => Kind::Special("is a named pipe"),
        EntryType::Char | EntryType::Block => Kind::Special("is a device"),
        other => return Err(refuse(&format!("an entry of kind {}", other.as_byte()))),
    };
    if !attributes.is_empty() && !matches!(kind, Kind::Folder | Kind::File) {
        return Err(refuse("attributes of what is no file or folder"));
    }
    // `tar` seeks over holes by signed numbers; no file is longer.
    if i64::try_from(entry.size()).is_err() {
        return Err(refuse("a file longer than files can be"));
    }
    Ok(Described {
        path,
        kind,
        rights: Rights {
            mode,
            owner,
            attributes,
        },
        mtime,
        len: entry.size(),
    })
}

/// The one global header that may be within an archive: `description` looks at its bytes.
fn described_void() -> Described {
    Described {
        path: PathBuf::new(),
        kind: Kind::Void,
        rights: Rights {
            mode: 0,
            owner: (0, 0),
            attributes: Vec::new(),
        },
        mtime: Mtime::new(0, 0),
        len: 0,
    }
}

/// `name` as a path below the folder.
fn inside(name: &[u8]) -> io::Result<PathBuf> {
    let path = Path::new(OsStr::from_bytes(name));
    let is_name = |part| matches!(part, Component::Normal(_));
    // Compared byte by byte: one path has one name, and no name hides another.
    let plain: PathBuf = path.components().collect();
    if name.is_empty()
        || name.contains(&0)
        || !path.components().all(is_name)
        || plain.as_os_str() != path.as_os_str()
    {
        return Err(refuse(&format!(
            "the name {}",
            crate::name::shown_name(path)
        )));
    }
    Ok(plain)
}

/// Whether a symbolic link at `path` that says `target` may lead out of the folder.
///
/// What cannot leave is a way up, by no more levels than there are, and then down. A
/// level up after a way down may come from anywhere, if another link is on the way.
pub(super) fn leads_outside(path: &Path, target: &Path) -> bool {
    let levels = path.components().count().saturating_sub(1);
    levels_up(target).is_none_or(|up| up > levels)
}

/// How many levels up a symbolic link leads before it leads down; `None` if it may lead anywhere.
pub(super) fn levels_up(target: &Path) -> Option<usize> {
    let mut way = target
        .components()
        .skip_while(|part| *part == Component::CurDir)
        .peekable();
    let mut up = 0;
    while way.next_if_eq(&Component::ParentDir).is_some() {
        up += 1;
    }
    let is_name = |part| matches!(part, Component::Normal(_));
    way.all(is_name).then_some(up)
}

/// The number of a user or a group.
fn number(number: u64) -> io::Result<u32> {
    let number = u32::try_from(number).ok();
    // The last one is nobody's.
    let number = number.filter(|number| *number != u32::MAX);
    number.ok_or_else(|| refuse("an owner beyond all numbers"))
}

fn records<R: Read>(entry: &mut Entry<'_, R>) -> io::Result<(Option<Mtime>, Vec<Attribute>)> {
    let (mut mtime, mut attributes) = (None, Vec::<Attribute>::new());
    let mut names = HashSet::new();
    for record in entry.pax_extensions()?.into_iter().flatten() {
        let record = record?;
        if record.key_bytes() == b"mtime" {
            let time = record.value().ok().and_then(Mtime::from_decimal);
            let time = time.ok_or_else(|| refuse("a time that is no number below 2^63"))?;
            mtime = Some(time);
        } else if MEANT_BY_HEADERS.contains(&record.key_bytes())
            || record.key_bytes().starts_with(b"GNU.sparse.")
        {
            // Whoever passes over them reads another folder.
            return Err(refuse("a record of what its header says"));
        } else if let Some(read) = Attribute::of_record(record.key_bytes(), record.value_bytes()) {
            let malformed = |_| refuse("an attribute that is malformed");
            let read = read.map_err(malformed)?;
            // Programs differ in which of two they set last.
            if !names.insert(read.name.clone()) {
                return Err(refuse("an attribute twice"));
            }
            attributes.push(read);
        }
    }
    Ok((mtime, attributes))
}

/// What `pack` does not write, and `unpack` does not take.
pub(super) fn refuse(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it has {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        for name in ["a", "a/b", "a b/\u{fc}/..c", "-", "~"] {
            assert_eq!(inside(name.as_bytes()).expect("inside").as_os_str(), name);
        }
        assert!(inside(b"not \xff UTF-8").is_ok());
        for name in [
            "", "/", "/etc", "..", "a/..", "a/../b", "../a", ".", "./a", "a/.", "a//b", "a/",
            "a\0b",
        ] {
            assert!(inside(name.as_bytes()).is_err(), "{name:?}");
        }
    }

    #[test]
    fn links_lead_outside_or_not() {
        for (path, target) in [
            ("a", "b"),
            ("a", "./b"),
            ("a", "b/c"),
            ("d/a", "../b"),
            ("d/e/a", "../.."),
            ("d/a", "..c"),
        ] {
            assert!(
                !leads_outside(Path::new(path), Path::new(target)),
                "{path} -> {target}"
            );
        }
        for (path, target) in [
            ("a", ".."),
            ("a", "/"),
            ("a", "/etc/passwd"),
            ("d/a", "../../b"),
            ("d/e/a", "../../.."),
            // By a link in between, `d` may be anything.
            ("a", "d/.."),
            ("d/e/a", "f/../../x"),
            ("a", "./.."),
        ] {
            assert!(
                leads_outside(Path::new(path), Path::new(target)),
                "{path} -> {target}"
            );
        }
    }
}
