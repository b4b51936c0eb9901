//! The keys that are kept in the configuration folder.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::key_store::{default_key_path, read_key_file};
use crate::name::{printable, shown};
use crate::output::print;
use crate::progress::Progress;
use crate::run::{each, once};

/// Lists every key file in the folder of the default key: id, name and place.
pub(crate) fn keys() -> Result<(), Exit> {
    let files = once(|| key_files(&default_key_path()?))?;
    each(&files, &Progress::hidden(), |path| {
        let key = read_key_file(path)?;
        let line = format!("{}  {}  {}\n", key.id(), printable(key.name()), shown(path));
        print(line.as_bytes())
    })
}

fn key_files(default: &Path) -> Result<Vec<PathBuf>, Failure> {
    let Some(folder) = default.parent() else {
        return Ok(Vec::new());
    };
    let failed = |error: io::Error| Failure::io(folder, &error);
    let entries = match fs::read_dir(folder) {
        // Nobody has made a key yet.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.extension() == Some(OsStr::new("key")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
