//! The seek table: how long each frame is, and its content.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use super::frame::{MAX_LEN, TABLE_MAGIC, malformed, read};

/// The least content of every frame except the last: 1 MiB.
pub(super) const MIN_LEN: u64 = 1 << 20;
const ENTRY_LEN: u64 = 8;
const FOOTER_LEN: usize = 9;
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
        let (index, first, before) = (self.count(), self.part_len, self.last_len);
        if !(1..=MAX_LEN).contains(&content_len) || len > u64::from(u32::MAX) {
            refuse!("frame {index} has {len} bytes, with {content_len} bytes of content");
        }
        if index == 0 {
            self.part_len = content_len;
        } else if first < MIN_LEN || before != first || content_len > first {
            refuse!(
                "the frames up to {index} have {first}, {before} and {content_len} bytes of content"
            );
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

    /// Where frame `index` lies in the compressed content, and bytes of its content.
    pub(super) fn frame(&self, index: u64) -> Option<(Range<u64>, u64)> {
        let at = usize::try_from(index).ok()?;
        let place = at.checked_sub(1).map_or(0, |before| self.ends[before])..*self.ends.get(at)?;
        let is_last = index + 1 == self.count();
        Some((
            place,
            if is_last {
                self.last_len
            } else {
                self.part_len
            },
        ))
    }

    /// Whether frame `index` is one of `len` bytes with `content_len` bytes of content.
    pub(super) fn has(&self, index: u64, len: u64, content_len: u64) -> bool {
        let found = self.frame(index);
        found.is_some_and(|(place, has)| (place.end - place.start, has) == (len, content_len))
    }

    /// The seek table's bytes.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let len = self.count() * ENTRY_LEN + FOOTER_LEN as u64;
        let len = u32::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let mut bytes = [TABLE_MAGIC, len.to_le_bytes()].concat();
        let frames = (0..self.count()).filter_map(|index| self.frame(index));
        for (place, content_len) in frames {
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
        let mut footer = [0; FOOTER_LEN];
        from.seek(SeekFrom::Start(end.saturating_sub(FOOTER_LEN as u64)))?;
        read(from, &mut footer, no_table)?;
        let count = check_footer(&footer)?;
        let Some(at) = end.checked_sub(8 + count * ENTRY_LEN + FOOTER_LEN as u64) else {
            refuse!("a seek table of {count} frames in {end} bytes");
        };
        from.seek(SeekFrom::Start(at))?;
        let mut magic = [0; 4];
        read(from, &mut magic, no_table)?;
        if magic != TABLE_MAGIC {
            refuse!("no seek table at byte {at}, where its end puts it");
        }
        match Self::read(from)? {
            table if table.frames_len() == at => Ok(table),
            table => refuse!("frames of {} bytes before byte {at}", table.frames_len()),
        }
    }

    /// Reads a table from behind its magic number to the end of `from`.
    pub(super) fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut word = || {
            let mut bytes = [0; 4];
            read(from, &mut bytes, no_table).map(|()| u64::from(u32::from_le_bytes(bytes)))
        };
        let len = word()?;
        // The footer has one byte more than an entry.
        let count = (len / ENTRY_LEN).saturating_sub(1);
        if len != count * ENTRY_LEN + FOOTER_LEN as u64 {
            refuse!("a seek table with {len} bytes after its length");
        }
        let mut table = Self::default();
        for _ in 0..count {
            table.push(word()?, word()?)?;
        }
        let mut footer = [0; FOOTER_LEN];
        read(from, &mut footer, no_table)?;
        if check_footer(&footer)? != count || from.take(1).read_to_end(&mut Vec::new())? > 0 {
            refuse!("a seek table of {count} frames that states others, or bytes after it");
        }
        Ok(table)
    }
}

fn no_table() -> io::Error {
    malformed("it ends within the seek table")
}

/// How many frames the table's last bytes state.
fn check_footer(footer: &[u8; FOOTER_LEN]) -> io::Result<u64> {
    let [a, b, c, d, end @ ..] = *footer;
    if end != FOOTER_END {
        refuse!("a seek table that ends in {end:02x?}, not {FOOTER_END:02x?}");
    }
    Ok(u64::from(u32::from_le_bytes([a, b, c, d])))
}
