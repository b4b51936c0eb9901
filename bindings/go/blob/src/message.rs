//! One message of any AEAD, whose tags have a length that Go names.

use crate::arguments::{Bytes, Text};
use crate::status::Status;
use core::slice;
use sivka::Aead;

/// The longest tag in bytes.
const MAX_TAG_LEN: usize = 64;

/// Seals or opens a message.
#[repr(C)]
pub(crate) struct Call<K> {
    key: *const K,
    nonce: *const u8,
    aad: Bytes,
    text: Text,
    tag: *mut u8,
    tag_len: usize,
}

impl<K: Aead> Call<K> {
    /// # Safety
    ///
    /// The key was made, every length is true, the nonce has `NONCE_LEN` bytes, and the text
    /// does not overlap the AAD or the tag.
    #[inline(always)]
    pub(crate) unsafe fn seal<const NONCE_LEN: usize>(&self) -> Status {
        // SAFETY: as the caller promises. The nonce is copied, for the text may overlap it.
        let (key, nonce) = unsafe { (&*self.key, *self.nonce.cast::<[u8; NONCE_LEN]>()) };
        // SAFETY: as the caller promises.
        let (aad, (from, to)) = unsafe { (self.aad.read(), self.text.parts()) };
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
    pub(crate) unsafe fn open<const NONCE_LEN: usize>(&self) -> Status {
        // SAFETY: as the caller promises. Nonce and tag are copied, for the text may overlap
        // them.
        let (key, nonce) = unsafe { (&*self.key, *self.nonce.cast::<[u8; NONCE_LEN]>()) };
        // SAFETY: as the caller promises.
        let given = unsafe { slice::from_raw_parts(self.tag, self.tag_len) };
        let mut copied = [0; MAX_TAG_LEN];
        let Some(tag) = copied.get_mut(..given.len()) else {
            return Status::Refused;
        };
        tag.copy_from_slice(given);
        // SAFETY: as the caller promises.
        let (aad, (from, to)) = unsafe { (self.aad.read(), self.text.parts()) };
        Status::from(match from {
            Some(from) => Aead::open_into(key, &nonce, from, aad, tag, to),
            None => Aead::open_in_place(key, &nonce, aad, to, tag),
        })
    }
}
