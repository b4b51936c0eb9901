//! What of folders a run takes.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::failure::Failure;
use crate::folder::Patterns;

/// What of a sealed folder is unpacked or listed.
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

impl Unpacking {
    /// The patterns, if there are any.
    pub(crate) fn patterns(&self) -> Result<Option<Patterns>, Failure> {
        let given = !self.only.is_empty();
        given.then(|| Patterns::new(&self.only, &[])).transpose()
    }
}

/// What of a folder is sealed.
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
