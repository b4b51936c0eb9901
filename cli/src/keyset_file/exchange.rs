//! Putting a file in the place of another on Linux so that nothing is lost: the two are exchanged,
//! and what comes out is looked at. What another program put there in the last moment goes back.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, OFlags, RenameFlags, renameat_with};
use rustix::io::Errno;
use sivka_file::AtomicFile;
use zeroize::Zeroizing;

use crate::key_store::owner_only;
use crate::placed::id;

/// A secret that is complete and durable, and has no name as a rule. A signal must wait while it
/// has one: in the exchange, what is under it may be somebody else's.
pub(super) struct Aside {
    file: AtomicFile,
    /// The same, open once more: the turn to change it is ours until it is closed.
    ours: File,
    place: PathBuf,
}

/// What came of an exchange.
#[derive(Debug, PartialEq)]
pub(super) enum Exchanged {
    Replaced,
    /// The same, but what was read is under this name still, and could not be removed.
    Left(PathBuf, io::ErrorKind),
    /// Nothing was done: this file system cannot do it.
    Unsupported,
    /// What was read has this name now: something else is in its place.
    Overtaken(PathBuf),
    /// Something else was there, and is again.
    Kept,
    /// The same, and something else came meanwhile. It has this name now.
    KeptBoth(PathBuf),
}

impl Aside {
    /// `None` if what is at `path` is not a file; links are followed.
    pub(super) fn create(path: &Path, secret: &[u8]) -> io::Result<Option<Self>> {
        let place = fs::canonicalize(path)?;
        if !fs::symlink_metadata(&place)?.is_file() {
            return Ok(None);
        }
        let mut number = [0; 8];
        getrandom::fill(&mut number).map_err(io::Error::other)?;
        let name = format!(".sivka-{:016x}.partial", u64::from_ne_bytes(number));
        let mut file = AtomicFile::create(&place.with_file_name(name), owner_only(), false)?;
        let open = file.file();
        if let Some(permissions) = owner_only() {
            // A umask may keep a file from its owner too.
            open.set_permissions(permissions)?;
        }
        open.write_all(secret)?;
        let ours = open.try_clone()?;
        // Whoever finds it in the place waits until it is certain that it stays there.
        ours.try_lock()?;
        file.sync()?;
        Ok(Some(Self { file, ours, place }))
    }

    /// Where it goes.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    /// Puts it in its place if `is_known` says of what comes out that it may go.
    pub(super) fn exchange(
        self,
        is_known: impl FnOnce(&Path) -> io::Result<bool>,
    ) -> io::Result<Exchanged> {
        let aside = self.file.target().to_path_buf();
        self.file.give_name()?;
        let exchange = || renameat_with(CWD, &aside, CWD, &self.place, RenameFlags::EXCHANGE);
        if let Err(error) = exchange() {
            remove_ours(&self.ours, &aside)?;
            return match error {
                Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM => {
                    Ok(Exchanged::Unsupported)
                }
                error => Err(error.into()),
            };
        }
        if is_known(&aside).unwrap_or(false) {
            // Somebody may have put a file where ours was for a moment, or is now.
            if !has_name(&self.ours, &self.place).unwrap_or(false) {
                return Ok(Exchanged::Overtaken(aside));
            }
            return Ok(match fs::remove_file(&aside) {
                Ok(()) => Exchanged::Replaced,
                Err(error) => Exchanged::Left(aside, error.kind()),
            });
        }
        // Where nothing is there any more, nothing can be put back.
        if exchange().is_ok() && remove_ours(&self.ours, &aside)? {
            return Ok(Exchanged::Kept);
        }
        Ok(Exchanged::KeptBoth(aside))
    }
}

/// Whether our file has this name.
fn has_name(ours: &File, name: &Path) -> io::Result<bool> {
    Ok(id(&ours.metadata()?) == id(&fs::symlink_metadata(name)?))
}

/// Removes our file from a name, and says whether it had it.
fn remove_ours(ours: &File, name: &Path) -> io::Result<bool> {
    let is_ours = has_name(ours, name)?;
    if is_ours {
        fs::remove_file(name)?;
    }
    Ok(is_ours)
}

/// Whether a file has this content, and is one. Nothing else is waited for.
pub(super) fn holds(path: &Path, content: &[u8]) -> io::Result<bool> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::RDONLY;
    let file = File::from(rustix::fs::open(path, flags, rustix::fs::Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut bytes = Zeroizing::new(Vec::with_capacity(content.len() + 2));
    let most = content.len() as u64 + 1;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(*bytes == content)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Room(tempfile::TempDir);

    impl Room {
        fn new() -> Self {
            let room = Self(tempfile::tempdir().expect("a temporary folder"));
            fs::write(room.place(), "read").expect("written");
            room
        }

        fn place(&self) -> PathBuf {
            self.0.path().join("keyset")
        }

        fn put(&self, content: &str) {
            let new = self.0.path().join("new");
            fs::write(&new, content).expect("written");
            fs::rename(new, self.place()).expect("renamed");
        }

        fn aside(&self) -> Aside {
            let aside = Aside::create(&self.place(), b"ours").expect("made");
            aside.expect("a file")
        }

        fn assert_has(&self, content: &str, names: usize) {
            assert_eq!(fs::read_to_string(self.place()).expect("there"), content);
            assert_eq!(fs::read_dir(&self.0).expect("readable").count(), names);
        }
    }

    fn is_read(path: &Path) -> io::Result<bool> {
        holds(path, b"read")
    }

    #[test]
    fn what_was_read_is_replaced() {
        let room = Room::new();
        let exchanged = room.aside().exchange(is_read).expect("exchanged");
        assert_eq!(exchanged, Exchanged::Replaced);
        room.assert_has("ours", 1);
        use std::os::unix::fs::PermissionsExt;
        let mode = room.place().metadata().expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn what_was_not_read_goes_back() {
        let room = Room::new();
        for other in ["theirs", "rea", "read and more", ""] {
            let aside = room.aside();
            room.put(other);
            let exchanged = aside.exchange(is_read).expect("exchanged");
            assert_eq!(exchanged, Exchanged::Kept);
            room.assert_has(other, 1);
        }
        // What is no file is not waited for.
        fs::remove_file(room.place()).expect("removed");
        let aside = {
            room.put("read");
            room.aside()
        };
        fs::remove_file(room.place()).expect("removed");
        let made = std::process::Command::new("mkfifo")
            .arg(room.place())
            .status();
        assert!(made.expect("mkfifo runs").success());
        assert_eq!(aside.exchange(is_read).expect("exchanged"), Exchanged::Kept);
        assert!(!room.place().is_file());
    }

    /// The last moment may come twice.
    #[test]
    fn what_comes_before_the_other_is_back_is_kept_beside_it() {
        let room = Room::new();
        let aside = room.aside();
        room.put("first");
        let exchanged = aside.exchange(|_| {
            room.put("second");
            Ok(false)
        });
        let Exchanged::KeptBoth(path) = exchanged.expect("exchanged") else {
            panic!("one is lost");
        };
        assert_eq!(fs::read_to_string(path).expect("there"), "second");
        room.assert_has("first", 2);

        let room = Room::new();
        let exchanged = room.aside().exchange(|_| {
            fs::remove_file(room.place())?;
            Ok(false)
        });
        let Exchanged::KeptBoth(path) = exchanged.expect("exchanged") else {
            panic!("it is lost");
        };
        assert_eq!(fs::read_to_string(path).expect("there"), "read");
    }

    /// It was removed then, and with it the last keys.
    #[test]
    fn what_was_read_stays_if_ours_does_not_take_its_place() {
        let room = Room::new();
        let exchanged = room.aside().exchange(|aside| {
            room.put("theirs");
            is_read(aside)
        });
        let Exchanged::Overtaken(path) = exchanged.expect("exchanged") else {
            panic!("one is lost");
        };
        assert_eq!(fs::read_to_string(path).expect("there"), "read");
        room.assert_has("theirs", 2);
    }

    /// The change was made, and was said to have failed.
    #[test]
    fn what_was_read_is_named_if_it_cannot_be_removed() {
        let room = Room::new();
        let exchanged = room.aside().exchange(|aside| {
            fs::remove_file(aside)?;
            fs::create_dir(aside)?;
            Ok(true)
        });
        let Exchanged::Left(path, error) = exchanged.expect("exchanged") else {
            panic!("it is there");
        };
        assert_eq!(error, io::ErrorKind::IsADirectory);
        assert!(path.is_dir());
        room.assert_has("ours", 2);
    }

    #[test]
    fn what_vanishes_is_not_made() {
        let room = Room::new();
        let aside = room.aside();
        fs::remove_file(room.place()).expect("removed");
        let failed = aside.exchange(is_read).expect_err("nothing is there");
        assert_eq!(failed.kind(), io::ErrorKind::NotFound);
        assert_eq!(fs::read_dir(&room.0).expect("readable").count(), 0);
    }
}
