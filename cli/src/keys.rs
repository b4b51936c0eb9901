//! Finding what locks or unlocks a file: key files, passphrases, and the
//! default key.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sivka_file::{Argon2Cost, KeyFile, KeyFileError, Lock, MAX_KEY_FILE_LEN, Passphrase, Unlock};
use zeroize::{Zeroize, Zeroizing};

use crate::args::{Keys, NewKey};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::is_standard;
use crate::name::shown;
use crate::output::Output;
use crate::prompt;

/// The most bytes of a passphrase file that are read.
const MAX_PASSPHRASE_LEN: u64 = 1 << 16;

/// The keys and passphrases of one run.
pub(crate) struct Secrets {
    key_files: Vec<KeyFile>,
    passphrase: Option<Passphrase>,
}

impl Secrets {
    /// What new files will be locked with. The default key is made if it is
    /// wanted and does not exist.
    pub(crate) fn for_sealing(keys: &Keys) -> Result<Self, Failure> {
        Self::gather(keys, prompt::new_passphrase, |path| {
            make_default_key(path)?;
            read_key_file(path)
        })
    }

    /// What a new slot will be locked with.
    pub(crate) fn for_new_slot(new: &NewKey) -> Result<Self, Failure> {
        let keys = Keys {
            key: new.new_key.iter().cloned().collect(),
            passphrase: new.new_passphrase,
            passphrase_file: new.new_passphrase_file.clone(),
        };
        Self::for_sealing(&keys)
    }

    /// What existing files may be unlocked with.
    pub(crate) fn for_opening(keys: &Keys) -> Result<Self, Failure> {
        Self::gather(keys, prompt::passphrase, |path| {
            Err(Failure::new(
                Exit::Key,
                format!("{}: there is no default key", shown(path)),
            )
            .hint("name a key with --key, or give the passphrase with --passphrase"))
        })
    }

    fn gather(
        keys: &Keys,
        ask: impl FnOnce() -> Result<Zeroizing<String>, Failure>,
        no_default_key: impl FnOnce(&Path) -> Result<KeyFile, Failure>,
    ) -> Result<Self, Failure> {
        let key_files = keys
            .key
            .iter()
            .map(|path| read_key_file(path))
            .collect::<Result<Vec<_>, _>>()?;
        let passphrase = match &keys.passphrase_file {
            Some(path) => Some(read_passphrase(path)?),
            None if keys.passphrase => Some(ask()?),
            None => None,
        };
        let mut secrets = Self {
            key_files,
            passphrase: passphrase.map(|text| Passphrase::new(text.to_string())),
        };
        if secrets
            .passphrase
            .as_ref()
            .is_some_and(Passphrase::is_empty)
        {
            return Err(Failure::new(Exit::Key, "the passphrase is empty"));
        }
        if secrets.key_files.is_empty() && secrets.passphrase.is_none() {
            let path = default_key_path()?;
            let found = path
                .try_exists()
                .map_err(|error| Failure::io(&path, &error))?;
            let key = if found {
                read_key_file(&path)
            } else {
                no_default_key(&path)
            };
            secrets.key_files.push(key?);
        }
        Ok(secrets)
    }

    /// One lock for each key and passphrase.
    pub(crate) fn locks(&self) -> Vec<Lock<'_>> {
        let passphrase = self
            .passphrase
            .iter()
            .map(|text| Lock::Passphrase(text, Argon2Cost::DEFAULT));
        self.key_files
            .iter()
            .map(Lock::KeyFile)
            .chain(passphrase)
            .collect()
    }

    /// Every key and passphrase that may fit.
    pub(crate) fn unlocks(&self) -> Vec<Unlock<'_>> {
        let passphrase = self.passphrase.iter().map(Unlock::Passphrase);
        self.key_files
            .iter()
            .map(Unlock::KeyFile)
            .chain(passphrase)
            .collect()
    }

    /// Whether a passphrase is among them.
    pub(crate) fn has_passphrase(&self) -> bool {
        self.passphrase.is_some()
    }
}

/// The secrets of the run, gathered when the first file needs them: nobody is
/// asked for a passphrase, and no key is made, for a file that is not there.
pub(crate) fn gathered(
    secrets: &mut Option<Secrets>,
    gather: impl FnOnce() -> Result<Secrets, Failure>,
) -> Result<&Secrets, Failure> {
    let found = match secrets.take() {
        Some(found) => found,
        None => gather().map_err(Failure::ending_run)?,
    };
    Ok(secrets.insert(found))
}

/// Writes a new key file that only its owner can read.
pub(crate) fn write_key_file(path: &Path, key: &KeyFile, force: bool) -> Result<(), Failure> {
    let mut output = Output::create(path, owner_only(), force)?;
    let text = key.to_text();
    output
        .file()
        .write_all(text.as_bytes())
        .map_err(|error| Failure::io(path, &error))?;
    output.commit()
}

fn make_default_key(path: &Path) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
            .create(folder)
            .map_err(|error| Failure::io(folder, &error))?;
    }
    let key = KeyFile::generate("default")
        .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    match write_key_file(path, &key, false) {
        // Another run made it in the same moment; that one counts.
        Err(failure) if failure.exit == Exit::Exists => return Ok(()),
        made => made?,
    }
    let _ = writeln!(
        io::stderr(),
        "sivka: made a key for you, {}; back it up: without it, what you seal cannot be opened",
        shown(path)
    );
    Ok(())
}

/// Where the default key is, whether it exists or not.
fn default_key_path() -> Result<PathBuf, Failure> {
    let folder = if cfg!(windows) {
        absolute("APPDATA")
    } else {
        // The XDG base directory specification has relative paths ignored.
        absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))
    };
    match folder {
        Some(folder) => Ok(folder.join("sivka").join("default.key")),
        None => Err(
            Failure::new(Exit::Key, "no home folder to keep the default key in")
                .hint("set HOME or XDG_CONFIG_HOME, or name a key with --key"),
        ),
    }
}

fn absolute(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}

fn read_key_file(path: &Path) -> Result<KeyFile, Failure> {
    let text = read_text(path, MAX_KEY_FILE_LEN as u64)?;
    let key = text
        .ok_or(KeyFileError::NotAKeyFile)
        .and_then(|text| KeyFile::parse(&text));
    key.map_err(|error| {
        let message = format!("{}: {error}", shown(path));
        match error {
            KeyFileError::NotAKeyFile => {
                Failure::new(Exit::Key, message).hint("`sivka keygen -o FILE` makes a key file")
            }
            KeyFileError::UnknownVersion => {
                Failure::new(Exit::Newer, message).hint("a newer version of sivka may know it")
            }
            _ => Failure::new(Exit::Key, message),
        }
    })
}

fn read_passphrase(path: &Path) -> Result<Zeroizing<String>, Failure> {
    let mut text = read_text(path, MAX_PASSPHRASE_LEN)?.ok_or_else(|| {
        Failure::new(
            Exit::Key,
            format!(
                "{}: not a passphrase: longer than 64 KiB, or not UTF-8",
                shown(path)
            ),
        )
    })?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

/// The text of a file, or `None` if it has more than `limit` bytes or is not
/// UTF-8.
fn read_text(path: &Path, limit: u64) -> Result<Option<Zeroizing<String>>, Failure> {
    if is_standard(path) {
        let message = "keys and passphrases are read from files, not from standard input";
        return Err(Failure::new(Exit::Usage, message).hint("a file called - is ./-"));
    }
    let failed = |error: io::Error| Failure::io(path, &error);
    let file = File::open(path).map_err(failed)?;
    // The whole buffer at once: one that grows leaves copies of a secret behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(limit as usize + 2));
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Ok(None);
    }
    match String::from_utf8(std::mem::take(&mut *bytes)) {
        Ok(text) => Ok(Some(Zeroizing::new(text))),
        Err(error) => {
            error.into_bytes().zeroize();
            Ok(None)
        }
    }
}

#[cfg(unix)]
fn owner_only() -> Option<fs::Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(unix))]
fn owner_only() -> Option<fs::Permissions> {
    None // A new file in the user's own folders is the user's own.
}
