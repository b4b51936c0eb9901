//! Removing a folder with everything in it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, Dir, FileType, Mode, fchmod, openat, statat, unlinkat};
use rustix::io::Errno;

use super::descent::{Descent, FOLDER, PRIVATE};

/// The most descriptors that [`remove_within`] needs: the outermost folder, one and the one that
/// it is in, and that one's list.
pub(super) const DESCRIPTORS: usize = 4;

/// Removes everything in a folder of ours, also from folders that do not allow it.
pub(super) fn remove_within(root: &File) -> io::Result<()> {
    let folder = OwnedFd::from(root.try_clone()?);
    let mut descent = Descent::with_few_open();
    let folders = remove_files(&folder)?;
    descent.enter(OsStr::new(""), folder, folders)?;
    loop {
        let Some(innermost) = descent.innermost()? else {
            return Ok(());
        };
        let within = innermost.folder;
        match innermost.more.last() {
            Some(name) => {
                let folder = open_with_rights(within, name)?;
                let (name, folders) = (name.clone(), remove_files(&folder)?);
                descent.enter(&name, folder, folders)?;
            }
            None => {
                descent.leave();
                if let Some(outer) = descent.innermost()?
                    && let Some(name) = outer.more.pop()
                {
                    unlinkat(outer.folder, name, AtFlags::REMOVEDIR)?;
                }
            }
        }
    }
}

/// Opens a folder of ours, which its owner may read and change from then on. Where a link has
/// its name now, nothing is changed.
fn open_with_rights(within: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let folder = open_ours(within, name)?;
    fchmod(&folder, PRIVATE)?;
    Ok(folder)
}

/// Opens a folder of ours, also one that may not be opened.
pub(super) fn open_ours(within: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    match openat(&within, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {
            allow_to_open(&within, name)?;
            Ok(openat(&within, name, FOLDER, Mode::empty())?)
        }
        opened => Ok(opened?),
    }
}

/// Allows the owner of a folder to open it.
#[cfg(target_os = "linux")]
fn allow_to_open(within: impl AsFd, name: &OsStr) -> io::Result<()> {
    use crate::folder::descent::NUMBERS;
    use rustix::fs::{OFlags, chmod, chmodat};
    use std::os::fd::AsRawFd;
    // A descriptor that may be had without rights gives no rights, and its path does.
    let folder = openat(&within, name, FOLDER | OFlags::PATH, Mode::empty())?;
    match chmod(format!("{NUMBERS}/{}", folder.as_raw_fd()), PRIVATE) {
        // There are no such paths here. It was a folder just now, in one that only we enter.
        Err(Errno::NOENT) => Ok(chmodat(&within, name, PRIVATE, AtFlags::empty())?),
        allowed => Ok(allowed?),
    }
}

#[cfg(not(target_os = "linux"))]
fn allow_to_open(within: impl AsFd, name: &OsStr) -> io::Result<()> {
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    Ok(rustix::fs::chmodat(&within, name, PRIVATE, flags)?)
}

/// Removes what is in a folder, but for the folders in it, which it gives.
fn remove_files(folder: &OwnedFd) -> io::Result<Vec<OsString>> {
    let mut folders = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let is_folder = match entry.file_type() {
            FileType::Unknown => {
                let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
                FileType::from_raw_mode(found.st_mode) == FileType::Directory
            }
            kind => kind == FileType::Directory,
        };
        match is_folder {
            true => folders.push(name.to_owned()),
            false => match unlinkat(folder, name, AtFlags::empty()) {
                Err(error) if error != Errno::NOENT => return Err(error.into()),
                _ => {}
            },
        }
    }
    Ok(folders)
}
