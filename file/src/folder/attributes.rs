//! Extended attributes of an open file or folder. Access lists are among them, as Linux has them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;

use xattr::FileExt;

use super::tar::{MAX_RECORDS_LEN, attribute_len};

/// Whether an attribute is what a system says of a file, and not its owner: labels, and lists of
/// other kinds, mean nothing elsewhere. What a program may do that root may is a right, and no
/// label.
pub(super) fn is_of_system(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    name == "com.apple.provenance"
        || bytes.starts_with(b"system.") && !bytes.starts_with(b"system.posix_acl_")
        || bytes.starts_with(b"security.") && name != "security.capability"
}

/// The attributes of a file or folder, and how many there are besides that could not be read or
/// are too much; at least one, if they cannot be listed.
pub(super) fn attributes(file: &File) -> (BTreeMap<OsString, Vec<u8>>, usize) {
    let (mut attributes, mut lost, mut len) = (BTreeMap::new(), 0, 0);
    let names = match file.list_xattr() {
        Ok(names) => names,
        // A file system without attributes has none.
        Err(error) => {
            return (
                attributes,
                usize::from(error.kind() != ErrorKind::Unsupported),
            );
        }
    };
    for name in names.filter(|name| !is_of_system(name)) {
        match file.get_xattr(&name) {
            // Half is left for the names.
            Ok(Some(value))
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
