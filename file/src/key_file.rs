//! Key files: 32 random bytes with a name, a checksum and a key id.

use crate::derive::{expand, random_secret, sha512};
use crate::error::{Error, KeyFileError};
use crate::verdict::{public, publish};
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
const CHECK_LEN: usize = 8;

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
        let mut digits = [0; 2 * Self::LEN];
        f.write_str(base16ct::lower::encode_str(&self.0, &mut digits).map_err(|_| fmt::Error)?)
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
    /// Apart, so that a move leaves no copy of it behind.
    key: Box<Zeroizing<[u8; 32]>>,
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
        file.take(MAX_KEY_FILE_LEN as u64 + 1)
            .read_to_end(&mut text)?;
        Self::parse(&text).map_err(Error::KeyFile)
    }

    /// Makes a key of 32 uniformly random bytes from elsewhere.
    ///
    /// # Errors
    /// [`KeyFileError::BadName`].
    pub fn from_bytes(key: &[u8; 32], name: &str) -> Result<Self, KeyFileError> {
        check_name(name)?;
        // Written where it stays.
        let mut place = Box::new(Zeroizing::new([0; 32]));
        place.copy_from_slice(key);
        Ok(Self {
            key: place,
            name: name.to_owned(),
        })
    }

    /// Reads the text form. Lines may end with LF or CRLF, the last line end may be missing, and a
    /// byte order mark may come first; everything else must be as in [`Self::to_text`].
    ///
    /// The time does not depend on the key's bytes.
    ///
    /// # Errors
    /// [`KeyFileError`] gives the reason, and never quotes the text.
    pub fn parse(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<Self, KeyFileError> {
        let bytes = text.as_ref();
        let up_to = str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
        let sound = str::from_utf8(&bytes[..up_to]).unwrap_or_default();
        // Some editors put a mark in front of every text.
        let mut lines = sound.strip_prefix('\u{feff}').unwrap_or(sound).lines();
        let is_version =
            |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let version = lines
            .next()
            .and_then(|line| line.strip_prefix(FIRST_LINE))
            .filter(is_version)
            .ok_or(KeyFileError::NotAKeyFile)?;
        if version != "1" {
            return Err(KeyFileError::UnknownVersion);
        }
        if bytes.len() > MAX_KEY_FILE_LEN {
            return Err(KeyFileError::TooLong);
        }
        if up_to < bytes.len() {
            let line = sound.split('\n').count();
            return Err(KeyFileError::Malformed { line });
        }
        let mut field = |line, label| {
            lines
                .next()
                .and_then(|text: &str| text.strip_prefix(label))
                .ok_or(KeyFileError::Malformed { line })
        };
        let name = field(2, "name: ")?;
        let id: [u8; KeyId::LEN] = *hex(field(3, "id: ")?, 3)?;
        let key: Zeroizing<[u8; 32]> = hex(field(4, "key: ")?, 4)?;
        let check: [u8; CHECK_LEN] = *hex(field(5, "check: ")?, 5)?;
        if lines.next().is_some() {
            return Err(KeyFileError::Malformed { line: 6 });
        }
        let parsed = Self::from_bytes(&key, name)?;
        let body = parsed.body_text(KeyId(id));
        if !publish(checksum(&body).ct_eq(&check)) {
            return Err(KeyFileError::Checksum);
        }
        if parsed.id() != KeyId(id) {
            return Err(KeyFileError::WrongId);
        }
        Ok(parsed)
    }

    /// The text form: five lines, each ended with LF. It holds the key: keep it
    /// where only its owner reads.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        let mut text = self.body_text(self.id());
        let check = base16ct::lower::encode_string(&checksum(&text));
        text.push_str("check: ");
        text.push_str(&check);
        text.push('\n');
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

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.key
    }

    /// The lines that the checksum covers.
    fn body_text(&self, id: KeyId) -> Zeroizing<String> {
        // Reserved at once: a growing string would leave copies of the key behind.
        let mut text = Zeroizing::new(String::with_capacity(MAX_KEY_FILE_LEN));
        let key = Zeroizing::new(base16ct::lower::encode_string(&**self.key));
        text.push_str(FIRST_LINE);
        text.push_str("1\nname: ");
        text.push_str(&self.name);
        text.push_str("\nid: ");
        text.push_str(&id.to_string());
        text.push_str("\nkey: ");
        text.push_str(&key);
        text.push('\n');
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

fn check_name(name: &str) -> Result<(), KeyFileError> {
    let length_is_right = (1..=MAX_NAME_LEN).contains(&name.len());
    if length_is_right && name.trim() == name && !name.contains(char::is_control) {
        Ok(())
    } else {
        Err(KeyFileError::BadName)
    }
}

/// The first eight bytes of SHA-512 of the text: against accidents, not attackers.
fn checksum(body: &str) -> [u8; CHECK_LEN] {
    let mut check = [0; CHECK_LEN];
    check.copy_from_slice(&sha512(body.as_bytes())[..CHECK_LEN]);
    check
}

fn hex<const N: usize>(digits: &str, line: usize) -> Result<Zeroizing<[u8; N]>, KeyFileError> {
    let mut bytes = Zeroizing::new([0; N]);
    match base16ct::lower::decode(digits, &mut *bytes) {
        Ok(decoded) if decoded.len() == N => Ok(bytes),
        _ => Err(KeyFileError::Malformed { line }),
    }
}
