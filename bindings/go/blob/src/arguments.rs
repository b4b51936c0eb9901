//! The arguments of entries, as Go lays them out: one after the other, in words. The result is
//! in a register.

use crate::status::Status;
use core::marker::PhantomData;
use core::{ptr, slice};
use sivka::{__making_key, Tier};

/// The alignment of Go's memory for a key, in bytes.
pub(crate) const KEY_ALIGN: usize = 64;

/// A key that Go keeps.
pub(crate) trait Key: Sized {
    /// The bytes that it is made of.
    type Secret;

    /// Whether the known answers hold on a tier.
    fn known_answers(tier: Tier) -> bool;

    /// The key for a tier, with tags of a length where there are some of several.
    fn make(secret: &Self::Secret, tier: Tier, tag_len: usize) -> Self;
}

/// Values that are read. The address of no values may be anything.
///
/// # Safety
///
/// There are so many, and nobody writes them meanwhile.
#[inline(always)]
pub(crate) unsafe fn read<'a, T>(first: *const T, len: usize) -> &'a [T] {
    if len == 0 {
        return &[];
    }
    // SAFETY: as the caller promises; Go's slices of some values have an address.
    unsafe { slice::from_raw_parts(first, len) }
}

/// Values that are written. The address of no values may be anything.
///
/// # Safety
///
/// There are so many, and nobody else uses them meanwhile.
#[inline(always)]
pub(crate) unsafe fn write<'a, T>(first: *mut T, len: usize) -> &'a mut [T] {
    if len == 0 {
        return &mut [];
    }
    // SAFETY: as the caller promises; Go's slices of some values have an address.
    unsafe { slice::from_raw_parts_mut(first, len) }
}

/// A slice as Go has it.
#[repr(C)]
pub(crate) struct GoSlice<T> {
    first: *mut T,
    len: usize,
    _capacity: usize,
}

impl<T> GoSlice<T> {
    /// # Safety
    ///
    /// As [`read`].
    #[inline(always)]
    pub(crate) unsafe fn read<'a>(&self) -> &'a [T] {
        // SAFETY: as the caller promises.
        unsafe { read(self.first, self.len) }
    }

    /// # Safety
    ///
    /// As [`write`].
    #[inline(always)]
    pub(crate) unsafe fn write<'a>(&self) -> &'a mut [T] {
        // SAFETY: as the caller promises.
        unsafe { write(self.first, self.len) }
    }
}

/// A text that is read and written, in place if both addresses are the same.
#[repr(C)]
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
    pub(crate) unsafe fn parts<'a>(&self) -> (Option<&'a [u8]>, &'a mut [u8]) {
        // SAFETY: as the caller promises.
        let to = unsafe { write(self.to, self.len) };
        if self.len == 0 || ptr::eq(self.from, self.to) {
            return (None, to);
        }
        // SAFETY: as the caller promises, and it does not overlap `to`.
        (Some(unsafe { read(self.from, self.len) }), to)
    }
}

/// Go's answer of the CPU or the system, and the tier chosen by it.
#[repr(C)]
struct Choice {
    features: u64,
    number: u64,
}

impl Choice {
    /// # Safety
    ///
    /// The CPU has these features.
    unsafe fn tier(&self) -> Option<Tier> {
        // SAFETY: as the caller promises.
        unsafe { Tier::__of_features(self.features as u8, self.number as u8) }
    }
}

/// Asks for the known answers of an algorithm.
#[repr(C)]
pub(crate) struct Asking<K> {
    choice: Choice,
    of: PhantomData<K>,
}

impl<K: Key> Asking<K> {
    /// # Safety
    ///
    /// As [`Choice::tier`].
    pub(crate) unsafe fn ask(&self) -> Status {
        // SAFETY: as the caller promises.
        match unsafe { self.choice.tier() } {
            Some(tier) if K::known_answers(tier) => Status::Done,
            _ => Status::Refused,
        }
    }
}

/// Makes a key.
#[repr(C)]
pub(crate) struct NewKey<K: Key> {
    place: *mut K,
    secret: *const K::Secret,
    choice: Choice,
    tag_len: usize,
}

impl<K: Key> NewKey<K> {
    /// Makes it where Go keeps it.
    ///
    /// # Safety
    ///
    /// `place` has room for a `K`, aligned, that nobody else uses, and `secret` has its bytes.
    /// And as [`Choice::tier`].
    #[inline(always)]
    pub(crate) unsafe fn make(&self) -> Status {
        // SAFETY: as the caller promises.
        let (tier, secret) = unsafe { (self.choice.tier(), &*self.secret) };
        let Some(tier) = tier else {
            return Status::Refused;
        };
        // The remains of a move on the stack are overwritten.
        // SAFETY: as the caller promises.
        __making_key(|| unsafe { self.place.write(K::make(secret, tier, self.tag_len)) });
        Status::Done
    }
}
