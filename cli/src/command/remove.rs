//! Removing an input whose result is safe.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use sivka_file::{OpenOptions, Unlock};

use crate::batch::Done;
use crate::compression::{Decompressing, MAX_RATIO};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::{is_standard, shown};
use crate::output::Output;

/// Fails, before any work is done, if an input could not be removed in good conscience:
/// its result must be a file that can be looked at again.
pub(super) fn may_remove(input: &Path, output: &Output) -> Result<(), Failure> {
    if is_standard(input) || matches!(output, Output::Stream { .. }) {
        let message = "--remove is for files that are sealed to files, or opened to files";
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(())
}

/// Opens the sealed result once more and throws its content away, and then removes the
/// input.
pub(super) fn verify_and_remove(done: &Done, keys: &[Unlock<'_>]) -> Result<(), Failure> {
    let path = &done.output;
    let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
    let options = OpenOptions::default();
    // With what `open` allows unless told otherwise: what it would refuse is no result.
    let mut content = Decompressing::new(io::sink(), MAX_RATIO);
    let opened = sivka_file::open(&file, &mut content, keys, &options, |_| {});
    let ended = content.end(opened.is_ok());
    if let Some(failure) = ended.failure(&shown(path)) {
        return Err(failure);
    }
    let verified = opened.map_err(|error| Failure::file(path, path, &error))?;
    let len = ended.len.unwrap_or(verified.plaintext_len);
    if ended.error.is_some() || len != done.content_len {
        return Err(Failure::new(
            Exit::Damaged,
            format!("{}: is not what was sealed", shown(path)),
        ));
    }
    remove(done)
}

/// Removes an input, unless it is no longer what was read.
pub(super) fn remove(done: &Done) -> Result<(), Failure> {
    let path = &done.input;
    let failed = |error| Failure::io(path, &error);
    let now = fs::symlink_metadata(path).map_err(failed)?;
    // A device has the times and the length that it had, and its name is needed still.
    if !now.is_file() {
        let what = match now.is_symlink() {
            true => "is a symbolic link",
            false => "is no regular file",
        };
        let message = format!("{}: {what}, and is kept", shown(path));
        return Err(Failure::new(Exit::Io, message));
    }
    if !is_same(&done.metadata, &now) {
        let message = format!("{}: changed since it was read, and is kept", shown(path));
        return Err(Failure::new(Exit::Io, message));
    }
    fs::remove_file(path).map_err(failed)
}

/// Whether a file is the one that it was, and nobody has changed it.
pub(super) fn is_same(before: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (before.dev(), before.ino()) != (now.dev(), now.ino()) {
            return false;
        }
        // Whoever writes to a file can put its other times back, and not that of its status.
        // The removal of another name of the file changes it too.
        let status = |found: &Metadata| (found.ctime(), found.ctime_nsec());
        if status(before) != status(now) && now.nlink() >= before.nlink() {
            return false;
        }
    }
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// What was made of the file at `path`, as it is now.
    fn done(path: &Path) -> Done {
        Done {
            input: path.to_path_buf(),
            metadata: fs::symlink_metadata(path).expect("there"),
            output: path.with_extension("sivka"),
            content_len: 0,
            folder: None,
            shrank: false,
        }
    }

    fn message(done: &Done) -> String {
        let failure = remove(done).expect_err("it is kept");
        assert_eq!(failure.exit as u8, 3);
        assert!(done.input.symlink_metadata().is_ok());
        failure.message().to_owned()
    }

    #[test]
    fn what_was_changed_in_place_is_kept() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        fs::write(&path, "before").expect("written");
        let done = done(&path);
        // A tick of the clock of the file system.
        std::thread::sleep(std::time::Duration::from_millis(50));
        fs::write(&path, "change").expect("written");
        let modified = done.metadata.modified().expect("a time");
        let file = File::options().write(true).open(&path).expect("opened");
        file.set_modified(modified).expect("put back");
        let said = message(&done);
        assert!(
            said.ends_with("changed since it was read, and is kept"),
            "{said}"
        );
    }

    #[test]
    fn all_names_of_a_file_are_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        fs::write(&path, "content").expect("written");
        let other = folder.path().join("other");
        fs::hard_link(&path, &other).expect("linked");
        let (one, two) = (done(&path), done(&other));
        // A tick of the clock of the file system.
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(remove(&one).is_ok() && remove(&two).is_ok());
    }

    // `seal --remove` removed devices: nothing had changed of them.
    #[test]
    fn only_regular_files_are_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&path).expect("bound");
        let said = message(&done(&path));
        assert!(
            said.ends_with("socket: is no regular file, and is kept"),
            "{said}"
        );
        // It was said to have changed.
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("file", &link).expect("linked");
        let said = message(&done(&link));
        assert!(
            said.ends_with("link: is a symbolic link, and is kept"),
            "{said}"
        );
        let path = folder.path().join("file");
        fs::write(&path, "content").expect("written");
        assert!(remove(&done(&path)).is_ok());
        assert!(!path.exists());
    }
}
