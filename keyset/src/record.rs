//! A keyset as it is written, in binary or JSON, before any rule was looked at, and what
//! readers accept.

use zeroize::Zeroizing;

/// What a reader accepts beside what every Tink writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Several keys of one id, unless it is the primary's. All of them are tried on a message
    /// with that prefix. Off by default. Such a keyset cannot be written:
    /// [`remove`](crate::Keyset::remove) these keys first.
    pub duplicate_ids: bool,
}

/// The message `Keyset`.
#[derive(Default)]
pub(crate) struct KeysetRecord {
    pub(crate) primary_key_id: u32,
    pub(crate) keys: Vec<KeyRecord>,
}

/// The message `Keyset.Key`; enums as their numbers.
#[derive(Default)]
pub(crate) struct KeyRecord {
    /// All empty, if it is not there.
    pub(crate) data: KeyData,
    pub(crate) status: u32,
    pub(crate) id: u32,
    pub(crate) output_prefix: u32,
}

/// The message `KeyData`. Its value is wiped when dropped.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct KeyData {
    pub(crate) type_url: Vec<u8>,
    pub(crate) value: Zeroizing<Vec<u8>>,
    pub(crate) material_type: u32,
}

/// The number of `SYMMETRIC`.
pub(crate) const SYMMETRIC: u32 = 1;
/// That of keys which are with a key-management service.
pub(crate) const REMOTE: u32 = 4;
