//! Extended attributes of an open file or folder. Access lists are among them, as Linux has them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;

use super::tar::{MAX_RECORDS_LEN, attribute_len};

/// What a program may do that root may: rights, and no label.
pub(super) const CAPABILITIES: &str = "security.capability";

/// Whether an attribute is an access list.
pub(super) fn is_list(name: &OsStr) -> bool {
    name == "system.posix_acl_access" || name == "system.posix_acl_default"
}

/// Whether an attribute is what a system says of a file, and not its owner: labels, and lists of
/// other kinds, mean nothing elsewhere.
pub(super) fn is_of_system(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    name == "com.apple.provenance"
        || bytes.starts_with(b"system.") && !is_list(name)
        || bytes.starts_with(b"security.") && name != CAPABILITIES
}

/// The attributes of a file or folder, and how many there are besides that could not be read or
/// are too much; at least one, if they cannot be listed.
pub(super) fn attributes(file: impl AsFd) -> (BTreeMap<OsString, Vec<u8>>, usize) {
    let (mut attributes, mut lost, mut len) = (BTreeMap::new(), 0, 0);
    let Ok(names) = names(&file) else {
        return (attributes, 1);
    };
    for name in names.into_iter().filter(|name| !is_of_system(name)) {
        match value(&file, &name) {
            // Half is left for the names.
            Ok(value)
                if !name.as_bytes().contains(&b'=')
                    && len + attribute_len(&name, &value) <= MAX_RECORDS_LEN / 2 =>
            {
                len += attribute_len(&name, &value);
                attributes.insert(name, value);
            }
            _ => lost += 1,
        }
    }
    (attributes, lost)
}

/// What Linux allows for the names of all attributes, and for a value.
#[cfg(any(target_os = "linux", target_os = "macos"))]
const MAX_VALUE_LEN: usize = 64 << 10;

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn names(file: impl AsFd) -> io::Result<Vec<OsString>> {
    use rustix::io::Errno;
    let mut list = vec![0; MAX_VALUE_LEN];
    match rustix::fs::flistxattr(&file, &mut list) {
        Ok(len) => list.truncate(len),
        // A file system without attributes has none.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => list.clear(),
        Err(error) => return Err(error.into()),
    }
    let names = list
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    Ok(names
        .map(|name| OsStr::from_bytes(name).to_owned())
        .collect())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn value(file: impl AsFd, name: &OsStr) -> io::Result<Vec<u8>> {
    let mut value = vec![0; MAX_VALUE_LEN];
    let len = rustix::fs::fgetxattr(file, name, &mut value)?;
    value.truncate(len);
    Ok(value)
}

/// Sets an attribute.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(super) fn set(file: impl AsFd, name: &OsStr, value: &[u8]) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fsetxattr};
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
pub(super) fn set(_: impl AsFd, _: &OsStr, _: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
