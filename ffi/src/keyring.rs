//! Keyrings: the names of keys that an engine has, where each key is, and who may do what with it.

mod source;

use crate::failure::{Failure, guard};
use crate::file::{path, path_of};
use crate::handle::{free, handle, making, making_two};
use crate::key::Key;
use crate::region::{Region, c_str};
use crate::status::Status;
use sivka_file::is_key;
use source::Reason;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Arguments;
use std::io::{Write, stderr};
use std::ptr;
use zeroize::Zeroizing;

/// Names of keys for columns, with the place of each and what may be done with it, for engines
/// whose queries name keys. sivka_keyring_read() and sivka_keyring_parse() make it. A place is the
/// absolute path of a key file or of a Tink keyset, in JSON or binary, or `|` and that of a program
/// that prints one. Paths come from operators: never take one from whoever writes queries.
///
/// Only root or the process's user may own a file, and nobody else may read it; root's may be read
/// by its group. Windows has other rights, which are not checked. It is opened once, and judged then.
/// Each failure is _KEYRING, and sivka_last_error() says which key it is about and why. It quotes
/// no path, and of names only such as no key in hexadecimal or base64 could be.
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
    text: Option<Zeroizing<Vec<u8>>>,
}

/// The right to seal values.
pub const SIVKA_KEYRING_SEAL: u32 = 1;
/// The right to open values.
pub const SIVKA_KEYRING_OPEN: u32 = 2;
/// The most bytes of a name: letters, digits, `.`, `_` and `-`. A key in base64 has more.
pub const SIVKA_KEYRING_MAX_NAME_LEN: usize = 40;
/// The most bytes of the text of a key, which is that of a file or of a program's output.
pub const SIVKA_KEYRING_MAX_TEXT_LEN: usize = 1 << 14;

/// The most bytes of a file with lines of names.
const MAX_LINES_LEN: usize = 1 << 16;

impl Keyring {
    fn new(called: &str, quote: char) -> Self {
        Self { called: called.to_owned(), quote, entries: Vec::new() }
    }

    fn find(&self, name: &[u8]) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name.as_bytes() == name)
    }

    fn add(&mut self, name: &[u8], rights: u32, place: &[u8]) -> Result<(), String> {
        let path = place.strip_prefix(b"|").unwrap_or(place);
        let name = self.name(name)?;
        if self.find(name.as_bytes()).is_some() {
            return Err("another line has this name".to_owned());
        }
        if rights == 0 {
            return Err("rights are seal, open or seal,open".to_owned());
        }
        let place = CString::new(place).ok().filter(|_| is_absolute(path) && !is_key(place));
        let place = place
            .ok_or("the absolute path of a key file, or '|' and that of a program, is expected")?;
        self.entries.push(Entry { name: name.to_owned(), rights, place, text: None });
        Ok(())
    }

    /// A name that messages may quote, or words that do not quote it.
    fn name<'a>(&self, given: &'a [u8]) -> Result<&'a str, String> {
        let known = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        let is_name = (1..=SIVKA_KEYRING_MAX_NAME_LEN).contains(&given.len());
        let name = std::str::from_utf8(given).ok().filter(|_| is_name && given.iter().all(known));
        let (q, most) = (self.quote, SIVKA_KEYRING_MAX_NAME_LEN);
        name.ok_or_else(|| {
            format!(
                "the name of a key has 1 to {most} letters, digits, {q}.{q}, {q}_{q} and {q}-{q} \
                 (it is not the key itself)"
            )
        })
    }

    /// Reads lines of "name rights place", and every key, so that what is wrong is noticed now.
    /// Nothing of a line is in a message: somebody may have put a key there.
    fn of_lines(text: &[u8], called: &str) -> Result<Self, Failure> {
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
            let number = index + 1;
            let said = |wrong| failure(format_args!("line {number} of {called}: {wrong}"));
            made.add(name, rights, place).map_err(said)?;
            if let Some(entry) = made.entries.pop() {
                let text = made.read(&entry)?;
                made.keys(&entry.name, entry.kind(), &text)?;
                let text = (entry.kind() == "program").then_some(text);
                made.entries.push(Entry { text, ..entry });
            }
        }
        Ok(made)
    }

    /// Reads "name=place, name=place", of which each key may do everything.
    fn of_list(text: &[u8], called: &str) -> Result<Self, Failure> {
        let mut made = Self::new(called, '"');
        let list = text.trim_ascii();
        let entries = list.strip_suffix(b",").unwrap_or(list).split(|byte| *byte == b',');
        for entry in entries.filter(|_| !list.is_empty()) {
            let at = entry.iter().position(|byte| *byte == b'=').unwrap_or(entry.len());
            let (name, place) = entry.split_at(at);
            let (name, place) = (name.trim_ascii(), place.get(1..).unwrap_or_default());
            if let Some(Entry { name, .. }) = made.find(name)
                && !place.is_empty()
            {
                return Err(failure(format_args!("{called} has the name \"{name}\" twice")));
            }
            let rights = SIVKA_KEYRING_SEAL | SIVKA_KEYRING_OPEN;
            let added = made.add(name, rights, place.trim_ascii());
            if added.is_err() || place.contains(&b'\'') {
                let said = "is not a list of names and paths of key files";
                let failure = Box::new(failure(format_args!("{called} {said}")));
                return Err(Failure::Argument { what: "list", failure });
            }
        }
        Ok(made)
    }

    /// The text of a key; of a program, what it printed.
    fn read(&self, entry: &Entry) -> Result<Zeroizing<Vec<u8>>, Failure> {
        if let Some(text) = &entry.text {
            return Ok(text.clone());
        }
        let place = entry.place.to_bytes_with_nul();
        let place = place.strip_prefix(b"|").unwrap_or(place);
        let path = CStr::from_bytes_with_nul(place).ok().and_then(path_of);
        let read = match (path, entry.kind()) {
            (None, _) => Err("has a path that is not UTF-8"),
            (Some(path), "file") => source::read(path, true, SIVKA_KEYRING_MAX_TEXT_LEN),
            (Some(path), _) => {
                // Whoever looks for what hangs finds it there.
                let (said, name) = (path.display(), &entry.name);
                let _ = writeln!(stderr(), "sivka: the program \"{said}\" gives key \"{name}\"");
                source::run(path, SIVKA_KEYRING_MAX_TEXT_LEN)
            }
        };
        read.map_err(|reason| self.about(&entry.name, entry.kind(), reason))
    }

    /// The keys for values and for tokens that a text has; one of them, if it is a keyset.
    fn keys(&self, name: &str, kind: &str, text: &[u8]) -> Result<[Option<Key>; 2], Failure> {
        let is_long = text.len() > SIVKA_KEYRING_MAX_TEXT_LEN;
        let keys = if is_long { Err(source::TOO_LONG) } else { Key::for_columns(text) };
        keys.map_err(|reason| self.about(name, kind, reason))
    }

    fn about(&self, name: &str, kind: &str, reason: Reason) -> Failure {
        let q = self.quote;
        failure(format_args!("the {kind} of key {q}{name}{q} {reason}"))
    }

    fn take(
        &self,
        name: &[u8],
        rights: u32,
        text: Option<&[u8]>,
    ) -> Result<[Option<Key>; 2], Failure> {
        let (q, called) = (self.quote, &self.called);
        let name = self.name(name).map_err(|wrong| failure(format_args!("{wrong}")))?;
        match (text, self.find(name.as_bytes())) {
            (_, Some(entry)) if entry.rights & rights == 0 => {
                Err(failure(format_args!("permission denied for key {q}{name}{q}")))
            }
            (None, None) => Err(failure(format_args!("there is no key {q}{name}{q} in {called}"))),
            (None, Some(entry)) => self.keys(name, entry.kind(), &self.read(entry)?),
            (Some(text), entry) => self.keys(name, entry.map_or("file", Entry::kind), text),
        }
    }
}

impl Entry {
    fn kind(&self) -> &'static str {
        if self.place.as_bytes().starts_with(b"|") { "program" } else { "file" }
    }
}

fn failure(said: Arguments<'_>) -> Failure {
    Failure::Keyring(said.to_string())
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

/// Reads a keyring from the file at `path`, which `called` stands for in messages. A line has a name,
/// `seal`, `open` or `seal,open`, and a place; empty lines, and those that begin with `#`, have
/// none. The file has at most 65536 bytes, and only its owner, root or the process's user, may
/// write it. Every key is read now, and those of files again when they are taken.
///
/// A program gets no arguments. It runs in a process group of its own, which is killed after 20
/// seconds, and its path is written to the standard error. Windows has no programs.
/// _KEYRING, _KEY_TEXT.
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
        let said = |reason| failure(format_args!("{called} {reason}"));
        match source::read(path, false, MAX_LINES_LEN) {
            Ok(text) if !text.contains(&0) => Keyring::of_lines(&text, &called),
            Ok(_) | Err(source::TOO_LONG) => Err(said("is too long, or no text")),
            Err(reason) => Err(said(reason)),
        }
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Makes a keyring of a list, `name=place, name=place`, of which each key may seal and open. Nothing
/// is read and no program runs. A path has neither a comma nor an apostrophe. `called` is as for
/// sivka_keyring_read().
/// _KEYRING.
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

/// Writes the place of the key `name` to `place`: the keyring's memory, or NULL if it has no such
/// key.
/// _KEYRING for what cannot be a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyring_place(
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
            let name = Region::new("name", name.cast::<u8>(), name_len)?.as_slice();
            keyring.name(name).map_err(|wrong| failure(format_args!("{wrong}")))?;
            place.write(keyring.find(name).map_or(ptr::null(), |entry| entry.place.as_ptr()));
        }
        Ok(())
    })
}

/// Makes the keys of a name: `values` for AES-256-GCM-SIV and `tokens` for XChaCha20-BLAKE2b-SIV, as
/// sivka_column_key_new(), or that of a keyset, which is for AEAD or for deterministic AEAD; the
/// other is NULL. `rights` are those of which the name needs one. Unless `text` is NULL, the keys
/// are made of the `text_len` bytes there, which the caller read, and the name needs no place.
/// _KEYRING.
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
    let make = || {
        let given = Region::new("text", text, text_len)?;
        // SAFETY: live, and memory, as the header asks.
        unsafe {
            let keyring = handle("keyring", keyring)?;
            let name = Region::new("name", name.cast::<u8>(), name_len)?.as_slice();
            keyring.take(name, rights, (!text.is_null()).then(|| given.as_slice()))
        }
    };
    // SAFETY: null or writable pointers, as the header asks.
    unsafe { making_two([("values", values), ("tokens", tokens)], make) }
}

/// Wipes and frees a keyring. The keys that were taken from it stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyring_free(keyring: *mut Keyring) {
    // SAFETY: it came from one of the above and was not freed, as the header asks.
    unsafe { free("keyring", keyring) }
}

#[cfg(test)]
mod tests;
