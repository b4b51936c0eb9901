//! Key slots: the file key, wrapped under a key file, a passphrase or a public key
//! (specification section 5).

use crate::derive::{Secret, array, expand, hmac, public, publish, system_random};
use crate::error::Error;
use crate::key_file::{KeyFile, KeyId};
use crate::passphrase::{Argon2Cost, Passphrase, Work};
use crate::recipient::{Identity, Recipient, SlotKeys};
use crate::suite::Kind;
use sivka::{Aes256GcmSiv, Tag};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Kind and length, in front of every slot.
const SLOT_HEAD_LEN: usize = 3;
/// Bytes of the longest slot that this library makes: a post-quantum recipient's.
pub(crate) const LONGEST_SLOT_LEN: usize = slot_len(PARAMETERS_LENS[3]);

const KEY_FILE: u8 = 1;
const PASSPHRASE: u8 = 2;
const X25519_KIND: u8 = 3;
const MLKEM768_X25519: u8 = 4;
/// Bytes before a slot's commitment: of these kinds, in this order.
const PARAMETERS_LENS: [usize; 4] = [KeyId::LEN + SALT_LEN, COST_LEN + SALT_LEN, 32, 1120];

const SALT_LEN: usize = 32;
const COST_LEN: usize = 12;
const COMMITMENT_LEN: usize = 32;
const KEY_LEN: usize = 32;
/// The file key and the kind, and a tag.
const WRAPPED_LEN: usize = KEY_LEN + 1 + 16;

const INFO: &[u8] = b"sivka.file.v1 slot";
/// A wrapping key wraps one file key: the nonce may be fixed (specification section 5.1).
const WRAP_NONCE: [u8; 12] = [0; 12];

/// What a slot wraps.
pub(crate) struct Opened {
    pub(crate) file_key: Secret,
    /// The number of the content's kind.
    pub(crate) kind: u8,
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
        known_len(self.kind()).unwrap_or(0)
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

/// What a slot shows without any key, authentic only after the file was unlocked.
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
    /// Whether the slot stays closed to a quantum computer, as far as is known; `None` of an
    /// unknown kind.
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
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) info: SlotInfo,
    /// The slot's one encoding.
    pub(crate) record: Vec<u8>,
}

impl Slot {
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self.info, SlotInfo::Unknown { .. })
    }

    /// Reads the slot that `bytes` begin with, which are not all zero; `None` if it is
    /// malformed.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (&[kind, length @ ..], _) = bytes.split_first_chunk::<SLOT_HEAD_LEN>()?;
        let end = SLOT_HEAD_LEN + usize::from(u16::from_be_bytes(length));
        let record = bytes.get(..end)?;
        if kind == 0 || known_len(kind).is_some_and(|len| len != end) {
            return None;
        }
        let number = |at| u32::from_be_bytes(array(record, SLOT_HEAD_LEN + at));
        let info = match kind {
            KEY_FILE => SlotInfo::KeyFile { id: KeyId(array(record, SLOT_HEAD_LEN)) },
            PASSPHRASE => SlotInfo::Passphrase {
                cost: Argon2Cost { memory_kib: number(0), passes: number(4), lanes: number(8) },
            },
            X25519_KIND => SlotInfo::X25519,
            MLKEM768_X25519 => SlotInfo::MlKem768X25519,
            kind => SlotInfo::Unknown { kind },
        };
        let is_valid = !matches!(info, SlotInfo::Passphrase { cost } if !cost.is_valid());
        let record = record.to_vec();
        is_valid.then_some(Self { info, record })
    }

    /// Wraps a file key and the content's kind under `lock` with fresh random bytes. `prefix`
    /// is the header's.
    pub(crate) fn seal(
        lock: &Lock<'_>,
        prefix: &[u8],
        (file_key, content): (&Secret, Kind),
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
            Lock::Recipient(recipient) => recipient.encapsulate(&info_of(kind))?,
        };
        let len = (parameters.len() + COMMITMENT_LEN + WRAPPED_LEN) as u16;
        let mut record = [&[kind][..], &len.to_be_bytes(), &parameters, &derived[32..]].concat();
        let mut wrapped = Box::new(Zeroizing::new([0; KEY_LEN + 1]));
        wrapped[..KEY_LEN].copy_from_slice(&file_key[..]);
        wrapped[KEY_LEN] = content.number();
        let aad = [prefix, &record].concat();
        let tag = wrapping_key(&derived)
            .seal_in_place(&WRAP_NONCE, &aad, &mut **wrapped)
            .map_err(Error::Aead)?;
        record.extend_from_slice(&**wrapped);
        record.extend_from_slice(tag.as_bytes());
        Self::read(&record).ok_or(Error::HeaderDamaged)
    }

    /// Opens the slot, which has this index, with a key of its kind, and of a passphrase with this
    /// form. `None`: it is another key's.
    pub(crate) fn open(
        &self,
        index: usize,
        prefix: &[u8],
        (key, form): (&Unlock<'_>, usize),
        work: &mut Work,
    ) -> Result<Option<Opened>, Error> {
        let (kind, record) = (self.record[0], &self.record);
        let derived = match (self.info, key) {
            (SlotInfo::KeyFile { .. }, Unlock::KeyFile(key)) => {
                let salt = array(record, SLOT_HEAD_LEN + KeyId::LEN);
                Some(derive(kind, &salt, key.as_bytes()))
            }
            (SlotInfo::Passphrase { cost }, Unlock::Passphrase(passphrase)) => {
                let salt = array(record, SLOT_HEAD_LEN + COST_LEN);
                let secret = work.stretch(index, (passphrase, form), &salt, cost)?;
                Some(derive(kind, &salt, &secret))
            }
            (SlotInfo::X25519 | SlotInfo::MlKem768X25519, Unlock::Identity(identity))
                if kind == Lock::Recipient(identity.recipient()).kind() =>
            {
                let end = record.len() - COMMITMENT_LEN - WRAPPED_LEN;
                identity.decapsulate(&info_of(kind), &record[SLOT_HEAD_LEN..end])
            }
            _ => None,
        };
        derived.map_or(Ok(None), |derived| self.unwrap(prefix, &derived))
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
        let key = wrapping_key(derived);
        let opened = key.open_in_place(&WRAP_NONCE, &aad, &mut **unwrapped, &tag);
        opened.map_err(|error| match error {
            // The key is right, so it is the slot that is not.
            sivka::Error::Open => Error::HeaderDamaged,
            error => Error::Aead(error),
        })?;
        let mut file_key = Secret::default();
        file_key.copy_from_slice(&unwrapped[..KEY_LEN]);
        let mut kind = unwrapped[KEY_LEN];
        public(&mut kind);
        Ok(Some(Opened { file_key, kind }))
    }
}

const fn slot_len(parameters_len: usize) -> usize {
    SLOT_HEAD_LEN + parameters_len + COMMITMENT_LEN + WRAPPED_LEN
}

/// The length of a slot; `None` of an unknown kind.
fn known_len(kind: u8) -> Option<usize> {
    let parameters_len = PARAMETERS_LENS.get(usize::from(kind.checked_sub(1)?));
    parameters_len.copied().map(slot_len)
}

/// The domain of a slot's derivation: no other kind's, and nothing else's.
fn info_of(kind: u8) -> Vec<u8> {
    [INFO, &[kind]].concat()
}

/// HKDF-SHA-512: 32 bytes of wrapping key, then 32 bytes that commit to it.
fn derive(kind: u8, salt: &[u8; SALT_LEN], secret: &[u8; 32]) -> SlotKeys {
    let mut extracted = Zeroizing::new([0; 64]);
    hmac(salt, &[secret], &mut extracted);
    let mut keys = SlotKeys::new(Zeroizing::new([0; 64]));
    expand(&extracted, &[INFO, &[kind]], &mut **keys);
    keys
}

fn wrapping_key(derived: &SlotKeys) -> Aes256GcmSiv {
    let mut key = Secret::default();
    key.copy_from_slice(&derived[..32]);
    Aes256GcmSiv::new(&key)
}
