//! What an entry gets when its content is there: attributes, owner, mode, time.
//!
//! As GNU tar does it: root gives owners, the bits that let a program run as somebody else, and
//! attributes outside of `user.`. Nobody else could, or should by opening an archive. What was
//! the user's own has its group again, if the user is in it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, Gid, Timespec, Timestamps, UTIME_OMIT, Uid, chownat, fchown, futimens, utimensat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::attributes::{CAPABILITIES, is_list, is_of_system, set};
use super::tar::{Entry, EntryKind, Time};

/// A property of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Property {
    /// An owner or a group that differs.
    Owner,
    /// A mode that the file system refuses.
    Mode,
    /// A mode above 0777, which root gives.
    SpecialMode,
    /// A time that the file system does not have.
    Time,
    /// An attribute that the file system refuses.
    Attribute,
    /// An attribute that root gives.
    AttributeOfRoot,
}

/// How much of what entries say was not restored.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct NotRestored {
    /// How often each property was not; those that always were are not in it.
    pub counts: BTreeMap<Property, u64>,
    /// The first attribute that the file system refused, and what the system says.
    pub first_attribute: Option<(OsString, io::Error)>,
}

impl NotRestored {
    pub(super) fn count(&mut self, property: Property, is_missing: bool) {
        if is_missing {
            *self.counts.entry(property).or_default() += 1;
        }
    }
}

pub(super) struct Restorer {
    is_root: bool,
    with_attributes: bool,
    pub(super) missing: NotRestored,
    /// Attributes of the entry at hand for which there was no room.
    without_room: usize,
}

/// The access mode of files and folders while they are made.
pub(super) const PRIVATE: u32 = 0o700;

impl Restorer {
    pub(super) fn new(with_attributes: bool) -> Self {
        Self {
            is_root: geteuid().is_root(),
            with_attributes,
            missing: NotRestored::default(),
            without_room: 0,
        }
    }

    /// Gives a file what `entry` says; a folder all but its time and the mode that it
    /// [ends](Self::finish) with. What its file system does not take is counted. Gives how many
    /// attributes had no room.
    pub(super) fn restore(&mut self, file: &File, entry: &Entry) -> usize {
        let none = Default::default();
        let attributes = match self.with_attributes {
            true => &entry.attributes,
            false => &none,
        };
        let is_folder = entry.kind == EntryKind::Folder;
        // A change of the owner takes it away.
        let is_late = |name: &OsStr| is_list(name) || name == CAPABILITIES;
        for (name, value) in attributes.iter().filter(|(name, _)| !is_late(name)) {
            self.attribute(file, name, value);
        }
        if let Ok(found) = file.metadata() {
            self.owner(entry, &found, |user, group| Ok(fchown(file, user, group)?));
        }
        for (name, value) in attributes.iter().filter(|(name, _)| is_list(name)) {
            self.attribute(file, name, value);
        }
        // After the lists: the mode is what the entry says, whatever they say.
        let more = if is_folder { PRIVATE } else { 0 };
        let special = self.allowed(entry.mode) != entry.mode;
        self.missing.count(Property::SpecialMode, special);
        self.mode(entry.mode | more, file.metadata(), |mode| {
            file.set_permissions(mode)
        });
        for (name, value) in attributes.iter().filter(|(name, _)| *name == CAPABILITIES) {
            self.attribute(file, name, value);
        }
        if !is_folder {
            let set = futimens(file, &timestamps(entry.mtime));
            self.time(entry.mtime, set, || file.metadata());
        }
        std::mem::take(&mut self.without_room)
    }

    /// Gives a folder its mode and time, when nothing more is made in it.
    pub(super) fn finish(&mut self, path: &Path, mode: u32, mtime: Time) {
        if mode & PRIVATE != PRIVATE {
            let found = path.symlink_metadata();
            self.mode(mode, found, |mode| fs::set_permissions(path, mode));
        }
        let set = utimensat(CWD, path, &timestamps(mtime), AtFlags::SYMLINK_NOFOLLOW);
        self.time(mtime, set, || path.symlink_metadata());
    }

    /// Gives a symbolic link its owner and time.
    pub(super) fn restore_link(&mut self, path: &Path, entry: &Entry) {
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        if let Ok(found) = path.symlink_metadata() {
            self.owner(entry, &found, |user, group| {
                Ok(chownat(CWD, path, user, group, flags)?)
            });
        }
        let set = utimensat(CWD, path, &timestamps(entry.mtime), flags);
        self.time(entry.mtime, set, || path.symlink_metadata());
    }

    /// What a user may give of a mode: the bits above 0777 are for root to give.
    fn allowed(&self, mode: u32) -> u32 {
        if self.is_root { mode } else { mode & 0o777 }
    }

    fn mode(
        &mut self,
        wanted: u32,
        found: io::Result<Metadata>,
        set: impl FnOnce(Permissions) -> io::Result<()>,
    ) {
        let mode = self.allowed(wanted);
        let is_set = found.is_ok_and(|found| found.mode() & 0o7777 == mode);
        let refused = !is_set && set(Permissions::from_mode(mode)).is_err();
        self.missing.count(Property::Mode, refused);
    }

    /// Counts a time that a file system did not take when it was `set`: it keeps fewer bits, and
    /// puts the nearest that it has, or that of now is left.
    fn time(
        &mut self,
        wanted: Time,
        set: Result<(), Errno>,
        found: impl FnOnce() -> io::Result<Metadata>,
    ) {
        /// What every file system has: from 1980, when FAT begins, to 2038.
        const PLAIN: std::ops::Range<i64> = 315_532_800..1 << 31;
        let differs = || found().is_ok_and(|found| found.mtime() != wanted.seconds);
        let is_lost = set.is_err() || !PLAIN.contains(&wanted.seconds) && differs();
        self.missing.count(Property::Time, is_lost);
    }

    /// Gives an owner with `give`. Users only give groups that they are in, and only to what was
    /// theirs.
    fn owner(
        &mut self,
        entry: &Entry,
        found: &Metadata,
        give: impl FnOnce(Option<Uid>, Option<Gid>) -> io::Result<()>,
    ) {
        let is_own = found.uid() == entry.uid;
        if is_own && found.gid() == entry.gid {
            return;
        }
        let group = Some(Gid::from_raw(entry.gid));
        let is_given = match self.is_root {
            true => give(Some(Uid::from_raw(entry.uid)), group).is_ok(),
            false => is_own && give(None, group).is_ok(),
        };
        self.missing.count(Property::Owner, !is_given);
    }

    fn attribute(&mut self, file: &File, name: &OsStr, value: &[u8]) {
        let is_for_root = cfg!(target_os = "linux")
            && !name.as_encoded_bytes().starts_with(b"user.")
            && !is_list(name);
        if is_of_system(name) {
        } else if is_for_root && !self.is_root {
            self.missing.count(Property::AttributeOfRoot, true);
        } else if let Err(error) = set(file, name, value) {
            use io::ErrorKind::{QuotaExceeded, StorageFull};
            if matches!(error.kind(), QuotaExceeded | StorageFull) {
                self.without_room += 1;
                return;
            }
            self.missing.count(Property::Attribute, true);
            self.missing
                .first_attribute
                .get_or_insert((name.to_owned(), error));
        }
    }
}

/// For the system: the time of last access is left.
fn timestamps(time: Time) -> Timestamps {
    Timestamps {
        last_access: Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_OMIT,
        },
        last_modification: Timespec {
            tv_sec: time.seconds,
            tv_nsec: time.nanos.into(),
        },
    }
}
