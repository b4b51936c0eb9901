//! Linux: files in no folder, and syncing whole file systems.

use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
use std::collections::BTreeSet;
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A file without a name on the file system of `folder`; `None` where there is no such
/// thing, or no way to give it a name later: that is tried with an empty one.
pub(super) fn create(folder: &Path, permissions: Option<&Permissions>) -> Option<File> {
    // Less the umask, in both cases.
    let mode = Mode::from_raw_mode(permissions.map_or(0o666, Permissions::mode));
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let new = || openat(CWD, folder, flags, mode).map(File::from).ok();
    let file = new()?;
    let device = file.metadata().ok()?.dev();
    let mut known = LINKABLE.lock().unwrap_or_else(PoisonError::into_inner);
    if !known.contains(&device) {
        let probe = new()?;
        let mut named = tempfile::Builder::new();
        let named = named.prefix(".sivka-").suffix(".partial");
        // Its name is gone at once.
        drop(named.make_in(folder, |name| link(&probe, name)).ok()?);
        known.insert(device);
    }
    Some(file)
}

/// The file systems that give a name to a file without one.
static LINKABLE: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

/// Gives the file a name, unless there is one like it.
pub(super) fn link(file: &File, name: &Path) -> io::Result<()> {
    // Linking by descriptor alone is for the privileged; by /proc it is for everybody.
    linkat(CWD, by_number(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?;
    Ok(())
}

fn by_number(file: &File) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}
