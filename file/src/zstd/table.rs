//! The seek table: how long each frame is, and its content.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use super::frame::{MAX_LEN, TABLE_MAGIC, malformed, read};

/// The least content of every frame except the last: 1 MiB.
pub(super) const MIN_LEN: u64 = 1 << 20;
const ENTRY_LEN: u64 = 8;
const HEAD_LEN: u64 = 8;
const FOOTER_LEN: u64 = 9;
/// What the footer has after the number of frames: no checksums, and the end's magic number.
const FOOTER_END: [u8; 5] = *b"\0\xB1\xEA\x92\x8F";

/// The frames of a content, in 8 bytes of memory each.
#[derive(Default, PartialEq)]
pub(super) struct Table {
    /// Where each frame ends in the compressed content.
    ends: Vec<u64>,
    /// Bytes of content in each frame except the last.
    pub(super) part_len: u64,
    /// Bytes of content in the last frame.
    last_len: u64,
}

impl Table {
    /// Adds a frame of `len` bytes with `content_len` bytes of content.
    pub(super) fn push(&mut self, len: u64, content_len: u64) -> io::Result<()> {
        let is_first = self.ends.is_empty();
        if is_first {
            self.part_len = content_len;
        }
        let may_follow = self.part_len >= MIN_LEN && self.last_len == self.part_len;
        if len > u64::from(u32::MAX)
            || !(1..=MAX_LEN.min(self.part_len)).contains(&content_len)
            || !is_first && !may_follow
        {
            return Err(malformed("a frame whose length does not fit those before"));
        }
        self.last_len = content_len;
        self.ends.push(self.frames_len() + len);
        Ok(())
    }

    /// How many frames there are.
    pub(super) fn count(&self) -> u64 {
        self.ends.len() as u64
    }

    /// Bytes of all frames, which is where the seek table begins.
    pub(super) fn frames_len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Bytes of the plain content: below 2^32 frames of 2^23.
    pub(super) fn content_len(&self) -> u64 {
        self.count().saturating_sub(1) * self.part_len + self.last_len
    }

    /// Where each frame lies in the compressed content, and bytes of its content.
    pub(super) fn frames(&self) -> impl Iterator<Item = (Range<u64>, u64)> {
        (0..self.count()).filter_map(|index| self.frame(index))
    }

    /// Where frame `index` lies in the compressed content, and bytes of its content.
    pub(super) fn frame(&self, index: u64) -> Option<(Range<u64>, u64)> {
        let at = usize::try_from(index).ok()?;
        let end = *self.ends.get(at)?;
        let place = at.checked_sub(1).map_or(0, |before| self.ends[before])..end;
        let is_last = index + 1 == self.count();
        let content_len = if is_last {
            self.last_len
        } else {
            self.part_len
        };
        Some((place, content_len))
    }

    /// The seek table's bytes.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let len = self.count() * ENTRY_LEN + FOOTER_LEN;
        let len = u32::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let mut bytes = [TABLE_MAGIC, len.to_le_bytes()].concat();
        for (place, content_len) in self.frames() {
            // `push` has seen that both fit.
            bytes.extend_from_slice(&(place.end - place.start).to_le_bytes()[..4]);
            bytes.extend_from_slice(&content_len.to_le_bytes()[..4]);
        }
        bytes.extend_from_slice(&self.count().to_le_bytes()[..4]);
        bytes.extend_from_slice(&FOOTER_END);
        Ok(bytes)
    }

    /// Reads the table at the end of `from`.
    pub(super) fn load<R: Read + Seek>(from: &mut BufReader<R>) -> io::Result<Self> {
        let end = from.seek(SeekFrom::End(0))?;
        let mut count = [0; 4];
        from.seek(SeekFrom::Start(end.saturating_sub(FOOTER_LEN)))?;
        read(from, &mut count)?;
        let count = u32::from_le_bytes(count);
        let len = HEAD_LEN + u64::from(count) * ENTRY_LEN + FOOTER_LEN;
        let at = end.checked_sub(len).ok_or_else(no_table)?;
        from.seek(SeekFrom::Start(at))?;
        let mut bytes = Vec::new();
        from.by_ref().take(len).read_to_end(&mut bytes)?;
        let mut table = Self::default();
        let entries = bytes.get(HEAD_LEN as usize..).unwrap_or_default();
        for entry in entries
            .chunks_exact(ENTRY_LEN as usize)
            .take(count as usize)
        {
            let [a, b, c, d, e, f, g, h] = *entry else {
                break;
            };
            let [len, content_len] = [[a, b, c, d], [e, f, g, h]].map(u32::from_le_bytes);
            table.push(len.into(), content_len.into())?;
        }
        match bytes == table.to_bytes()? && table.frames_len() == at {
            true => Ok(table),
            false => Err(no_table()),
        }
    }
}

pub(super) fn no_table() -> io::Error {
    malformed("no seek table at its end, or one of other frames")
}
