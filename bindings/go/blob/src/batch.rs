//! Many messages in one call, in place: Go hands them on some hundred at a time.

use crate::arguments::GoSlice;
use crate::status::Status;
use core::array;
use sivka::{Aead, BatchAad, BatchText, Error};

/// The most messages of a call.
const SLAB_LEN: usize = 256;

/// The messages of a call. Both are as Go has them (`internal/batch`).
#[repr(C)]
pub(crate) struct Batch<K> {
    key: *const K,
    slab: *mut Slab,
}

#[repr(C)]
struct Slab {
    count: usize,
    nonces: GoSlice<u8>,
    tags: GoSlice<u8>,
    texts: Strings,
    aads: Strings,
    /// The status of each.
    statuses: [sivka::Status; SLAB_LEN],
}

/// A string for each message: one after the other in one buffer with offsets between them, or
/// slices. Without either, the buffer is one for all.
#[repr(C)]
struct Strings {
    slices: GoSlice<GoSlice<u8>>,
    buffer: GoSlice<u8>,
    offsets: GoSlice<usize>,
}

impl<K: Aead> Batch<K> {
    /// Seals every message.
    ///
    /// # Safety
    ///
    /// The key was made and every length is true. Texts overlap nothing of the call, nor each
    /// other; tags overlap nothing of it.
    pub(crate) unsafe fn seal(&self) -> Status {
        // SAFETY: as the caller promises.
        unsafe {
            self.run(|key, nonces, aads, texts, tags, statuses| {
                Aead::seal_batch(key, nonces, aads, texts, tags.write(), statuses)
            })
        }
    }

    /// Opens every message.
    ///
    /// # Safety
    ///
    /// As [`seal`](Self::seal).
    pub(crate) unsafe fn open(&self) -> Status {
        // SAFETY: as the caller promises.
        unsafe {
            self.run(|key, nonces, aads, texts, tags, statuses| {
                Aead::open_batch(key, nonces, aads, texts, tags.read(), statuses)
            })
        }
    }

    /// Calls with the parts as the core has them.
    ///
    /// # Safety
    ///
    /// As [`seal`](Self::seal).
    unsafe fn run(
        &self,
        call: impl FnOnce(
            &K,
            &[u8],
            BatchAad<'_>,
            BatchText<'_, '_>,
            &GoSlice<u8>,
            &mut [sivka::Status],
        ) -> Result<(), Error>,
    ) -> Status {
        // SAFETY: as the caller promises; nobody else uses the slab meanwhile.
        let (key, slab) = unsafe { (&*self.key, &mut *self.slab) };
        let Some(statuses) = slab.statuses.get_mut(..slab.count) else {
            return Status::Refused;
        };
        let mut aad_room: [&[u8]; SLAB_LEN] = [&[]; SLAB_LEN];
        // SAFETY: as the caller promises.
        let aads = unsafe { slab.aads.to_read(&mut aad_room) };
        let mut text_room: [&mut [u8]; SLAB_LEN] = array::from_fn(|_| Default::default());
        // SAFETY: as the caller promises.
        let (texts, nonces) = unsafe { (slab.texts.to_write(&mut text_room), slab.nonces.read()) };
        match call(key, nonces, aads, texts, &slab.tags, statuses) {
            // The statuses say it.
            Ok(()) | Err(Error::Batch { .. }) => Status::Done,
            Err(_) => Status::Refused,
        }
    }
}

impl Strings {
    /// # Safety
    ///
    /// As [`GoSlice::read`], for every part.
    unsafe fn to_read<'a>(&self, room: &'a mut [&'a [u8]; SLAB_LEN]) -> BatchAad<'a> {
        // SAFETY: as the caller promises.
        let (slices, bytes, offsets) =
            unsafe { (self.slices.read(), self.buffer.read(), self.offsets.read()) };
        if !offsets.is_empty() {
            return BatchAad::Contiguous { bytes, offsets };
        }
        if slices.is_empty() {
            return BatchAad::Common(bytes);
        }
        for (place, given) in room.iter_mut().zip(slices) {
            // SAFETY: as the caller promises.
            *place = unsafe { given.read() };
        }
        BatchAad::Slices(&room[..slices.len().min(SLAB_LEN)])
    }

    /// # Safety
    ///
    /// As [`GoSlice::write`], for every text.
    unsafe fn to_write<'a>(&self, room: &'a mut [&'a mut [u8]; SLAB_LEN]) -> BatchText<'a, 'a> {
        // SAFETY: as the caller promises.
        let (slices, offsets) = unsafe { (self.slices.read(), self.offsets.read()) };
        if !offsets.is_empty() {
            // SAFETY: as the caller promises.
            let bytes = unsafe { self.buffer.write() };
            return BatchText::Contiguous { bytes, offsets };
        }
        for (place, given) in room.iter_mut().zip(slices) {
            // SAFETY: as the caller promises.
            *place = unsafe { given.write() };
        }
        BatchText::Slices(&mut room[..slices.len().min(SLAB_LEN)])
    }
}
