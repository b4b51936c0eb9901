//! Where the data comes from.

use std::fs::{File, Metadata, Permissions};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use sivka_file::{
    AtomicFile, CHUNK_LEN, HEADER_LEN, MAX_HEADER_LEN, PAYLOAD_HEAD_LEN, SealedFile, Suite,
    read_head, read_header,
};
use zeroize::Zeroizing;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::{STANDARD, is_standard};
use crate::output::is_closed;

/// An opened input.
pub(crate) struct Input {
    pub(crate) file: File,
    metadata: Metadata,
    /// The first bytes of a sealed file, which were read already: what has been read
    /// from a pipe cannot be read again, and a refusal wants to look at it.
    head: Zeroizing<Vec<u8>>,
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
        if is_standard(path) {
            refuse_closed(&file)?;
        }
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        Ok(Self {
            file,
            metadata,
            // At once, and wiped: whatever the file is, it may be a key.
            head: Zeroizing::new(Vec::with_capacity(MAX_HEADER_LEN + 1)),
        })
    }

    /// Opens a sealed file, and reads as much of its header as there is.
    pub(crate) fn open_sealed(path: &Path) -> Result<Self, Failure> {
        let mut input = Self::open(path)?;
        if !is_standard(path) && input.metadata.is_file() {
            // Its slots may be under change.
            let head = read_head(&input.file).map_err(|error| Failure::io(path, &error))?;
            return Ok(Self { head, ..input });
        }
        let head = read_header(&mut &input.file);
        let head = head.map_err(|error| Failure::io(path, &error.into()))?;
        input.head.extend_from_slice(&Zeroizing::new(head));
        Ok(input)
    }

    /// What was read when the file was opened.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// All of the input. Can be asked for again as long as no more than the head was read.
    pub(crate) fn reader(&self) -> impl Read + Send + '_ {
        self.head().chain(&self.file)
    }

    /// The same for reading by position, from the beginning.
    pub(crate) fn seekable(&self) -> io::Result<SealedFile<&File>> {
        SealedFile::with_head(&self.file, &self.head)
    }

    /// The length in bytes, if it is known before the end is reached.
    pub(crate) fn len(&self) -> Option<u64> {
        self.metadata.is_file().then_some(self.metadata.len())
    }

    /// What the system said of it when it was opened.
    pub(crate) fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The permissions that a file made of this input should have.
    pub(crate) fn permissions(&self) -> Option<Permissions> {
        AtomicFile::permissions_like(&self.metadata)
    }
}

/// The inputs that a command line means: `/dev/stdin` is standard input, and so is nothing
/// at all where that is no terminal.
pub(crate) fn named(files: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if files.is_empty() {
        if is_given() {
            return Ok(vec![STANDARD.into()]);
        }
        let message = "the following required arguments were not provided: <FILE>...";
        return Err(
            Failure::new(Exit::Usage, message).hint("`sivka --help` lists what is possible")
        );
    }
    let named = files.iter().map(|path| match path.to_str() {
        Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => STANDARD.into(),
        _ => path.clone(),
    });
    Ok(named.collect())
}

/// Whether something that has a name is a pipe.
pub(crate) fn is_pipe(found: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type());
    #[cfg(not(unix))]
    {
        let _ = found;
        false
    }
}

/// Fails if this is standard input that was closed: there is nothing in it that anybody gave.
pub(crate) fn refuse_closed(standard_input: &File) -> Result<(), Failure> {
    match is_closed(standard_input) {
        true => Err(Failure::new(Exit::Io, "standard input: is closed")
            .hint("for no content at all, name /dev/null")),
        false => Ok(()),
    }
}

/// Whether somebody gave standard input something to read: it is not a terminal.
fn is_given() -> bool {
    standard_input().is_ok_and(|file| !file.is_terminal() && !is_closed(&file))
}

/// The length of all inputs in bytes, if it is known before their ends are reached. That of
/// folders is what `folder_len` says.
pub(crate) fn total_len(files: &[PathBuf], folder_len: impl Fn(&Path) -> u64) -> Option<u64> {
    total(files, |len| len, |path| Some(folder_len(path)))
}

/// About how many bytes of content all inputs hold if they are sealed files: good enough
/// for a progress bar.
pub(crate) fn total_content_len(files: &[PathBuf]) -> Option<u64> {
    let tag_len = Suite::default().tag_len() as u64;
    let content_len = |len: u64| {
        let payload_len = len.saturating_sub((HEADER_LEN + PAYLOAD_HEAD_LEN) as u64);
        let chunks = payload_len / (CHUNK_LEN as u64 + tag_len) + 1;
        payload_len.saturating_sub(chunks * tag_len)
    };
    total(files, content_len, |_| None)
}

fn total(
    files: &[PathBuf],
    count: impl Fn(u64) -> u64,
    folder_len: impl Fn(&Path) -> Option<u64>,
) -> Option<u64> {
    files.iter().try_fold(0, |total, path| {
        let metadata = match is_standard(path) {
            true => standard_input().and_then(|file| file.metadata()),
            false => std::fs::metadata(path),
        };
        match metadata {
            Ok(found) if found.is_file() => Some(total + count(found.len())),
            Ok(found) if found.is_dir() => Some(total + folder_len(path)?),
            Ok(_) => None,
            // It will be reported, and adds nothing.
            Err(_) => Some(total),
        }
    })
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

    #[test]
    fn the_content_is_what_the_file_is_without_header_and_tags() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let chunk = CHUNK_LEN as u64;
        let tag_len = Suite::default().tag_len() as u64;
        let sealed_len = |len: u64| {
            let chunks = (len / chunk) + 1;
            (HEADER_LEN + PAYLOAD_HEAD_LEN) as u64 + len + chunks * tag_len
        };
        let mut paths = vec![folder.path().join("missing")];
        let mut total = 0;
        for len in [0, 1, chunk - 1, chunk + 1, 5 * chunk + 7] {
            let path = folder.path().join(len.to_string());
            let file = File::create(&path).expect("made");
            file.set_len(sealed_len(len)).expect("grown");
            assert_eq!(total_content_len(std::slice::from_ref(&path)), Some(len));
            paths.push(path);
            total += len;
        }
        assert_eq!(total_content_len(&paths), Some(total));
        paths.push(folder.path().to_owned());
        assert_eq!(total_content_len(&paths), None);
    }
}
