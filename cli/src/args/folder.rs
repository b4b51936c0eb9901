//! Which files a run takes, and what of the folders among them.

#[cfg(unix)]
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::exit::Exit;
use crate::failure::Failure;
#[cfg(unix)]
use crate::folder::Patterns;
use crate::input;
use crate::name::is_standard;

/// Which files a run takes.
#[derive(Args)]
pub(crate) struct Which {
    /// Take the names of more files from LIST, one in each line; `-` is standard input
    #[arg(long, value_name = "LIST", value_hint = ValueHint::FilePath)]
    pub(crate) files_from: Option<PathBuf>,

    /// The names in LIST end with a NUL, as `find -print0` writes them
    #[arg(long, requires = "files_from")]
    pub(crate) null: bool,

    /// Skip each FILE whose target exists
    #[arg(long, conflicts_with_all = ["force", "remove"])]
    pub(crate) skip_existing: bool,
}

impl Which {
    /// The inputs that a command line means: `files`, and those of the list.
    pub(crate) fn inputs(&self, files: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let Some(list) = &self.files_from else {
            return input::named(files);
        };
        if is_standard(list) && files.iter().any(|path| is_standard(path)) {
            let message = "standard input cannot be a list of names and a file";
            return Err(Failure::new(Exit::Usage, message));
        }
        let listed = read(list)?;
        // What editors put into lines of text is no part of names; NULs end any names.
        let (names, end): (&[u8], _) = match self.null {
            true => (&listed, 0),
            false => (
                listed.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&listed),
                b'\n',
            ),
        };
        let names = names
            .split(|byte| *byte == end)
            .map(|name| match self.null {
                true => name,
                false => name.strip_suffix(b"\r").unwrap_or(name),
            });
        let names = names.filter(|name| !name.is_empty()).map(path);
        let files: Result<Vec<_>, _> = files.iter().cloned().map(Ok).chain(names).collect();
        match files? {
            files if files.is_empty() => Ok(files),
            files => input::named(&files),
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::io(path, &error);
    if !is_standard(path) {
        return fs::read(path).map_err(failed);
    }
    let mut file = input::standard_input().map_err(failed)?;
    input::refuse_closed(&file)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

#[cfg(unix)]
fn path(name: &[u8]) -> Result<PathBuf, Failure> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(name).into())
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> Result<PathBuf, Failure> {
    let name = std::str::from_utf8(name);
    name.map(PathBuf::from)
        .map_err(|_| Failure::new(Exit::Usage, "a name in the list is not UTF-8"))
}

/// What of a sealed folder is unpacked or listed.
#[cfg(unix)]
#[derive(Args)]
pub(crate) struct Unpacking {
    /// Unpack or list only what PATTERN fits, as a line of a .gitignore does, and all that is
    /// in folders that it fits: `2024/summer`, `*.jpg`, `!*.raw`. If FILE is no pipe, nothing
    /// else of it is read
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true,
          conflicts_with_all = ["range", "tar", "raw", "remove"])]
    pub(crate) only: Vec<OsString>,

    /// Give files no extended attributes and no access control lists
    #[arg(long, conflicts_with_all = ["range", "tar", "raw", "list"])]
    pub(crate) no_xattrs: bool,
}

#[cfg(unix)]
impl Unpacking {
    /// The patterns, if there are any.
    pub(crate) fn patterns(&self) -> Result<Option<Patterns>, Failure> {
        let given = !self.only.is_empty();
        given.then(|| Patterns::new(&self.only, &[])).transpose()
    }
}

/// What of a folder is sealed.
#[cfg(unix)]
#[derive(Args)]
pub(crate) struct Packing {
    /// Leave out of a folder what PATTERN fits, as a line of a .gitignore does: `*.tmp`
    /// anywhere, `/cache` in the folder itself, `build/` folders only, `!keep.tmp` not that
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) exclude: Vec<OsString>,

    /// Leave out what the patterns in FILE fit, one in each line, `#` before remarks
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) exclude_from: Vec<PathBuf>,

    /// Keep no extended attributes and no access control lists of a folder
    #[arg(long)]
    pub(crate) no_xattrs: bool,
}
