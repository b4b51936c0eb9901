//! The entries of AES-SIV.

use crate::arguments::{GoSlice, NewKey, Text};
use crate::batch::Batch;
use crate::cpu::Choice;
use crate::status::Status;
use sivka::{AesSiv256, AesSiv384, AesSiv512, Tag};

/// The room that Go has for a key: bytes and their alignment.
const KEY_ROOM: (usize, usize) = (2112, 64);

/// Whether the known answers of all key sizes hold on a tier.
///
/// # Safety
///
/// As [`Choice::tier`].
#[unsafe(no_mangle)]
unsafe extern "C" fn aes_siv_known_answers(choice: &Choice) -> Status {
    // SAFETY: as the caller promises.
    unsafe { choice.ask(AesSiv512::__gives_known_answers) }
}

/// The most strings of associated data that AES-SIV takes (RFC 5297, section 7).
const MAX_STRINGS: usize = 126;

/// Strings that are read: Go's slice of slices.
#[repr(C)]
#[derive(Clone, Copy)]
struct Strings {
    first: *const GoSlice<u8>,
    count: usize,
}

impl Strings {
    /// The strings, if AES-SIV takes so many.
    ///
    /// # Safety
    ///
    /// There are so many, each as [`Bytes::read`].
    #[inline(always)]
    unsafe fn read<'a>(self) -> Option<StringList<'a>> {
        if self.count > MAX_STRINGS {
            return None;
        }
        let mut list = StringList {
            strings: [&[]; MAX_STRINGS],
            count: self.count,
        };
        for (at, string) in list.strings[..self.count].iter_mut().enumerate() {
            // SAFETY: as the caller promises.
            *string = unsafe { (*self.first.add(at)).read() };
        }
        Some(list)
    }
}

/// Strings, one beside the other.
struct StringList<'a> {
    strings: [&'a [u8]; MAX_STRINGS],
    count: usize,
}

impl<'a> StringList<'a> {
    #[inline(always)]
    fn strings(&self) -> &[&'a [u8]] {
        &self.strings[..self.count]
    }
}

/// Seals or opens a message under a list of associated data.
#[repr(C)]
struct Call<K> {
    key: *const K,
    associated_data: Strings,
    text: Text,
    tag: *mut [u8; 16],
}

macro_rules! entries {
    ($key:ident, $len:literal, $new:ident, $seal:ident, $open:ident, $seal_batch:ident, $open_batch:ident) => {
        const _: () = assert!(size_of::<$key>() <= KEY_ROOM.0 && align_of::<$key>() <= KEY_ROOM.1);

        /// Makes a key.
        ///
        /// # Safety
        ///
        /// As [`NewKey::make`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $new(call: &NewKey<$key, $len>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.make($key::with_tier) }
        }

        /// Seals a message.
        ///
        /// # Safety
        ///
        /// The key was made, every length is true, and the text does not overlap the
        /// associated data or the tag.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $seal(call: &Call<$key>) -> Status {
            // SAFETY: as the caller promises.
            let (key, (from, to)) = unsafe { (&*call.key, call.text.parts()) };
            // SAFETY: as the caller promises.
            let sealed = unsafe { call.associated_data.read() }.map(|list| match from {
                Some(from) => key.seal_into_with_list(from, list.strings(), to),
                None => key.seal_in_place_with_list(list.strings(), to),
            });
            match sealed {
                Some(Ok(tag)) => {
                    // SAFETY: as the caller promises.
                    unsafe { *call.tag = *tag.as_bytes() };
                    Status::Done
                }
                _ => Status::Refused,
            }
        }

        /// Opens a message.
        ///
        /// # Safety
        ///
        /// The key was made, every length is true, and the text does not overlap the
        /// associated data.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $open(call: &Call<$key>) -> Status {
            // SAFETY: as the caller promises. The tag is copied, for the text may overlap it.
            let (key, tag) = unsafe { (&*call.key, Tag::from(*call.tag)) };
            // SAFETY: as the caller promises.
            let (from, to) = unsafe { call.text.parts() };
            // SAFETY: as the caller promises.
            let opened = unsafe { call.associated_data.read() }.map(|list| match from {
                Some(from) => key.open_into_with_list(from, list.strings(), &tag, to),
                None => key.open_in_place_with_list(list.strings(), to, &tag),
            });
            opened.map_or(Status::Refused, Status::from)
        }

        /// Seals many messages in place.
        ///
        /// # Safety
        ///
        /// As [`Batch::seal`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $seal_batch(call: &Batch<$key>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.seal() }
        }

        /// Opens many messages in place.
        ///
        /// # Safety
        ///
        /// As [`Batch::open`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $open_batch(call: &Batch<$key>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.open() }
        }
    };
}

entries!(
    AesSiv256,
    32,
    aes_siv_new_256,
    aes_siv_seal_256,
    aes_siv_open_256,
    aes_siv_seal_batch_256,
    aes_siv_open_batch_256
);
entries!(
    AesSiv384,
    48,
    aes_siv_new_384,
    aes_siv_seal_384,
    aes_siv_open_384,
    aes_siv_seal_batch_384,
    aes_siv_open_batch_384
);
entries!(
    AesSiv512,
    64,
    aes_siv_new_512,
    aes_siv_seal_512,
    aes_siv_open_512,
    aes_siv_seal_batch_512,
    aes_siv_open_batch_512
);
