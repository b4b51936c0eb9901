//! What became of an archive, and what the folder itself gets when it has its name.

use std::fs::File;
use std::path::Path;

use rustix::fs::{fstat, futimens};

use super::descent::PRIVATE;
use super::restore::Restorer;
use super::way::Filled;
use crate::console::Console;

/// What became of an archive.
pub(crate) struct Unpacked {
    /// Entries that were made, the folder itself included.
    pub(crate) entries: u64,
    /// Entries that were not, and were named.
    pub(crate) left_out: u64,
    /// Bytes of the files that were made.
    pub(crate) len: u64,
    pub(super) restorer: Restorer,
    /// What the folder itself is to have.
    pub(super) root: Option<Filled>,
}

impl Unpacked {
    /// Gives the folder itself its rights and time: what it lets others do begins when it has
    /// its name.
    pub(super) fn finish(&mut self, folder: &File) {
        let Some(Filled { rights, mtime }) = self.root.take() else {
            return;
        };
        self.restorer.restore(folder, PRIVATE, &rights);
        let set = futimens(folder, &mtime.timestamps());
        self.restorer.time(mtime, set, || Ok(fstat(folder)?));
    }

    /// Whether something is missing beside content. Says what, once all is finished.
    pub(crate) fn has_lost(&self) -> bool {
        self.restorer.has_lost()
    }

    /// Says what is missing beside content.
    pub(super) fn note_lost(&self, console: Console<'_>, target: &Path) {
        self.restorer.note(console, target);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::MetadataExt;

    use tar::{EntryType, Header};

    use crate::console::Console;
    use crate::folder::{Choice, Place, pipe, unpack};
    use crate::progress::Progress;

    /// The sealed rights may let others in. Meanwhile they could move something into it, which
    /// would be removed with the rest after a failure.
    #[test]
    fn nobody_else_enters_before_it_has_its_name() {
        let mut header = Header::new_gnu();
        header.set_path("./").expect("short");
        header.set_entry_type(EntryType::Directory);
        for number in [Header::set_uid, Header::set_gid, Header::set_size] {
            number(&mut header, 0);
        }
        header.set_mode(0o777);
        header.set_mtime(1_000_000_000);
        header.set_cksum();

        let (mut writer, reader) = pipe();
        for part in [&header.as_bytes()[..], &[0; 1024]] {
            writer.write_all(part).expect("there is room");
        }
        writer.end().expect("there is room");

        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("target");
        let (progress, choice) = (
            Progress::hidden(),
            Choice {
                sealed: "sealed".as_ref(),
                outside_links: false,
                only: None,
                attributes: true,
                removes_sealed: false,
            },
        );
        let console = Console::new(&progress, false);
        let place = Place::create(&target).expect("made");
        let unpacked = unpack(reader, &place, choice, console);
        let mut unpacked = unpacked.map_err(|failure| failure.message().to_owned());
        let unpacked = unpacked.as_mut().expect("well-formed");
        let now = || place.folder().metadata().expect("there");
        assert_eq!(now().mode() & 0o7777, 0o700);
        assert!(place.give_name(unpacked, console).is_ok());
        let found = target.metadata().expect("there");
        assert_eq!(
            (found.mode() & 0o7777, found.mtime()),
            (0o777, 1_000_000_000)
        );
        assert!(!unpacked.has_lost());
    }
}
