//! Why a folder was not packed or unpacked, and what of it was left out.

use std::io;
use std::path::{Path, PathBuf};

/// Why nothing came of it: the output is incomplete, and a target was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The archive breaks a rule of `docs/spec/folder-v1.md`.
    /// Bytes before the place, and what is wrong there.
    #[error("the archive is malformed at byte {0}: {1}")]
    Malformed(u64, &'static str),
    /// The archive cannot be read or written. The inner error is the reader's or writer's.
    #[error("{0}")]
    Archive(#[source] io::Error),
    /// The file system refuses something that the result cannot do without: where, and what it
    /// says.
    #[error("{}: {}", .0.display(), .1)]
    Path(PathBuf, #[source] io::Error),
}

impl Error {
    pub(super) fn path(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |error| Self::Path(path.to_path_buf(), error)
    }
}

/// The error that is inside one of [`Entries`](super::Entries)' content, or of the archive.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        error.downcast().unwrap_or_else(Self::Archive)
    }
}

/// An entry of which something is missing.
#[derive(Debug)]
#[non_exhaustive]
pub struct Named {
    /// Where it is, below the folder.
    pub path: PathBuf,
    /// What is missing, and why.
    pub why: Why,
}

/// What is missing of an entry.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// It is in the archive as it was read, up to the length that it had first.
    #[error("changed while it was read")]
    Changed,
    /// It became shorter, or unreadable, while it was read. It is not kept.
    #[error("could not be read as a whole when it was sealed")]
    Lost,
    /// It is not in the archive: it cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is not in the archive: it is no file, folder or symbolic link.
    #[error("is {0}")]
    Special(&'static str),
    /// So many of its attributes are not in the archive.
    #[error("{0} of its attributes could not be kept")]
    Attributes(usize),
    /// The file system of the target refuses it.
    #[error("cannot be made here: {0}")]
    Refused(#[source] io::Error),
    /// It is in a folder that is left out.
    #[error("is in a folder that is left out")]
    Within,
    /// It is another name of this entry, which was not made.
    #[error("is another name of {}, which is not here", .0.display())]
    OtherName(PathBuf),
    /// It is there without its owner and rights above 0777, and may have had records.
    #[error("its owner, its attributes and the fractions of its time may be lost")]
    Records,
    /// Parts of its content are lost from the archive.
    #[error("is damaged")]
    Damaged,
}
