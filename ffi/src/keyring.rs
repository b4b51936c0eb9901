//! Keyrings: the names of keys that an engine has, where each key is, and who may do what with it.

#[cfg(unix)]
mod program;
mod source;
#[cfg(test)]
mod tests;

use crate::failure::{Failure, guard, guard_copying};
use crate::file::{path, path_of};
use crate::handle::{free, handle, making};
use crate::key::Key;
use crate::region::{Region, c_str};
use crate::status::Status;
use sivka_file::is_key;
use source::{Reason, Text};
use std::ffi::{CStr, CString, c_char};
use std::io::{Write, stderr};
use std::ptr;

/// Names of keys for columns, for engines whose queries name keys. Each has rights and a path: the
/// absolute path of a key file or a Tink keyset, or `|` and that of a program that prints one. They
/// come from operators: never take a path from whoever writes queries.
///
/// Root or the process's user owns the file of a key, which nobody else may read; root's may be
/// read by its group. Windows has other rights, which are not checked. A failure is _KEYRING;
/// sivka_last_error() says of which key, and quotes no path and nothing that could be a key.
pub struct Keyring {
    called: String,
    /// Around names in messages.
    quote: char,
    entries: Vec<Entry>,
}

struct Entry {
    name: String,
    rights: u32,
    place: CString,
    /// What a program printed when the keyring was read.
    text: Option<Text>,
}

/// The right to seal values.
pub const SIVKA_KEYRING_SEAL: u32 = 1;
/// The right to open values.
pub const SIVKA_KEYRING_OPEN: u32 = 2;
/// The most letters, digits, `.`, `_` and `-` of a name. A key in base64 has more.
pub const SIVKA_KEYRING_MAX_NAME_LEN: usize = 40;
/// The most bytes of a key file, or of a keyset.
pub const SIVKA_KEYRING_MAX_TEXT_LEN: usize = 1 << 14;

/// The most bytes of a file with lines of names.
const MAX_LINES_LEN: usize = 1 << 16;

type Keys = [Option<Key>; 2];

impl Keyring {
    fn new(called: &str, quote: char) -> Self {
        Self { called: called.to_owned(), quote, entries: Vec::new() }
    }

    fn find(&self, name: &[u8]) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name.as_bytes() == name)
    }

    /// A name that messages may quote.
    fn name<'a>(&self, given: &'a [u8]) -> Result<&'a str, String> {
        let (q, most) = (self.quote, SIVKA_KEYRING_MAX_NAME_LEN);
        let known = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        let is_name = (1..=most).contains(&given.len()) && given.iter().all(known);
        let name = std::str::from_utf8(given).ok().filter(|_| is_name);
        name.ok_or_else(|| {
            let most = format!("the name of a key has 1 to {most} letters, digits,");
            format!("{most} {q}.{q}, {q}_{q} and {q}-{q} (it is not the key itself)")
        })
    }

    fn add(&mut self, name: &[u8], rights: u32, place: &[u8]) -> Result<(), String> {
        let path = place.strip_prefix(b"|").unwrap_or(place);
        let name = self.name(name)?.to_owned();
        if self.find(name.as_bytes()).is_some() {
            return Err("another line has this name".to_owned());
        }
        if rights == 0 {
            return Err("rights are seal, open or seal,open".to_owned());
        }
        let place = CString::new(place).ok().filter(|_| is_absolute(path) && !is_key(place));
        let expected = "the absolute path of a key file, or '|' and that of a program, is expected";
        self.entries.push(Entry { name, rights, place: place.ok_or(expected)?, text: None });
        Ok(())
    }

    /// Nothing of a line is in a message: somebody may have put a key there.
    fn of_lines(text: &[u8], called: &str) -> Result<Self, String> {
        let mut made = Self::new(called, '\'');
        // Editors of Windows write a byte order mark, and key files may begin with it, too.
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
            let (name, rest) = word(line);
            let (rights, place) = word(rest);
            if name.is_empty() || name[0] == b'#' {
                continue;
            }
            let rights = match rights {
                b"seal" => SIVKA_KEYRING_SEAL,
                b"open" => SIVKA_KEYRING_OPEN,
                b"seal,open" => SIVKA_KEYRING_SEAL | SIVKA_KEYRING_OPEN,
                _ => 0,
            };
            let said = |wrong| format!("line {} of {called}: {wrong}", index + 1);
            made.add(name, rights, place).map_err(said)?;
            if let Some(mut entry) = made.entries.pop() {
                let text = made.read(&entry)?;
                made.keys(&entry.name, Some(&entry), &text)?;
                entry.text = entry.is_program().then_some(text);
                made.entries.push(entry);
            }
        }
        Ok(made)
    }

    fn of_list(text: &[u8], called: &str) -> Result<Self, Failure> {
        let list = text.trim_ascii();
        // Who lists places quotes names as PostgreSQL does; who lists none, as DuckDB.
        let mut made = Self::new(called, if list.is_empty() { '\'' } else { '"' });
        let entries = list.strip_suffix(b",").unwrap_or(list).split(|byte| *byte == b',');
        for entry in entries.filter(|_| !list.is_empty()) {
            let mut halves = entry.splitn(2, |byte| *byte == b'=').map(<[u8]>::trim_ascii);
            let name = halves.next().unwrap_or_default();
            let place = halves.next().filter(|place| !place.contains(&b'\''));
            if let (Some(Entry { name, .. }), Some(_)) = (made.find(name), place) {
                return Err(format!("{called} has the name \"{name}\" twice").into());
            }
            let rights = SIVKA_KEYRING_SEAL | SIVKA_KEYRING_OPEN;
            if made.add(name, rights, place.unwrap_or_default()).is_err() {
                let said = format!("{called} is not a list of names and paths of key files");
                return Err(Failure::Argument { what: "list", failure: Box::new(said.into()) });
            }
        }
        Ok(made)
    }

    fn read(&self, entry: &Entry) -> Result<Text, String> {
        if let Some(text) = &entry.text {
            return Ok(text.clone());
        }
        let place = entry.place.to_bytes_with_nul();
        let place = place.strip_prefix(b"|").unwrap_or(place);
        let path = CStr::from_bytes_with_nul(place).ok().and_then(path_of);
        let read = match (path, entry.is_program()) {
            (None, _) => Err("has a path that is not UTF-8"),
            (Some(path), false) => source::read(path, true, SIVKA_KEYRING_MAX_TEXT_LEN),
            (Some(path), true) => {
                // Whoever looks for what hangs finds it there.
                let (said, name) = (path.display(), &entry.name);
                let _ = writeln!(stderr(), "sivka: the program \"{said}\" gives key \"{name}\"");
                #[cfg(unix)]
                let output = program::run(path, SIVKA_KEYRING_MAX_TEXT_LEN);
                #[cfg(not(unix))]
                let output = Err("cannot be run on Windows");
                output
            }
        };
        read.map_err(|reason| self.about(&entry.name, Some(entry), reason))
    }

    fn keys(&self, name: &str, entry: Option<&Entry>, text: &[u8]) -> Result<Keys, String> {
        let is_long = text.len() > SIVKA_KEYRING_MAX_TEXT_LEN;
        let keys = if is_long { Err(source::TOO_LONG) } else { Key::for_columns(text) };
        keys.map_err(|reason| self.about(name, entry, reason))
    }

    fn about(&self, name: &str, entry: Option<&Entry>, reason: Reason) -> String {
        let what = if entry.is_some_and(Entry::is_program) { "program" } else { "file" };
        format!("the {what} of key {q}{name}{q} {reason}", q = self.quote)
    }

    fn take(&self, name: &[u8], rights: u32, text: Option<&[u8]>) -> Result<Keys, String> {
        let (q, name) = (self.quote, self.name(name)?);
        match (text, self.find(name.as_bytes())) {
            (_, Some(entry)) if entry.rights & rights == 0 => {
                Err(format!("permission denied for key {q}{name}{q}"))
            }
            (Some(text), entry) => self.keys(name, entry, text),
            (None, Some(entry)) => self.keys(name, Some(entry), &self.read(entry)?),
            (None, None) => Err(format!("there is no key {q}{name}{q} in {}", self.called)),
        }
    }
}

impl Entry {
    fn is_program(&self) -> bool {
        self.place.as_bytes().starts_with(b"|")
    }
}

fn is_absolute(path: &[u8]) -> bool {
    let has_drive = matches!(path, [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    path.starts_with(b"/") || cfg!(windows) && has_drive
}

/// The first word of a line, and the rest.
fn word(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii())
}

/// Reads a keyring from the file at `path`, which messages call `called`. A line has a name;
/// `seal`, `open` or `seal,open`; and a path. One that begins with `#` is a comment. Its owner
/// alone may write it. Every key is read now, and those of files again when they are taken.
///
/// A program has no arguments and 20 seconds. It runs in a process group of its own, and its path
/// is written to the standard error. Windows has no programs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyring_read(
    path: *const c_char,
    called: *const c_char,
    made: *mut *mut Keyring,
) -> Status {
    let make = || {
        // SAFETY: C strings, as the header asks.
        let (path, called) = unsafe { (self::path("path", path)?, c_str("called", called)?) };
        let called = called.to_string_lossy();
        let text = match source::read(path, false, MAX_LINES_LEN) {
            Ok(text) if !text.contains(&0) => Ok(text),
            Ok(_) | Err(source::TOO_LONG) => Err("is too long, or no text"),
            Err(reason) => Err(reason),
        };
        let text = text.map_err(|reason| format!("{called} {reason}"))?;
        Ok(Keyring::of_lines(&text, &called)?)
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Makes a keyring of `name=place, name=place`, where each key may seal and open. Nothing is read.
/// A path has neither a comma nor an apostrophe. `called` is as for sivka_keyring_read().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyring_parse(
    list: *const c_char,
    list_len: usize,
    called: *const c_char,
    made: *mut *mut Keyring,
) -> Status {
    let make = || {
        // SAFETY: memory and a C string, as the header asks.
        unsafe {
            let list = Region::new("list", list.cast::<u8>(), list_len)?.as_slice();
            Keyring::of_list(list, &c_str("called", called)?.to_string_lossy())
        }
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Writes the path of the key of a name to `place`: the keyring's memory, or NULL if it has none.
/// _KEYRING for what cannot be a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyring_path(
    keyring: *const Keyring,
    name: *const c_char,
    name_len: usize,
    place: *mut *const c_char,
) -> Status {
    guard(|| {
        let place = Region::new("place", place, 1)?;
        // SAFETY: live, and memory, as the header asks.
        unsafe {
            let keyring = handle("keyring", keyring)?;
            let name = keyring.name(Region::new("name", name.cast(), name_len)?.as_slice())?;
            let found = keyring.find(name.as_bytes());
            place.write(found.map_or(ptr::null(), |entry| entry.place.as_ptr()));
        }
        Ok(())
    })
}

/// Makes the keys of a name, which needs one of `rights`: `values` for AES-256-GCM-SIV and `tokens`
/// for XChaCha20-BLAKE2b-SIV, as sivka_column_key_new(). A keyset for AEAD gives `values`, one for
/// deterministic AEAD `tokens`; the other is NULL, as both are after a failure. Unless `text` is
/// NULL, it is what the caller read for that name, which then needs no path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyring_take(
    keyring: *const Keyring,
    name: *const c_char,
    name_len: usize,
    rights: u32,
    text: *const u8,
    text_len: usize,
    values: *mut *mut Key,
    tokens: *mut *mut Key,
) -> Status {
    guard_copying(|| {
        let places = [Region::new("values", values, 1)?, Region::new("tokens", tokens, 1)?];
        let (name, given) =
            (Region::new("name", name.cast(), name_len)?, Region::new("text", text, text_len)?);
        // SAFETY: live, and memory, as the header asks.
        unsafe {
            for place in places {
                place.write(ptr::null_mut());
            }
            let text = (!text.is_null()).then(|| given.as_slice());
            let keys = handle("keyring", keyring)?.take(name.as_slice(), rights, text)?;
            for (place, made) in places.into_iter().zip(keys) {
                place.write(made.map_or(ptr::null_mut(), |made| Box::into_raw(Box::new(made))));
            }
        }
        Ok(())
    })
}

/// Wipes and frees a keyring. The keys that were taken from it stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyring_free(keyring: *mut Keyring) {
    // SAFETY: it came from one of the above and was not freed, as the header asks.
    unsafe { free("keyring", keyring) }
}
