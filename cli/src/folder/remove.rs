//! Removing a folder with everything in it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, chmod, chmodat, openat, statat, unlinkat};
use rustix::io::Errno;

use super::descent::{Descent, FOLDER, PRIVATE};

/// The most descriptors that [`remove_tree`] needs: the outermost folder, one and the one that
/// it is in, and that one's list.
pub(super) const DESCRIPTORS: usize = 4;

/// Removes a folder and everything in it, also from folders that do not allow it.
pub(crate) fn remove_tree(root: &Path) -> io::Result<()> {
    chmod(root, PRIVATE)?;
    let folder = openat(CWD, root, FOLDER, Mode::empty())?;
    let mut descent = Descent::with_few_open();
    let folders = remove_files(&folder)?;
    descent.enter(OsStr::new(""), folder, folders)?;
    loop {
        let Some(innermost) = descent.innermost()? else {
            return fs::remove_dir(root);
        };
        let within = innermost.folder;
        match innermost.more.last() {
            Some(name) => {
                chmodat(within, name, PRIVATE, AtFlags::empty())?;
                let folder = openat(within, name, FOLDER, Mode::empty())?;
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
