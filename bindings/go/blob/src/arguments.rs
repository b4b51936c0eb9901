//! The arguments of entries, as Go lays them out: one after the other, in words. The result is
//! in a register.

#[cfg(any(feature = "aes-siv", feature = "__gcm-siv", feature = "kuznyechik"))]
use crate::cpu::Choice;
#[cfg(any(feature = "aes-siv", feature = "__gcm-siv", feature = "kuznyechik"))]
use crate::status::Status;
use core::ptr;
use core::slice;
#[cfg(any(feature = "aes-siv", feature = "__gcm-siv", feature = "kuznyechik"))]
use sivka::{__making_key, Tier};

/// A slice as Go has it. The address of no values may be anything.
#[repr(C)]
pub(crate) struct GoSlice<T> {
    first: *const T,
    len: usize,
    _capacity: usize,
}

impl<T> Clone for GoSlice<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for GoSlice<T> {}

impl<T> GoSlice<T> {
    /// # Safety
    ///
    /// There are so many values, and nobody writes them meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn read<'a>(self) -> &'a [T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: as the caller promises; Go's slices of some values have an address.
        unsafe { slice::from_raw_parts(self.first, self.len) }
    }

    /// # Safety
    ///
    /// There are so many values that may be written, and nobody else uses them meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn write<'a>(self) -> &'a mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: as the caller promises; Go's slices of some values have an address.
        unsafe { slice::from_raw_parts_mut(self.first.cast_mut(), self.len) }
    }
}

/// Bytes that are read. The address of no bytes may be anything.
#[cfg(any(
    feature = "chacha20-blake2b",
    feature = "__gcm-siv",
    feature = "kuznyechik"
))]
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Bytes {
    address: *const u8,
    len: usize,
}

#[cfg(any(
    feature = "chacha20-blake2b",
    feature = "__gcm-siv",
    feature = "kuznyechik"
))]
impl Bytes {
    /// # Safety
    ///
    /// There are so many bytes, and nobody writes them meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn read<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: as the caller promises; Go's slices of some bytes have an address.
        unsafe { slice::from_raw_parts(self.address, self.len) }
    }
}

/// A text that is read and written, in place if both addresses are the same.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Text {
    from: *const u8,
    to: *mut u8,
    len: usize,
}

impl Text {
    /// Where it is read, unless it is in place, and where it is written.
    ///
    /// # Safety
    ///
    /// There are so many bytes at both addresses, which are the same or do not overlap, and
    /// nobody else uses them meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn parts<'a>(self) -> (Option<&'a [u8]>, &'a mut [u8]) {
        if self.len == 0 {
            return (None, &mut []);
        }
        // SAFETY: as the caller promises; Go's slices of some bytes have an address.
        let to = unsafe { slice::from_raw_parts_mut(self.to, self.len) };
        if ptr::eq(self.from, self.to) {
            return (None, to);
        }
        // SAFETY: as above, and it does not overlap `to`.
        (
            Some(unsafe { slice::from_raw_parts(self.from, self.len) }),
            to,
        )
    }
}

/// Makes a key of `LEN` bytes.
#[cfg(any(feature = "aes-siv", feature = "__gcm-siv", feature = "kuznyechik"))]
#[repr(C)]
pub(crate) struct NewKey<K, const LEN: usize> {
    place: *mut K,
    key: *const [u8; LEN],
    choice: Choice,
}

#[cfg(any(feature = "aes-siv", feature = "__gcm-siv", feature = "kuznyechik"))]
impl<K, const LEN: usize> NewKey<K, LEN> {
    /// Makes it where Go keeps it.
    ///
    /// # Safety
    ///
    /// `place` has room for a `K`, aligned, that nobody else uses, and `key` has its bytes.
    /// And as [`Choice::tier`].
    #[inline(always)]
    pub(crate) unsafe fn make(&self, new: impl FnOnce(&[u8; LEN], Tier) -> K) -> Status {
        // SAFETY: as the caller promises.
        let (tier, key) = unsafe { (self.choice.tier(), &*self.key) };
        match tier {
            Some(tier) => {
                // What a move leaves on the stack is overwritten.
                // SAFETY: as the caller promises.
                __making_key(|| unsafe { self.place.write(new(key, tier)) });
                Status::Done
            }
            None => Status::Refused,
        }
    }
}
