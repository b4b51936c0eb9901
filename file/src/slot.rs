//! Key slots: the file key, wrapped under a key file, a passphrase or a public key
//! (specification section 5).

use crate::cost::Argon2Cost;
use crate::derive::{Secret, array, expand, hmac, system_random};
use crate::encapsulation::{SlotKeys, decapsulate, encapsulate, slot_keys};
use crate::error::Error;
use crate::key_file::{KeyFile, KeyId};
use crate::kind::Kind;
use crate::passphrase::{Passphrase, Work};
use crate::recipient::{Identity, Recipient};
use crate::verdict::{public, publish};
use sivka::{Aes256GcmSiv, Tag};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Kind and length, in front of every slot.
const SLOT_HEAD_LEN: usize = 3;
/// Bytes of the longest slot that this library makes: a post-quantum recipient's.
pub(crate) const LONGEST_SLOT_LEN: usize = slot_len(ENCAPSULATED_PQ_LEN);

const KEY_FILE: u8 = 1;
const PASSPHRASE: u8 = 2;
const X25519_KIND: u8 = 3;
const MLKEM768_X25519: u8 = 4;

const SALT_LEN: usize = 32;
const COST_LEN: usize = 12;
const ENCAPSULATED_LEN: usize = 32;
const ENCAPSULATED_PQ_LEN: usize = 1120;
const COMMITMENT_LEN: usize = 32;
/// The file key and the kind, and a tag.
const WRAPPED_LEN: usize = KEY_LEN + 1 + 16;
const KEY_LEN: usize = 32;

const INFO: &[u8] = b"sivka.file.v1 slot";
/// A wrapping key wraps one file key: the nonce may be fixed (specification section 5.1).
const WRAP_NONCE: [u8; 12] = [0; 12];

/// The random key of one file, from which all its other keys come.
pub(crate) type FileKey = Secret;

/// What a slot wraps.
pub(crate) struct Opened {
    pub(crate) file_key: FileKey,
    /// The number of the content's kind.
    kind: u8,
}

impl Opened {
    pub(crate) fn kind(&self) -> Result<Kind, Error> {
        let kind = self.kind;
        Kind::from_number(kind).ok_or(Error::UnknownKind { kind })
    }
}

/// The key for a new slot.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Lock<'a> {
    /// A key file.
    KeyFile(&'a KeyFile),
    /// A passphrase, and the cost of each try.
    Passphrase(&'a Passphrase, Argon2Cost),
    /// The owner of a public key; the sealer need not have the identity.
    Recipient(&'a Recipient),
}

impl Lock<'_> {
    /// The kind of the slot that it makes.
    fn kind(&self) -> u8 {
        match self {
            Self::KeyFile(_) => KEY_FILE,
            Self::Passphrase(..) => PASSPHRASE,
            Self::Recipient(recipient) if recipient.is_post_quantum() => MLKEM768_X25519,
            Self::Recipient(_) => X25519_KIND,
        }
    }

    /// Bytes of the slot that it makes.
    pub(crate) fn slot_len(&self) -> usize {
        parameters_len(self.kind()).map_or(0, slot_len)
    }
}

/// A key that opens a file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Unlock<'a> {
    /// A key file.
    KeyFile(&'a KeyFile),
    /// A passphrase, tried on every passphrase slot within the limit.
    Passphrase(&'a Passphrase),
    /// An identity, tried on every recipient's slot of its kind.
    Identity(&'a Identity),
}

/// The fields of a slot that are visible without a key. They are authenticated only after the file
/// was unlocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlotInfo {
    /// Opens with a key file.
    KeyFile {
        /// A hint which one.
        id: KeyId,
    },
    /// Opens with a passphrase.
    Passphrase {
        /// The cost of one try.
        cost: Argon2Cost,
    },
    /// Opens with the identity of an `age1…` recipient, and does not show whose.
    X25519,
    /// Opens with the identity of an `age1pq1…` recipient, and does not show whose.
    MlKem768X25519,
    /// A slot of a kind that this library does not know.
    Unknown {
        /// The kind that the slot states.
        kind: u8,
    },
}

impl SlotInfo {
    /// Whether no known quantum algorithm opens the slot; `None` for an unknown kind.
    #[must_use]
    pub fn is_post_quantum(&self) -> Option<bool> {
        match self {
            Self::X25519 => Some(false),
            Self::Unknown { .. } => None,
            _ => Some(true),
        }
    }
}

/// A slot in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    info: SlotInfo,
    /// The slot's one encoding.
    record: Vec<u8>,
}

impl Slot {
    pub(crate) fn info(&self) -> SlotInfo {
        self.info
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.record
    }

    pub(crate) fn is_known(&self) -> bool {
        !matches!(self.info, SlotInfo::Unknown { .. })
    }

    /// Reads the slot that `bytes` begin with, which are not all zero; `None` if it is
    /// malformed.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (head, _) = bytes.split_first_chunk::<SLOT_HEAD_LEN>()?;
        let &[kind, length @ ..] = head;
        let end = SLOT_HEAD_LEN + usize::from(u16::from_be_bytes(length));
        let record = bytes.get(..end)?;
        let body = &record[SLOT_HEAD_LEN..];
        let info = match kind {
            0 => return None,
            KEY_FILE => SlotInfo::KeyFile {
                id: KeyId(*body.first_chunk()?),
            },
            PASSPHRASE => SlotInfo::Passphrase {
                cost: read_cost(body.first_chunk()?)?,
            },
            X25519_KIND => SlotInfo::X25519,
            MLKEM768_X25519 => SlotInfo::MlKem768X25519,
            kind => SlotInfo::Unknown { kind },
        };
        let expected = parameters_len(kind).map(slot_len);
        expected.is_none_or(|len| len == end).then(|| Self {
            info,
            record: record.to_vec(),
        })
    }

    /// Wraps a file key and the content's kind under `lock` with fresh random bytes. `prefix`
    /// is the header's.
    pub(crate) fn seal(
        lock: &Lock<'_>,
        prefix: &[u8],
        (file_key, content): (&FileKey, Kind),
    ) -> Result<Self, Error> {
        let kind = lock.kind();
        let mut salt = [0; SALT_LEN];
        system_random(&mut salt)?;
        let (parameters, derived) = match *lock {
            Lock::KeyFile(key) => {
                let derived = derive(kind, &salt, key.as_bytes());
                ([&key.id().0[..], &salt].concat(), derived)
            }
            Lock::Passphrase(passphrase, cost) => {
                let derived = derive(kind, &salt, &**passphrase.stretch(&salt, cost)?);
                let cost = [cost.memory_kib, cost.passes, cost.lanes].map(u32::to_be_bytes);
                ([&cost.concat()[..], &salt].concat(), derived)
            }
            Lock::Recipient(recipient) => encapsulate(recipient, &info_of(kind))?,
        };
        let len = (parameters.len() + COMMITMENT_LEN + WRAPPED_LEN) as u16;
        let mut record = [&[kind][..], &len.to_be_bytes(), &parameters, &derived[32..]].concat();
        let mut wrapped = Box::new(Zeroizing::new([0; KEY_LEN + 1]));
        wrapped[..KEY_LEN].copy_from_slice(&file_key[..]);
        wrapped[KEY_LEN] = content.number();
        let aad = [prefix, &record].concat();
        let tag = Aes256GcmSiv::new(&wrapping_key(&derived))
            .seal_in_place(&WRAP_NONCE, &aad, &mut **wrapped)
            .map_err(Error::Aead)?;
        record.extend_from_slice(&**wrapped);
        record.extend_from_slice(tag.as_bytes());
        Self::read(&record).ok_or(Error::HeaderDamaged)
    }

    /// Opens the slot, which has this index, with a key of its kind. `None`: it is another key's.
    pub(crate) fn open(
        &self,
        index: usize,
        prefix: &[u8],
        key: &Unlock<'_>,
        work: &mut Work,
    ) -> Result<Option<Opened>, Error> {
        let (kind, parameters) = (self.record[0], self.parameters());
        let derived = match (self.info, key) {
            (SlotInfo::KeyFile { .. }, Unlock::KeyFile(key)) => {
                let salt = array(parameters, KeyId::LEN);
                Some(derive(kind, &salt, key.as_bytes()))
            }
            (SlotInfo::Passphrase { cost }, Unlock::Passphrase(passphrase)) => {
                let salt = array(parameters, COST_LEN);
                let secret = work.stretch(index, passphrase, salt, cost)?;
                Some(derive(kind, &salt, secret))
            }
            (SlotInfo::X25519 | SlotInfo::MlKem768X25519, Unlock::Identity(identity))
                if kind == Lock::Recipient(identity.recipient()).kind() =>
            {
                decapsulate(identity, &info_of(kind), parameters)
            }
            _ => None,
        };
        match derived {
            Some(derived) => self.unwrap(prefix, &derived),
            None => Ok(None),
        }
    }

    fn unwrap(&self, prefix: &[u8], derived: &SlotKeys) -> Result<Option<Opened>, Error> {
        let (before, wrapped) = self.record.split_at(self.record.len() - WRAPPED_LEN);
        let commitment = &before[before.len() - COMMITMENT_LEN..];
        if !publish(derived[32..].ct_eq(commitment)) {
            return Ok(None);
        }
        let mut unwrapped = Box::new(Zeroizing::new([0; KEY_LEN + 1]));
        unwrapped.copy_from_slice(&wrapped[..KEY_LEN + 1]);
        let tag = Tag::from(array(wrapped, KEY_LEN + 1));
        let aad = [prefix, before].concat();
        let key = Aes256GcmSiv::new(&wrapping_key(derived));
        let opened = key.open_in_place(&WRAP_NONCE, &aad, &mut **unwrapped, &tag);
        opened.map_err(|error| match error {
            // The key is right, so it is the slot that is not.
            sivka::Error::Open => Error::HeaderDamaged,
            error => Error::Aead(error),
        })?;
        let mut file_key = FileKey::default();
        file_key.copy_from_slice(&unwrapped[..KEY_LEN]);
        let mut kind = unwrapped[KEY_LEN];
        public(&mut kind);
        Ok(Some(Opened { file_key, kind }))
    }

    /// What is between the slot's head and its commitment; of a known kind only.
    fn parameters(&self) -> &[u8] {
        let end = self
            .record
            .len()
            .saturating_sub(COMMITMENT_LEN + WRAPPED_LEN);
        self.record.get(SLOT_HEAD_LEN..end).unwrap_or(&[])
    }
}

const fn slot_len(parameters_len: usize) -> usize {
    SLOT_HEAD_LEN + parameters_len + COMMITMENT_LEN + WRAPPED_LEN
}

/// The length of what is before a slot's commitment; `None` of an unknown kind.
fn parameters_len(kind: u8) -> Option<usize> {
    match kind {
        KEY_FILE => Some(KeyId::LEN + SALT_LEN),
        PASSPHRASE => Some(COST_LEN + SALT_LEN),
        X25519_KIND => Some(ENCAPSULATED_LEN),
        MLKEM768_X25519 => Some(ENCAPSULATED_PQ_LEN),
        _ => None,
    }
}

fn read_cost(parameters: &[u8; COST_LEN]) -> Option<Argon2Cost> {
    let cost = Argon2Cost {
        memory_kib: u32::from_be_bytes(array(parameters, 0)),
        passes: u32::from_be_bytes(array(parameters, 4)),
        lanes: u32::from_be_bytes(array(parameters, 8)),
    };
    cost.is_valid().then_some(cost)
}

/// The domain of a slot's derivation: no other kind's, and nothing else's.
fn info_of(kind: u8) -> Vec<u8> {
    [INFO, &[kind]].concat()
}

/// HKDF-SHA-512: 32 bytes of wrapping key, then 32 bytes that commit to it.
fn derive(kind: u8, salt: &[u8; SALT_LEN], secret: &[u8; 32]) -> SlotKeys {
    let mut extracted = Zeroizing::new([0; 64]);
    hmac(salt, &[secret], &mut extracted);
    let mut keys = slot_keys();
    expand(&extracted, &[INFO, &[kind]], &mut **keys);
    keys
}

fn wrapping_key(derived: &SlotKeys) -> Secret {
    let mut key = Secret::default();
    key.copy_from_slice(&derived[..32]);
    key
}
