//! Files with keys, passphrases and recipients: where they are, how they are read and made.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sivka_file::{
    Argon2Cost, Error, Header, Identity, KeyFile, KeyFileError, Lock, OpenOptions, Passphrase,
    Recipient, SlotInfo, Unlock, is_key,
};
use zeroize::{Zeroize, Zeroizing};

use crate::args::key_for_path;
use crate::exit::Exit;
use crate::failure::{Failure, note, refuse_standard};
use crate::in_memory;
use crate::name::shown;
use crate::output::Output;
use crate::passphrase::check_new;
use crate::prompt;

/// The most bytes of a file of keys that are read.
const MAX_KEYS_LEN: u64 = 1 << 20;
/// The most bytes of a passphrase file that are read.
const MAX_PASSPHRASE_LEN: u64 = 1 << 16;

/// The content of a file of keys.
pub(crate) enum OwnKey {
    KeyFile(KeyFile),
    /// Those of age.
    Identities(Vec<Identity>),
}

/// Passphrases that open protected keys.
pub(crate) trait Opener: FnMut(&Path, &[u8]) -> Result<Zeroizing<Vec<u8>>, Failure> {}
impl<F: FnMut(&Path, &[u8]) -> Result<Zeroizing<Vec<u8>>, Failure>> Opener for F {}

/// The opener of a command that has no passphrase.
pub(crate) fn stays_closed(path: &Path, _: &[u8]) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let message = format!("{}: a passphrase protects this key", shown(path));
    Err(Failure::new(Exit::Key, message))
}

/// The key in the file at `path`, or the identities.
pub(crate) fn read_key(path: &Path, open: impl Opener) -> Result<OwnKey, Failure> {
    if is_key(path.as_os_str().as_encoded_bytes()) {
        return Err(key_for_path("the path of a key file was expected"));
    }
    let file = open_file(path)?;
    let bytes = read_up_to(path, &file, MAX_KEYS_LEN)?;
    key_in(path, bytes, others_can_read(&file), open)
}

/// The key in `bytes`, all of the file at `path`.
pub(crate) fn key_in(
    path: &Path,
    bytes: Zeroizing<Vec<u8>>,
    others_can_read: bool,
    mut open: impl Opener,
) -> Result<OwnKey, Failure> {
    let is_protected = !matches!(Header::parse(&bytes), Err(Error::NotSivka));
    let text = match is_protected {
        true => text_of(open(path, &bytes)?),
        false => text_of(bytes),
    };
    let failed =
        |what: &dyn std::fmt::Display| Failure::new(Exit::Key, format!("{}: {what}", shown(path)));
    let text = text.ok_or_else(|| failed(&"no keys: not UTF-8"))?;
    let key = match is_identity_text(text.as_bytes()) {
        true => {
            Identity::parse_list(&text).map(OwnKey::Identities).map_err(|error| failed(&error))?
        }
        false => match KeyFile::parse(&text) {
            Ok(key) => OwnKey::KeyFile(key),
            Err(KeyFileError::NotAKeyFile) if text.trim_start().starts_with("age1") => {
                return Err(failed(&"a public key, which opens nothing")
                    .hint("`sivka seal -R` seals for the public keys in a file"));
            }
            Err(error @ KeyFileError::NotAKeyFile) => {
                return Err(failed(&error).hint("`sivka keygen -o FILE` makes a key file"));
            }
            Err(error @ KeyFileError::UnknownVersion) => {
                let message = format!("{}: {error}", shown(path));
                return Err(
                    Failure::new(Exit::Newer, message).hint("a newer version of sivka may know it")
                );
            }
            Err(error) => return Err(failed(&error)),
        },
    };
    if !is_protected && others_can_read {
        let warning = "everybody can read this key; chmod 600 keeps it to you";
        note(&format!("{}: {warning}", shown(path)));
    }
    Ok(key)
}

/// Whether a text is one of identities: its first line that is no comment says so, which may be
/// further on.
pub(crate) fn is_identity_text(text: &[u8]) -> bool {
    let name = b"AGE-SECRET-KEY-";
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let begins = text.trim_ascii_start();
    let start = begins.get(..name.len());
    begins.starts_with(b"#") || start.is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The passphrases of protected key files: each is asked for once, and tried on the next key.
pub(crate) struct KeyPassphrases {
    known: Vec<Passphrase>,
    /// How often one may be typed for a key.
    tries: usize,
    /// Limits on the work that a protected key asks for.
    options: OpenOptions,
}

impl KeyPassphrases {
    /// The passphrase in the file at `given`, or one to be typed.
    pub(crate) fn new(given: Option<&Path>, options: OpenOptions) -> Result<Self, Failure> {
        let given = given.map(read_passphrase).transpose()?;
        Ok(Self {
            tries: if given.is_some() { 0 } else { 3 },
            known: Vec::from_iter(given.map(|text| Passphrase::new(text.to_string()))),
            options,
        })
    }

    /// The text of the protected key file at `path`.
    pub(crate) fn open(
        &mut self,
        path: &Path,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let failed = |error| match error {
            Error::NoSlotOpens => {
                let message = format!("{}: the passphrase does not open this key", shown(path));
                Failure::new(Exit::Key, message)
            }
            error => Failure::file(path, path, &error),
        };
        let header = Header::parse(sealed).map_err(failed)?;
        let takes_passphrase = |slot| matches!(slot, SlotInfo::Passphrase { .. });
        if !header.slots().any(takes_passphrase) {
            let what = "not a key file, but a sealed file that no passphrase opens";
            return Err(Failure::new(Exit::Key, format!("{}: {what}", shown(path))));
        }
        let unsealed = |passphrase: &Passphrase| {
            in_memory::open(sealed, &[Unlock::Passphrase(passphrase)], &self.options)
        };
        for passphrase in &self.known {
            match unsealed(passphrase) {
                Err(Error::NoSlotOpens) => {}
                opened => return opened.map_err(failed),
            }
        }
        for attempt in 0..self.tries {
            let typed = prompt::passphrase(path, attempt > 0)?;
            let passphrase = Passphrase::new(typed.to_string());
            match unsealed(&passphrase) {
                Err(Error::NoSlotOpens) => {}
                Err(error) => return Err(failed(error)),
                Ok(text) => {
                    self.known.push(passphrase);
                    return Ok(text);
                }
            }
        }
        Err(failed(Error::NoSlotOpens))
    }
}

/// A key file or identities, sealed with a passphrase.
pub(crate) fn protect(secret: &[u8], passphrase: &Passphrase) -> Result<Vec<u8>, Failure> {
    let locks = [Lock::Passphrase(passphrase, Argon2Cost::DEFAULT)];
    in_memory::seal(secret, &locks).map_err(|error| {
        let exit = match error {
            Error::NoMemory { .. } => Exit::Limit,
            _ => Exit::Internal,
        };
        Failure::new(exit, error.to_string())
    })
}

/// The recipients in the file at `path`.
pub(crate) fn read_recipients(path: &Path) -> Result<Vec<Recipient>, Failure> {
    let bytes = read_bytes(path, MAX_KEYS_LEN)?;
    let is_secret = is_identity_text(&bytes) && bytes.windows(15).any(|w| w == b"AGE-SECRET-KEY-");
    let failed =
        |what: &dyn std::fmt::Display| Failure::new(Exit::Key, format!("{}: {what}", shown(path)));
    if is_secret {
        return Err(failed(&"has a secret key where public keys were expected")
            .hint("`sivka inspect` shows the public key of a key file"));
    }
    let text = text_of(bytes).ok_or_else(|| failed(&"no keys: not UTF-8"))?;
    Recipient::parse_list(&text).map_err(|error| failed(&error))
}

/// The passphrase in the file at `path`, less the line end it may end with.
pub(crate) fn read_passphrase(path: &Path) -> Result<Zeroizing<String>, Failure> {
    let failed = |what: &str| Failure::new(Exit::Key, format!("{}: {what}", shown(path)));
    let text = text_of(read_bytes(path, MAX_PASSPHRASE_LEN)?);
    let mut text = text.ok_or_else(|| failed("not a passphrase: not UTF-8"))?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    match text.is_empty() {
        true => Err(failed("the passphrase is empty")),
        false => Ok(text),
    }
}

/// The same for a new passphrase, which must consist of characters that can be typed.
pub(crate) fn read_new_passphrase(path: &Path) -> Result<Zeroizing<String>, Failure> {
    let text = read_passphrase(path)?;
    match check_new(&text) {
        Ok(()) => Ok(text),
        Err(what) => Err(Failure::new(Exit::Key, format!("{}: {what}", shown(path)))),
    }
}

fn text_of(mut bytes: Zeroizing<Vec<u8>>) -> Option<Zeroizing<String>> {
    match String::from_utf8(std::mem::take(&mut *bytes)) {
        Ok(text) => Some(Zeroizing::new(text)),
        Err(error) => {
            error.into_bytes().zeroize();
            None
        }
    }
}

fn read_bytes(path: &Path, limit: u64) -> Result<Zeroizing<Vec<u8>>, Failure> {
    read_up_to(path, open_file(path)?, limit)
}

fn open_file(path: &Path) -> Result<File, Failure> {
    let message = "keys and passphrases are read from files, not from standard input";
    refuse_standard(path, message)?;
    File::open(path).map_err(|error| Failure::io(path, &error))
}

/// All that `reader` gives, which may be at most `limit` bytes.
pub(crate) fn read_up_to(
    path: &Path,
    reader: impl Read,
    limit: u64,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    // The whole buffer at once: one that grows leaves copies of a secret behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(limit as usize + 2));
    let read = reader.take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::io(path, &error))?;
    if bytes.len() as u64 <= limit {
        return Ok(bytes);
    }
    let message = format!("{}: longer than {} KiB", shown(path), limit >> 10);
    Err(Failure::new(Exit::Limit, message))
}

/// Writes a new key or passphrase into a file that only its owner can read.
pub(crate) fn write_secret_file(path: &Path, secret: &[u8], force: bool) -> Result<(), Failure> {
    write_secret(path, secret, force, None)
}

/// Replaces the secret at `path`, readable by its owner and everybody who could read the old one.
pub(crate) fn replace_secret_file(path: &Path, secret: &[u8]) -> Result<(), Failure> {
    let before = fs::metadata(path).map_err(|error| Failure::io(path, &error))?;
    write_secret(path, secret, true, Some(&before))
}

fn write_secret(
    path: &Path,
    secret: &[u8],
    force: bool,
    before: Option<&fs::Metadata>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::io(path, &error);
    let mut output = Output::create(path, owner_only(), force)?;
    // A umask may keep a file from its owner too. A device keeps its rights.
    if let (false, Some(permissions)) = (output.is_stream(), owner_only()) {
        let file = output.file().map_err(failed)?;
        if file.set_permissions(permissions).is_err() && others_can_read(file) {
            note(&format!("{}: everybody can read it here", shown(path)));
        }
    }
    output.write_all(secret).map_err(failed)?;
    if let Some(before) = before {
        keep_rights(output.file().map_err(failed)?, before);
    }
    output.commit()
}

/// Copies owner, group and mode from another file, if this user may.
fn keep_rights(file: &File, before: &fs::Metadata) {
    #[cfg(unix)]
    {
        use rustix::fs::{Gid, Uid, fchown};
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let owner = Some(Uid::from_raw(before.uid()));
        let group = Some(Gid::from_raw(before.gid()));
        let given = fchown(file, owner, group).or_else(|_| fchown(file, None, group));
        if given.is_ok() {
            let mode = fs::Permissions::from_mode(before.mode() & 0o777);
            // Without it, only its owner reads the file.
            let _ = file.set_permissions(mode);
        }
    }
    #[cfg(not(unix))]
    let _ = (file, before);
}

/// Makes the default key, unless another run made it in the same moment.
pub(crate) fn make_default_key(path: &Path) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let made = builder.create(folder);
        made.map_err(|error| Failure::io(folder, &error))?;
    }
    let key = KeyFile::generate("default")
        .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    match write_secret_file(path, key.to_text().as_bytes(), false) {
        // Another run made it in the same moment; that one counts.
        Err(failure) if failure.exit == Exit::Exists => return Ok(()),
        made => made?,
    }
    let path = shown(path);
    note(&format!(
        "made a key for you, {path}; back it up: without it, what you seal cannot be opened"
    ));
    Ok(())
}

/// Says so if the default key, which nobody named in this run, is not its user's alone.
pub(crate) fn warn_of_default_key(path: &Path) {
    #[cfg(unix)]
    if let Ok(found) = fs::metadata(path) {
        use std::os::unix::fs::MetadataExt;
        let warning = if found.uid() != rustix::process::geteuid().as_raw() {
            "this default key belongs to somebody else, who can open what you seal"
        } else if found.mode() & 0o060 != 0 && found.mode() & 0o006 == 0 {
            "its group can read this key; chmod 600 keeps it to you"
        } else {
            return;
        };
        note(&format!("{}: {warning}", shown(path)));
    }
    #[cfg(not(unix))]
    let _ = path; // Folders of users are closed to others.
}

/// The key file that the environment names, in place of the default key.
pub(crate) fn key_of_environment() -> Result<Option<PathBuf>, Failure> {
    match std::env::var_os("SIVKA_KEY_FILE").filter(|path| !path.is_empty()) {
        Some(path) if is_key(path.as_encoded_bytes()) => {
            Err(key_for_path("SIVKA_KEY_FILE: the path of a key file was expected"))
        }
        path => Ok(path.map(PathBuf::from)),
    }
}

/// Where the default key is, whether it exists or not.
pub(crate) fn default_key_path() -> Result<PathBuf, Failure> {
    let absolute = |variable: &str| {
        let path = std::env::var_os(variable).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let folder = match cfg!(windows) {
        true => absolute("APPDATA"),
        // The XDG base directory specification has relative paths ignored.
        false => absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config"))),
    };
    match folder {
        Some(folder) => Ok(folder.join("sivka").join("default.key")),
        None => Err(Failure::new(Exit::Key, "no home folder to keep the default key in")
            .hint("set HOME or XDG_CONFIG_HOME, or name a key with --key")),
    }
}

/// The key files in the folder of the default key, in the order of their names.
pub(crate) fn stored_keys(default: &Path) -> Result<Vec<PathBuf>, Failure> {
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
        // A pipe would be waited for.
        let is_other = fs::metadata(&path).is_ok_and(|found| !found.is_file());
        if path.extension() == Some(OsStr::new("key")) && !is_other {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether every user of the machine may read, or change, a regular file.
pub(crate) fn others_can_read(file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let found = file.metadata();
        found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o006 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false // Folders of users are closed to others.
    }
}

fn owner_only() -> Option<fs::Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o600));
    #[cfg(not(unix))]
    None // A new file in the user's own folders is the user's own.
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_identities_begin_as_age_allows() {
        for text in
            ["AGE-SECRET-KEY-1", "age-secret-key-pq-1", "#\n", "\r\n\n#c\n", "\u{feff}\n# c"]
        {
            assert!(is_identity_text(text.as_bytes()), "{text:?}");
        }
        for text in ["", "\n", "AGE-SECRET", "sivka-key 1", "x # AGE-SECRET-KEY-1"] {
            assert!(!is_identity_text(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn a_file_has_its_limit() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("text");
        for (len, is_read) in [(0, true), (8, true), (9, false), (20, false)] {
            fs::write(&path, "x".repeat(len)).expect("written");
            assert_eq!(read_bytes(&path, 8).is_ok(), is_read);
        }
    }
}
