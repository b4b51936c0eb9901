//! Reading a file whose slots another program may be changing: the old header or the new one,
//! and not a part of each.

use crate::header::{MAX_HEADER_LEN, read_header};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;
use zeroize::Zeroizing;

/// Does `read`, which reads the file, while no change of slots writes to it.
///
/// That takes the lock that changes hold, shared, for that moment. Nobody waits for somebody who
/// keeps it: what two readings agree on will do then, and where there are no locks.
///
/// # Errors
/// What `read` gives.
pub fn read_between_changes<T: PartialEq>(
    file: &File,
    mut read: impl FnMut(&File) -> io::Result<T>,
) -> io::Result<T> {
    const TRIES: u32 = 10;
    const PAUSE: Duration = Duration::from_millis(2);
    for _ in 0..TRIES {
        match file.try_lock_shared() {
            Ok(()) => {
                let found = read(file);
                file.unlock()?;
                return found;
            }
            Err(std::fs::TryLockError::WouldBlock) => sleep(PAUSE),
            Err(_) => break,
        }
    }
    let mut found = read(file)?;
    for _ in 0..TRIES {
        sleep(PAUSE);
        let again = read(file)?;
        if again == found {
            break;
        }
        found = again;
    }
    Ok(found)
}

/// The header of the sealed file that `file` is from its first byte on, or as much of it as there
/// is, as one change of slots left it. Of anything else, at most the first 128 KiB. What follows is
/// read next. Of what is no regular file, such as a pipe, nothing is read.
///
/// # Errors
/// What reading the file gives.
pub fn read_head(file: &File) -> io::Result<Zeroizing<Vec<u8>>> {
    if !file.metadata()?.is_file() {
        return Ok(Zeroizing::default());
    }
    read_between_changes(file, |mut file| {
        // At once, and wiped: whatever the file is, it may be a key.
        let mut head = Zeroizing::new(Vec::with_capacity(MAX_HEADER_LEN + 1));
        file.rewind()?;
        let read = read_header(&mut file).map_err(io::Error::from)?;
        head.extend_from_slice(&Zeroizing::new(read));
        Ok(head)
    })
}

/// A sealed file whose header is the one that a change of slots left, whatever is written
/// meanwhile.
#[derive(Debug)]
pub struct SealedFile<F = File> {
    file: F,
    /// What is in the place of the file's first bytes.
    head: Zeroizing<Vec<u8>>,
    position: u64,
}

impl SealedFile {
    /// Opens the file at `path` to read it. Pipes are read as they come.
    ///
    /// # Errors
    /// What opening and reading the file gives.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let head = read_head(&file)?;
        if !head.is_empty() {
            file.rewind()?;
        }
        Ok(Self {
            file,
            head,
            position: 0,
        })
    }

    /// What the system says of the file.
    ///
    /// # Errors
    /// What it says instead.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }
}

impl<F: Seek> SealedFile<F> {
    /// A file that can be read by position, of which [`read_head`] gave `head`.
    ///
    /// # Errors
    /// What going to its beginning gives.
    pub fn with_head(mut file: F, head: &[u8]) -> io::Result<Self> {
        file.rewind()?;
        Ok(Self {
            file,
            head: Zeroizing::new(head.to_vec()),
            position: 0,
        })
    }
}

impl<F: Read> Read for SealedFile<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = usize::try_from(self.position).unwrap_or(usize::MAX);
        let read = match self.head.get(at..) {
            Some(head) if !head.is_empty() => {
                let len = buffer.len().min(head.len());
                let read = self.file.read(&mut buffer[..len])?;
                buffer[..read].copy_from_slice(&head[..read]);
                read
            }
            _ => self.file.read(buffer)?,
        };
        self.position += read as u64;
        Ok(read)
    }
}

impl<F: Seek> Seek for SealedFile<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.file.seek(to)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::HEADER_LEN;
    use std::io::Cursor;

    #[test]
    fn the_head_stands_in_the_place_of_the_files_first_bytes() {
        let file = Cursor::new(vec![1; HEADER_LEN + 10]);
        let mut file = SealedFile::with_head(file, &[2; HEADER_LEN]).unwrap();
        let mut expected = vec![2; HEADER_LEN];
        expected.extend([1; 10]);
        let mut read = Vec::new();
        file.read_to_end(&mut read).unwrap();
        assert_eq!(read, expected);
        for start in [0, 1, HEADER_LEN - 1, HEADER_LEN, HEADER_LEN + 3] {
            file.seek(SeekFrom::Start(start as u64)).unwrap();
            read.clear();
            file.read_to_end(&mut read).unwrap();
            assert_eq!(read, expected[start..]);
        }
    }

    /// Nobody who keeps the lock keeps others from reading.
    #[test]
    fn a_lock_of_others_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "text").unwrap();
        let other = File::open(&path).unwrap();
        #[cfg(unix)]
        other.lock().unwrap();
        let mut readings = 0;
        let found = read_between_changes(&File::open(&path).unwrap(), |_| {
            readings += 1;
            Ok(readings.min(3))
        });
        assert_eq!(found.unwrap(), if cfg!(unix) { 3 } else { 1 });
        drop(other);
        assert_eq!(&**read_head(&File::open(&path).unwrap()).unwrap(), b"text");
    }
}
