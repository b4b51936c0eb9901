//! What files are sealed for and opened with: sets of key files, passphrases and people's keys.

use super::key_file::{content_of, opened};
use crate::failure::{Failure, guard, guard_copying};
use crate::handle::{free, handle, making};
use crate::region::text_of;
use crate::reserve::ensure;
use crate::status::Status;
use sivka_file::{
    Argon2Cost, Identity, KeyFile, Lock, OpenOptions, Passphrase, Recipient, SealOptions, Suite,
    Unlock,
};
use std::ffi::c_char;
use std::sync::{Arc, Mutex, PoisonError};

/// The key files, passphrases and recipients that a file is sealed for, or the key files,
/// passphrases and identities that it is to be opened with. sivka_file_keys_new() makes it. Any
/// number of threads may use it at the same time, and add to it. A call works with the keys that
/// were there when it began.
pub struct FileKeys(Mutex<Arc<HeldKeys>>);

/// What a set of keys has. Who works with it holds it, and what is added comes into another one.
#[derive(Clone, Default)]
pub(crate) struct HeldKeys {
    key_files: Vec<Arc<KeyFile>>,
    passphrases: Vec<Arc<Passphrase>>,
    recipients: Vec<Recipient>,
    identities: Vec<Arc<Identity>>,
    spare_slots: usize,
    cost: Argon2Cost,
    max_cost: Argon2Cost,
}

/// What a set of keys has now.
///
/// # Safety
/// `keys` is null or a live set.
pub(crate) unsafe fn keys_of(
    what: &'static str,
    keys: *const FileKeys,
) -> Result<Arc<HeldKeys>, Failure> {
    // SAFETY: the caller's promise.
    let keys = unsafe { handle(what, keys) }?;
    let now = keys.0.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Arc::clone(&now))
}

/// # Safety
/// `keys` is null or a live set.
unsafe fn change(keys: *const FileKeys, change: impl FnOnce(&mut HeldKeys)) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let keys = unsafe { handle("keys", keys) }?;
    let mut now = keys.0.lock().unwrap_or_else(PoisonError::into_inner);
    // A list has each of them, and the set is copied where a call works with it.
    ensure(4096 * (now.locks().len() + now.unlocks().len()))?;
    change(Arc::make_mut(&mut now));
    Ok(())
}

impl HeldKeys {
    pub(crate) fn locks(&self) -> Vec<Lock<'_>> {
        let key_files = self.key_files.iter().map(|file| Lock::KeyFile(file));
        let passphrases = self.passphrases.iter();
        let identities = self.identities.iter().map(|own| own.recipient());
        let recipients = self.recipients.iter().chain(identities);
        key_files
            .chain(passphrases.map(|text| Lock::Passphrase(text, self.cost)))
            .chain(recipients.map(Lock::Recipient))
            .collect()
    }

    pub(crate) fn unlocks(&self) -> Vec<Unlock<'_>> {
        let key_files = self.key_files.iter().map(|file| Unlock::KeyFile(file));
        let passphrases = self.passphrases.iter();
        let identities = self.identities.iter();
        key_files
            .chain(passphrases.map(|text| Unlock::Passphrase(text)))
            .chain(identities.map(|own| Unlock::Identity(own)))
            .collect()
    }

    pub(crate) fn seal_options(&self, suite: Suite) -> SealOptions {
        SealOptions { suite, spare_slots: self.spare_slots, ..SealOptions::default() }
    }

    pub(crate) fn open_options(&self) -> OpenOptions {
        OpenOptions { max_cost: self.max_cost, ..OpenOptions::default() }
    }
}

/// Makes an empty set of keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_new(made: *mut *mut FileKeys) -> Status {
    let keys = HeldKeys { max_cost: Argon2Cost::DEFAULT_LIMIT, ..HeldKeys::default() };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, || Ok(FileKeys(Mutex::new(Arc::new(keys))))) }
}

/// Wipes and frees a set of keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_free(keys: *mut FileKeys) {
    // SAFETY: it came from `sivka_file_keys_new` and was not freed, as the header asks.
    unsafe { free("keys", keys) }
}

/// Adds the key of a key file, whose content (not its path) is the `text_len` bytes at `text`. If a
/// passphrase protects it (`sivka keygen --protect`), that is the `passphrase_len` bytes of UTF-8
/// at `passphrase`, and the file has at most 65536 bytes. The file sets the time and memory of a
/// try, at most as sivka_file_keys_set_max_cost() allows. For a key file in the clear the
/// passphrase is not read, and may be NULL with a length of 0. Nothing is added on a failure.
/// _KEY_FILE for what is no key file, or a damaged one; _EMPTY_PASSPHRASE if it needs a passphrase
/// and none is given; _WRONG_KEY if the passphrase does not open it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_add_key_file(
    keys: *mut FileKeys,
    text: *const c_char,
    text_len: usize,
    passphrase: *const c_char,
    passphrase_len: usize,
) -> Status {
    guard_copying(|| {
        // SAFETY: as the header asks.
        unsafe {
            let options = keys_of("keys", keys)?.open_options();
            let passphrase = text_of("passphrase", passphrase, passphrase_len)?;
            let added = opened(content_of(text, text_len)?, passphrase, &options)?;
            change(keys, |keys| keys.key_files.push(Arc::new(added)))
        }
    })
}

/// Adds a passphrase: `passphrase_len` bytes of UTF-8. Sealing takes Unicode's form C of them;
/// opening also tries them as given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_add_passphrase(
    keys: *mut FileKeys,
    passphrase: *const c_char,
    passphrase_len: usize,
) -> Status {
    guard_copying(|| {
        // SAFETY: as the header asks.
        let text = unsafe { text_of("passphrase", passphrase, passphrase_len) }?;
        if text.is_empty() {
            return Err(sivka_file::Error::EmptyPassphrase.into());
        }
        let added = Arc::new(Passphrase::new(text.to_owned()));
        // SAFETY: as the header asks.
        unsafe { change(keys, |keys| keys.passphrases.push(added)) }
    })
}

/// Adds recipients, for whom files are sealed from now on: the `text_len` bytes at `text` have one
/// a line, `age1...` or `age1pq1...`. Empty lines, and lines that begin with `#`, are left out. A
/// future quantum computer may open files for an `age1...` recipient. Recipients open nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_add_recipients(
    keys: *mut FileKeys,
    text: *const c_char,
    text_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        unsafe {
            let added = Recipient::parse_list(text_of("text", text, text_len)?)?;
            change(keys, |keys| keys.recipients.extend(added))
        }
    })
}

/// Adds identities, which open files for their recipients: the `text_len` bytes at `text` are the
/// content of a file of age's, `AGE-SECRET-KEY-1...` or `AGE-SECRET-KEY-PQ-1...` one a line.
/// Sealing with identities seals for their recipients.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_add_identities(
    keys: *mut FileKeys,
    text: *const c_char,
    text_len: usize,
) -> Status {
    guard_copying(|| {
        // SAFETY: as the header asks.
        unsafe {
            let added = Identity::parse_list(text_of("text", text, text_len)?)?;
            change(keys, |keys| {
                keys.identities.extend(added.into_iter().map(Arc::new));
            })
        }
    })
}

/// Reserves space for this many more key slots in files that are sealed from now on; unless set, 0.
/// A file has at most 64, or 54 of post-quantum recipients: sealing with more is _KEY_COUNT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_set_spare_slots(
    keys: *mut FileKeys,
    slots: usize,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        unsafe { change(keys, |keys| keys.spare_slots = slots) }
    })
}

/// Sets the cost of one try of a passphrase in files that are sealed from now on: Argon2id (RFC
/// 9106) with `memory_kib` KiB, `passes` and `lanes`; unless set, 262144 KiB, 3 passes, 4 lanes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_set_cost(
    keys: *mut FileKeys,
    memory_kib: u32,
    passes: u32,
    lanes: u32,
) -> Status {
    guard(|| {
        let cost = Argon2Cost { memory_kib, passes, lanes };
        if !cost.is_valid() {
            return Err(sivka_file::Error::BadCost(cost).into());
        }
        // SAFETY: as the header asks.
        unsafe { change(keys, |keys| keys.cost = cost) }
    })
}

/// Sets the most that trying a passphrase may cost when a file is opened. The maker of the file
/// chose the cost. Without this call, 1048576 KiB and 16 passes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_set_max_cost(
    keys: *mut FileKeys,
    memory_kib: u32,
    passes: u32,
) -> Status {
    guard(|| {
        let max_cost = Argon2Cost { memory_kib, passes, ..Argon2Cost::DEFAULT_LIMIT };
        // SAFETY: as the header asks.
        unsafe { change(keys, |keys| keys.max_cost = max_cost) }
    })
}
