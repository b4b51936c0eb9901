//! The keys that are kept in the configuration folder.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sivka_file::KeyFile;

use crate::args::KeyList;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::key_store::{OwnKey, default_key_path, read_key};
use crate::name::{printable, shown};
use crate::progress::Progress;
use crate::protected_key::stays_closed;
use crate::run::{each, once};

/// Lists every key file in the folder of the default key: id, name and place.
pub(crate) fn keys(args: &KeyList) -> Result<(), Exit> {
    let (report, progress) = (args.reporting.report(), Progress::hidden());
    let default = once(default_key_path)?;
    if let Some(folder) = default.parent() {
        let console = args.reporting.console(&progress);
        console.detail(|| format!("looking for keys in {}", shown(folder)));
    }
    let files = once(|| key_files(&default))?;
    each(&files, &progress, report, |path| {
        let mut is_protected = false;
        let key = read_key(path, |_| {
            is_protected = true;
            Err(stays_closed(path))
        });
        if is_protected {
            let line = || format!("protected with a passphrase  {}\n", shown(path));
            return report.tell(Some(path), ProtectedRecord { protected: true }, line);
        }
        match key? {
            OwnKey::KeyFile(key) => report.tell(Some(path), KeyRecord::of(&key), || {
                format!("{}  {}  {}\n", key.id(), printable(key.name()), shown(path))
            }),
            OwnKey::Identities(identities) => identities.iter().try_for_each(|own| {
                let recipient = own.recipient().to_string();
                let line = format!("{recipient}  {}\n", shown(path));
                report.tell(Some(path), RecipientRecord { recipient }, || line)
            }),
        }
    })
}

/// What is told of a key that a passphrase protects.
#[derive(Serialize)]
struct ProtectedRecord {
    protected: bool,
}

/// What is told of a key: never the key itself.
#[derive(Serialize)]
pub(super) struct KeyRecord<'a> {
    key_id: String,
    name: &'a str,
}

impl<'a> KeyRecord<'a> {
    pub(super) fn of(key: &'a KeyFile) -> Self {
        Self {
            key_id: key.id().to_string(),
            name: key.name(),
        }
    }
}

/// What is told of an identity.
#[derive(Serialize)]
pub(super) struct RecipientRecord {
    pub(super) recipient: String,
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
