//! Messages whose fields are known from a table.

use crate::wire::{FIELD_ROOM, Field, Malformed, WireMessage, Writer};
use zeroize::Zeroizing;

/// The content of a field: a number, or, from `Key` on, bytes.
#[derive(Clone, Copy)]
pub(crate) enum Slot {
    Version,
    /// Those of the keys of AES and HMAC in a key of AES-CTR-HMAC.
    AesVersion,
    HmacVersion,
    /// The bytes of the key, or of the one of AES where HMAC has another.
    KeyLen,
    HmacKeyLen,
    /// The bytes of an IV, or of the salt of XAES-256-GCM.
    IvLen,
    /// The bytes of the AES key that HKDF makes for a stream.
    DerivedLen,
    Hash,
    TagLen,
    SegmentLen,
    Hkdf,
    MaterialType,
    Status,
    Id,
    OutputPrefix,
    Key,
    HmacKey,
    Uri,
    TypeUrl,
    /// The meaning of a message within a message of another type.
    Value,
}

const SLOTS: usize = Slot::Value as usize + 1;

/// Each field by the numbers that lead to it, in the order in which fields are written.
pub(crate) type Layout = [(&'static [u32], Slot)];

/// The content of a message: absent fields are 0 or no bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Values<'a> {
    numbers: [u32; SLOTS],
    bytes: [&'a [u8]; SLOTS],
}

impl<'a> Values<'a> {
    pub(crate) fn number(&self, slot: Slot) -> u32 {
        self.numbers[slot as usize]
    }

    pub(crate) fn bytes(&self, slot: Slot) -> &'a [u8] {
        self.bytes[slot as usize]
    }

    pub(crate) fn set(&mut self, slot: Slot, number: u32) {
        self.numbers[slot as usize] = number;
    }

    pub(crate) fn set_bytes(&mut self, slot: Slot, bytes: &'a [u8]) {
        self.bytes[slot as usize] = bytes;
    }

    pub(crate) fn read(layout: &Layout, message: WireMessage<'a>) -> Result<Self, Malformed> {
        let mut values = Self::default();
        values.merge(layout, 0, message)?;
        Ok(values)
    }

    /// Of a field that is there twice the last counts, and messages are merged.
    fn merge(
        &mut self,
        layout: &Layout,
        depth: usize,
        mut message: WireMessage<'a>,
    ) -> Result<(), Malformed> {
        while let Some((number, field)) = message.next()? {
            let mut of_fields = fields(layout, depth);
            let Some(rows) = of_fields.find(|rows| rows[0].0[depth] == number) else {
                continue;
            };
            let (path, slot) = rows[0];
            match (path.len() == depth + 1, field) {
                (true, Field::Varint(number)) => self.set(slot, number as u32),
                (true, Field::Bytes(bytes)) => self.set_bytes(slot, bytes.bytes()),
                (false, Field::Bytes(inner)) => self.merge(rows, depth + 1, inner)?,
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn write(&self, layout: &Layout) -> Zeroizing<Vec<u8>> {
        self.write_inner(layout, 0)
    }

    fn write_inner(&self, layout: &Layout, depth: usize) -> Zeroizing<Vec<u8>> {
        let bytes: usize = self.bytes.iter().map(|bytes| bytes.len()).sum();
        let mut writer = Writer::new(bytes + layout.len() * 3 * FIELD_ROOM);
        for rows in fields(layout, depth) {
            let (path, slot) = rows[0];
            match path.len() == depth + 1 {
                // One of both is empty, and not written.
                true => {
                    writer.number(path[depth], self.number(slot));
                    writer.bytes(path[depth], self.bytes(slot));
                }
                false => writer.bytes(path[depth], &self.write_inner(rows, depth + 1)),
            }
        }
        writer.finish()
    }
}

/// The rows of each field of the message at this depth.
fn fields(layout: &Layout, depth: usize) -> impl Iterator<Item = &Layout> {
    layout.chunk_by(move |(left, _), (right, _)| left[depth] == right[depth])
}
