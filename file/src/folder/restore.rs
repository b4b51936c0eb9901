//! What an entry gets when its content is there: owner, attributes, mode, time.
//!
//! As GNU tar does it: root gives owners, and the bits that let a program run as somebody else.
//! Nobody else could, or should by opening an archive. What was the user's own has its group again,
//! if the user is in it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Gid, Timespec, Timestamps, UTIME_OMIT, Uid, chownat, utimensat};
use rustix::process::geteuid;

use super::attributes::is_of_system;
use super::tar::{Entry, Time};

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
    /// An attribute that the file system refuses, or that root gives.
    pub attributes: u64,
    /// The first of these attributes, and what the system says.
    pub first_attribute: Option<(OsString, io::Error)>,
}

pub(super) struct Restorer {
    is_root: bool,
    with_attributes: bool,
    pub(super) missing: NotRestored,
}

/// The access mode of files and folders while they are made.
pub(super) const PRIVATE: u32 = 0o700;

impl Restorer {
    pub(super) fn new(with_attributes: bool) -> Self {
        Self {
            is_root: geteuid().is_root(),
            with_attributes,
            missing: NotRestored::default(),
        }
    }

    /// Gives what is at `at` all that `entry` says; a folder all but its time and the mode that it
    /// [ends](Self::finish) with. What its file system does not take is counted. Gives how many
    /// attributes had no room.
    pub(super) fn restore(&mut self, at: &Path, entry: &Entry) -> usize {
        let Ok(found) = at.symlink_metadata() else {
            return 0;
        };
        self.owner(at, entry, &found);
        let mut without_room = 0;
        if !found.is_symlink() {
            // Access lists come late: with some of them, no attribute could be given. Rights of
            // programs come after the owner, whose change takes them away, and the mode after the
            // lists, which change it.
            for (name, value) in entry.attributes.iter().rev() {
                if self.with_attributes && !is_of_system(name) {
                    without_room += usize::from(!self.has_room(at, name, value));
                }
            }
            let more = if found.is_dir() { PRIVATE } else { 0 };
            let is_given = self.mode(at, entry.mode | more);
            let is_all = self.allowed(entry.mode) == entry.mode;
            self.missing.modes += u64::from(!is_given || !is_all);
        }
        if !found.is_dir() {
            self.time(at, entry.mtime);
        }
        without_room
    }

    /// Gives a folder its mode and time, when nothing more is made in it.
    pub(super) fn finish(&mut self, at: &Path, mode: u32, mtime: Time) {
        let is_given = mode & PRIVATE == PRIVATE || self.mode(at, mode);
        self.missing.modes += u64::from(!is_given);
        self.time(at, mtime);
    }

    /// What a user may give of a mode: the bits above 0777 are for root to give.
    fn allowed(&self, mode: u32) -> u32 {
        if self.is_root { mode } else { mode & 0o777 }
    }

    fn mode(&self, at: &Path, wanted: u32) -> bool {
        let mode = self.allowed(wanted);
        let found = at.symlink_metadata();
        found.is_ok_and(|found| found.permissions().mode() & 0o7777 == mode)
            || fs::set_permissions(at, Permissions::from_mode(mode)).is_ok()
    }

    /// Gives a time; that of last access is left. A file system that keeps fewer bits puts the
    /// nearest that it has, or leaves that of now.
    fn time(&mut self, at: &Path, wanted: Time) {
        /// What every file system has: from 1980, when FAT begins, to 2038.
        const PLAIN: std::ops::Range<i64> = 315_532_800..1 << 31;
        let time = |tv_sec, tv_nsec| Timespec { tv_sec, tv_nsec };
        let times = Timestamps {
            last_access: time(0, UTIME_OMIT),
            last_modification: time(wanted.seconds, wanted.nanos.into()),
        };
        let set = utimensat(CWD, at, &times, AtFlags::SYMLINK_NOFOLLOW);
        let found = at.symlink_metadata();
        let differs = found.is_ok_and(|found| found.mtime() != wanted.seconds);
        let is_lost = set.is_err() || !PLAIN.contains(&wanted.seconds) && differs;
        self.missing.times += u64::from(is_lost);
    }

    /// Gives the owner. Users only give groups that they are in, and only to what was theirs.
    fn owner(&mut self, at: &Path, entry: &Entry, found: &Metadata) {
        let is_own = found.uid() == entry.uid;
        if is_own && found.gid() == entry.gid {
            return;
        }
        let user = self.is_root.then(|| Uid::from_raw(entry.uid));
        let group = Some(Gid::from_raw(entry.gid));
        let give = || chownat(CWD, at, user, group, AtFlags::SYMLINK_NOFOLLOW);
        let is_given = (self.is_root || is_own) && give().is_ok();
        self.missing.owners += u64::from(!is_given);
    }

    /// Gives an attribute, unless there is no room for it.
    fn has_room(&mut self, at: &Path, name: &OsStr, value: &[u8]) -> bool {
        let Err(error) = xattr::set(at, name, value) else {
            return true;
        };
        let is_full = matches!(
            error.kind(),
            ErrorKind::QuotaExceeded | ErrorKind::StorageFull
        );
        if !is_full {
            self.missing.attributes += 1;
            let first = &mut self.missing.first_attribute;
            first.get_or_insert((name.to_owned(), error));
        }
        !is_full
    }
}
