//! Files, and failures that name them.

use crate::process::{Failure, capture, program, project_root};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) fn about(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|e| about(path, &e))
}

/// A text, which may be a licence in an encoding of its own.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&read(path)?).into_owned())
}

/// Writes a file, and makes its folder if need be.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    make_folder(path)?;
    fs::write(path, bytes).map_err(|e| about(path, &e))
}

/// The same, unless the file has this content: another program may be reading it.
pub(crate) fn write_if_new(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    match fs::read(path) {
        Ok(there) if there == bytes.as_ref() => Ok(()),
        _ => write(path, bytes),
    }
}

/// Copies a file whole or not at all, after `change`: others may have the old one open.
pub(crate) fn copy(from: &Path, to: &Path, change: impl Fn(&Path)) -> Result<(), Failure> {
    make_folder(to)?;
    let new = to.with_extension(std::process::id().to_string());
    let copied = fs::copy(from, &new).inspect(|_| change(&new));
    copied.and_then(|_| fs::rename(&new, to)).map_err(|e| about(from, &e))
}

/// Makes the folder of a file.
pub(crate) fn make_folder(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|e| about(folder, &e))
}

/// Makes a folder, or empties the one that is there.
pub(crate) fn empty_folder(path: &Path) -> Result<PathBuf, Failure> {
    if path.exists() {
        fs::remove_dir_all(path).map_err(|e| about(path, &e))?;
    }
    fs::create_dir_all(path).map_err(|e| about(path, &e))?;
    Ok(path.to_owned())
}

/// The names of the files in the project, but what Git ignores.
pub(crate) fn in_tree() -> Result<Vec<String>, Failure> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let listed = capture(&mut program("git", &list))?;
    let names = listed.lines().map(str::to_owned);
    // Files that were removed and not committed are still listed.
    Ok(names.filter(|name| project_root().join(name).is_file()).collect())
}

/// The paths in a folder, in the order of their names; none if there is no such folder.
pub(crate) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Bytes as digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
