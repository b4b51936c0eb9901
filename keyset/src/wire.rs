//! The wire format of protocol buffers, for keysets.
//!
//! A message is a row of fields, each a number with a wire type, then its content: `varint(number
//! << 3 | wire type)`. Wire type 0 is a varint, 2 a length and so many bytes. Types 1 and 5 are 8
//! and 4 bytes that only unknown fields have. Groups (3 and 4) are refused: no writer of keysets
//! has ever used them. Why no crate does this: `docs/adr/0032-readers-of-our-own-for-keysets.md`.

use zeroize::Zeroizing;

/// The error in a message, and its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) problem: &'static str,
    pub(crate) offset: usize,
}

impl Malformed {
    pub(crate) fn at(offset: usize, problem: &'static str) -> Self {
        Self { problem, offset }
    }
}

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field<'a> {
    Varint(u64),
    /// A string, bytes, or a message.
    Bytes(WireMessage<'a>),
    /// Eight or four bytes.
    Fixed,
}

/// A message that is being read, or bytes whose place in the input is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WireMessage<'a> {
    rest: &'a [u8],
    /// Where `rest` begins in the whole input.
    offset: usize,
}

impl<'a> WireMessage<'a> {
    /// A whole input.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, offset: 0 }
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn offset(self) -> usize {
        self.offset
    }

    /// The next field and its number, or `None` at the end.
    ///
    /// A field that the caller does not know, by its number or by its wire type, is to be
    /// ignored: that is how protocol buffers are read.
    pub(crate) fn next(&mut self) -> Result<Option<(u32, Field<'a>)>, Malformed> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let start = self.offset;
        let malformed = |problem| Malformed::at(start, problem);
        let tag = self.varint()?;
        // protobuf of C++ takes no longer ones, of other languages some do.
        if self.offset - start > 5 {
            return Err(malformed("a field's number has more than 5 bytes"));
        }
        let tag = u32::try_from(tag).map_err(|_| malformed("a field's number is too high"))?;
        let field = match tag & 7 {
            0 => Field::Varint(self.varint()?),
            1 => self.take(8).map(|_| Field::Fixed)?,
            2 => {
                let len = self.varint()?;
                Field::Bytes(self.take(len)?)
            }
            5 => self.take(4).map(|_| Field::Fixed)?,
            3 | 4 => return Err(malformed("groups are not read")),
            _ => return Err(malformed("a field has an unknown wire type")),
        };
        match tag >> 3 {
            0 => Err(malformed("a field has the number 0")),
            number => Ok(Some((number, field))),
        }
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    fn varint(&mut self) -> Result<u64, Malformed> {
        let start = self.offset;
        let malformed = |problem| Malformed::at(start, problem);
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1).map_err(|_| malformed("a varint is cut off"))?.rest[0];
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(malformed("a varint has more than 64 bits"))
    }

    fn take(&mut self, len: u64) -> Result<Self, Malformed> {
        let taken = usize::try_from(len).ok();
        match taken.and_then(|len| self.rest.split_at_checked(len)) {
            Some((taken, rest)) => {
                let offset = self.offset;
                self.rest = rest;
                self.offset += taken.len();
                Ok(Self { rest: taken, offset })
            }
            None => Err(Malformed::at(self.offset, "a length goes beyond the end")),
        }
    }
}

/// A message that is being written: fields in the order of their numbers, and no field with its
/// default value, as in every writer of keysets.
///
/// It wipes itself, and never moves its content: it is made with enough capacity.
pub(crate) struct Writer(Zeroizing<Vec<u8>>);

/// More than a tag and a varint, or a tag and a length, ever take.
pub(crate) const FIELD_ROOM: usize = 5 + 10;

impl Writer {
    /// `room` is at least the length of all contents and [`FIELD_ROOM`] for each field.
    pub(crate) fn new(room: usize) -> Self {
        Self(Zeroizing::new(Vec::with_capacity(room)))
    }

    pub(crate) fn number(&mut self, field: u32, value: u32) {
        if value != 0 {
            self.varint(u64::from(field << 3));
            self.varint(u64::from(value));
        }
    }

    /// Bytes, or a message.
    pub(crate) fn bytes(&mut self, field: u32, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.varint(u64::from(field << 3 | 2));
        self.varint(bytes.len() as u64);
        self.reserve(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn finish(self) -> Zeroizing<Vec<u8>> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        self.reserve(10);
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// A buffer that grows would leave a copy of keys behind.
    fn reserve(&self, more: usize) {
        debug_assert!(self.0.len() + more <= self.0.capacity(), "no room");
    }
}
