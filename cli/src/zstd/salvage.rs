//! What is whole of a compressed content of which bytes are lost.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use super::frame::{Decompressor, Malformed, Next};
use super::reader::BUFFER_LEN;
use super::table::Table;

/// Writes every whole frame's content at its place to `out`, and zeros for the others. Returns the
/// lost ranges of the plain content, in order.
///
/// `lost` are the bytes of `content` that are not authentic, in order; whatever stands there is not
/// used. Frames are found by the seek table. If that is lost too, what comes is the frames before
/// the first loss. A frame that is malformed counts as lost.
///
/// # Errors
///
/// Errors of `content` and `out`, and [`OutOfMemory`](io::ErrorKind::OutOfMemory).
pub(crate) fn salvage<R: Read + Seek, W: Write>(
    content: R,
    lost: &[Range<u64>],
    mut out: W,
) -> io::Result<Vec<Range<u64>>> {
    let mut source = Source {
        content: BufReader::with_capacity(BUFFER_LEN, content),
        lost,
        decompressor: Decompressor::new()?,
        part: Vec::new(),
    };
    let end = source.content.seek(SeekFrom::End(0))?;
    let table = unless_malformed(Table::load(&mut source.content))?;
    let frames = match table.filter(|table| !source.is_lost(table.ends().0..end)) {
        Some(table) => (0..)
            .map_while(|index| table.frame(index))
            .map(|(place, content)| (place.start, content.end - content.start))
            .collect(),
        None => source.before_loss()?,
    };
    let (mut at, mut holes) = (0, Vec::<Range<u64>>::new());
    for (place, len) in frames {
        let is_whole = source.frame(place)?.is_some() && source.part.len() as u64 == len;
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

    /// Reads the frame at byte `at`, and gives its length: `None` if it is none that is whole.
    fn frame(&mut self, at: u64) -> io::Result<Option<u64>> {
        self.content.seek(SeekFrom::Start(at))?;
        let next = self.decompressor.next(&mut self.content, &mut self.part);
        match unless_malformed(next)? {
            Some(Next::Frame(len)) if !self.is_lost(at..at + len) => Ok(Some(len)),
            _ => Ok(None),
        }
    }

    /// Where each frame begins up to the first that is not whole, and bytes of its content.
    fn before_loss(&mut self) -> io::Result<Vec<(u64, u64)>> {
        let (mut frames, mut at) = (Vec::new(), 0);
        while let Some(len) = self.frame(at)? {
            frames.push((at, self.part.len() as u64));
            at += len;
        }
        Ok(frames)
    }
}
