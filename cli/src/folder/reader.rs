//! Reading an archive entry by entry, with a bound on what describes one.

use std::cell::{Cell, RefCell};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use sivka_file::{Error, SeekReader};
use tar::{Archive, Entries, Entry, EntryType};

use super::description;
use super::entry::{Described, describe, refuse};
use super::order::Order;
use super::pieces::PieceReader;
use super::{BLOCK_LEN, MARK_LEN};
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::name::shown;
use crate::progress::Progress;

/// The most bytes that describe one entry: long names, attributes, and the holes of a file.
const MOST_DESCRIPTION: u64 = 2 << 20;

/// Where an archive comes from.
pub(crate) trait Source: Read + Sized {
    /// Its entries: what is not wanted of one is read, or passed over.
    fn entries(archive: &mut Archive<Bounded<Self>>) -> io::Result<Entries<'_, Bounded<Self>>>;
}

impl Source for PieceReader {
    fn entries(archive: &mut Archive<Bounded<Self>>) -> io::Result<Entries<'_, Bounded<Self>>> {
        archive.entries()
    }
}

/// The archive in a sealed file: of contents that nobody wants, nothing is read.
pub(crate) struct Seekable<'a, R: Read + Seek> {
    reader: SeekReader<R>,
    failure: &'a RefCell<Option<Error>>,
    progress: &'a Progress,
}

impl<'a, R: Read + Seek> Seekable<'a, R> {
    /// Reads on after the mark. Why the file cannot be read is left in `failure`.
    pub(crate) fn new(
        reader: SeekReader<R>,
        failure: &'a RefCell<Option<Error>>,
        progress: &'a Progress,
    ) -> Self {
        Self {
            reader,
            failure,
            progress,
        }
    }
}

impl<R: Read + Seek> Source for Seekable<'_, R> {
    fn entries(archive: &mut Archive<Bounded<Self>>) -> io::Result<Entries<'_, Bounded<Self>>> {
        archive.entries_with_seek()
    }
}

impl<R: Read + Seek> Read for Seekable<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(out).map_err(|error| {
            let error = error.downcast().unwrap_or_else(Error::Read);
            self.failure.borrow_mut().get_or_insert(error);
            io::Error::other("it cannot be read")
        })?;
        self.progress.at(self.reader.stream_position()?);
        Ok(read)
    }
}

/// Positions begin after the mark.
impl<R: Read + Seek> Seek for Seekable<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::Start(at) => SeekFrom::Start(at.saturating_add(MARK_LEN as u64)),
            to => to,
        };
        let at = self.reader.seek(to)?;
        match at.checked_sub(MARK_LEN as u64) {
            Some(within) if at <= self.reader.plaintext_len() => Ok(within),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// Does `work` on every entry of the archive in `reader`, with what it says of itself.
/// `name` is what the archive is called in messages.
pub(super) fn each_entry<R: Source>(
    reader: R,
    name: &Path,
    mut work: impl FnMut(&mut Entry<'_, Bounded<R>>, Described) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let bound = Rc::new(Bound::default());
    let inner = Bounded {
        reader,
        bound: Rc::clone(&bound),
    };
    let mut archive = Archive::new(inner);
    // A name that comes twice is refused.
    archive.set_overwrite(false);
    let mut entries = R::entries(&mut archive).map_err(|error| malformed(name, &error))?;
    bound.allow(0);
    let mut order = Order::default();
    let mut is_void = false;
    for entry in entries.by_ref() {
        let mut entry = entry.map_err(|error| malformed(name, &error))?;
        // What is stored of it is read or passed over; then another one is described.
        let stored = match entry.header().entry_type() {
            EntryType::GNUSparse => entry
                .header()
                .entry_size()
                .map_err(|error| malformed(name, &error))?,
            // Its text is compared with what comes after it.
            EntryType::XGlobalHeader => 0,
            _ => entry.size(),
        };
        let checked = bound.take_description(stored, is_void, description::check);
        is_void = entry.header().entry_type().is_pax_global_extensions();
        let described = checked.and_then(|()| describe(&mut entry));
        let described = described.and_then(|described| order.take(&described).map(|()| described));
        let described = described.map_err(|error| malformed(name, &error))?;
        work(&mut entry, described)?;
    }
    // What follows is authenticated like all of it, before anything gets its name.
    let ended = bound.take_description(u64::MAX, is_void, |_| Ok(()));
    let ended = ended.and_then(|()| only_zeros(archive.into_inner()));
    let ended = ended.and_then(|()| bound.end()).and_then(|()| order.end());
    ended.map_err(|error| malformed(name, &error))
}

/// Reads to the end. What follows the end of the archive would be seen by some programs only.
fn only_zeros(mut rest: impl Read) -> io::Result<()> {
    let mut bytes = [0; 1 << 13];
    loop {
        match rest.read(&mut bytes)? {
            0 => return Ok(()),
            len if bytes[..len].iter().any(|byte| *byte != 0) => {
                return Err(refuse("something after its end"));
            }
            _ => {}
        }
    }
}

/// A reader that hands out only so much at once: `tar` holds the description of an entry
/// in memory, however long it says that it is. It keeps the bytes of that, too.
pub(crate) struct Bounded<R> {
    reader: R,
    bound: Rc<Bound>,
}

#[derive(Default)]
struct Bound {
    left: Cell<u64>,
    /// Where the reader is.
    at: Cell<u64>,
    /// Where the next description begins, and what was read of it.
    begin: Cell<u64>,
    description: RefCell<Vec<u8>>,
}

impl Bound {
    /// Allows `stored` bytes, and the description of another entry after them.
    fn allow(&self, stored: u64) {
        let most = stored.saturating_add(BLOCK_LEN as u64 + MOST_DESCRIPTION);
        self.left.set(most);
        let block_len = BLOCK_LEN as u64;
        let stored = stored.checked_next_multiple_of(block_len);
        let begin = self.at.get().saturating_add(stored.unwrap_or(u64::MAX));
        self.begin.set(begin);
        self.description.borrow_mut().clear();
    }

    /// Looks at the description that was read, after the text of a void mark if that was
    /// before it, and allows what is `stored` after it, and the next.
    fn take_description(
        &self,
        stored: u64,
        is_after_void: bool,
        check: impl FnOnce(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let checked = match (self.description.borrow().as_slice(), is_after_void) {
            (blocks, true) => description::after_void(blocks).and_then(check),
            (blocks, false) => check(blocks),
        };
        self.allow(stored);
        checked
    }

    /// Whether all that was read are whole blocks: programs differ in what they make of others.
    fn end(&self) -> io::Result<()> {
        match self.at.get().is_multiple_of(BLOCK_LEN as u64) {
            true => Ok(()),
            false => Err(refuse("a part of a block at its end")),
        }
    }

    /// Counts what was read, and keeps what is of a description.
    fn add(&self, bytes: &[u8]) {
        let (at, len) = (self.at.get(), bytes.len() as u64);
        self.left.set(self.left.get() - len);
        self.at.set(at + len);
        let stored = self.begin.get().saturating_sub(at).min(len) as usize;
        if stored < bytes.len() {
            let mut description = self.description.borrow_mut();
            // Padding may have been leapt over.
            let from = at + stored as u64 - self.begin.get();
            description.resize(from as usize, 0);
            description.extend_from_slice(&bytes[stored..]);
        }
    }
}

impl<R: Read + Seek> Seek for Bounded<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        // One block is read, as the text of a void mark is looked at.
        if to == SeekFrom::Current(BLOCK_LEN as i64) {
            self.read_exact(&mut [0; BLOCK_LEN])?;
            return Ok(self.bound.at.get());
        }
        let at = self.reader.seek(to)?;
        // What is leapt over is not allowed for something else.
        let leapt = at.saturating_sub(self.bound.at.get());
        let left = self.bound.left.get();
        self.bound.left.set(left.saturating_sub(leapt));
        self.bound.at.set(at);
        Ok(at)
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.bound.left.get();
        let wanted = usize::try_from(left).map_or(out.len(), |left| left.min(out.len()));
        if wanted == 0 && !out.is_empty() {
            return Err(refuse("an entry whose description is longer than 2 MiB"));
        }
        let read = self.reader.read(&mut out[..wanted])?;
        self.bound.add(&out[..read]);
        Ok(read)
    }
}

/// What is in the file is authentic, and yet no folder that this program packs.
pub(super) fn malformed(name: &Path, error: &io::Error) -> Failure {
    let message = format!(
        "{}: the folder in the file is malformed: {}",
        shown(name),
        reason(error)
    );
    Failure::new(Exit::Malformed, message).hint("`sivka open --tar` gives the archive as it is")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_is_allowed() {
        let bound = Rc::new(Bound::default());
        bound.left.set(3);
        let mut reader = Bounded {
            reader: &b"12345"[..],
            bound: Rc::clone(&bound),
        };
        let mut bytes = [0; 4];
        assert_eq!(reader.read(&mut bytes).unwrap(), 3);
        assert_eq!(reader.read(&mut []).unwrap(), 0);
        assert!(reader.read(&mut bytes).is_err());
        bound.allow(1);
        assert_eq!(reader.read(&mut bytes).unwrap(), 2);
    }
}
