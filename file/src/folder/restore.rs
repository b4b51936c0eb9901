//! Extended attributes of what is packed; and what an entry gets when its content is there: owner,
//! attributes, mode, time.
//!
//! As GNU tar does it: root gives owners, and the bits that let a program run as somebody else.
//! Nobody else could, or should by opening an archive. What was the user's own has its group again,
//! if the user is in it. Access lists are among the attributes, as Linux has them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Gid, Timespec, Timestamps, UTIME_OMIT, Uid, chownat, utimensat};
use rustix::process::geteuid;
use xattr::FileExt;

use super::tar::{Entry, MAX_RECORDS_LEN, Time};

/// Whether an attribute is what a system says of a file, and not its owner: labels, and lists of
/// other kinds, mean nothing elsewhere. What a program may do that root may is a right, and no
/// label.
fn is_of_system(name: &OsStr) -> bool {
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
        Err(error) => return (attributes, (error.kind() != ErrorKind::Unsupported).into()),
    };
    for name in names.filter(|name| !is_of_system(name)) {
        let value = file.get_xattr(&name).ok().flatten();
        let value = value.filter(|_| !name.as_bytes().contains(&b'='));
        // With what a record has around it; half of all is left for the names.
        let record_len = value.as_ref().map_or(0, |it| name.len() + it.len() + 32);
        match value.filter(|_| len + record_len <= MAX_RECORDS_LEN / 2) {
            Some(value) => {
                len += record_len;
                attributes.insert(name, value);
            }
            None => lost += 1,
        }
    }
    (attributes, lost)
}

/// How often something that entries say was not restored.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct NotRestored {
    /// An owner or a group that differs.
    pub owners: u64,
    /// A mode that the file system refuses, or that is above 0777, which root gives.
    pub modes: u64,
    /// A time that the file system does not have.
    pub times: u64,
    /// An attribute that the file system refuses or has no room for, or that root gives.
    pub attributes: u64,
    /// The first of these attributes, and what the system says.
    pub first_attribute: Option<(OsString, io::Error)>,
}

/// The access mode of folders while they are made.
pub(super) const PRIVATE: u32 = 0o700;

impl NotRestored {
    /// Gives what is at `at` all that `entry` says; a folder all but its time and the mode that it
    /// [ends](Self::finish) with. What its file system does not take is counted.
    pub(super) fn restore(&mut self, at: &Path, entry: &Entry, with_attributes: bool) {
        let Ok(found) = at.symlink_metadata() else {
            return;
        };
        self.owner(at, entry, &found);
        if !found.is_symlink() {
            // Access lists come late: with some of them, no attribute could be given. Rights of
            // programs come after the owner, whose change takes them away, and the mode after the
            // lists, which change it.
            for (name, value) in entry.attributes.iter().rev() {
                if with_attributes
                    && !is_of_system(name)
                    && let Err(error) = xattr::set(at, name, value)
                {
                    self.attributes += 1;
                    let first = &mut self.first_attribute;
                    first.get_or_insert((name.clone(), error));
                }
            }
            let more = if found.is_dir() { PRIVATE } else { 0 };
            let is_given = give_mode(at, entry.mode | more);
            let is_all = allowed(entry.mode) == entry.mode;
            self.modes += u64::from(!is_given || !is_all);
        }
        if !found.is_dir() {
            self.time(at, entry.mtime);
        }
    }

    /// Gives a folder its mode and time, when nothing more is made in it.
    pub(super) fn finish(&mut self, at: &Path, mode: u32, mtime: Time) {
        let is_given = mode & PRIVATE == PRIVATE || give_mode(at, mode);
        self.modes += u64::from(!is_given);
        self.time(at, mtime);
    }

    /// Gives a time; that of last access is left. A file system that keeps fewer bits puts the
    /// nearest that it has, which counts as given up to the two seconds of FAT.
    fn time(&mut self, at: &Path, wanted: Time) {
        let time = |tv_sec, tv_nsec| Timespec { tv_sec, tv_nsec };
        let times = Timestamps {
            last_access: time(0, UTIME_OMIT),
            last_modification: time(wanted.seconds, wanted.nanos.into()),
        };
        let set = utimensat(CWD, at, &times, AtFlags::SYMLINK_NOFOLLOW);
        let found = at.symlink_metadata();
        let differs = found.is_ok_and(|found| found.mtime().abs_diff(wanted.seconds) > 2);
        self.times += u64::from(set.is_err() || differs);
    }

    /// Gives the owner. Users only give groups that they are in, and only to what was theirs.
    fn owner(&mut self, at: &Path, entry: &Entry, found: &Metadata) {
        let (is_root, is_own) = (geteuid().is_root(), found.uid() == entry.uid);
        let user = is_root.then(|| Uid::from_raw(entry.uid));
        let group = Some(Gid::from_raw(entry.gid));
        let give = || chownat(CWD, at, user, group, AtFlags::SYMLINK_NOFOLLOW);
        let is_there = entry.may_lack_records || is_own && found.gid() == entry.gid;
        let is_given = is_there || (is_root || is_own) && give().is_ok();
        self.owners += u64::from(!is_given);
    }
}

/// What a user may give of a mode: the bits above 0777 are for root to give.
fn allowed(mode: u32) -> u32 {
    if geteuid().is_root() { mode } else { mode & 0o777 }
}

fn give_mode(at: &Path, wanted: u32) -> bool {
    let mode = allowed(wanted);
    fs::set_permissions(at, Permissions::from_mode(mode)).is_ok()
        || at.symlink_metadata().is_ok_and(|found| found.mode() & 0o7777 == mode)
}
