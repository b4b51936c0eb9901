//! Reading files that may be keysets.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use sivka_file::read_between_changes;
use sivka_keyset::MAX_LEN;
use zeroize::Zeroizing;

use crate::exit::Exit;
use crate::failure::{Failure, refuse_standard};
use crate::input::is_pipe;
use crate::key_store::others_can_read;
use crate::name::shown;
use crate::placed::open_at_once;

/// The most bytes that a sealed keyset has: a header and the tags of 64 chunks beside it.
const MAX_FILE_LEN: u64 = MAX_LEN as u64 + (64 << 10);

/// A file that was read, which may be a pipe: it is opened once.
pub(super) struct ReadFile {
    pub(super) bytes: Zeroizing<Vec<u8>>,
    pub(super) others_can_read: bool,
}

/// All bytes of a file, of which a longer one than a keyset is not read.
pub(super) fn read_file(path: &Path) -> Result<ReadFile, Failure> {
    read(path, |path| File::open(path))
}

/// The same of a file that is changed. A pipe is read once, so it cannot be, and nobody waits
/// for one that has taken the file's name meanwhile.
pub(super) fn read_to_change(path: &Path) -> Result<ReadFile, Failure> {
    read(path, |path| {
        let file = open_at_once(path)?;
        match is_pipe(&file.metadata()?) {
            true => Err(io::ErrorKind::NotSeekable.into()),
            false => Ok(file),
        }
    })
}

fn read(path: &Path, open: impl Fn(&Path) -> io::Result<File>) -> Result<ReadFile, Failure> {
    refuse_standard(path, "keysets are read from files, not from standard input")?;
    let failed = |error| Failure::io(path, &error);
    let file = open(path).map_err(failed)?;
    let others_can_read = others_can_read(&file);
    let all = |file: &File| {
        let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_FILE_LEN as usize + 2));
        file.take(MAX_FILE_LEN + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = match file.metadata().map_err(failed)?.is_file() {
        // Its slots may be under change.
        true => read_between_changes(&file, |mut file| {
            file.rewind()?;
            all(file)
        }),
        false => all(&file),
    }
    .map_err(failed)?;
    match bytes.len() as u64 > MAX_FILE_LEN {
        true => Err(Failure::new(
            Exit::Limit,
            format!("{}: longer than a keyset can be (1 MiB)", shown(path)),
        )),
        false => Ok(ReadFile {
            bytes,
            others_can_read,
        }),
    }
}
