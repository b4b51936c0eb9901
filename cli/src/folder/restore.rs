//! What a file or folder gets when its content is there: attributes, owner, mode.
//!
//! As GNU tar does it: root gives owners, the bits that let a program run as somebody else,
//! and attributes outside of `user.`. Nobody else could, or should by opening an archive. What
//! was the user's own has its group again, if the user is in it.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, Gid, Mode, RawMode, Stat, Uid, chownat, fchmod, fchown, fstat, statat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::attributes::{Attribute, CAPABILITIES, set};
use super::time::Mtime;
use crate::console::Console;
use crate::failure::reason;
use crate::name::{shown, shown_name};

/// The rights and attributes of an entry.
#[derive(Clone)]
pub(super) struct Rights {
    pub(super) mode: u32,
    pub(super) owner: (u32, u32),
    pub(super) attributes: Vec<Attribute>,
}

pub(super) struct Restorer {
    is_root: bool,
    with_attributes: bool,
    /// Whether owners that were not restored are missing: to users who unpack what others
    /// sealed, only if nothing else will know them.
    misses_owners: bool,
    /// What was not restored, of each kind; and of the first attribute, why.
    for_root: u64,
    bits: u64,
    modes: u64,
    owners: u64,
    times: u64,
    attributes: u64,
    first: Option<String>,
}

impl Restorer {
    /// `removes_sealed`: what is sealed goes when it is unpacked, and with it what it says.
    pub(super) fn new(with_attributes: bool, removes_sealed: bool) -> Self {
        let is_root = geteuid().is_root();
        Self {
            is_root,
            with_attributes,
            misses_owners: is_root || removes_sealed,
            for_root: 0,
            bits: 0,
            modes: 0,
            owners: 0,
            times: 0,
            attributes: 0,
            first: None,
        }
    }

    /// Gives a file or folder what it is to have. `mode` is what it has now. What its file
    /// system does not take is counted.
    pub(super) fn restore(&mut self, file: impl AsFd, mut mode: Mode, rights: &Rights) {
        let wanted = self.mode(rights.mode);
        let attributes = match self.with_attributes {
            true => rights.attributes.as_slice(),
            false => &[],
        };
        // Set last: a change of the owner takes it away.
        let is_last = |attribute: &&Attribute| attribute.name == CAPABILITIES;
        if !attributes.is_empty() && !mode.contains(Mode::WUSR) {
            // Whoever may not write to a file gives it no attribute.
            mode = Mode::RUSR | Mode::WUSR;
            let _ = fchmod(&file, mode); // Attributes that are refused are counted.
        }
        let others = |attribute: &&Attribute| {
            !is_last(attribute) && !attribute.is_list() && !attribute.is_of_system()
        };
        for attribute in attributes.iter().filter(others) {
            self.attribute(&file, attribute);
        }
        self.owner(
            rights.owner,
            || Ok(fstat(&file)?),
            |user, group| Ok(fchown(&file, user, group)?),
        );
        let mut has_list = false;
        for list in attributes.iter().filter(|attribute| attribute.is_list()) {
            self.attribute(&file, list);
            has_list = true;
        }
        // After the lists: the mode is what `--list` shows, whatever they say.
        if mode != self::mode(wanted) || wanted > 0o777 || has_list {
            let refused = fchmod(&file, self::mode(wanted)).is_err();
            self.modes += u64::from(refused);
        }
        for attribute in attributes.iter().filter(is_last) {
            self.attribute(&file, attribute);
        }
    }

    /// Counts a time of last change that a file system did not take when it was `set`: it keeps
    /// fewer bits, and puts the nearest that it has, or that of now is left.
    pub(super) fn time(
        &mut self,
        wanted: Mtime,
        set: Result<(), Errno>,
        found: impl FnOnce() -> io::Result<Stat>,
    ) {
        let differs = || found().is_ok_and(|found| seconds(&found) != wanted.parts().0);
        self.times += u64::from(set.is_err() || !wanted.is_plain() && differs());
    }

    /// Gives a symbolic link its owner.
    pub(super) fn link(&mut self, within: &OwnedFd, name: &std::ffi::OsStr, rights: &Rights) {
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        self.owner(
            rights.owner,
            || Ok(statat(within, name, flags)?),
            |user, group| Ok(chownat(within, name, user, group, flags)?),
        );
    }

    /// Gives an owner with `give`. Users only give groups that they are in, and only to what was
    /// theirs.
    fn owner(
        &mut self,
        (user, group): (u32, u32),
        found: impl FnOnce() -> io::Result<Stat>,
        give: impl FnOnce(Option<Uid>, Option<Gid>) -> io::Result<()>,
    ) {
        let to_group = Some(Gid::from_raw(group));
        let given = match self.is_root {
            true => give(Some(Uid::from_raw(user)), to_group).is_ok(),
            false => found().is_ok_and(|found| {
                let has_group = || found.st_gid == group || give(None, to_group).is_ok();
                found.st_uid == user && has_group()
            }),
        };
        self.owners += u64::from(!given);
    }

    fn mode(&mut self, mode: u32) -> u32 {
        if !self.is_root && mode > 0o777 {
            self.bits += 1;
            return mode & 0o777;
        }
        mode
    }

    fn attribute(&mut self, file: impl AsFd, attribute: &Attribute) {
        let name = attribute.name.as_encoded_bytes();
        let is_for_root =
            cfg!(target_os = "linux") && !name.starts_with(b"user.") && !attribute.is_list();
        if is_for_root && !self.is_root {
            self.for_root += 1;
        } else if let Err(error) = set(file, attribute) {
            self.attributes += 1;
            self.first.get_or_insert_with(|| {
                let name = shown_name(Path::new(&attribute.name));
                format!("{name}: {}", reason(&error))
            });
        }
    }

    /// Whether something was not restored.
    pub(super) fn has_lost(&self) -> bool {
        self.bits + self.modes + self.for_root + self.missed_owners() + self.times + self.attributes
            > 0
    }

    /// Says once, of each kind, how much was not restored of the folder at `root`.
    pub(super) fn note(&self, console: Console<'_>, root: &Path) {
        let owners = match console.verbose {
            true => self.owners,
            false => self.missed_owners(),
        };
        for lost in self.lost(owners) {
            console.note(&format!("{}: not restored: {lost}", shown(root)));
        }
    }

    fn missed_owners(&self) -> u64 {
        if self.misses_owners { self.owners } else { 0 }
    }

    fn lost(&self, owners: u64) -> Vec<String> {
        let first = self.first.as_deref().unwrap_or_default();
        let only = format!("attribute, {first}");
        let more = format!("attributes; the first is {first}");
        let bits = "with modes above 0777, which root gives";
        let [owner, more_owners] = match self.is_root {
            true => ["owner", "owners"],
            false => ["owner, which root gives", "owners, which root gives"],
        };
        let kinds = [
            (self.bits, bits, bits),
            (
                self.modes,
                "mode that its file system does not take",
                "modes that their file system does not take",
            ),
            (
                self.for_root,
                "attribute that root gives",
                "attributes that root gives",
            ),
            (owners, owner, more_owners),
            (
                self.times,
                "time of last change that its file system does not have",
                "times of last change that their file system does not have",
            ),
            (self.attributes, &only, &more),
        ];
        let lost = kinds.into_iter().filter(|(count, ..)| *count > 0);
        lost.map(|(count, one, more)| format!("{count} {}", if count == 1 { one } else { more }))
            .collect()
    }
}

fn seconds(found: &Stat) -> i64 {
    // Its type differs between systems.
    #[allow(clippy::unnecessary_cast)]
    let seconds = found.st_mtime as i64;
    seconds
}

/// A mode of so many bits as this system has.
pub(super) fn mode(bits: u32) -> Mode {
    // A mode has 16 bits on macOS.
    #[allow(clippy::unnecessary_cast)]
    Mode::from_raw_mode(bits as RawMode)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hand-made archive may have lists that say something else.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_mode_is_the_one_that_is_listed() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        let me = rustix::process::geteuid().as_raw();
        // `user::rwx,group::rwx,other::rwx`, as Linux has it.
        let value = b"\x02\0\0\0\x01\0\x07\0\xff\xff\xff\xff\
            \x04\0\x07\0\xff\xff\xff\xff\x20\0\x07\0\xff\xff\xff\xff";
        let list = Attribute {
            name: "system.posix_acl_access".into(),
            value: value.to_vec(),
        };
        for wanted in [0, 0o600, 0o644, 0o777] {
            let rights = Rights {
                mode: wanted,
                owner: (me, rustix::process::getegid().as_raw()),
                attributes: vec![list.clone()],
            };
            let mut restorer = Restorer::new(true, false);
            restorer.restore(&file, mode(0o600), &rights);
            let found = rustix::fs::fstat(&file).expect("there");
            assert_eq!(found.st_mode & 0o7777, wanted);
        }
    }

    #[test]
    fn times_that_a_file_system_does_not_have_are_counted() {
        let mut restorer = Restorer::new(true, false);
        let file = tempfile::tempfile().expect("a temporary file");
        let found = || Ok(rustix::fs::fstat(&file)?);
        // Any has these, and none is asked.
        for seconds in [315_532_800, (1 << 31) - 1] {
            restorer.time(Mtime::new(seconds, 0), Ok(()), || panic!("asked"));
        }
        file.set_modified(std::time::UNIX_EPOCH).expect("set");
        restorer.time(Mtime::new(0, 0), Ok(()), found);
        assert!(!restorer.has_lost());
        restorer.time(Mtime::new(1 << 31, 0), Ok(()), found);
        restorer.time(Mtime::new(-1, 0), Ok(()), found);
        restorer.time(Mtime::new(1_000_000_000, 0), Err(Errno::PERM), found);
        let said = "3 times of last change that their file system does not have";
        assert_eq!(restorer.lost(0), [said]);
    }

    #[test]
    fn one_is_no_plural() {
        let mut restorer = Restorer::new(true, false);
        restorer.is_root = true;
        assert!(restorer.lost(0).is_empty());
        for (count, words) in [
            (
                1,
                [
                    "1 attribute that root gives",
                    "1 owner",
                    "1 attribute, user.a: full",
                ],
            ),
            (
                2,
                [
                    "2 attributes that root gives",
                    "2 owners",
                    "2 attributes; the first is user.a: full",
                ],
            ),
        ] {
            restorer.for_root = count;
            restorer.attributes = count;
            restorer.first = Some("user.a: full".to_owned());
            assert_eq!(restorer.lost(count), words);
        }
    }
}
