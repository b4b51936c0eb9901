//! Key files that a passphrase protects: sealed files whose content is a key file, or
//! identities of age.

use std::path::Path;

use sivka_file::{
    Argon2Cost, Error, Header, Lock, MAX_HEADER_LEN, OpenOptions, Passphrase, SealOptions,
    SlotInfo, Unlock,
};
use zeroize::Zeroizing;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::shown;
use crate::prompt;

/// So many bytes tell a sealed file from text: more would be some of a secret.
const MAGIC_LEN: usize = 8;
/// What a sealed file begins with (docs/spec/file-format-v1.md section 4.1).
const MAGIC: [u8; MAGIC_LEN] = *b"\x93SIVKA\r\n";
/// What of it is text.
const NAME: &[u8] = b"SIVKA";
/// How often a passphrase may be typed for one key file.
const TRIES: usize = 3;

/// Whether the bytes of a key file are those of a sealed one.
pub(crate) fn is_protected(bytes: &[u8]) -> bool {
    !matches!(Header::parse(bytes), Err(Error::NotSivka))
}

/// Whether the bytes of a key file are those of a sealed one but for the first ones: what follows
/// is a header, or a transfer has taken them for text.
pub(crate) fn is_damaged_protected(bytes: &[u8]) -> bool {
    if is_protected(bytes) {
        return false;
    }
    let begin = &bytes[..bytes.len().min(2 * MAGIC_LEN)];
    // Wiped: it may be a key in the clear.
    let mut mended = Zeroizing::new(bytes[..bytes.len().min(MAX_HEADER_LEN)].to_vec());
    let magic_len = MAGIC_LEN.min(mended.len());
    mended[..magic_len].copy_from_slice(&MAGIC[..magic_len]);
    let is_header = Header::parse(&mended).is_ok();
    // The first line of a key file, in capital letters, goes on.
    let mut parts = begin.windows(NAME.len() + 1);
    is_header || parts.any(|part| part.starts_with(NAME) && part[NAME.len()].is_ascii_control())
}

/// What a command says of a protected key that it has no passphrase for.
pub(crate) fn stays_closed(path: &Path) -> Failure {
    let message = "a passphrase protects this key";
    Failure::new(Exit::Key, format!("{}: {message}", shown(path)))
}

/// A key file or identities, sealed with a passphrase.
pub(crate) fn protect(secret: &[u8], passphrase: &Passphrase) -> Result<Vec<u8>, Failure> {
    let mut sealed = Vec::new();
    let locks = [Lock::Passphrase(passphrase, Argon2Cost::DEFAULT)];
    let done = sivka_file::seal(secret, &mut sealed, &locks, &SealOptions::default(), |_| {});
    match done {
        Ok(_) => Ok(sealed),
        Err(error) => Err(Failure::derivation(&error)),
    }
}

/// The passphrases of protected key files: each is asked for once, and tried on the next key.
pub(crate) struct KeyPassphrases {
    known: Vec<Passphrase>,
    /// Whether more may be typed.
    may_ask: bool,
    /// What a protected key may ask of the one who uses it.
    options: OpenOptions,
}

impl KeyPassphrases {
    /// The one that is given, or what will be typed.
    pub(crate) fn new(given: Option<Passphrase>, options: OpenOptions) -> Self {
        Self {
            options,
            may_ask: given.is_none(),
            known: Vec::from_iter(given),
        }
    }

    /// The text of the protected key file at `path`.
    pub(crate) fn open(
        &mut self,
        path: &Path,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let header = Header::parse(sealed).map_err(|error| Failure::file(path, path, &error))?;
        let takes_passphrase = |slot| matches!(slot, SlotInfo::Passphrase { .. });
        if !header.slots().any(takes_passphrase) {
            if let Some((index, kind)) = header.slots().enumerate().find_map(of_unknown_kind) {
                let error = Error::UnknownSlot { index, kind };
                return Err(Failure::file(path, path, &error));
            }
            let message = "not a key file, but a sealed file that no passphrase opens";
            return Err(Failure::new(
                Exit::Key,
                format!("{}: {message}", shown(path)),
            ));
        }
        let mut opened = Err(Error::NoSlotOpens);
        for passphrase in &self.known {
            opened = unsealed(sealed, passphrase, &self.options);
            if !matches!(opened, Err(Error::NoSlotOpens)) {
                break;
            }
        }
        let tries = if self.may_ask { TRIES } else { 0 };
        for attempt in 0..tries {
            if !matches!(opened, Err(Error::NoSlotOpens)) {
                break;
            }
            let typed = match attempt {
                0 => prompt::passphrase(path)?,
                _ => prompt::passphrase_again(path)?,
            };
            let passphrase = Passphrase::new(typed.to_string());
            opened = unsealed(sealed, &passphrase, &self.options);
            if opened.is_ok() {
                self.known.push(passphrase);
            }
        }
        opened.map_err(|error| match error {
            Error::NoSlotOpens => {
                let message = format!("{}: the passphrase does not open this key", shown(path));
                Failure::new(Exit::Key, message)
            }
            error => Failure::file(path, path, &error),
        })
    }
}

fn of_unknown_kind((index, slot): (usize, SlotInfo)) -> Option<(usize, u8)> {
    match slot {
        SlotInfo::Unknown { kind } => Some((index, kind)),
        _ => None,
    }
}

fn unsealed(
    sealed: &[u8],
    passphrase: &Passphrase,
    options: &OpenOptions,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    // Its whole length at once: a buffer that grows leaves copies of a secret behind.
    let mut text = Zeroizing::new(Vec::with_capacity(sealed.len()));
    let keys = [Unlock::Passphrase(passphrase)];
    sivka_file::open(sealed, &mut *text, &keys, options, |_| {})?;
    Ok(text)
}
