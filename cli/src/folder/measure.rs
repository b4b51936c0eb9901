//! About how long the archive of a folder will be, for a progress bar.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Stat, statat};

use super::BLOCK_LEN;
use super::descent::{Descent, FOLDER, open_entry};
use super::pack::{ROOT, children};
use super::patterns::Patterns;

/// The bytes of the archive of the folder at `root`, without what `excluded` fits. Long names
/// and attributes are not counted, and files with several names are counted several times.
/// What cannot be read counts nothing.
pub(crate) fn measure(root: &Path, excluded: &Patterns) -> u64 {
    let mut len = BLOCK_LEN as u64;
    // What is not known of the rest is no reason not to seal it.
    let _ = add(root, excluded, &mut len);
    len
}

fn add(root: &Path, excluded: &Patterns, len: &mut u64) -> io::Result<()> {
    let folder = open_entry(CWD, root.as_os_str(), ROOT)?;
    let names = children(&folder)?;
    let mut descent = Descent::new();
    descent.enter(OsStr::new(""), folder, names)?;
    while let Some(innermost) = descent.innermost()? {
        let Some(name) = innermost.more.next() else {
            descent.leave();
            continue;
        };
        let Ok(found) = statat(innermost.folder, &name, AtFlags::SYMLINK_NOFOLLOW) else {
            continue;
        };
        let is_folder = FileType::from_raw_mode(found.st_mode) == FileType::Directory;
        if excluded.fits(&innermost.path.join(&name), is_folder) {
            continue;
        }
        *len += BLOCK_LEN as u64 + stored(&found);
        if is_folder && let Ok((folder, names)) = open(innermost.folder, &name) {
            descent.enter(&name, folder, names)?;
        }
    }
    Ok(())
}

fn open(within: &OwnedFd, name: &OsStr) -> io::Result<(OwnedFd, super::pack::Children)> {
    let folder = open_entry(within, name, FOLDER)?;
    let names = children(&folder)?;
    Ok((folder, names))
}

/// What an archive stores of the content of a file: whole blocks, and no holes.
fn stored(found: &Stat) -> u64 {
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
        return 0;
    }
    // Neither is negative.
    let (len, allocated) = (found.st_size as u64, found.st_blocks as u64 * 512);
    len.min(allocated).next_multiple_of(BLOCK_LEN as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn headers_and_blocks_are_counted() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).expect("made");
        fs::write(at("in/file"), [1; 5000]).expect("written");
        fs::write(at("empty"), "").expect("written");
        fs::write(at("excluded"), [1; 5000]).expect("written");
        let excluded = Patterns::new(&["excluded".into()], &[]).expect("well-formed");
        assert_eq!(measure(folder.path(), &excluded), 4 * 512 + 5120);
        assert_eq!(measure(&at("nowhere"), &excluded), 512);
    }
}
