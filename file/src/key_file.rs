//! Key files: 32 random bytes with a name, a checksum and a key id. Keys of columns come from them
//! too (docs/spec/column-v1.md, section 3).

use crate::derive::{Secret, expand, public, publish, random_secret};
use crate::error::{Error, KeyFileError};
use sha2::{Digest, Sha512};
use sivka::{Aead, Algorithm};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The most bytes a key file may have.
pub const MAX_KEY_FILE_LEN: usize = 1024;
/// The most bytes a key's name may have.
pub const MAX_NAME_LEN: usize = 64;

const FIRST_LINE: &str = "sivka key file, version ";

/// A hint which key opens a slot: derived from the key, and it reveals nothing of it.
///
/// Anybody may write any id into a header, so an id is never a reason to trust.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub [u8; KeyId::LEN]);

impl KeyId {
    /// The length of a key id in bytes.
    pub const LEN: usize = 8;
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&base16ct::lower::encode_string(&self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

/// A key that opens files, as it is kept in a key file (specification section 8).
///
/// Wiped when dropped; `Debug` shows the name and the id only.
#[derive(Clone)]
pub struct KeyFile {
    key: Secret,
    name: String,
}

impl KeyFile {
    /// Draws a new random key.
    ///
    /// # Errors
    /// [`Error::Random`] if the operating system gives no random bytes;
    /// [`Error::BadKeyName`] if the name is not allowed.
    pub fn generate(name: &str) -> Result<Self, Error> {
        Self::from_bytes(&*random_secret()?, name).map_err(Error::BadKeyName)
    }

    /// Reads a key file from disk. For one that a passphrase protects see
    /// [`Reader`](crate::Reader): it is a sealed file.
    ///
    /// # Errors
    /// [`Error::Read`], and [`Error::KeyFile`] as [`Self::parse`].
    pub fn load(path: &Path) -> Result<Self, Error> {
        // At once, and wiped: a buffer that grows leaves copies of the key behind.
        let mut text = Zeroizing::new(Vec::with_capacity(MAX_KEY_FILE_LEN + 1));
        let file = File::open(path)?;
        file.take(MAX_KEY_FILE_LEN as u64 + 1).read_to_end(&mut text)?;
        Self::parse(&text).map_err(Error::KeyFile)
    }

    /// Makes a key of 32 uniformly random bytes from elsewhere.
    ///
    /// # Errors
    /// [`KeyFileError::BadName`].
    pub fn from_bytes(key: &[u8; 32], name: &str) -> Result<Self, KeyFileError> {
        let length_is_right = (1..=MAX_NAME_LEN).contains(&name.len());
        if !length_is_right || name.trim() != name || name.contains(char::is_control) {
            return Err(KeyFileError::BadName);
        }
        let mut place = Secret::default();
        place.copy_from_slice(key);
        Ok(Self { key: place, name: name.to_owned() })
    }

    /// Reads the text form. Lines may end with LF or CRLF, the last line end may be missing, and a
    /// byte order mark may come first; nothing else may differ from what [`Self::to_text`] gives.
    ///
    /// The time does not depend on the key's bytes.
    ///
    /// # Errors
    /// [`KeyFileError`] gives the reason, and never quotes the text.
    pub fn parse(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<Self, KeyFileError> {
        let bytes = text.as_ref();
        let sound = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        // Some editors put a mark in front of every text.
        let mut lines = sound.strip_prefix('\u{feff}').unwrap_or(sound).lines();
        let version = lines.next().and_then(|line| line.strip_prefix(FIRST_LINE));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        match version {
            Some("1") => {}
            Some(version) if !version.is_empty() && is_digits(version) => {
                return Err(KeyFileError::UnknownVersion);
            }
            _ => return Err(KeyFileError::NotAKeyFile),
        }
        if bytes.len() > MAX_KEY_FILE_LEN {
            return Err(KeyFileError::TooLong);
        }
        if sound.len() < bytes.len() {
            let line = sound.split('\n').count();
            return Err(KeyFileError::Malformed(line));
        }
        let mut field = |line, label| {
            let text = lines.next().and_then(|text| text.strip_prefix(label));
            text.ok_or(KeyFileError::Malformed(line))
        };
        let name = field(2, "name: ")?;
        let id = KeyId(*hex(field(3, "id: ")?, 3)?);
        let key: Zeroizing<[u8; 32]> = hex(field(4, "key: ")?, 4)?;
        let check: Zeroizing<[u8; 8]> = hex(field(5, "check: ")?, 5)?;
        if lines.next().is_some() {
            return Err(KeyFileError::Malformed(6));
        }
        let parsed = Self::from_bytes(&key, name)?;
        if !publish(checksum(&parsed.body_text(id)).ct_eq(&*check)) {
            return Err(KeyFileError::Checksum);
        }
        match parsed.id() == id {
            true => Ok(parsed),
            false => Err(KeyFileError::WrongId),
        }
    }

    /// The text form: five lines, each ended with LF. It holds the key: keep it
    /// where only its owner reads.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        let mut text = self.body_text(self.id());
        let check = base16ct::lower::encode_string(&checksum(&text));
        text.extend(["check: ", &check, "\n"]);
        text
    }

    /// The id that slots carry as a hint: eight bytes of HKDF-Expand of the key.
    #[must_use]
    pub fn id(&self) -> KeyId {
        let mut id = [0; KeyId::LEN];
        expand(&self.key, &[b"sivka.key.v1 id"], &mut id);
        public(&mut id);
        KeyId(id)
    }

    /// The name its owner gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The key for columns under one algorithm: never that of a file, nor that of columns
    /// under another algorithm.
    ///
    /// # Errors
    /// [`Error::Aead`] if this CPU fails the algorithm's self-check.
    pub fn column_key(&self, algorithm: &Algorithm) -> Result<Box<dyn Aead>, Error> {
        let mut key = Zeroizing::new(vec![0; algorithm.key_len()]);
        let name = algorithm.name().as_bytes();
        expand(&self.key, &[b"sivka.column.v1 ", name], &mut key);
        algorithm.new_key(&key).map_err(Error::Aead)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.key
    }

    /// The lines that the checksum covers.
    fn body_text(&self, id: KeyId) -> Zeroizing<String> {
        // Reserved at once: a growing string would leave copies of the key behind.
        let mut text = Zeroizing::new(String::with_capacity(MAX_KEY_FILE_LEN));
        let key = Zeroizing::new(base16ct::lower::encode_string(&**self.key));
        text.extend([FIRST_LINE, "1\nname: ", &self.name, "\nid: ", &id.to_string()]);
        text.extend(["\nkey: ", &key, "\n"]);
        text
    }
}

impl fmt::Debug for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyFile")
            .field("name", &self.name)
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

/// The first eight bytes of SHA-512 of the text: against accidents, not attackers.
fn checksum(body: &str) -> [u8; 8] {
    let mut check = [0; 8];
    check.copy_from_slice(&Sha512::digest(body)[..8]);
    check
}

fn hex<const N: usize>(digits: &str, line: usize) -> Result<Zeroizing<[u8; N]>, KeyFileError> {
    let mut bytes = Zeroizing::new([0; N]);
    match base16ct::lower::decode(digits, &mut *bytes) {
        Ok(decoded) if decoded.len() == N => Ok(bytes),
        _ => Err(KeyFileError::Malformed(line)),
    }
}

/// Whether what was given as the path of a file is the text of a key, as in
/// `--key "$(cat my.key)"`. It may be a key file's, or its line with the key; an identity of age;
/// or a keyset of Tink's in the clear, in JSON.
///
/// No message may quote such a path. Nobody names a file like this.
#[must_use]
pub fn is_key_text(given: &[u8]) -> bool {
    let text = Zeroizing::new(given.to_ascii_lowercase());
    // After these come so many letters, digits and dashes at least.
    let marks: [(&[u8], usize); 5] = [
        (b"sivka key file, version ", 0),
        (b"\"keydata\"", 0),
        (b"key:", 64),
        (b"key: ", 64),
        (b"age-secret-key-", 40),
    ];
    marks.iter().any(|(mark, len)| {
        let mut places = text.windows(mark.len() + len);
        places.any(|place| place.starts_with(mark) && is_digits(&place[mark.len()..]))
    })
}

/// Whether what was given as the path of a key file is one, or the digits of a key. A file
/// of content may have a hash for its name; a key file of such a name is `./` and its name.
#[must_use]
pub fn is_key(given: &[u8]) -> bool {
    let digits = given.trim_ascii();
    is_key_text(given) || digits.len() == 64 && digits.iter().all(u8::is_ascii_hexdigit)
}

fn is_digits(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}
