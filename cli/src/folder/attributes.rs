//! Extended attributes and access control lists of a file or folder, as pax records.
//!
//! Attributes are in `SCHILY.xattr.NAME`, as GNU tar and star have them, and access control
//! lists as text in `SCHILY.acl.access` and `SCHILY.acl.default`. The crate `tar` takes a
//! line feed for the end of a record. So a value with one, or a name that is not plain, is
//! as libarchive has it: `LIBARCHIVE.xattr.NAME`, where the value is in Base64.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use base64ct::{Base64Unpadded, Encoding};

use super::acl;

const OF_GNU: &str = "SCHILY.xattr.";
const OF_LIBARCHIVE: &str = "LIBARCHIVE.xattr.";
const LISTS: [(&str, &str); 2] = [
    ("SCHILY.acl.access", "system.posix_acl_access"),
    ("SCHILY.acl.default", "system.posix_acl_default"),
];

/// What a program may do that root may: rights, and no label.
pub(super) const CAPABILITIES: &str = "security.capability";

/// The most bytes of one entry's records, names and values together.
const MOST_BYTES: usize = 512 << 10;

/// An extended attribute.
#[derive(Clone)]
pub(super) struct Attribute {
    pub(super) name: OsString,
    pub(super) value: Vec<u8>,
}

/// A record that should have an attribute, and has none.
#[derive(Debug)]
pub(super) struct Malformed;

impl Attribute {
    /// Whether it is what a system says of a file, and not its owner: labels, and the lists of
    /// other kinds, mean nothing elsewhere.
    pub(super) fn is_of_system(&self) -> bool {
        let name = self.name.as_bytes();
        name == b"com.apple.provenance"
            || name.starts_with(b"system.") && !self.is_list()
            || name.starts_with(b"security.") && self.name != CAPABILITIES
    }

    /// Whether it is an access control list.
    pub(super) fn is_list(&self) -> bool {
        LISTS.iter().any(|(_, name)| self.name == *name)
    }

    /// The pax record; `None` for a list in a form that is not known.
    fn to_record(&self) -> Option<(String, Vec<u8>)> {
        if let Some((key, _)) = LISTS.iter().find(|(_, name)| self.name == *name) {
            return Some(((*key).to_owned(), acl::to_text(&self.value)?.into_bytes()));
        }
        let plain = self
            .name
            .to_str()
            .filter(|name| !name.contains(char::is_control));
        Some(match plain {
            Some(name) if !self.value.contains(&b'\n') => {
                let name = name.replace('%', "%25").replace('=', "%3D");
                (format!("{OF_GNU}{name}"), self.value.clone())
            }
            _ => {
                let name = escaped(self.name.as_bytes());
                let value = Base64Unpadded::encode_string(&self.value);
                (format!("{OF_LIBARCHIVE}{name}"), value.into_bytes())
            }
        })
    }

    /// What a pax record says; `None` for one that is about something else.
    pub(super) fn of_record(key: &[u8], value: &[u8]) -> Option<Result<Self, Malformed>> {
        let Ok(key) = std::str::from_utf8(key) else {
            let is_attribute = [OF_GNU, OF_LIBARCHIVE].map(|form| key.starts_with(form.as_bytes()));
            return is_attribute.contains(&true).then_some(Err(Malformed));
        };
        if let Some((_, name)) = LISTS.iter().find(|(list, _)| *list == key) {
            let list = std::str::from_utf8(value).ok().and_then(acl::from_text);
            return Some(list.ok_or(Malformed).map(|value| Self {
                name: (*name).into(),
                value,
            }));
        }
        let found = if let Some(name) = key.strip_prefix(OF_GNU) {
            let name = name.replace("%3D", "=").replace("%25", "%");
            Some((name.into_bytes(), value.to_vec()))
        } else {
            let name = unescaped(key.strip_prefix(OF_LIBARCHIVE)?);
            let value = std::str::from_utf8(value).ok();
            let value = value.and_then(|value| Base64Unpadded::decode_vec(value).ok());
            name.zip(value)
        };
        let found = found.filter(|(name, _)| !name.is_empty() && !name.contains(&0));
        let found = found.map(|(name, value)| Self {
            name: OsString::from_vec(name),
            value,
        });
        // Lists are in records of their own.
        let found = found.filter(|found| !found.is_list());
        Some(found.ok_or(Malformed))
    }
}

/// The name in an address, as libarchive has it.
fn escaped(name: &[u8]) -> String {
    let letter = |byte: &u8| match byte {
        b'%' | b'=' | 0..=b' ' | 127.. => format!("%{byte:02X}"),
        byte => char::from(*byte).to_string(),
    };
    name.iter().map(letter).collect()
}

fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut name = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        name.push(match byte {
            b'%' => (digit(rest.next()?)? << 4 | digit(rest.next()?)?) as u8,
            byte => byte,
        });
    }
    Some(name)
}

/// The attributes of an open file or folder as records, and how many there are besides that
/// could not be read or are too much; at least one, if they cannot be listed.
pub(super) fn records(file: impl AsFd) -> (Vec<(String, Vec<u8>)>, u64) {
    let (mut records, mut lost, mut len) = (Vec::new(), 0, 0);
    let Ok(names) = names(&file) else {
        return (records, 1);
    };
    for name in names {
        let mut attribute = Attribute {
            name,
            value: Vec::new(),
        };
        if attribute.is_of_system() {
            continue;
        }
        let record = value(&file, &attribute.name).ok().and_then(|value| {
            attribute.value = value;
            let record = attribute.to_record()?;
            let more = record.0.len() + record.1.len() + 32;
            (len + more <= MOST_BYTES).then(|| {
                len += more;
                record
            })
        });
        match record {
            Some(record) => records.push(record),
            None => lost += 1,
        }
    }
    (records, lost)
}

/// What Linux allows for the names of all attributes, and for a value.
#[cfg(any(target_os = "linux", target_os = "macos"))]
const MOST_ATTRIBUTE: usize = 64 << 10;

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn names(file: impl AsFd) -> io::Result<Vec<OsString>> {
    use rustix::fs::flistxattr;
    use rustix::io::Errno;
    let mut short = [0; 256];
    let none = [Errno::OPNOTSUPP, Errno::NOTSUP, Errno::NOSYS];
    let list = match flistxattr(&file, &mut short) {
        Ok(0) => return Ok(Vec::new()),
        // A file system without attributes has none.
        Err(error) if none.contains(&error) => return Ok(Vec::new()),
        Ok(len) => short[..len].to_vec(),
        Err(_) => {
            let mut list = vec![0; MOST_ATTRIBUTE];
            let len = flistxattr(&file, &mut list)?;
            list.truncate(len);
            list
        }
    };
    let names = list
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    // In their order: another one may need more room, which some file systems do not have.
    let names = names.map(|name| OsStr::from_bytes(name).to_owned());
    Ok(names.collect())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn value(file: impl AsFd, name: &OsStr) -> io::Result<Vec<u8>> {
    let mut value = vec![0; MOST_ATTRIBUTE];
    let len = rustix::fs::fgetxattr(file, name, &mut value)?;
    value.truncate(len);
    Ok(value)
}

/// Sets an attribute.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(super) fn set(file: impl AsFd, attribute: &Attribute) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fsetxattr};
    let Attribute { name, value } = attribute;
    Ok(fsetxattr(file, name, value, XattrFlags::empty())?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn names(_: impl AsFd) -> io::Result<Vec<OsString>> {
    Ok(Vec::new())
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn value(_: impl AsFd, _: &OsStr) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(super) fn set(_: impl AsFd, _: &Attribute) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_come_back_from_their_records() {
        for (name, value, key) in [
            (&b"user.a"[..], &b"plain"[..], "SCHILY.xattr.user.a"),
            (b"user.a=b%3D", b"\0\xff", "SCHILY.xattr.user.a%3Db%253D"),
            (b"user.empty", b"", "SCHILY.xattr.user.empty"),
            (b"user.lines", b"1\n2", "LIBARCHIVE.xattr.user.lines"),
            (b"user.\n\xff=", b"x", "LIBARCHIVE.xattr.user.%0A%FF%3D"),
        ] {
            let name = OsStr::from_bytes(name).to_owned();
            let value = value.to_vec();
            let attribute = Attribute { name, value };
            let record = attribute.to_record().expect("a record");
            assert_eq!(record.0, key);
            assert!(!record.0.contains('\n') && !record.1.contains(&b'\n'));
            let back = Attribute::of_record(record.0.as_bytes(), &record.1);
            let back = back.expect("of an attribute").expect("well-formed");
            assert_eq!((back.name, back.value), (attribute.name, attribute.value));
        }
    }

    #[test]
    fn what_systems_say_of_files_is_not_theirs() {
        for (name, is_of_system) in [
            ("security.selinux", true),
            ("security.ima", true),
            ("system.nfs4_acl", true),
            ("com.apple.provenance", true),
            ("security.capability", false),
            ("system.posix_acl_access", false),
            ("user.security.a", false),
            ("trusted.a", false),
        ] {
            let (name, value) = (name.into(), Vec::new());
            let attribute = Attribute { name, value };
            assert_eq!(attribute.is_of_system(), is_of_system);
        }
    }

    #[test]
    fn malformed_records_are_refused() {
        for (key, value) in [
            ("SCHILY.xattr.", "x"),
            ("SCHILY.acl.access", "user:lisa:rwx"),
            ("LIBARCHIVE.xattr.a", "?"),
            ("LIBARCHIVE.xattr.a%0", "YQ"),
            ("LIBARCHIVE.xattr.a%00", "YQ"),
        ] {
            let read = Attribute::of_record(key.as_bytes(), value.as_bytes());
            assert!(read.is_some_and(|read| read.is_err()), "{key}={value}");
        }
        assert!(Attribute::of_record(b"mtime", b"1").is_none());
    }
}
