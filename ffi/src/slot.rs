//! Key slots of a sealed file: seen without a key, added, removed and replaced.

use crate::failure::{Failure, guard, guard_copying};
use crate::file::{FileKeys, HeldKeys, key_file_of, keys_of, path};
use crate::key::result;
use crate::region::{Region, free};
use crate::status::Status;
use crate::suite::SuiteNumber;
use sivka_file::{
    Error, HEADER_LEN, Header, KeyId, Lock, MAX_HEADER_LEN, SlotInfo, Unlocked, change_slots,
};
use std::ffi::c_char;
use std::fs::File;
use std::ptr;

/// The length of a key id in bytes: a hint which key opens a slot.
pub const SIVKA_KEY_ID_LEN: usize = 8;
const _: () = assert!(SIVKA_KEY_ID_LEN == KeyId::LEN);

/// The kind of key that opens a slot. A file may have kinds that this version does not
/// know, and that are no constants.
pub type SlotKind = u32;

/// A slot that opens with a key file.
pub const SIVKA_SLOT_KEY_FILE: SlotKind = 1;
/// A slot that opens with a passphrase.
pub const SIVKA_SLOT_PASSPHRASE: SlotKind = 2;
/// A slot that opens with the identity of an `age1...` recipient: not post-quantum.
pub const SIVKA_SLOT_X25519: SlotKind = 3;
/// A slot that opens with the identity of an `age1pq1...` recipient.
pub const SIVKA_SLOT_MLKEM768_X25519: SlotKind = 4;

/// A key slot, as anybody sees it.
#[repr(C)]
pub struct Slot {
    /// SIVKA_SLOT_KEY_FILE, _PASSPHRASE, _X25519, _MLKEM768_X25519, or the number of a kind that
    /// this version does not know.
    pub kind: SlotKind,
    /// For a passphrase: the memory of one try in KiB, else 0.
    pub memory_kib: u32,
    /// Of a passphrase: the passes of one try, else 0.
    pub passes: u32,
    /// Of a passphrase: the lanes of one try, else 0.
    pub lanes: u32,
    /// Of a key file: a hint which one, else zeros.
    pub key_id: [u8; SIVKA_KEY_ID_LEN],
}

/// What a sealed file shows without a key; none of it is authenticated. sivka_inspect_file()
/// makes it, and sivka_inspection_free() frees it. Later versions may add fields at the end.
#[repr(C)]
pub struct FileInspection {
    /// The number of the file's suite.
    pub suite: SuiteNumber,
    /// How many key slots the file has.
    pub slot_count: usize,
    /// The key slots.
    pub slots: *const Slot,
}

impl FileInspection {
    /// A new handle.
    fn of(found: &Header) -> *mut Self {
        let slots: Box<[Slot]> = found.slots().map(|info| Slot::from(&info)).collect();
        Box::into_raw(Box::new(Self {
            suite: found.suite().number(),
            slot_count: slots.len(),
            slots: Box::into_raw(slots).cast(),
        }))
    }
}

impl Drop for FileInspection {
    fn drop(&mut self) {
        let slots = ptr::slice_from_raw_parts_mut(self.slots.cast_mut(), self.slot_count);
        // SAFETY: the slice that `of` made, which nobody changes.
        drop(unsafe { Box::from_raw(slots) });
    }
}

/// Reads what the header of the sealed file at `input` says, and writes it to `made`.
///
/// SIVKA_ERROR_TEXT, _READ, _NOT_SIVKA, _NEWER, _DAMAGED, _TRUNCATED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_inspect_file(
    input: *const c_char,
    made: *mut *mut FileInspection,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (mut made, input) = unsafe { (result("made", made)?, path("input", input)?) };
        let found = File::open(input)
            .map_err(Error::Read)
            .and_then(Header::read);
        let found = found.map_err(|error| Failure::from(error).at(input, input))?;
        made.handle = FileInspection::of(&found);
        Ok(())
    })
}

/// The usual length of a sealed file's header in bytes; many slots, or space for more,
/// make it longer.
pub const SIVKA_FILE_HEADER_LEN: usize = 2048;
const _: () = assert!(SIVKA_FILE_HEADER_LEN == HEADER_LEN);

/// The most bytes that a sealed file's header has.
pub const SIVKA_FILE_MAX_HEADER_LEN: usize = 131072;
const _: () = assert!(SIVKA_FILE_MAX_HEADER_LEN == MAX_HEADER_LEN);

/// sivka_inspect_file() for a sealed file in memory; its first SIVKA_FILE_MAX_HEADER_LEN
/// bytes are always enough.
///
/// SIVKA_ERROR_NOT_SIVKA, _NEWER, _DAMAGED, _TRUNCATED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_inspect_memory(
    sealed: *const u8,
    sealed_len: usize,
    made: *mut *mut FileInspection,
) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, as the header asks.
        let mut made = unsafe { result("made", made) }?;
        let sealed = Region::new("sealed", sealed, sealed_len)?;
        // SAFETY: memory as the header asks.
        made.handle = FileInspection::of(&Header::parse(unsafe { sealed.as_slice() })?);
        Ok(())
    })
}

/// Frees what sivka_inspect_file() made. NULL is allowed, and nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_inspection_free(inspection: *mut FileInspection) {
    // SAFETY: it came from `sivka_inspect_file` and was not freed, as the header asks.
    unsafe { free("inspection", inspection) }
}

impl From<&SlotInfo> for Slot {
    fn from(info: &SlotInfo) -> Self {
        let mut slot = Self {
            kind: 0,
            memory_kib: 0,
            passes: 0,
            lanes: 0,
            key_id: [0; SIVKA_KEY_ID_LEN],
        };
        slot.kind = match info {
            SlotInfo::KeyFile { id } => {
                slot.key_id = id.0;
                SIVKA_SLOT_KEY_FILE
            }
            SlotInfo::Passphrase { cost } => {
                (slot.memory_kib, slot.passes) = (cost.memory_kib, cost.passes);
                slot.lanes = cost.lanes;
                SIVKA_SLOT_PASSPHRASE
            }
            SlotInfo::X25519 => SIVKA_SLOT_X25519,
            SlotInfo::MlKem768X25519 => SIVKA_SLOT_MLKEM768_X25519,
            SlotInfo::Unknown { kind } => u32::from(*kind),
            _ => 0,
        };
        slot
    }
}

/// Writes the id of the key in a key file, whose content is the `text_len` bytes at
/// `text`, to `id`. `id_len` is SIVKA_KEY_ID_LEN.
///
/// SIVKA_ERROR_LENGTH, _KEY_FILE, _NEWER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_key_file_id(
    text: *const c_char,
    text_len: usize,
    id: *mut u8,
    id_len: usize,
) -> Status {
    guard_copying(|| {
        let out = Region::exactly("id", id, id_len, SIVKA_KEY_ID_LEN)?;
        // SAFETY: as the header asks; the text is not read any more when the id is written.
        unsafe {
            let made = key_file_of(text, text_len)?;
            out.as_mut_slice().copy_from_slice(&made.id().0);
        }
        Ok(())
    })
}

/// Adds a key slot to the sealed file at `file`, which one of `keys` opens, and writes its
/// index to `slot` unless that is NULL. `added` holds exactly one key file, passphrase, recipient
/// or identity.
///
/// Only the header is written, under a lock that other changes of slots wait for. If
/// another program holds the lock for 30 seconds, that is SIVKA_ERROR_READ. A crash
/// leaves the old slots or the new ones.
///
/// SIVKA_ERROR_TEXT, _KEY_COUNT (also if the header has no room), _READ, _WRITE, _NOT_SIVKA,
/// _NEWER, _DAMAGED, _TRUNCATED, _WRONG_KEY, _COST_LIMIT, _NO_MEMORY, _RANDOM. After _WRITE the
/// slots are the old ones or the new ones, else the old ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_add_slot(
    file: *const c_char,
    keys: *const FileKeys,
    added: *const FileKeys,
    slot: *mut usize,
) -> Status {
    guard(|| {
        let out = Region::new("slot", slot, usize::from(!slot.is_null()))?;
        // SAFETY: as the header asks.
        let (file, keys, added) = unsafe {
            (
                path("file", file)?,
                keys_of("keys", keys)?,
                keys_of("added", added)?,
            )
        };
        let options = keys.open_options();
        let lock = one(&added)?;
        let add = |slots: &mut Unlocked| slots.add(&lock);
        let index = change_slots(file, &keys.unlocks(), &options, add)
            .map_err(|error| Failure::from(error).of("added").at(file, file))?;
        // SAFETY: as the header asks.
        unsafe { out.as_mut_slice() }.fill(index);
        Ok(())
    })
}

/// Removes the key slot at `slot` from the sealed file at `file`; those after it move up by one.
/// The last one stays. An old copy of the file still opens with the key of the slot.
///
/// As sivka_add_slot(), and SIVKA_ERROR_SLOT if there is none; SIVKA_ERROR_KEY_COUNT if it
/// is the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_remove_slot(
    file: *const c_char,
    keys: *const FileKeys,
    slot: usize,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (file, keys) = unsafe { (path("file", file)?, keys_of("keys", keys)?) };
        let options = keys.open_options();
        let remove = |slots: &mut Unlocked| slots.remove(slot);
        change_slots(file, &keys.unlocks(), &options, remove)
            .map_err(|error| Failure::from(error).of("slot").at(file, file))
    })
}

/// Replaces the key slot at `slot` by a new one, for the one key of `added`.
///
/// As sivka_add_slot(), and SIVKA_ERROR_SLOT if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_replace_slot(
    file: *const c_char,
    keys: *const FileKeys,
    slot: usize,
    added: *const FileKeys,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (file, keys, added) = unsafe {
            (
                path("file", file)?,
                keys_of("keys", keys)?,
                keys_of("added", added)?,
            )
        };
        let options = keys.open_options();
        let lock = one(&added)?;
        let replace = |slots: &mut Unlocked| slots.replace(slot, &lock);
        change_slots(file, &keys.unlocks(), &options, replace)
            .map_err(|error| Failure::from(error).of("slot").at(file, file))
    })
}

/// The only key of a set.
fn one(keys: &HeldKeys) -> Result<Lock<'_>, Failure> {
    match keys.locks()[..] {
        [lock] => Ok(lock),
        ref locks => Err(Failure::KeyCount { given: locks.len() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sivka_file::Argon2Cost;

    #[test]
    fn a_passphrases_slot_says_what_a_try_costs() {
        let mut cost = Argon2Cost::default();
        (cost.memory_kib, cost.passes, cost.lanes) = (64, 3, 2);
        let slot = Slot::from(&SlotInfo::Passphrase { cost });
        assert_eq!(slot.kind, SIVKA_SLOT_PASSPHRASE);
        assert_eq!((slot.memory_kib, slot.passes, slot.lanes), (64, 3, 2));
        assert_eq!(slot.key_id, [0; SIVKA_KEY_ID_LEN]);
    }

    #[test]
    fn other_slots_say_their_kind() {
        for (info, kind) in [
            (SlotInfo::X25519, SIVKA_SLOT_X25519),
            (SlotInfo::MlKem768X25519, SIVKA_SLOT_MLKEM768_X25519),
            (SlotInfo::Unknown { kind: 255 }, 255),
        ] {
            assert_eq!(Slot::from(&info).kind, kind);
        }
    }
}
