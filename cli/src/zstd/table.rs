//! The seek table: how long each frame is, and its content.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use super::frame::{MAX_LEN, TABLE_MAGIC, malformed, read};

/// The least content of every frame except the last, and all that this writer gives one: 1 MiB.
pub(super) const PART_LEN: u64 = 1 << 20;
/// No head and frame are shorter: those of one byte in a block.
const LEAST_LEN: u64 = 38;
/// The table without entries: head and footer.
const ENDS_LEN: u64 = 17;
const FOOTER_LEN: u64 = 9;
/// What the footer has after the number of frames: no checksums, and the end's magic number.
const FOOTER_END: [u8; 5] = *b"\0\xB1\xEA\x92\x8F";

/// The frames of a content, in 16 bytes of memory each: where they end in the compressed content,
/// and in the plain one.
#[derive(Default)]
pub(super) struct Table(Vec<(u64, u64)>);

impl Table {
    /// Adds a frame of `len` bytes with `content_len` bytes of content.
    pub(super) fn push(&mut self, len: u64, content_len: u64) -> io::Result<()> {
        let (end, content_end) = self.ends();
        let first = self.0.first().map_or(content_len, |(_, end)| *end);
        // All before it have as much as the first.
        let is_after_whole = first >= PART_LEN && content_end == first * self.0.len() as u64;
        if len > u64::from(u32::MAX)
            || !(1..=MAX_LEN.min(first)).contains(&content_len)
            || !self.0.is_empty() && !is_after_whole
        {
            return Err(malformed("a frame whose length does not fit those before"));
        }
        self.0.push((end + len, content_end + content_len));
        Ok(())
    }

    /// Bytes of all frames, which is where the table begins, and of the plain content.
    pub(super) fn ends(&self) -> (u64, u64) {
        self.0.last().copied().unwrap_or_default()
    }

    /// Where frame `index` lies in the compressed content, and in the plain one.
    pub(super) fn frame(&self, index: usize) -> Option<(Range<u64>, Range<u64>)> {
        let (end, content_end) = self.0.get(index)?;
        let before = index.checked_sub(1).map(|before| self.0[before]);
        let (start, content_start) = before.unwrap_or_default();
        Some((start..*end, content_start..*content_end))
    }

    /// The frame that holds a byte of the plain content; their number, if none does.
    pub(super) fn find(&self, position: u64) -> usize {
        self.0.partition_point(|(_, end)| *end <= position)
    }

    /// The table's bytes.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let count = self.0.len() as u64;
        let len = u32::try_from(count * 8 + FOOTER_LEN);
        let len = len.map_err(|_| io::ErrorKind::FileTooLarge)?;
        let mut bytes = [TABLE_MAGIC, len.to_le_bytes()].concat();
        for (place, content) in (0..).map_while(|index| self.frame(index)) {
            // `push` has seen that both fit.
            for part in [place, content] {
                bytes.extend_from_slice(&(part.end - part.start).to_le_bytes()[..4]);
            }
        }
        bytes.extend_from_slice(&count.to_le_bytes()[..4]);
        bytes.extend_from_slice(&FOOTER_END);
        Ok(bytes)
    }

    /// Reads the table at the end of `from`.
    pub(super) fn load(from: &mut (impl Read + Seek)) -> io::Result<Self> {
        let end = from.seek(SeekFrom::End(0))?;
        let mut count = [0; 4];
        from.seek(SeekFrom::Start(end.saturating_sub(FOOTER_LEN)))?;
        read(from, &mut count)?;
        let count = u32::from_le_bytes(count);
        let len = u64::from(count) * 8 + ENDS_LEN;
        // A table that lies takes no more memory than a right one can.
        let at = end.checked_sub(len).filter(|at| u64::from(count) <= at / LEAST_LEN);
        let at = at.ok_or_else(no_table)?;
        from.seek(SeekFrom::Start(at))?;
        let mut bytes = Vec::new();
        from.take(len).read_to_end(&mut bytes)?;
        let mut table = Self::default();
        let (words, _) = bytes.as_chunks::<4>();
        for entry in words.chunks_exact(2).skip(1).take(count as usize) {
            let [len, content_len] = [0, 1].map(|index| u32::from_le_bytes(entry[index]));
            table.push(len.into(), content_len.into())?;
        }
        match bytes == table.to_bytes()? && table.ends().0 == at {
            true => Ok(table),
            false => Err(no_table()),
        }
    }
}

pub(super) fn no_table() -> io::Error {
    malformed("no seek table at its end, or one of other frames")
}
