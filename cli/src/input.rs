//! Where the data comes from.

use std::fs::{File, Metadata, Permissions};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sivka_file::{
    AtomicFile, CHUNK_LEN, HEADER_LEN, Header, MAX_HEADER_LEN, PAYLOAD_HEAD_LEN, Suite,
};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::{STANDARD, is_standard};
use crate::output::is_closed;

/// An opened input.
pub(crate) struct Input {
    pub(crate) file: File,
    /// The first bytes that were read of a pipe, which cannot be read again: they have the header.
    head: Mutex<Vec<u8>>,
    /// The last bytes of it that could not be read: where they are, and why.
    unreadable: Mutex<Option<(u64, io::Error)>>,
    /// How many bytes may be the header's.
    pub(crate) header_len: AtomicUsize,
    /// The system's metadata of the file when it was opened.
    pub(crate) metadata: Metadata,
}

impl Input {
    /// Opens the file at `path`, or standard input if `path` is `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::io(path, &error);
        let file = match is_standard(path) {
            true => standard_input().map_err(failed)?,
            false => File::open(path).map_err(failed)?,
        };
        if is_standard(path) && is_closed(&file) {
            return Err(Failure::new(Exit::Io, "standard input: is closed")
                .hint("for no content at all, name /dev/null"));
        }
        let metadata = file.metadata().map_err(failed)?;
        match metadata.is_dir() {
            true => Err(failed(io::ErrorKind::IsADirectory.into())),
            false => Ok(Self {
                file,
                head: Mutex::default(),
                unreadable: Mutex::default(),
                header_len: AtomicUsize::new(MAX_HEADER_LEN),
                metadata,
            }),
        }
    }

    /// All of it from the beginning. Of a pipe, no more than the header may have been read.
    pub(crate) fn source(&self) -> io::Result<Source<'_>> {
        if self.is_seekable() {
            (&self.file).rewind()?;
        }
        Ok(Source { input: self, at: 0 })
    }

    /// The fields of the header, if it can be read.
    pub(crate) fn header(&self) -> Option<Header> {
        match self.is_seekable() {
            true => Header::read(self.source().ok()?).ok(),
            false => Header::parse(&locked(&self.head)).ok(),
        }
    }

    /// Where bytes could not be read, the last time that this happened, and why.
    pub(crate) fn unreadable(&self) -> Option<(u64, io::Error)> {
        locked(&self.unreadable).take()
    }

    /// Whether it can be read in parts.
    pub(crate) fn is_seekable(&self) -> bool {
        self.metadata.is_file()
    }

    /// The length in bytes, if it is known before the end is reached.
    pub(crate) fn len(&self) -> Option<u64> {
        self.metadata.is_file().then_some(self.metadata.len())
    }

    /// The permissions that a file made of this input should have.
    pub(crate) fn permissions(&self) -> Option<Permissions> {
        AtomicFile::permissions_like(&self.metadata)
    }
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The content of an input.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    input: &'a Input,
    /// Bytes of a pipe that were read.
    at: usize,
}

impl Read for Source<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.input.is_seekable() {
            let mut unreadable = locked(&self.input.unreadable);
            let header_len = self.input.header_len.load(Relaxed);
            return read_over(&mut &self.input.file, bytes, header_len, &mut unreadable);
        }
        let mut head = locked(&self.input.head);
        if let Some(known) = head.get(self.at..).filter(|known| !known.is_empty()) {
            let len = known.len().min(bytes.len());
            bytes[..len].copy_from_slice(&known[..len]);
            self.at += len;
            return Ok(len);
        }
        let len = (&self.input.file).read(bytes)?;
        if self.at < MAX_HEADER_LEN {
            head.extend_from_slice(&bytes[..len]);
            self.at += len;
        }
        Ok(len)
    }
}

/// Reads from `file`, of a header up to where its other copy may begin: some systems fail a whole
/// read for one sector. What cannot be read of a header counts as zeros.
fn read_over(
    file: &mut (impl Read + Seek),
    bytes: &mut [u8],
    header_len: usize,
    unreadable: &mut Option<(u64, io::Error)>,
) -> io::Result<usize> {
    const STEP: u64 = 1024;
    let at = file.stream_position()?;
    let is_header = at < header_len as u64;
    let len = bytes.len().min(if is_header { (STEP - at % STEP) as usize } else { usize::MAX });
    match file.read(&mut bytes[..len]) {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => {
            let again = error.raw_os_error().map(io::Error::from_raw_os_error);
            *unreadable = again.map(|again| (at, again)).or(unreadable.take());
            if !is_header {
                return Err(error);
            }
            bytes[..len].fill(0);
            file.seek(SeekFrom::Start(at + len as u64))?;
            Ok(len)
        }
        read => read,
    }
}

impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self.input.is_seekable() {
            true => (&self.input.file).seek(to),
            false => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

/// The inputs of a command line: `/dev/stdin`, or no argument in a pipe, is standard input.
pub(crate) fn named(files: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let is_given = || standard_input().is_ok_and(|file| !file.is_terminal() && !is_closed(&file));
    if files.is_empty() {
        if is_given() {
            return Ok(vec![STANDARD.into()]);
        }
        let message = "the following required arguments were not provided: <FILE>...";
        return Err(Failure::new(Exit::Usage, message)
            .hint("`sivka COMMAND --help` lists what is possible"));
    }
    let named = files.iter().map(|path| match path.to_str() {
        Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => STANDARD.into(),
        _ => path.clone(),
    });
    Ok(named.collect())
}

/// The length of all inputs in bytes, if it is known before their ends are reached. That of
/// folders is what `folder_len` says.
pub(crate) fn total_len(
    files: &[PathBuf],
    folder_len: impl Fn(&Path) -> Option<u64>,
) -> Option<u64> {
    files.iter().try_fold(0, |total, path| {
        let metadata = match is_standard(path) {
            true => standard_input().and_then(|file| file.metadata()),
            false => std::fs::metadata(path),
        };
        match metadata {
            Ok(found) if found.is_file() => Some(total + found.len()),
            Ok(found) if found.is_dir() => Some(total + folder_len(path)?),
            Ok(_) => None,
            // It will be reported, and adds nothing.
            Err(_) => Some(total),
        }
    })
}

/// About how many bytes of content all inputs hold if they are sealed files: good enough
/// for a progress bar.
pub(crate) fn total_content_len(files: &[PathBuf]) -> Option<u64> {
    let tag_len = Suite::default().tag_len() as u64;
    let len = total_len(files, |_| None)?;
    let payload_len = len.saturating_sub((HEADER_LEN + PAYLOAD_HEAD_LEN) as u64);
    let chunks = payload_len / (CHUNK_LEN as u64 + tag_len) + 1;
    Some(payload_len.saturating_sub(chunks * tag_len))
}

/// Standard input as a file, without the buffer of Rust's handle.
#[cfg(unix)]
pub(crate) fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
pub(crate) fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A disk of sevens whose first sector cannot be read.
    struct Disk(Cursor<[u8; 3000]>);

    impl Read for Disk {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            match self.0.position() {
                0..512 => Err(io::Error::from_raw_os_error(5)),
                _ => self.0.read(bytes),
            }
        }
    }

    impl Seek for Disk {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn what_cannot_be_read_of_a_header_is_zeros_up_to_where_a_copy_may_begin() {
        let (mut disk, mut bytes, mut unreadable) = (Disk(Cursor::new([7; 3000])), [1; 2048], None);
        let read = read_over(&mut disk, &mut bytes, 2048, &mut unreadable);
        assert!(read.is_ok_and(|len| bytes[..len] == [0; 1024]));
        let read = read_over(&mut disk, &mut bytes, 2048, &mut unreadable);
        assert!(read.is_ok_and(|len| bytes[..len] == [7; 1024]));
        assert!(matches!(unreadable, Some((0, _))));
        // Of a payload it is an error.
        disk.0.set_position(100);
        assert!(read_over(&mut disk, &mut bytes, 100, &mut unreadable).is_err());
        assert!(matches!(unreadable, Some((100, _))));
    }
}
