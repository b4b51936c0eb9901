//! Opening a stream.

use super::Stream;
use super::buffer::Buffer;
use crate::error::Error;
use crate::material::KeyMaterial;
use crate::primitive::ReadyKeys;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

/// Opens what it reads from another reader: see
/// [`KeysetStreamingAead::open`](super::KeysetStreamingAead::open).
///
/// Its output was verified, and is in order. But only the end, where [`read`](Read::read) gives 0,
/// shows that the stream was not cut off.
///
/// It is an error if a segment does not open, or if the stream ends before its last one. The kind
/// is [`InvalidData`](io::ErrorKind::InvalidData), with [`Error::Open`] in it. Each later call
/// returns it again, and no plaintext of that segment. After the end of the other reader, nothing
/// more is read from it.
///
/// After an error of the other reader, a later call reads on. Plaintext that was not returned is
/// wiped when this is dropped.
pub struct OpeningReader<R: Read> {
    reader: R,
    /// Whether the reader has ended.
    has_ended: bool,
    aad: Vec<u8>,
    state: State,
    /// Bytes that were read: used segments, then one that may be open, then others.
    buffer: Buffer,
    /// The plaintext of the open one which was not given out yet.
    plaintext: Range<usize>,
    /// Where the segments begin that are not open yet.
    next: usize,
}

enum State {
    /// No key is chosen yet, and so many do not open the first segment.
    Start(Arc<ReadyKeys<KeyMaterial>>, usize),
    Running(Box<Stream>),
    /// The last segment is open.
    Last,
    Failed,
}

impl<R: Read> OpeningReader<R> {
    pub(super) fn new(reader: R, keys: Arc<ReadyKeys<KeyMaterial>>, aad: &[u8]) -> Self {
        Self {
            reader,
            has_ended: false,
            aad: aad.to_vec(),
            state: State::Start(keys, 0),
            buffer: Buffer::default(),
            plaintext: 0..0,
            next: 0,
        }
    }

    /// The reader underneath.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Opens the next segment.
    fn next_segment(&mut self) -> io::Result<()> {
        self.plaintext = 0..0;
        // Another key's segments may be as long as thousands of these: the rest is moved when as
        // much is used.
        if self.next >= self.buffer.0.len() - self.next {
            self.buffer.0.drain(..self.next);
            self.next = 0;
        }
        let opened = match &self.state {
            State::Start(keys, tried) => {
                let (keys, tried) = (keys.clone(), *tried);
                self.first_segment(&keys, tried)?
            }
            State::Running(stream) => {
                let segment_len = stream.segment_len;
                let is_last = self.fill(segment_len)?;
                let segments = &mut self.buffer.0[self.next..];
                match &mut self.state {
                    State::Running(stream) => open(stream, segments, 0, is_last),
                    _ => None,
                }
            }
            State::Last => return Ok(()),
            State::Failed => None,
        };
        let Some((plaintext, end, is_last)) = opened else {
            self.state = State::Failed;
            (self.buffer, self.next) = (Buffer::default(), 0);
            return Err(io::Error::new(io::ErrorKind::InvalidData, Error::Open));
        };
        self.plaintext = self.next + plaintext.start..self.next + plaintext.end;
        self.next += end;
        if is_last {
            self.state = State::Last;
        }
        Ok(())
    }

    /// Tries every key, in the keyset's order.
    fn first_segment(
        &mut self,
        keys: &Arc<ReadyKeys<KeyMaterial>>,
        tried: usize,
    ) -> io::Result<Option<Opened>> {
        for (index, key) in keys.all().enumerate().skip(tried) {
            // Where the reader fails and goes on later, no key is tried again.
            self.state = State::Start(keys.clone(), index);
            let header_len = key.parameters.header_len();
            let is_last = self.fill(key.parameters.segment_len as usize)?;
            let Some(header) = self.buffer.0.get(..header_len) else {
                continue;
            };
            if usize::from(header[0]) != header_len {
                continue;
            }
            let stream = Stream::new(key, header, &self.aad);
            let mut stream = stream.map_err(io::Error::other)?;
            if let Some(opened) = open(&mut stream, &mut self.buffer.0, header_len, is_last) {
                self.state = State::Running(Box::new(stream));
                return Ok(Some(opened));
            }
        }
        Ok(None)
    }

    /// Reads a segment and a byte more, and says whether that byte is missing: then the segment
    /// is the last one.
    fn fill(&mut self, segment_len: usize) -> io::Result<bool> {
        let missing = (segment_len + 1).saturating_sub(self.buffer.0.len() - self.next);
        if missing > 0 && !self.has_ended {
            self.has_ended = self.buffer.read(&mut self.reader, missing)? < missing;
        }
        Ok(self.buffer.0.len() - self.next <= segment_len)
    }
}

/// Where the plaintext of a segment is, where that segment ends, and whether it is the last.
type Opened = (Range<usize>, usize, bool);

/// Opens the segment at the beginning of `buffer`, but for the header; `None` if it does not
/// open, and the buffer is then as it was.
fn open(stream: &mut Stream, buffer: &mut [u8], start: usize, is_last: bool) -> Option<Opened> {
    let end = buffer.len().min(stream.segment_len);
    let tag_at = end.checked_sub(stream.segments.tag_len())?;
    let segment = buffer.get_mut(start..end)?;
    let (in_out, tag) = segment.split_at_mut(tag_at.checked_sub(start)?);
    let nonce = stream.next_nonce(is_last)?;
    stream.segments.open(&nonce, b"", in_out, tag).ok()?;
    Some((start..tag_at, end, is_last))
}

impl<R: Read> Read for OpeningReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // A segment may have no plaintext, if it is the only one.
        while self.plaintext.is_empty() && !out.is_empty() {
            if matches!(self.state, State::Last) {
                return Ok(0);
            }
            self.next_segment()?;
        }
        let len = out.len().min(self.plaintext.len());
        let from = self.plaintext.start;
        out[..len].copy_from_slice(&self.buffer.0[from..from + len]);
        self.plaintext.start += len;
        Ok(len)
    }
}
