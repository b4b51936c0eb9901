//! Where the data comes from.

use std::fs::{File, Metadata, Permissions};
use std::io::{self, Read, Seek};
use std::path::Path;

use sivka_file::{AtomicFile, CHUNK_LEN, HEADER_LEN, PAYLOAD_HEAD_LEN, Suite};

use crate::failure::Failure;
use crate::name::is_standard;

/// An opened input.
pub(crate) struct Input {
    pub(crate) file: File,
    metadata: Metadata,
    /// The first bytes of a sealed file, which were read already: what has been read
    /// from a pipe cannot be read again, and a refusal wants to look at it.
    head: Vec<u8>,
}

impl Input {
    /// Opens the file at `path`, or standard input if `path` is `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::io(path, &error);
        let file = if is_standard(path) {
            standard_input()
        } else {
            File::open(path)
        };
        let file = file.map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        Ok(Self {
            file,
            metadata,
            head: Vec::new(),
        })
    }

    /// Opens a sealed file, and reads as much of its header as there is.
    pub(crate) fn open_sealed(path: &Path) -> Result<Self, Failure> {
        let mut input = Self::open(path)?;
        (&input.file)
            .take(HEADER_LEN as u64)
            .read_to_end(&mut input.head)
            .map_err(|error| Failure::io(path, &error))?;
        Ok(input)
    }

    /// Goes back to the beginning, for those who read by position.
    pub(crate) fn rewind(&self, path: &Path) -> Result<(), Failure> {
        (&self.file)
            .rewind()
            .map_err(|error| Failure::io(path, &error))
    }

    /// What was read when the file was opened.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// All of the input. Can be asked for again as long as no more than the head was read.
    pub(crate) fn reader(&self) -> impl Read + Send + '_ {
        self.head.chain(&self.file)
    }

    /// The length in bytes, if it is known before the end is reached.
    pub(crate) fn len(&self) -> Option<u64> {
        self.metadata.is_file().then_some(self.metadata.len())
    }

    /// About how many bytes of plaintext the input holds if it is a sealed file:
    /// good enough for a progress bar.
    pub(crate) fn plaintext_len(&self) -> Option<u64> {
        let overhead = (HEADER_LEN + PAYLOAD_HEAD_LEN) as u64;
        let payload_len = self.len()?.saturating_sub(overhead);
        let tag_len = Suite::default().tag_len() as u64;
        let chunks = payload_len / (CHUNK_LEN as u64 + tag_len) + 1;
        Some(payload_len.saturating_sub(chunks * tag_len))
    }

    /// The permissions that a file made of this input should have.
    pub(crate) fn permissions(&self) -> Option<Permissions> {
        AtomicFile::permissions_like(&self.metadata)
    }
}

/// Standard input as a file, without the buffer of Rust's handle.
#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}
