//! What is whole of a compressed content of which bytes are lost.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use super::frame::{Decompressor, MAX_LEN, Malformed, Next, head};
use super::reader::BUFFER_LEN;
use super::table::Table;

/// Writes every whole frame's content at its place to `out`, and zeros for the others. Returns the
/// lost ranges of the plain content, in order; the bytes of the output; and whether the plain
/// content ends there. Otherwise nobody knows how much is lost behind it.
///
/// `lost` are the bytes of `content` that are not authentic, in order; whatever stands there is not
/// used. Behind a loss, frames are found by their heads, which have the file's `mark`. What is
/// malformed counts as lost.
///
/// # Errors
///
/// Errors of `content` and `out`, and [`OutOfMemory`](io::ErrorKind::OutOfMemory).
pub(crate) fn salvage<R: Read + Seek, W: Write>(
    content: R,
    lost: &[Range<u64>],
    mark: [u8; 8],
    mut out: W,
) -> io::Result<(Vec<Range<u64>>, u64, bool)> {
    let mut source = Source {
        content: BufReader::with_capacity(BUFFER_LEN, content),
        lost,
        decompressor: Decompressor::new()?,
        part: Vec::new(),
    };
    let mut ranges = Vec::new();
    let mut lose = |range: Range<u64>, out: &mut W| {
        if !range.is_empty() {
            io::copy(&mut io::repeat(0).take(range.end - range.start), out)?;
            ranges.push(range);
        }
        io::Result::Ok(())
    };
    // Where the last whole frame ends, and its content does.
    let (mut end, mut content_end, mut next) = (0_u64, 0_u64, Some(0));
    while let Some(at) = next {
        // The most content needs 64 blocks of 4 bytes.
        let most = (at - end).saturating_mul(MAX_LEN / 256);
        let places = content_end..=most.saturating_add(content_end);
        next = match source.frame(at)? {
            Some((len, place)) if places.contains(&place) => {
                lose(content_end..place, &mut out)?;
                out.write_all(&source.part)?;
                (end, content_end) = (at + len, place.saturating_add(source.part.len() as u64));
                Some(end)
            }
            _ => source.next_head(at, &head(mark))?,
        }
    }
    let len = source.content.seek(SeekFrom::End(0))?;
    let table = unless_malformed(Table::load(&mut source.content))?;
    let table = table.filter(|table| !source.is_lost(table.ends().0..len));
    let end = table.as_ref().map_or(content_end, |table| table.ends().1.max(content_end));
    lose(content_end..end, &mut out)?;
    Ok((ranges, end, table.is_some()))
}

/// What a malformed content gives is not there; other errors stay.
fn unless_malformed<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.get_ref().is_some_and(|it| it.is::<Malformed>()) => Ok(None),
        result => result.map(Some),
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

    /// Reads the frame at byte `at`, and gives its length and place: `None` if it is not whole.
    fn frame(&mut self, at: u64) -> io::Result<Option<(u64, u64)>> {
        self.content.seek(SeekFrom::Start(at))?;
        let next = self.decompressor.next(&mut self.content, &mut self.part);
        Ok(match unless_malformed(next)? {
            Some(Next::Frame { len, place }) if !self.is_lost(at..at + len) => Some((len, place)),
            _ => None,
        })
    }

    /// Where `head` is next, when what is at byte `at` was read and is no whole frame: behind the
    /// first loss in it, or else behind what was read, so that no byte is tried again and again.
    fn next_head(&mut self, at: u64, head: &[u8]) -> io::Result<Option<u64>> {
        let read = self.content.stream_position()?.max(at + 1);
        let loss = self.lost.partition_point(|lost| lost.end <= at);
        let mut at = self.lost.get(loss).filter(|it| it.start < read).map_or(read, |it| it.end);
        self.content.seek(SeekFrom::Start(at))?;
        let mut window = Vec::new();
        loop {
            let read = self.content.by_ref().take(BUFFER_LEN as u64).read_to_end(&mut window)?;
            let found = window.windows(head.len()).position(|it| it == head);
            if found.is_some() || read == 0 {
                return Ok(found.map(|index| at + index as u64));
            }
            let passed = window.len().saturating_sub(head.len() - 1);
            window.drain(..passed);
            at += passed as u64;
        }
    }
}
