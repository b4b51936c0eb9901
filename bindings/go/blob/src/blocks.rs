//! Blocks of Kuznyechik.

use crate::arguments::write;
use crate::status::Status;
use sivka::Kuznyechik;

/// Whole blocks that are written in place.
#[repr(C)]
pub(crate) struct Blocks {
    key: *const Kuznyechik,
    first: *mut u8,
    len: usize,
}

impl Blocks {
    /// # Safety
    ///
    /// The key was made, and nobody else uses these bytes meanwhile.
    pub(crate) unsafe fn encrypt(&self) -> Status {
        // SAFETY: as the caller promises.
        let (key, bytes) = unsafe { (&*self.key, write(self.first, self.len)) };
        key.encrypt_blocks(bytes.as_chunks_mut().0).into()
    }

    /// # Safety
    ///
    /// As [`encrypt`](Self::encrypt).
    pub(crate) unsafe fn decrypt(&self) -> Status {
        // SAFETY: as the caller promises.
        let (key, bytes) = unsafe { (&*self.key, write(self.first, self.len)) };
        key.decrypt_blocks(bytes.as_chunks_mut().0).into()
    }
}
