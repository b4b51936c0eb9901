//! What is whole of a compressed content of which bytes are lost.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use super::frame::{Decompressor, MAGIC, MAX_LEN, Malformed, Next, TABLE_MAGIC};
use super::table::{MIN_LEN, Table};

/// Bytes that are searched at once for the beginning of a frame.
const SEARCH_LEN: usize = 1 << 16;
/// The longest frame that is tried: twice its most content. So a content with many places where
/// a frame may begin does not cost the square of its length.
const MAX_TRIED_LEN: u64 = 2 * MAX_LEN;

/// Writes every whole frame's content at its place to `out`, and zeros for the others. Returns the
/// lost ranges of the plain content, in order.
///
/// `lost` are the ranges of `content` that are not authentic, in order; the bytes there are not
/// used. Frames are found by the seek table, or by their first bytes if the table is lost: then
/// each hole counts as one frame, and the end is the end of the last whole frame. A malformed frame
/// counts as lost.
///
/// # Errors
///
/// Errors of `content` and `out`, and [`OutOfMemory`](io::ErrorKind::OutOfMemory).
pub fn salvage<R: Read + Seek, W: Write>(
    content: R,
    lost: &[Range<u64>],
    mut out: W,
) -> io::Result<Vec<Range<u64>>> {
    let mut source = Source {
        content: BufReader::with_capacity(SEARCH_LEN, content),
        lost,
        decompressor: Decompressor::new()?,
        part: Vec::new(),
    };
    let end = source.content.seek(SeekFrom::End(0))?;
    let table = unless_malformed(Table::load(&mut source.content))?;
    let frames = match table.filter(|table| !source.is_lost(table.frames_len()..end)) {
        Some(table) => table
            .frames()
            .map(|(place, len)| (Some(place.start), len))
            .collect(),
        None => source.found()?,
    };
    let (mut at, mut holes) = (0, Vec::<Range<u64>>::new());
    for (place, len) in frames {
        let is_whole = match place {
            Some(place) => source.frame(place)?.is_some() && source.part.len() as u64 == len,
            None => false,
        };
        match holes.last_mut().filter(|hole| hole.end == at) {
            _ if is_whole => out.write_all(&source.part)?,
            Some(hole) => hole.end += len,
            None => holes.push(at..at + len),
        }
        if !is_whole {
            io::copy(&mut io::repeat(0).take(len), &mut out)?;
        }
        at += len;
    }
    Ok(holes)
}

/// Where a frame begins, if it is whole, and bytes of its content.
type Found = (Option<u64>, u64);

/// What a malformed content gives is not there; other errors stay.
fn unless_malformed<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.get_ref().is_some_and(|it| it.is::<Malformed>()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The compressed content, and the frame that was read last.
struct Source<'a, R> {
    content: BufReader<R>,
    lost: &'a [Range<u64>],
    decompressor: Decompressor,
    part: Vec<u8>,
}

impl<R: Read + Seek> Source<'_, R> {
    fn is_lost(&self, bytes: Range<u64>) -> bool {
        let next = self.lost.partition_point(|lost| lost.end <= bytes.start);
        (self.lost.get(next)).is_some_and(|lost| lost.start < bytes.end)
    }

    /// Goes to byte `at`, within the buffer if it is there.
    fn go(&mut self, at: u64) -> io::Result<()> {
        let here = self.content.stream_position()?;
        self.content
            .seek_relative(at.wrapping_sub(here).cast_signed())
    }

    /// Reads what is at byte `at`: `None` if it is no frame that is whole.
    fn frame(&mut self, at: u64) -> io::Result<Option<Next>> {
        self.go(at)?;
        let mut limited = self.content.by_ref().take(MAX_TRIED_LEN);
        let next = self.decompressor.next(&mut limited, &mut self.part);
        let next = unless_malformed(next)?;
        let len = match next {
            Some(Next::Frame(len)) => len,
            _ => MAGIC.len() as u64,
        };
        Ok(next.filter(|_| !self.is_lost(at..at + len)))
    }

    /// The frames that are found without the seek table.
    fn found(&mut self) -> io::Result<Vec<Found>> {
        let (mut frames, mut at, mut is_after_hole) = (Vec::<Found>::new(), 0, false);
        loop {
            match self.frame(at)? {
                Some(Next::Table) => break,
                // What a file holds within a lost frame may look like a frame, too; seldom one more
                // follows.
                Some(Next::Frame(len)) if !is_after_hole || self.may_follow(at + len)? => {
                    if is_after_hole {
                        frames.push((None, MIN_LEN));
                    }
                    frames.push((Some(at), self.part.len() as u64));
                    is_after_hole = false;
                    at += len;
                }
                _ => {
                    is_after_hole = true;
                    match self.search(at + 1)? {
                        Some(found) => at = found,
                        None => break,
                    }
                }
            }
        }
        let longest = frames.iter().map(|(_, len)| *len).max().unwrap_or(0);
        for (_, len) in frames.iter_mut().filter(|(place, _)| place.is_none()) {
            *len = longest;
        }
        Ok(frames)
    }

    /// Whether a frame, the seek table, lost bytes or the end are at byte `at`.
    fn may_follow(&mut self, at: u64) -> io::Result<bool> {
        self.go(at)?;
        let mut magic = Vec::new();
        self.content.by_ref().take(4).read_to_end(&mut magic)?;
        let is_lost = self.is_lost(at..at + 4);
        Ok(is_lost || magic.len() < 4 || magic == MAGIC || magic == TABLE_MAGIC)
    }

    /// The first place from `at` on where a frame may begin.
    fn search(&mut self, mut at: u64) -> io::Result<Option<u64>> {
        let mut bytes = Vec::with_capacity(SEARCH_LEN);
        loop {
            self.go(at)?;
            bytes.clear();
            let mut limited = self.content.by_ref().take(SEARCH_LEN as u64);
            limited.read_to_end(&mut bytes)?;
            if let Some(found) = bytes.windows(4).position(|it| it == MAGIC) {
                return Ok(Some(at + found as u64));
            }
            match bytes.len() {
                0..4 => return Ok(None),
                passed => at += passed as u64 - 3,
            }
        }
    }
}
