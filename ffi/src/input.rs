//! A sealed file on disk, whose slots may be under change.

use sivka_file::{Error, settle_slots};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// A sealed file whose header is the one that the last change of its slots left, also where
/// a crash interrupted the change and the file cannot be written now.
#[derive(Debug)]
pub(crate) struct SealedFile<F = File> {
    file: F,
    /// What is in the place of the file's first bytes.
    header: Option<Vec<u8>>,
    position: u64,
}

impl SealedFile {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        Ok(Self {
            header: settle_slots(path).map_err(Error::Read)?,
            file: File::open(path).map_err(Error::Read)?,
            position: 0,
        })
    }

    pub(crate) fn metadata(&self) -> Result<Metadata, Error> {
        self.file.metadata().map_err(Error::Read)
    }
}

impl<F: Read> Read for SealedFile<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = usize::try_from(self.position).unwrap_or(usize::MAX);
        let read = match &self.header {
            Some(header) if at < header.len() => {
                let len = buffer.len().min(header.len() - at);
                let read = self.file.read(&mut buffer[..len])?;
                buffer[..read].copy_from_slice(&header[at..at + read]);
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
    use sivka_file::HEADER_LEN;
    use std::io::Cursor;

    #[test]
    fn the_header_of_the_journal_stands_in_the_place_of_the_torn_one() {
        let mut file = SealedFile {
            file: Cursor::new(vec![1; HEADER_LEN + 10]),
            header: Some(vec![2; HEADER_LEN]),
            position: 0,
        };
        let mut expected = vec![2; HEADER_LEN];
        expected.extend([1; 10]);
        let mut read = Vec::new();
        file.read_to_end(&mut read).expect("memory");
        assert_eq!(read, expected);
        for start in [0, 1, HEADER_LEN - 1, HEADER_LEN, HEADER_LEN + 3] {
            file.seek(SeekFrom::Start(start as u64)).expect("memory");
            read.clear();
            file.read_to_end(&mut read).expect("memory");
            assert_eq!(read, expected[start..]);
        }
    }
}
