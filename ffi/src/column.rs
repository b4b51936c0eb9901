//! Many values under one key in one call, to an output that is ready to store.

mod keyset;

use crate::failure::{Failure, guard};
use crate::handle::handle;
use crate::key::Key;
use crate::many::status_of;
use crate::region::{Region, Span, check_apart};
use crate::status::Status;
use sivka::{BatchAad, Column, ColumnNonces, Offsets, OffsetsMut, Validity};
use std::ffi::c_void;

/// A column of byte strings, laid out as Apache Arrow's binary and string arrays: all values
/// one after the other in one buffer, with offsets between them.
#[repr(C)]
pub struct ColumnView {
    /// All values. May be NULL if `bytes_len` is 0.
    pub bytes: *const u8,
    /// The length of the buffer in bytes.
    pub bytes_len: usize,
    /// One offset more than there are values, each an `int32_t` or an `int64_t`, ascending:
    /// value i is `bytes[offsets[i]]` up to `bytes[offsets[i + 1]]`.
    pub offsets: *const c_void,
    /// Which values are there: a bitmap, the first value's bit at `first_bit`, counted from the
    /// lowest bit on. If it is 0 the value is null, and not read. NULL if all are there.
    pub validity: *const u8,
    /// The number of the first value's bit, for a slice of a column.
    pub first_bit: usize,
    /// The bits of an offset: 32, as in Arrow's binary and utf8, or 64, as in its large types.
    pub offset_bits: u32,
}

/// Offsets of a caller, in either width.
enum Ends {
    Bits32(Region<i32>),
    Bits64(Region<i64>),
}

impl Ends {
    fn new(
        what: &'static str,
        start: *const c_void,
        bits: u32,
        count: usize,
    ) -> Result<Self, Failure> {
        let count = count.saturating_add(1);
        match bits {
            32 => Ok(Self::Bits32(Region::new(what, start.cast(), count)?)),
            64 => Ok(Self::Bits64(Region::new(what, start.cast(), count)?)),
            _ => Err(Failure::length("offset_bits", "32 or 64", bits as usize)),
        }
    }

    fn span(&self) -> Span {
        match self {
            Self::Bits32(offsets) => offsets.span(),
            Self::Bits64(offsets) => offsets.span(),
        }
    }

    /// # Safety
    /// The offsets are readable for `'a`, and nothing writes them meanwhile.
    unsafe fn read<'a>(&self) -> Offsets<'a> {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Self::Bits32(offsets) => Offsets::Bits32(offsets.as_slice()),
                Self::Bits64(offsets) => Offsets::Bits64(offsets.as_slice()),
            }
        }
    }

    /// # Safety
    /// The offsets are writable for `'a`, and nothing else uses them meanwhile.
    unsafe fn write<'a>(&self) -> OffsetsMut<'a> {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Self::Bits32(offsets) => OffsetsMut::Bits32(offsets.as_mut_slice()),
                Self::Bits64(offsets) => OffsetsMut::Bits64(offsets.as_mut_slice()),
            }
        }
    }
}

/// A column in the caller's memory.
struct Input {
    /// The structure that says the rest.
    said: Span,
    bytes: Region<u8>,
    offsets: Ends,
    validity: Option<Region<u8>>,
    first_bit: usize,
}

impl Input {
    /// # Safety
    /// `column` is null or points to a column that nothing writes meanwhile.
    unsafe fn new(
        (what, column): (&'static str, *const ColumnView),
        count: usize,
    ) -> Result<Self, Failure> {
        let said = Region::new(what, column, 1)?.span();
        // SAFETY: the caller's promise.
        let column = unsafe { handle(what, column) }?;
        let bits = column.first_bit.checked_add(count);
        let bitmap_len = bits.ok_or_else(|| Failure::too_long("first_bit"))?.div_ceil(8);
        let has_validity = !column.validity.is_null();
        Ok(Self {
            said,
            bytes: Region::new("bytes", column.bytes, column.bytes_len)?,
            offsets: Ends::new("offsets", column.offsets, column.offset_bits, count)?,
            validity: has_validity
                .then(|| Region::new("validity", column.validity, bitmap_len))
                .transpose()?,
            first_bit: column.first_bit,
        })
    }

    /// # Safety
    /// The parts are readable for `'a`, and nothing writes them meanwhile.
    unsafe fn column<'a>(&self) -> Column<'a> {
        // SAFETY: the caller's promise.
        unsafe {
            Column {
                bytes: self.bytes.as_slice(),
                offsets: self.offsets.read(),
                validity: self.validity.map(|bitmap| Validity {
                    bitmap: bitmap.as_slice(),
                    first_bit: self.first_bit,
                }),
            }
        }
    }

    fn spans(&self) -> [Span; 4] {
        let validity = self.validity.map_or(Span::NONE, Region::span);
        let said = self.said.clone();
        [said, self.bytes.span(), self.offsets.span(), validity]
    }
}

/// The AADs of a column.
struct Aads {
    bytes: Region<u8>,
    offsets: Option<Region<usize>>,
}

impl Aads {
    fn new(
        bytes: *const u8,
        len: usize,
        offsets: *const usize,
        count: usize,
    ) -> Result<Self, Failure> {
        let offsets = (!offsets.is_null())
            .then(|| Region::new("aad_offsets", offsets, count.saturating_add(1)));
        Ok(Self { bytes: Region::new("aads", bytes, len)?, offsets: offsets.transpose()? })
    }

    /// # Safety
    /// The parts are readable for `'a`, and nothing writes them meanwhile.
    unsafe fn batch_aad<'a>(&self) -> BatchAad<'a> {
        // SAFETY: the caller's promise.
        unsafe {
            match self.offsets {
                None => BatchAad::Common(self.bytes.as_slice()),
                Some(offsets) => BatchAad::Contiguous {
                    bytes: self.bytes.as_slice(),
                    offsets: offsets.as_slice(),
                },
            }
        }
    }

    fn spans(&self) -> [Span; 2] {
        let offsets = self.offsets.map_or(Span::NONE, Region::span);
        [self.bytes.span(), offsets]
    }
}

/// Writes to `len` how many bytes sealing makes of a column, or opening.
///
/// # Safety
/// The arguments are as the header asks.
unsafe fn tell_len<const SEALS: bool>(
    key: *const Key,
    count: usize,
    column: *const ColumnView,
    len: *mut usize,
) -> Result<(), Failure> {
    let what = if SEALS { "values" } else { "sealed" };
    let len = Region::new("len", len, 1)?;
    // SAFETY: the caller's promise; what is written is apart from all that is read.
    unsafe {
        let (key, column) = (handle("key", key)?, Input::new((what, column), count)?);
        check_apart(&[len.span()], &column.spans())?;
        let column = column.column();
        len.write(match (key.if_keyset(), SEALS) {
            (Some(keys), true) => keyset::len(&column, |len| keys.seal_len(len))?,
            (Some(keys), false) => keyset::len(&column, |len| keys.open_len(len))?,
            (None, true) => key.algorithm()?.aead.sealed_column_len(&column)?,
            (None, false) => key.algorithm()?.aead.opened_column_len(&column)?,
        });
    }
    Ok(())
}

/// Writes to `len` how many bytes sivka_seal_column() writes for these values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_sealed_column_len(
    key: *const Key,
    count: usize,
    values: *const ColumnView,
    len: *mut usize,
) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { tell_len::<true>(key, count, values, len) })
}

/// Writes to `len` how many bytes sivka_open_column() writes for these rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_opened_column_len(
    key: *const Key,
    count: usize,
    sealed: *const ColumnView,
    len: *mut usize,
) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { tell_len::<false>(key, count, sealed, len) })
}

/// Seals `count` values to rows that are ready to store: each what sivka_seal() would write, nonce,
/// ciphertext and tag, one after the other in `sealed`, whose length sivka_sealed_column_len()
/// says. `offsets` gets `count` + 1 offsets of `offset_bits` bits, from 0 on. A null has no bytes,
/// and its row is null by the same bitmap.
///
/// The AADs are in `aads`, that of value i from `aad_offsets[i]` up to `aad_offsets[i + 1]`; if
/// `aad_offsets` is NULL, all of `aads` is the AAD of every value. `nonces` holds `count` nonces,
/// also one for each null. If `nonces_len` is 0 and `count` is not, they are random, and count
/// against a bound set by sivka_key_set_usage_bound(). The key of a keyset takes none.
/// _TOO_LONG also if the offsets cannot say the length; _OFFSETS, _REFUSED, _NO_RANDOM_NONCE,
/// _USAGE_BOUND. Nothing was sealed then; after _RANDOM, `sealed` and `offsets` are of no use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_column(
    key: *const Key,
    count: usize,
    values: *const ColumnView,
    aads: *const u8,
    aads_len: usize,
    aad_offsets: *const usize,
    nonces: *const u8,
    nonces_len: usize,
    sealed: *mut u8,
    sealed_len: usize,
    offsets: *mut c_void,
    offset_bits: u32,
) -> Status {
    guard(|| {
        let aads = Aads::new(aads, aads_len, aad_offsets, count)?;
        let nonces = Region::new("nonces", nonces, nonces_len)?;
        let sealed = Region::new("sealed", sealed, sealed_len)?;
        let ends = Ends::new("offsets", offsets, offset_bits, count)?;
        // SAFETY: as the header asks.
        let (key, values) =
            unsafe { (handle("key", key)?, Input::new(("values", values), count)?) };
        let written = [sealed.span(), ends.span()];
        check_apart(&written, &values.spans())?;
        check_apart(&written, &aads.spans())?;
        check_apart(&written, &[nonces.span()])?;
        // SAFETY: the arguments are as the header asks, and what is written is apart from
        // all that is read.
        unsafe {
            let (values, aad) = (values.column(), aads.batch_aad());
            let sealed = sealed.as_mut_slice();
            if let (Some(keys), 0) = (key.if_keyset(), nonces.len()) {
                return keyset::seal(keys, &values, aad, sealed, ends.write());
            }
            let key = key.algorithm()?;
            let nonces = match nonces.len() {
                // A column without rows has all of its nonces.
                0 if count > 0 => ColumnNonces::Random,
                len if Some(len) != count.checked_mul(key.nonce_len) => {
                    let expected = count.saturating_mul(key.nonce_len);
                    return Err(Failure::length("nonces", expected, len));
                }
                _ => ColumnNonces::Given(nonces.as_slice()),
            };
            key.aead
                .seal_column(nonces, &values, aad, sealed, ends.write())
                .map_err(|error| Failure::of_column(error, "sealed"))?;
        }
        Ok(())
    })
}

/// Opens `count` rows that sivka_seal_column() or sivka_seal() wrote. The values are one after the
/// other in `values`, whose length sivka_opened_column_len() says, and `offsets` gets `count` + 1
/// offsets. `statuses[i]` gets the status of row i; a null is SIVKA_OK, with no bytes. The AADs are
/// as in sivka_seal_column().
///
/// _BATCH: some rows did not open, as their statuses say, and their values are zeros. A value has
/// no bytes where its row is shorter than a nonce and a tag (_OPEN), its AAD or text is over a
/// limit (_TOO_LONG), or the key is a keyset's. The values then end at the last offset, and zeros
/// follow. All others are open. After _SELF_CHECK `offsets` is not to be used. With any other
/// status, nothing was written: _OFFSETS and those of the arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_column(
    key: *const Key,
    count: usize,
    sealed: *const ColumnView,
    aads: *const u8,
    aads_len: usize,
    aad_offsets: *const usize,
    values: *mut u8,
    values_len: usize,
    offsets: *mut c_void,
    offset_bits: u32,
    statuses: *mut Status,
) -> Status {
    guard(|| {
        let aads = Aads::new(aads, aads_len, aad_offsets, count)?;
        let values = Region::new("values", values, values_len)?;
        let ends = Ends::new("offsets", offsets, offset_bits, count)?;
        let statuses = Region::new("statuses", statuses, count)?;
        // SAFETY: as the header asks.
        let (key, sealed) =
            unsafe { (handle("key", key)?, Input::new(("sealed", sealed), count)?) };
        let written = [values.span(), ends.span(), statuses.span()];
        check_apart(&written, &sealed.spans())?;
        check_apart(&written, &aads.spans())?;
        let mut found = Vec::new();
        found.try_reserve_exact(count).map_err(|_| Failure::NoMemory)?;
        found.resize(count, sivka::Status::Done);
        // SAFETY: the arguments are as the header asks, and what is written is apart from
        // all that is read.
        unsafe {
            let (column, aad) = (sealed.column(), aads.batch_aad());
            let values = values.as_mut_slice();
            if let Some(keys) = key.if_keyset() {
                let statuses = statuses.as_mut_slice();
                return keyset::open(keys, &column, aad, values, ends.write(), statuses);
            }
            let aead = &key.algorithm()?.aead;
            let opened = aead.open_column(&column, aad, values, ends.write(), &mut found);
            if matches!(opened, Ok(()) | Err(sivka::Error::Batch { .. })) {
                for (status, found) in statuses.as_mut_slice().iter_mut().zip(found) {
                    *status = status_of(found);
                }
            }
            opened.map_err(|error| Failure::of_column(error, "values"))
        }
    })
}
