//! Keys as C holds them.

use crate::algorithm::{
    Algorithm, AlgorithmNumber, SIVKA_AES_256_GCM_SIV, SIVKA_XCHACHA20_BLAKE2B_SIV,
};
use crate::failure::{Failure, guard};
use crate::file::key_file_of;
use crate::handle::{free, handle, handle_mut, making};
use crate::region::Region;
use crate::status::Status;
use sivka::{Aead, UsageBound};
use sivka_file::KeyFile;
use sivka_keyset::{Error as KeysetError, KeyEncryptionKey, Keyset, KeysetAead, ReadOptions};
use std::ffi::c_char;
use zeroize::Zeroizing;

/// A key of sivka_key_new() or sivka_column_key_new(), or a keyset's, of sivka_keyset_key().
pub struct Key(Kind);

enum Kind {
    Algorithm(AlgorithmKey),
    Keyset(KeysetAead),
}

impl Key {
    pub(crate) fn of_keyset(keys: KeysetAead) -> Self {
        Self(Kind::Keyset(keys))
    }

    fn of_algorithm(algorithm: &Algorithm, aead: Box<dyn Aead>) -> Self {
        Self(Kind::Algorithm(AlgorithmKey::new(algorithm, aead)))
    }

    fn of_key_file(file: &KeyFile, algorithm: &Algorithm) -> Result<Self, Failure> {
        Ok(Self::of_algorithm(algorithm, file.column_key(algorithm.row)?))
    }

    /// The keys for values and for tokens of a key file, or that of a keyset, which is one of them.
    /// A keyset in JSON begins with a brace, one in binary with its first field.
    pub(crate) fn for_columns(text: &[u8]) -> Result<[Option<Self>; 2], &'static str> {
        let options = ReadOptions::default();
        let keyset = match text.first() {
            Some(b'{') => Keyset::from_insecure_json(text, options),
            Some(8) => Keyset::from_insecure_binary(text, options),
            _ => {
                let file = KeyFile::parse(text).map_err(|_| "is not a key file")?;
                let made = |number| Self::of_key_file(&file, &Algorithm::find(number)?);
                let made = [SIVKA_AES_256_GCM_SIV, SIVKA_XCHACHA20_BLAKE2B_SIV].map(made);
                let [Ok(values), Ok(tokens)] = made else {
                    return Err("has a key that cannot be made");
                };
                return Ok([Some(values), Some(tokens)]);
            }
        };
        let keys = keyset.map_err(|_| "is not a keyset whose keys are known here")?;
        let aead = keys.aead().map(|keys| [Some(Self::of_keyset(keys)), None]);
        let tokens = || keys.deterministic_aead().map(|keys| [None, Some(Self::of_keyset(keys))]);
        aead.or_else(|_| tokens()).map_err(|_| "has a keyset that cannot seal")
    }

    /// The key, unless it is a keyset's.
    #[inline(always)]
    pub(crate) fn if_algorithm(&self) -> Option<&AlgorithmKey> {
        match &self.0 {
            Kind::Algorithm(key) => Some(key),
            Kind::Keyset(_) => None,
        }
    }

    /// The key, for a call that is not for a keyset's.
    pub(crate) fn algorithm(&self) -> Result<&AlgorithmKey, Failure> {
        self.if_algorithm().ok_or_else(Failure::keyset_key)
    }

    /// The keys of a keyset.
    pub(crate) fn if_keyset(&self) -> Option<&KeysetAead> {
        match &self.0 {
            Kind::Algorithm(_) => None,
            Kind::Keyset(keys) => Some(keys),
        }
    }
}

impl KeyEncryptionKey for Key {
    fn encrypt(&self, keyset: &[u8], aad: &[u8]) -> Result<Vec<u8>, KeysetError> {
        match &self.0 {
            Kind::Algorithm(key) => KeyEncryptionKey::encrypt(&*key.aead, keyset, aad),
            Kind::Keyset(keys) => keys.encrypt(keyset, aad),
        }
    }

    fn decrypt(&self, encrypted: &[u8], aad: &[u8]) -> Result<Zeroizing<Vec<u8>>, KeysetError> {
        match &self.0 {
            Kind::Algorithm(key) => KeyEncryptionKey::decrypt(&*key.aead, encrypted, aad),
            Kind::Keyset(keys) => keys.decrypt(encrypted, aad),
        }
    }
}

/// A key of one algorithm.
pub(crate) struct AlgorithmKey {
    number: AlgorithmNumber,
    pub(crate) row: &'static sivka::Algorithm,
    // At hand for every call, which would otherwise ask the row for them.
    pub(crate) nonce_len: usize,
    pub(crate) tag_len: usize,
    pub(crate) tag_first: bool,
    pub(crate) aead: Box<dyn Aead>,
}

/// Makes a key of `key_len` uniformly random bytes, no passphrase: see sivka_generate_key().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_key_new(
    algorithm: AlgorithmNumber,
    key: *const u8,
    key_len: usize,
    made: *mut *mut Key,
) -> Status {
    let make = || {
        let algorithm = Algorithm::find(algorithm)?;
        let key = Region::exactly("key", key, key_len, algorithm.row.key_len())?;
        // SAFETY: as the header asks; a handle's address is no part of the key.
        let aead = algorithm.row.new_key(unsafe { key.as_slice() })?;
        Ok(Key::of_algorithm(&algorithm, aead))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Makes the key for columns under one algorithm from a key file, whose content (not its path) is
/// the `text_len` bytes at `text`. Each algorithm gets its own key, derived from the key file; none
/// of them seals files: docs/spec/column-v1.md, section 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_column_key_new(
    algorithm: AlgorithmNumber,
    text: *const c_char,
    text_len: usize,
    made: *mut *mut Key,
) -> Status {
    let make = || {
        let algorithm = Algorithm::find(algorithm)?;
        // SAFETY: as the header asks.
        let file = unsafe { key_file_of(text, text_len) }?;
        Key::of_key_file(&file, &algorithm)
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

impl AlgorithmKey {
    fn new(algorithm: &Algorithm, aead: Box<dyn Aead>) -> Self {
        let Algorithm { number, row } = *algorithm;
        Self {
            number,
            row,
            nonce_len: row.nonce_len(),
            tag_len: row.tag_len(),
            tag_first: row.tag_first(),
            aead,
        }
    }
}

#[cfg(test)]
impl AlgorithmKey {
    /// A key for tests of this crate.
    pub(crate) fn of(row: &'static sivka::Algorithm, key: &[u8]) -> Key {
        let number = 0;
        let aead = row.new_key(key).expect("a key of that length");
        let key = Self::new(&Algorithm { number, row }, aead);
        Key(Kind::Algorithm(key))
    }
}

/// Counts the messages that sivka_seal(), and sivka_seal_column() with random nonces, seal with
/// this key from now on. More than `messages` are _USAGE_BOUND. One of more than `message_len`
/// bytes, plaintext and AAD together, is _TOO_LONG. Calls whose nonces the caller chooses are not
/// counted, nor are those of an algorithm without nonces. RFC 8452, section 9, for AES-GCM-SIV:
/// 2^29 messages of at most 1 GiB, 2^35 of 128 MiB, 2^49 of 1 MiB, 2^61 of 16 KiB. _PRIMITIVE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_key_set_usage_bound(
    key: *mut Key,
    messages: u64,
    message_len: u64,
) -> Status {
    guard(|| {
        // SAFETY: a live key that nobody else uses meanwhile, as the header asks.
        let key = unsafe { handle_mut("key", key) }?;
        let bound = UsageBound::new(messages, message_len);
        let Kind::Algorithm(key) = &mut key.0 else {
            return Err(Failure::keyset_key());
        };
        key.aead.set_usage_bound(bound);
        Ok(())
    })
}

/// Wipes and frees a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_key_free(key: *mut Key) {
    // SAFETY: the key came from `Key` and was not freed, as the header asks.
    unsafe { free("key", key) }
}

/// The number of a key's algorithm; 0 if `key` is NULL, or a keyset's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_key_algorithm(key: *const Key) -> AlgorithmNumber {
    // SAFETY: a live key or null, as the header asks.
    let key = unsafe { handle("key", key) }.and_then(Key::algorithm);
    key.map_or(0, |key| key.number)
}

/// The number of bytes that sivka_seal() writes for a plaintext of `plaintext_len` bytes.
/// 0 if `key` is NULL, or if no memory is so large.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_key_seal_len(key: *const Key, plaintext_len: usize) -> usize {
    // SAFETY: a live key or null, as the header asks.
    let len = unsafe { handle("key", key) }.map_or(0, |key| match &key.0 {
        Kind::Algorithm(key) => plaintext_len.saturating_add(key.nonce_len + key.tag_len),
        Kind::Keyset(keys) => keys.seal_len(plaintext_len),
    });
    if isize::try_from(len).is_ok() { len } else { 0 }
}

/// The capacity that sivka_open() needs for a sealed message of `sealed_len` bytes: as
/// long as the plaintext, or a little longer if keys of a keyset seal to different
/// lengths. 0 also if `key` is NULL, and for a message that is too short to open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_key_open_len(key: *const Key, sealed_len: usize) -> usize {
    // SAFETY: a live key or null, as the header asks.
    unsafe { handle("key", key) }.map_or(0, |key| match &key.0 {
        Kind::Algorithm(key) => sealed_len.saturating_sub(key.nonce_len + key.tag_len),
        Kind::Keyset(keys) => keys.open_len(sealed_len),
    })
}
