//! Key slots: the file key, wrapped under a key file or a passphrase
//! (specification section 5).

use crate::cost::Argon2Cost;
use crate::derive::{Random, Secret, expand, hmac};
use crate::error::Error;
use crate::key_file::{KeyFile, KeyId};
use crate::passphrase::{Passphrase, StretchedPassphrase};
use crate::verdict::publish;
use sivka::{Aes256GcmSiv, Tag};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Bytes in a slot, used or empty.
pub(crate) const SLOT_LEN: usize = 125;

const PARAMETERS_AT: usize = 1;
const SALT_AT: usize = 13;
const COMMITMENT_AT: usize = 45;
const WRAPPED_AT: usize = 77;

const EMPTY: u8 = 0;
const KEY_FILE: u8 = 1;
const PASSPHRASE: u8 = 2;

const INFO: &[u8] = b"sivka.file.v1 slot";
/// A wrapping key wraps one file key, or, of a stretched passphrase, a few that are all
/// random: the nonce may be fixed (specification section 5.1).
const WRAP_NONCE: [u8; 12] = [0; 12];

/// The random key of one file, from which all its other keys come.
pub(crate) type FileKey = Secret;

/// What a new key slot opens with.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Lock<'a> {
    /// A key file.
    KeyFile(&'a KeyFile),
    /// A passphrase, and what each try of it shall cost.
    Passphrase(&'a Passphrase, Argon2Cost),
    /// A passphrase that was stretched already, for many files sealed together.
    Stretched(&'a StretchedPassphrase),
}

/// What opens a file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Unlock<'a> {
    /// A key file.
    KeyFile(&'a KeyFile),
    /// A passphrase, tried on every passphrase slot within the limit.
    Passphrase(&'a Passphrase),
}

/// What a slot shows without any key. It is authenticated only after the file was
/// unlocked.
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
        /// What one try costs.
        cost: Argon2Cost,
    },
}

impl SlotInfo {
    fn kind(&self) -> u8 {
        match self {
            Self::KeyFile { .. } => KEY_FILE,
            Self::Passphrase { .. } => PASSPHRASE,
        }
    }
}

/// A slot in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    info: SlotInfo,
    salt: [u8; 32],
    commitment: [u8; 32],
    wrapped: [u8; 48],
}

impl Slot {
    pub(crate) fn info(&self) -> SlotInfo {
        self.info
    }

    /// Reads a slot; `None` is an empty one. `index` is for the error only.
    pub(crate) fn decode(index: usize, bytes: &[u8; SLOT_LEN]) -> Result<Option<Self>, Error> {
        let info = match bytes[0] {
            EMPTY if bytes.iter().all(|&byte| byte == 0) => return Ok(None),
            EMPTY => return Err(Error::HeaderDamaged),
            KEY_FILE => {
                if array::<4>(bytes, PARAMETERS_AT + KeyId::LEN) != [0; 4] {
                    return Err(Error::HeaderDamaged);
                }
                SlotInfo::KeyFile {
                    id: KeyId(array(bytes, PARAMETERS_AT)),
                }
            }
            PASSPHRASE => {
                let cost = Argon2Cost {
                    memory_kib: u32::from_be_bytes(array(bytes, PARAMETERS_AT)),
                    passes: u32::from_be_bytes(array(bytes, PARAMETERS_AT + 4)),
                    lanes: u32::from_be_bytes(array(bytes, PARAMETERS_AT + 8)),
                };
                if !cost.is_valid() {
                    return Err(Error::HeaderDamaged);
                }
                SlotInfo::Passphrase { cost }
            }
            kind => return Err(Error::UnknownSlot { index, kind }),
        };
        Ok(Some(Self {
            info,
            salt: array(bytes, SALT_AT),
            commitment: array(bytes, COMMITMENT_AT),
            wrapped: array(bytes, WRAPPED_AT),
        }))
    }

    /// Writes the slot's one encoding.
    pub(crate) fn encode(&self) -> [u8; SLOT_LEN] {
        let mut bytes = [0; SLOT_LEN];
        bytes[0] = self.info.kind();
        match self.info {
            SlotInfo::KeyFile { id } => {
                bytes[PARAMETERS_AT..PARAMETERS_AT + KeyId::LEN].copy_from_slice(&id.0);
            }
            SlotInfo::Passphrase { cost } => {
                let parameters = [cost.memory_kib, cost.passes, cost.lanes];
                let out = bytes[PARAMETERS_AT..SALT_AT].chunks_exact_mut(4);
                for (out, parameter) in out.zip(parameters) {
                    out.copy_from_slice(&parameter.to_be_bytes());
                }
            }
        }
        bytes[SALT_AT..COMMITMENT_AT].copy_from_slice(&self.salt);
        bytes[COMMITMENT_AT..WRAPPED_AT].copy_from_slice(&self.commitment);
        bytes[WRAPPED_AT..].copy_from_slice(&self.wrapped);
        bytes
    }

    /// Wraps `file_key` under `lock` with a fresh salt. `prefix` is the header's.
    pub(crate) fn seal(
        lock: &Lock<'_>,
        prefix: &[u8],
        file_key: &FileKey,
        random: Random<'_>,
    ) -> Result<Self, Error> {
        let mut salt = [0; 32];
        let stretched_here;
        let (info, secret) = match *lock {
            Lock::KeyFile(key) => {
                random(&mut salt)?;
                (SlotInfo::KeyFile { id: key.id() }, key.as_bytes())
            }
            Lock::Passphrase(passphrase, cost) => {
                passphrase.check(cost)?;
                random(&mut salt)?;
                stretched_here = passphrase.stretch(&salt, cost)?;
                (SlotInfo::Passphrase { cost }, &**stretched_here)
            }
            Lock::Stretched(stretched) => {
                salt = *stretched.salt();
                let cost = stretched.cost();
                (SlotInfo::Passphrase { cost }, stretched.secret())
            }
        };
        let (wrapping_key, commitment) = wrapping_key(info.kind(), &salt, secret);
        let mut slot = Self {
            info,
            salt,
            commitment,
            wrapped: [0; 48],
        };
        let mut wrapped = file_key.clone();
        let tag = Aes256GcmSiv::new(&wrapping_key)
            .seal_in_place(&WRAP_NONCE, &slot.aad(prefix), &mut **wrapped)
            .map_err(Error::Aead)?;
        slot.wrapped[..32].copy_from_slice(&**wrapped);
        slot.wrapped[32..].copy_from_slice(tag.as_bytes());
        Ok(slot)
    }

    /// Opens the slot with a key file's key. `None`: it is another key's slot.
    pub(crate) fn open_with_key(
        &self,
        prefix: &[u8],
        key: &KeyFile,
    ) -> Result<Option<FileKey>, Error> {
        self.unwrap(prefix, key.as_bytes())
    }

    /// Opens the slot with a passphrase. `None`: another passphrase's slot. The
    /// caller has checked `cost`, which is the slot's.
    pub(crate) fn open_with_passphrase(
        &self,
        prefix: &[u8],
        passphrase: &Passphrase,
        cost: Argon2Cost,
    ) -> Result<Option<FileKey>, Error> {
        self.unwrap(prefix, &**passphrase.stretch(&self.salt, cost)?)
    }

    fn unwrap(&self, prefix: &[u8], secret: &[u8; 32]) -> Result<Option<FileKey>, Error> {
        let (wrapping_key, commitment) = wrapping_key(self.info.kind(), &self.salt, secret);
        if !publish(commitment.ct_eq(&self.commitment)) {
            return Ok(None);
        }
        let mut file_key = FileKey::default();
        file_key.copy_from_slice(&self.wrapped[..32]);
        let tag = Tag::from(array(&self.wrapped, 32));
        match Aes256GcmSiv::new(&wrapping_key).open_in_place(
            &WRAP_NONCE,
            &self.aad(prefix),
            &mut **file_key,
            &tag,
        ) {
            Ok(()) => Ok(Some(file_key)),
            // The key is right, so it is the slot that is not.
            Err(sivka::Error::Open) => Err(Error::HeaderDamaged),
            Err(error) => Err(Error::Aead(error)),
        }
    }

    /// The wrapping's AAD: the header's prefix and all of the slot before the wrapped key.
    fn aad(&self, prefix: &[u8]) -> Vec<u8> {
        [prefix, &self.encode()[..WRAPPED_AT]].concat()
    }
}

/// HKDF-SHA-512: 32 bytes of wrapping key, then 32 bytes that commit to it.
fn wrapping_key(kind: u8, salt: &[u8; 32], secret: &[u8; 32]) -> (Secret, [u8; 32]) {
    let mut extracted = Zeroizing::new([0; 64]);
    hmac(salt, &[secret], &mut extracted);
    let mut okm = Zeroizing::new([0; 64]);
    expand(&extracted, &[INFO, &[kind]], &mut *okm);
    let mut key = Secret::default();
    key.copy_from_slice(&okm[..32]);
    (key, array(&*okm, 32))
}

/// The `N` bytes from `at`. Every call here has constants within its array.
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}
