//! Removing an input whose result is safe.

#[cfg(unix)]
use std::cell::RefCell;
#[cfg(unix)]
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use sivka_file::{OpenOptions, Unlock};

use crate::batch::Done;
use crate::compression::Decompressing;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::name::{is_standard, shown};
#[cfg(unix)]
use crate::placed::{Inode, Placed, StatusTime, id, is_same_but_status, status_of};
use crate::placed::{is_same, open_at_once};

/// Fails, before any work is done, if an input could not be removed in good conscience:
/// its result must be a file that can be looked at again.
pub(super) fn may_remove(input: &Path, to_stream: bool) -> Result<(), Failure> {
    if is_standard(input) || to_stream {
        let message = "--remove is for files that are sealed to files, or opened to files";
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(())
}

/// What removes the inputs of a run.
#[derive(Default)]
pub(super) struct Remover {
    /// Of files that had several names: the time of the status before a name was taken from it by
    /// us, which changes it, and after each.
    #[cfg(unix)]
    others: RefCell<HashMap<Inode, Vec<StatusTime>>>,
}

impl Remover {
    /// Opens the sealed result once more and throws its content away, and then removes the
    /// input.
    pub(super) fn verify_and_remove(
        &self,
        done: &Done,
        keys: &[Unlock<'_>],
    ) -> Result<(), Failure> {
        let path = &done.output;
        let failed = |error| Failure::io(path, &error);
        check_result(done, &fs::metadata(path).map_err(failed)?)?;
        let file = open_at_once(path).map_err(failed)?;
        let before = file.metadata().map_err(failed)?;
        check_result(done, &before)?;
        let options = OpenOptions::default();
        // With what `open` allows unless told otherwise: what it would refuse is no result.
        let mut content = Decompressing::new(io::sink());
        let opened = sivka_file::open(&file, &mut content, keys, &options, |_| {});
        let ended = content.end(opened.is_ok());
        if let Some(failure) = ended.failure(&shown(path)) {
            return Err(failure);
        }
        let verified =
            opened.map_err(|error| Failure::file(path, path, &error).with("its input is kept"))?;
        let len = ended.len.unwrap_or(verified.plaintext_len);
        if ended.error.is_some() || len != done.content_len {
            return Err(Failure::new(
                Exit::Damaged,
                format!(
                    "{}: does not open to what was sealed, so its input is kept",
                    shown(path)
                ),
            ));
        }
        // Whoever removed or replaced it meanwhile has not seen the input.
        if !is_same(&before, &fs::metadata(path).map_err(failed)?) {
            return Err(changed(path));
        }
        self.remove(done)
    }

    /// Removes an input whose result is still there, unless it is no longer what was read.
    pub(super) fn remove_opened(&self, done: &Done) -> Result<(), Failure> {
        let path = &done.output;
        let now = fs::metadata(path).map_err(|error| Failure::io(path, &error))?;
        check_result(done, &now)?;
        self.remove(done)
    }

    fn remove(&self, done: &Done) -> Result<(), Failure> {
        let path = &done.input;
        let failed = |error| kept(path, &format!("cannot be removed: {}", reason(&error)));
        #[cfg(unix)]
        if let Some((before, after)) = done.placed.as_ref().and_then(Placed::replaced) {
            self.note(before, after);
        }
        let now = fs::symlink_metadata(path).map_err(failed)?;
        // A device has the times and the length that it had, and its name is needed still.
        if !now.is_file() {
            return Err(kept(
                path,
                match now.is_symlink() {
                    true => "is a symbolic link, and is kept",
                    false => "is no regular file, and is kept",
                },
            ));
        }
        if !self.is_unchanged(&done.metadata, &now) {
            return Err(kept(path, "changed since it was read, and is kept"));
        }
        self.remove_name(path, &now).map_err(failed)
    }

    /// Keeps in mind what taking a name from a file has done to its status.
    #[cfg(unix)]
    fn note(&self, before: &Metadata, after: &Metadata) {
        let mut others = self.others.borrow_mut();
        let times = others.entry(id(before)).or_default();
        if times.last() != Some(&status_of(before)) {
            // What others did before that is not ours.
            *times = vec![status_of(before)];
        }
        times.push(status_of(after));
    }

    #[cfg(unix)]
    fn is_unchanged(&self, before: &Metadata, now: &Metadata) -> bool {
        let others = self.others.borrow();
        let is_ours = others.get(&id(now)).is_some_and(|times| {
            times.contains(&status_of(before)) && times.last() == Some(&status_of(now))
        });
        is_same(before, now) || is_ours && is_same_but_status(before, now)
    }

    #[cfg(not(unix))]
    fn is_unchanged(&self, before: &Metadata, now: &Metadata) -> bool {
        is_same(before, now)
    }

    #[cfg(unix)]
    fn remove_name(&self, path: &Path, found: &Metadata) -> io::Result<()> {
        if found.nlink() == 1 {
            return fs::remove_file(path);
        }
        let file = open_at_once(path)?;
        fs::remove_file(path)?;
        self.note(found, &file.metadata()?);
        Ok(())
    }

    #[cfg(not(unix))]
    fn remove_name(&self, path: &Path, _: &Metadata) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// Fails if what has the name of a result is something else: whoever put it there has not seen
/// the input, whatever it is and says of itself.
fn check_result(done: &Done, found: &Metadata) -> Result<(), Failure> {
    let is_result = done.placed.as_ref().is_some_and(|placed| placed.is(found));
    is_result.then_some(()).ok_or_else(|| changed(&done.output))
}

fn changed(path: &Path) -> Failure {
    kept(path, "changed meanwhile, so its input is kept")
}

fn kept(path: &Path, what: &str) -> Failure {
    Failure::new(Exit::Io, format!("{}: {what}", shown(path)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::File;

    /// What was made of the file at `path`, as it is now.
    fn done(path: &Path) -> Done {
        Done {
            input: path.to_path_buf(),
            metadata: fs::symlink_metadata(path).expect("there"),
            output: path.with_extension("sivka"),
            placed: None,
            content_len: 0,
            folder: None,
            is_short: false,
        }
    }

    fn message(done: &Done) -> String {
        let failure = Remover::default().remove(done).expect_err("it is kept");
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
        let remover = Remover::default();
        assert!(remover.remove(&one).is_ok() && remover.remove(&two).is_ok());
    }

    /// What others remove or write meanwhile is their change.
    #[test]
    fn a_name_that_is_removed_by_others_is_a_change() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        let change = |name: &str| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            let file = File::options().write(true).open(path(name));
            let mut file = file.expect("opened");
            let modified = file.metadata().and_then(|found| found.modified());
            io::Write::write_all(&mut file, b"change").expect("written");
            file.set_modified(modified.expect("a time"))
                .expect("put back");
        };
        let make = || {
            fs::write(path("one"), "before").expect("written");
            fs::hard_link(path("one"), path("two")).expect("linked");
            (done(&path("one")), done(&path("two")))
        };
        let (one, _) = make();
        change("one");
        fs::remove_file(path("two")).expect("removed");
        assert!(message(&one).ends_with("changed since it was read, and is kept"));
        fs::remove_file(path("one")).expect("removed");

        let (one, two) = make();
        let remover = Remover::default();
        assert!(remover.remove(&one).is_ok());
        change("two");
        assert!(remover.remove(&two).is_err());
        assert_eq!(fs::read(path("two")).expect("there"), b"change");
    }

    /// What opened may be somebody's by now: any file of the same length was taken for it.
    #[test]
    fn an_input_is_kept_whose_result_is_gone_or_another() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        fs::write(&path, "content").expect("written");
        let mut done = done(&path);
        let (output, other) = (done.output.clone(), folder.path().join("other"));
        let is_kept = |done: &Done| {
            let failure = Remover::default().remove_opened(done).expect_err("kept");
            assert_eq!(failure.exit as u8, 3);
            path.exists()
        };
        fs::write(&output, "result").expect("written");
        assert!(is_kept(&done)); // Nobody says that this is it.
        let now = || output.metadata().expect("there");
        done.placed = Some(Placed::of(now()));
        let modified = now().modified().expect("a time");
        let at = |path: &Path, time| {
            let file = File::options().write(true).open(path);
            file.and_then(|file| file.set_modified(time))
                .expect("a time");
        };
        fs::write(&other, "RESULT").expect("written");
        at(&other, modified);
        let aside = folder.path().join("aside");
        fs::rename(&output, &aside).expect("renamed");
        assert!(is_kept(&done));
        fs::rename(&other, &output).expect("renamed");
        assert!(is_kept(&done));
        fs::rename(&aside, &output).expect("renamed");
        at(&output, modified + std::time::Duration::from_secs(1));
        assert!(is_kept(&done));
        fs::write(&output, "longer result").expect("written");
        at(&output, modified);
        assert!(is_kept(&done));
        fs::write(&output, "result").expect("written");
        at(&output, modified);
        assert!(Remover::default().remove_opened(&done).is_ok());
        assert!(!path.exists());
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
        assert!(Remover::default().remove(&done(&path)).is_ok());
        assert!(!path.exists());
    }
}
