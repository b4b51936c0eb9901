//! One message of an AEAD, whose tags have a length that Go names.

use crate::arguments::{Text, read};
use crate::status::Status;
use core::slice;
use sivka::Aead;

/// The longest tag in bytes.
const MAX_TAG_LEN: usize = 64;

/// Seals or opens a message.
#[repr(C)]
pub(crate) struct Call<K, const NONCE_LEN: usize> {
    key: *const K,
    nonce: *const [u8; NONCE_LEN],
    aad: *const u8,
    aad_len: usize,
    text: Text,
    tag: *mut u8,
    tag_len: usize,
}

impl<K: Aead, const NONCE_LEN: usize> Call<K, NONCE_LEN> {
    /// # Safety
    ///
    /// The key was made, every length is true, and the text does not overlap the AAD or the tag.
    #[inline(always)]
    pub(crate) unsafe fn seal(&self) -> Status {
        // SAFETY: as the caller promises. The nonce is copied, for the text may overlap it.
        let (key, nonce) = unsafe { (&*self.key, *self.nonce) };
        // SAFETY: as the caller promises.
        let (aad, (from, to)) = unsafe { (read(self.aad, self.aad_len), self.text.parts()) };
        // SAFETY: as the caller promises.
        let tag = unsafe { slice::from_raw_parts_mut(self.tag, self.tag_len) };
        Status::from(match from {
            Some(from) => Aead::seal_into(key, &nonce, from, aad, to, tag),
            None => Aead::seal_in_place(key, &nonce, aad, to, tag),
        })
    }

    /// # Safety
    ///
    /// As [`seal`](Self::seal), but for the tag, which the text may overlap.
    #[inline(always)]
    pub(crate) unsafe fn open(&self) -> Status {
        // SAFETY: as the caller promises. Nonce and tag are copied, for the text may overlap
        // them.
        let (key, nonce) = unsafe { (&*self.key, *self.nonce) };
        // SAFETY: as the caller promises.
        let given = unsafe { slice::from_raw_parts(self.tag, self.tag_len) };
        let mut copied = [0; MAX_TAG_LEN];
        let Some(tag) = copied.get_mut(..given.len()) else {
            return Status::Refused;
        };
        tag.copy_from_slice(given);
        // SAFETY: as the caller promises.
        let (aad, (from, to)) = unsafe { (read(self.aad, self.aad_len), self.text.parts()) };
        Status::from(match from {
            Some(from) => Aead::open_into(key, &nonce, from, aad, tag, to),
            None => Aead::open_in_place(key, &nonce, aad, to, tag),
        })
    }
}
