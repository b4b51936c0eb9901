//! One message of AES-GCM-SIV. Its own calls are some nanoseconds shorter than those of any AEAD.

use crate::arguments::{Text, read};
use crate::status::Status;
use sivka::Tag;

/// Seals or opens a message.
#[repr(C)]
pub(crate) struct GcmSivCall<K> {
    key: *const K,
    nonce: *const [u8; 12],
    aad: *const u8,
    aad_len: usize,
    text: Text,
    tag: *mut [u8; 16],
}

macro_rules! calls {
    ($key:ty) => {
        impl GcmSivCall<$key> {
            /// # Safety
            ///
            /// The key was made, every length is true, and the text does not overlap the AAD or
            /// the tag.
            #[inline(always)]
            pub(crate) unsafe fn seal(&self) -> Status {
                // SAFETY: as the caller promises. The nonce is copied, for the text may overlap it.
                let (key, nonce) = unsafe { (&*self.key, *self.nonce) };
                // SAFETY: as the caller promises.
                let (aad, parts) = unsafe { (read(self.aad, self.aad_len), self.text.parts()) };
                let sealed = match parts {
                    (Some(from), to) => key.seal_into(&nonce, from, aad, to),
                    (None, in_out) => key.seal_in_place(&nonce, aad, in_out),
                };
                match sealed {
                    Ok(tag) => {
                        // SAFETY: as the caller promises.
                        unsafe { *self.tag = *tag.as_bytes() };
                        Status::Done
                    }
                    Err(error) => Err(error).into(),
                }
            }

            /// # Safety
            ///
            /// As [`seal`](Self::seal), but for the tag, which the text may overlap.
            #[inline(always)]
            pub(crate) unsafe fn open(&self) -> Status {
                // SAFETY: as the caller promises. Nonce and tag are copied, for the text may
                // overlap them.
                let (key, nonce, tag) = unsafe { (&*self.key, *self.nonce, Tag::from(*self.tag)) };
                // SAFETY: as the caller promises.
                let (aad, parts) = unsafe { (read(self.aad, self.aad_len), self.text.parts()) };
                let opened = match parts {
                    (Some(from), to) => key.open_into(&nonce, from, aad, &tag, to),
                    (None, in_out) => key.open_in_place(&nonce, aad, in_out, &tag),
                };
                opened.into()
            }
        }
    };
}

#[cfg(feature = "gcm-siv-128")]
calls!(sivka::Aes128GcmSiv);
#[cfg(feature = "gcm-siv-256")]
calls!(sivka::Aes256GcmSiv);
