//! What is whole of a compressed content of which bytes are lost.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use super::frame::{Decompressor, MAGIC, MAX_LEN, Malformed, Next};
use super::reader::BUFFER_LEN;
use super::table::{PART_LEN, Table};

/// Writes every whole frame's content at its place to `out`, and zeros for the others. Returns the
/// lost ranges of the plain content, in order.
///
/// `lost` are the bytes of `content` that are not authentic, in order; whatever stands there is not
/// used. Frames are found by the seek table. If that is lost too, each hole counts as one frame,
/// and it goes on behind a hole with the next frame of 1 MiB. A frame that is malformed counts as
/// lost.
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
            .map(|(place, content)| (Some(place.start), content.end - content.start))
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

    /// Reads what is at byte `at`: `None` if it is no frame that is whole.
    fn frame(&mut self, at: u64) -> io::Result<Option<Next>> {
        self.content.seek(SeekFrom::Start(at))?;
        // So a content with many places where a frame may begin does not cost its square.
        let mut limited = self.content.by_ref().take(2 * MAX_LEN);
        let next = self.decompressor.next(&mut limited, &mut self.part);
        let next = unless_malformed(next)?;
        let len = match next {
            Some(Next::Frame(len)) => len,
            _ => MAGIC.len() as u64,
        };
        Ok(next.filter(|_| !self.is_lost(at..at + len)))
    }

    /// Where each frame begins that is found without the seek table, and bytes of its content.
    fn found(&mut self) -> io::Result<Vec<(Option<u64>, u64)>> {
        let (mut frames, mut at, mut is_after_hole) = (Vec::new(), 0, false);
        loop {
            let next = self.frame(at)?;
            let content_len = self.part.len() as u64;
            match next {
                Some(Next::Table) => return Ok(frames),
                // What a file holds within a lost frame may look like a frame, too; seldom like one
                // of ours.
                Some(Next::Frame(len)) if !is_after_hole || content_len == PART_LEN => {
                    if is_after_hole {
                        frames.push((None, PART_LEN));
                    }
                    frames.push((Some(at), content_len));
                    is_after_hole = false;
                    at += len;
                }
                _ => match self.search(at + 1)? {
                    Some(found) => (at, is_after_hole) = (found, true),
                    None => return Ok(frames),
                },
            }
        }
    }

    /// The first place from `at` on where a frame may begin.
    fn search(&mut self, at: u64) -> io::Result<Option<u64>> {
        self.content.seek(SeekFrom::Start(at))?;
        let mut last = [0; 4];
        for (index, byte) in (at..).zip(self.content.by_ref().bytes()) {
            last = [last[1], last[2], last[3], byte?];
            if last == MAGIC {
                return Ok(Some(index - 3));
            }
        }
        Ok(None)
    }
}
