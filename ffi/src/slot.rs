//! Key slots of a sealed file: seen without a key, added, removed and replaced.

use crate::failure::{Failure, guard, guard_copying};
use crate::file::{FileKeys, HeldKeys, key_file_of, keys_of, path};
use crate::handle::{free, making};
use crate::region::Region;
use crate::status::{SIVKA_ERROR_KEY_COUNT, Status};
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
#[derive(Default)]
#[repr(C)]
pub struct Slot {
    /// SIVKA_SLOT_KEY_FILE, _PASSPHRASE, _X25519, _MLKEM768_X25519, or a kind not known here.
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

/// What a sealed file shows without a key; none of it is authenticated. sivka_inspect_file() makes
/// it. Later versions may add fields at the end.
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
    fn of(found: &Header) -> Self {
        let slots: Box<[Slot]> = found.slots().map(|info| Slot::from(&info)).collect();
        Self {
            suite: found.suite().number(),
            slot_count: slots.len(),
            slots: Box::into_raw(slots).cast(),
        }
    }
}

impl Drop for FileInspection {
    fn drop(&mut self) {
        let slots = ptr::slice_from_raw_parts_mut(self.slots.cast_mut(), self.slot_count);
        // SAFETY: the slice that `of` made, which nobody changes.
        drop(unsafe { Box::from_raw(slots) });
    }
}

/// Reads what the header of the sealed file at `input` says, without a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_inspect_file(
    input: *const c_char,
    made: *mut *mut FileInspection,
) -> Status {
    let make = || {
        // SAFETY: as the header asks.
        let input = unsafe { path("input", input) }?;
        let file = File::open(input).map_err(Error::Read);
        let found = file.and_then(Header::read);
        let found = found.map_err(|error| Failure::from(error).at(input, input))?;
        Ok(FileInspection::of(&found))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// The usual length of a sealed file's header in bytes; many slots, or space for more, add to it.
pub const SIVKA_FILE_HEADER_LEN: usize = 2048;
const _: () = assert!(SIVKA_FILE_HEADER_LEN == HEADER_LEN);

/// The most bytes that a sealed file's header has.
pub const SIVKA_FILE_MAX_HEADER_LEN: usize = 131072;
const _: () = assert!(SIVKA_FILE_MAX_HEADER_LEN == MAX_HEADER_LEN);

/// sivka_inspect_file() in memory; the file's first SIVKA_FILE_MAX_HEADER_LEN bytes are enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_inspect_memory(
    sealed: *const u8,
    sealed_len: usize,
    made: *mut *mut FileInspection,
) -> Status {
    let make = || {
        let sealed = Region::new("sealed", sealed, sealed_len)?;
        // SAFETY: memory as the header asks.
        let found = Header::parse(unsafe { sealed.as_slice() })?;
        Ok(FileInspection::of(&found))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Frees what sivka_inspect_file() made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_inspection_free(inspection: *mut FileInspection) {
    // SAFETY: it came from `sivka_inspect_file` and was not freed, as the header asks.
    unsafe { free("inspection", inspection) }
}

impl From<&SlotInfo> for Slot {
    fn from(info: &SlotInfo) -> Self {
        let mut slot = Self::default();
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

/// Writes the id of the key in a key file, whose content is the `text_len` bytes at `text`, to
/// `id`. `id_len` is SIVKA_KEY_ID_LEN.
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

/// Adds a key slot to the sealed file at `file`, which one of `keys` opens, and writes its index to
/// `slot` unless that is NULL. `added` holds exactly one key file, passphrase, recipient or
/// identity. Only the header is written, under a lock that other changes of slots wait for: if
/// another program holds it for 30 seconds, that is _READ. A crash leaves old or new slots.
/// _KEY_COUNT, also if the header has no room. After _WRITE the slots are the old ones or the new
/// ones, after any other failure the old ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_add_slot(
    file: *const c_char,
    keys: *const FileKeys,
    added: *const FileKeys,
    slot: *mut usize,
) -> Status {
    guard(|| {
        let out = Region::optional("slot", slot)?;
        // SAFETY: as the header asks.
        unsafe {
            let added = keys_of("added", added)?;
            let lock = one(&added)?;
            let index = change(file, keys, "added", |slots| slots.add(&lock))?;
            out.write(index);
        }
        Ok(())
    })
}

/// Removes the key slot at `slot` from the sealed file at `file`; those after it move up by one.
/// The last one stays: that is _KEY_COUNT. An old copy of the file still opens with the key of the
/// slot. Otherwise as sivka_add_slot().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_remove_slot(
    file: *const c_char,
    keys: *const FileKeys,
    slot: usize,
) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { change(file, keys, "slot", |slots| slots.remove(slot)) })
}

/// Replaces the key slot at `slot` by one for the one key of `added`; else as sivka_add_slot().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_replace_slot(
    file: *const c_char,
    keys: *const FileKeys,
    slot: usize,
    added: *const FileKeys,
) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe {
        let added = keys_of("added", added)?;
        let lock = one(&added)?;
        change(file, keys, "slot", |slots| slots.replace(slot, &lock))
    })
}

/// Changes the slots of a file. If the call was wrong, it was `what`.
///
/// # Safety
/// `file` is null or a C string, and `keys` is null or a live set.
unsafe fn change<T>(
    file: *const c_char,
    keys: *const FileKeys,
    what: &'static str,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Failure> {
    // SAFETY: the caller's promise.
    let (file, keys) = unsafe { (path("file", file)?, keys_of("keys", keys)?) };
    change_slots(file, &keys.unlocks(), &keys.open_options(), change)
        .map_err(|error| Failure::from(error).of(what).at(file, file))
}

/// The only key of a set.
fn one(keys: &HeldKeys) -> Result<Lock<'_>, Failure> {
    match keys.locks()[..] {
        [lock] => Ok(lock),
        ref locks => {
            let (status, given) = (SIVKA_ERROR_KEY_COUNT, locks.len());
            Err(Failure::expected(status, "added", 1, given))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sivka_file::Argon2Cost;

    #[test]
    fn a_slot_says_its_kind_and_what_a_try_costs() {
        let mut cost = Argon2Cost::default();
        (cost.memory_kib, cost.passes, cost.lanes) = (64, 3, 2);
        for (info, kind, costs) in [
            (SlotInfo::Passphrase { cost }, SIVKA_SLOT_PASSPHRASE, (64, 3, 2)),
            (SlotInfo::X25519, SIVKA_SLOT_X25519, (0, 0, 0)),
            (SlotInfo::MlKem768X25519, SIVKA_SLOT_MLKEM768_X25519, (0, 0, 0)),
            (SlotInfo::Unknown { kind: 255 }, 255, (0, 0, 0)),
        ] {
            let slot = Slot::from(&info);
            assert_eq!(slot.kind, kind);
            assert_eq!((slot.memory_kib, slot.passes, slot.lanes), costs);
            assert_eq!(slot.key_id, [0; SIVKA_KEY_ID_LEN]);
        }
    }
}
