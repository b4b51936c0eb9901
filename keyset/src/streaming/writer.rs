//! Sealing a stream.

use super::Stream;
use super::buffer::Buffer;
use crate::error::{Error, Misuse};
use crate::material::KeyMaterial;
use std::io::{self, Write};
use zeroize::Zeroizing;

/// Seals the bytes that are written to it: see
/// [`KeysetStreamingAead::seal`](super::KeysetStreamingAead::seal).
///
/// [`finish`](Self::finish) writes the last segment. Without it, the stream is cut off, and does
/// not open to its end.
///
/// After an error of the writer underneath, every later call returns it too: nobody knows how much
/// was written. Plaintext that was not sealed is wiped when this is dropped.
#[must_use = "what is sealed is whole after `finish` only"]
pub struct SealingWriter<W: Write> {
    writer: W,
    stream: Stream,
    /// Bytes that were not written yet: the header before the first segment, and the plaintext of
    /// the next segment.
    buffer: Buffer,
    /// Where the plaintext begins.
    start: usize,
    failed: Option<io::ErrorKind>,
}

impl<W: Write> SealingWriter<W> {
    pub(super) fn new(writer: W, key: &KeyMaterial, aad: &[u8]) -> Result<Self, Error> {
        let start = key.parameters.header_len();
        let mut header = vec![0; start];
        header[0] = start as u8;
        getrandom::fill(&mut header[1..]).map_err(|_| Error::Random)?;
        let stream = Stream::new(key, &header, aad)?;
        let buffer = Buffer(Zeroizing::new(header));
        Ok(Self { writer, stream, buffer, start, failed: None })
    }

    /// The writer underneath.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.writer
    }

    /// Seals the last segment and writes it. Gives the writer back, flushed.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_segment(true)?;
        self.writer.flush()?;
        Ok(self.writer)
    }

    /// Where a plaintext that fills the segment ends.
    fn full(&self) -> usize {
        self.stream.segment_len - self.stream.segments.tag_len()
    }

    fn write_segment(&mut self, is_last: bool) -> io::Result<()> {
        if let Some(failed) = self.failed {
            return Err(failed.into());
        }
        let too_many = || io::Error::other(Error::from(Misuse::TooManySegments));
        let nonce = self.stream.next_nonce(is_last).ok_or_else(too_many)?;
        let mut tag = [0; 64];
        let tag = &mut tag[..self.stream.segments.tag_len()];
        let plaintext = &mut self.buffer.0[self.start..];
        let sealed = self.stream.segments.seal(&nonce, b"", plaintext, tag);
        sealed.map_err(io::Error::other)?;
        let pushed = self.buffer.push(tag, self.stream.segment_len);
        let written = pushed.and_then(|()| self.writer.write_all(&self.buffer.0));
        self.failed = written.as_ref().err().map(io::Error::kind);
        self.buffer.0.clear();
        self.start = 0;
        written
    }
}

impl<W: Write> Write for SealingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(failed) = self.failed {
            return Err(failed.into());
        }
        // A full segment waits until more comes: it may be the last one.
        if self.buffer.0.len() == self.full() && !bytes.is_empty() {
            self.write_segment(false)?;
        }
        let len = bytes.len().min(self.full() - self.buffer.0.len());
        self.buffer.push(&bytes[..len], self.stream.segment_len)?;
        Ok(len)
    }

    /// Flushes the writer underneath; what does not fill a segment is not written.
    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Keyset, Template};
    use std::io::Write as _;

    /// A stream has as many segments as it may have: 16 TiB, which no test writes.
    #[test]
    fn no_two_segments_have_one_number() {
        let keyset = Keyset::generate(Template::AES128_GCM_HKDF_4KB).unwrap();
        let streams = keyset.streaming_aead().unwrap();
        for (index, is_taken) in [(u32::MAX - 1, true), (u32::MAX, false)] {
            let mut writer = streams.seal(Vec::new(), b"").unwrap();
            writer.stream.index = index;
            writer.write_all(b"the last").unwrap();
            assert_eq!(writer.finish().is_ok(), is_taken);
        }
    }
}
