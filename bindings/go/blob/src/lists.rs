//! One message of AES-SIV, under a list of strings.

use crate::arguments::{GoSlice, Text};
use crate::status::Status;
use sivka::{AesSiv256, AesSiv384, AesSiv512, Error, Tag};

/// The most strings of associated data that AES-SIV takes (RFC 5297, section 7).
const MAX_STRINGS: usize = 126;

/// Seals or opens a message under a list of associated data.
#[repr(C)]
pub(crate) struct ListCall<K> {
    key: *const K,
    strings: *const GoSlice<u8>,
    count: usize,
    text: Text,
    tag: *mut [u8; 16],
}

impl<K> ListCall<K> {
    /// Calls with the strings, one beside the other, if AES-SIV takes so many.
    ///
    /// # Safety
    ///
    /// There are so many, each as [`GoSlice::read`].
    #[inline(always)]
    unsafe fn with_list<T>(&self, call: impl FnOnce(&[&[u8]]) -> T) -> Option<T> {
        let mut room: [&[u8]; MAX_STRINGS] = [&[]; MAX_STRINGS];
        let list = room.get_mut(..self.count)?;
        for (at, string) in list.iter_mut().enumerate() {
            // SAFETY: as the caller promises.
            *string = unsafe { (*self.strings.add(at)).read() };
        }
        Some(call(list))
    }
}

macro_rules! calls {
    ($($key:ident)*) => {$(
        impl ListCall<$key> {
            /// # Safety
            ///
            /// The key was made, every length is true, and the text does not overlap the
            /// associated data or the tag.
            #[inline(always)]
            pub(crate) unsafe fn seal(&self) -> Status {
                // SAFETY: as the caller promises.
                let (key, (from, to)) = unsafe { (&*self.key, self.text.parts()) };
                // SAFETY: as the caller promises.
                let sealed = unsafe {
                    self.with_list(|list| match from {
                        Some(from) => key.seal_into_with_list(from, list, to),
                        None => key.seal_in_place_with_list(list, to),
                    })
                };
                let Some(Ok(tag)) = sealed else {
                    return Status::Refused;
                };
                // SAFETY: as the caller promises.
                unsafe { *self.tag = *tag.as_bytes() };
                Status::Done
            }

            /// # Safety
            ///
            /// As [`seal`](Self::seal), but for the tag, which the text may overlap.
            #[inline(always)]
            pub(crate) unsafe fn open(&self) -> Status {
                // SAFETY: as the caller promises. The tag is copied, for the text may overlap it.
                let (key, tag) = unsafe { (&*self.key, Tag::from(*self.tag)) };
                // SAFETY: as the caller promises.
                let (from, to) = unsafe { self.text.parts() };
                // SAFETY: as the caller promises.
                let opened: Option<Result<(), Error>> = unsafe {
                    self.with_list(|list| match from {
                        Some(from) => key.open_into_with_list(from, list, &tag, to),
                        None => key.open_in_place_with_list(list, to, &tag),
                    })
                };
                opened.map_or(Status::Refused, Status::from)
            }
        }
    )*};
}

calls!(AesSiv256 AesSiv384 AesSiv512);
