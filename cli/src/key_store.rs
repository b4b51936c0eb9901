//! Key files and passphrase files: where they are, how they are read and made.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sivka_file::{Identity, KeyFile, KeyFileError, Recipient, is_key};
use zeroize::{Zeroize, Zeroizing};

use crate::args::key_for_path;
use crate::exit::Exit;
use crate::failure::{Failure, note, refuse_standard};
use crate::name::shown;
use crate::output::Output;
use crate::passphrase::check_new;
use crate::protected_key::{is_damaged_protected, is_protected};

/// The most bytes of a file of keys that are read.
const MAX_KEYS_LEN: u64 = 1 << 20;
/// The most bytes of a passphrase file that are read.
const MAX_PASSPHRASE_LEN: u64 = 1 << 16;

/// Writes a new key or passphrase into a file that only its owner can read.
pub(crate) fn write_secret_file(path: &Path, secret: &[u8], force: bool) -> Result<(), Failure> {
    write_secret_if(path, secret, force, || Ok(()))
}

/// Puts another secret in the place of one, unless `check` has something against it at the last
/// moment: what is written is durable by then.
pub(crate) fn replace_secret_file(
    path: &Path,
    secret: &[u8],
    check: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    write_secret_if(path, secret, true, check)
}

fn write_secret_if(
    path: &Path,
    secret: &[u8],
    force: bool,
    check: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut output = Output::create(path, owner_only(), force)?;
    // A umask may keep a file from its owner too. A device keeps its rights.
    if let (Output::Atomic(_), Some(permissions)) = (&output, owner_only()) {
        let set = output.file().set_permissions(permissions);
        set.map_err(|error| Failure::io(path, &error))?;
    }
    output
        .file()
        .write_all(secret)
        .map_err(|error| Failure::io(path, &error))?;
    output.commit_if(check)
}

/// Makes the default key, unless another run made it in the same moment.
pub(crate) fn make_default_key(path: &Path) -> Result<(), Failure> {
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
    match write_secret_file(path, key.to_text().as_bytes(), false) {
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

/// Says so if the default key, which nobody named in this run, is not its user's alone.
pub(crate) fn warn_of_default_key(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let Ok(found) = fs::metadata(path) else {
            return;
        };
        if found.uid() != rustix::process::geteuid().as_raw() {
            let warning = "this default key belongs to somebody else, who can open what you seal";
            note(&format!("{}: {warning}", shown(path)));
        } else if found.mode() & 0o060 != 0 && found.mode() & 0o006 == 0 {
            let warning = "its group can read this key; chmod 600 keeps it to you";
            note(&format!("{}: {warning}", shown(path)));
        }
    }
    #[cfg(not(unix))]
    let _ = path; // Folders of users are closed to others.
}

/// The key file that the environment names, in place of the default key.
pub(crate) fn key_of_environment() -> Result<Option<PathBuf>, Failure> {
    match std::env::var_os("SIVKA_KEY_FILE").filter(|path| !path.is_empty()) {
        Some(path) if is_key(path.as_encoded_bytes()) => Err(key_for_path(
            "SIVKA_KEY_FILE: the path of a key file was expected",
        )),
        path => Ok(path.map(PathBuf::from)),
    }
}

/// Where the default key is, whether it exists or not.
pub(crate) fn default_key_path() -> Result<PathBuf, Failure> {
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

/// What a file of keys has.
pub(crate) enum OwnKey {
    KeyFile(KeyFile),
    /// Those of age.
    Identities(Vec<Identity>),
}

/// Whether a text is one of identities: it says so in its first line that is no comment, which
/// may be further on.
pub(crate) fn is_identity_text(text: &[u8]) -> bool {
    let name = b"AGE-SECRET-KEY-";
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let begins = text.trim_ascii_start();
    begins.starts_with(b"#")
        || begins
            .get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The key in the file at `path`, or the identities. `open` gives the text of one that a
/// passphrase protects.
pub(crate) fn read_key(
    path: &Path,
    open: impl FnOnce(&[u8]) -> Result<Zeroizing<Vec<u8>>, Failure>,
) -> Result<OwnKey, Failure> {
    if is_key(path.as_os_str().as_encoded_bytes()) {
        return Err(key_for_path("the path of a key file was expected"));
    }
    let file = open_file(path)?;
    key_in(path, &file, &file, open)
}

/// The same of a file that is open, where `reader` gives all of it: what has been read from a
/// pipe cannot be read again.
pub(crate) fn key_in(
    path: &Path,
    reader: impl Read,
    file: &File,
    open: impl FnOnce(&[u8]) -> Result<Zeroizing<Vec<u8>>, Failure>,
) -> Result<OwnKey, Failure> {
    let bytes = read_up_to(path, reader, MAX_KEYS_LEN)?.ok_or_else(|| too_long(path, "1 MiB"))?;
    if is_damaged_protected(&bytes) {
        let message = "a key that a passphrase protects, whose first bytes are damaged";
        return Err(
            Failure::new(Exit::Damaged, format!("{}: {message}", shown(path)))
                .hint("a transfer that takes the file for text does that: copy it once more"),
        );
    }
    let is_protected = is_protected(&bytes);
    let text = match is_protected {
        true => text_of(open(&bytes)?),
        false => text_of(bytes),
    };
    let Some(text) = &text else {
        return Err(no_text(path));
    };
    let key = match is_identity_text(text.as_bytes()) {
        true => Identity::parse_list(text)
            .map(OwnKey::Identities)
            .map_err(|error| Failure::new(Exit::Key, format!("{}: {error}", shown(path)))),
        false => KeyFile::parse(text)
            .map(OwnKey::KeyFile)
            .map_err(|error| refused(path, error)),
    };
    if key.is_ok() && !is_protected && others_can_read(file) {
        let warning = "everybody can read this key; chmod 600 keeps it to you";
        note(&format!("{}: {warning}", shown(path)));
    }
    key
}

fn no_text(path: &Path) -> Failure {
    Failure::new(Exit::Key, format!("{}: no keys: not UTF-8", shown(path)))
}

fn too_long(path: &Path, limit: &str) -> Failure {
    let message = format!("{}: longer than {limit}", shown(path));
    Failure::new(Exit::Limit, message)
}

fn refused(path: &Path, error: KeyFileError) -> Failure {
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
}

/// The recipients in the file at `path`, each with the number of its line.
pub(crate) fn read_recipients(path: &Path) -> Result<Vec<(usize, Recipient)>, Failure> {
    let bytes = read_bytes(path, MAX_KEYS_LEN)?.ok_or_else(|| too_long(path, "1 MiB"))?;
    let text = text_of(bytes).ok_or_else(|| no_text(path))?;
    let people = Recipient::parse_list(&text)
        .map_err(|error| Failure::new(Exit::Key, format!("{}: {error}", shown(path))))?;
    // The lines that it takes for recipients.
    let has_one = |line: &str| !matches!(line.trim_ascii().as_bytes(), [] | [b'#', ..]);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = (1..).zip(text.lines());
    let numbers = lines
        .filter(|(_, line)| has_one(line))
        .map(|(number, _)| number);
    Ok(numbers.zip(people).collect())
}

/// The passphrase in the file at `path`, less the line end it may end with.
pub(crate) fn read_passphrase(path: &Path) -> Result<Zeroizing<String>, Failure> {
    let bytes = read_bytes(path, MAX_PASSPHRASE_LEN)?.ok_or_else(|| too_long(path, "64 KiB"))?;
    let not_text = || {
        let message = format!("{}: not a passphrase: not UTF-8", shown(path));
        Failure::new(Exit::Key, message)
    };
    let mut text = text_of(bytes).ok_or_else(not_text)?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

/// The same of one that locks: only what can be typed may be in it.
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

/// The bytes of a file, or `None` if it has more than `limit`.
fn read_bytes(path: &Path, limit: u64) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
    read_up_to(path, open_file(path)?, limit)
}

fn open_file(path: &Path) -> Result<File, Failure> {
    refuse_standard(
        path,
        "keys and passphrases are read from files, not from standard input",
    )?;
    File::open(path).map_err(|error| Failure::io(path, &error))
}

fn read_up_to(
    path: &Path,
    reader: impl Read,
    limit: u64,
) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
    // The whole buffer at once: one that grows leaves copies of a secret behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(limit as usize + 2));
    reader
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::io(path, &error))?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Whether every user of the machine may read, or change, a regular file.
#[cfg(unix)]
pub(crate) fn others_can_read(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o006 != 0)
}

#[cfg(not(unix))]
pub(crate) fn others_can_read(_: &File) -> bool {
    false // Folders of users are closed to others.
}

#[cfg(unix)]
pub(crate) fn owner_only() -> Option<fs::Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(unix))]
pub(crate) fn owner_only() -> Option<fs::Permissions> {
    None // A new file in the user's own folders is the user's own.
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_identities_begin_as_age_allows() {
        for text in [
            "AGE-SECRET-KEY-1",
            "age-secret-key-pq-1",
            "# made today\n",
            "#\n",
            "\nAGE-SECRET-KEY-1",
            "\r\n\n#c\nAGE-SECRET-KEY-1",
            "\u{feff}\n# c",
        ] {
            assert!(is_identity_text(text.as_bytes()), "{text:?}");
        }
        for text in [
            "",
            "\n",
            "AGE-SECRET",
            "sivka-key 1",
            "x # AGE-SECRET-KEY-1",
        ] {
            assert!(!is_identity_text(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn a_file_has_its_limit() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("text");
        for (len, is_read) in [(0, true), (8, true), (9, false), (20, false)] {
            fs::write(&path, "x".repeat(len)).expect("written");
            let bytes = read_bytes(&path, 8).ok().flatten();
            assert_eq!(bytes.map(|bytes| bytes.len()), is_read.then_some(len));
        }
    }
}
