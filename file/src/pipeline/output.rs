//! What is written, batch after batch.

use super::batch::{ChunkRun, Done, Shape};
use crate::chunk::CHUNK_LEN;
use crate::error::Error;
use std::io::{self, ErrorKind, IoSlice, Write};

pub(super) struct Output<W, P> {
    writer: W,
    progress: P,
    /// Whose turn it is to write.
    pub(super) turn: u64,
    pub(super) written: u64,
    plaintext: u64,
    pub(super) error: Option<Error>,
}

impl<W: Write, P: FnMut(u64)> Output<W, P> {
    pub(super) fn new(writer: W, progress: P) -> Self {
        Self {
            writer,
            progress,
            turn: 0,
            written: 0,
            plaintext: 0,
            error: None,
        }
    }

    pub(super) fn write(
        &mut self,
        shape: Shape,
        batch: &ChunkRun,
        done: Done,
    ) -> Result<(), Error> {
        let last_at = done.whole * shape.stride;
        let len = done.whole * shape.out_len + done.last_len;
        let written = if shape.out_len == shape.stride {
            self.writer.write_all(&batch.buffer[..len])
        } else {
            let mut pieces: Vec<IoSlice<'_>> = batch.buffer[..last_at]
                .chunks_exact(shape.stride)
                .map(|chunk| IoSlice::new(&chunk[..shape.out_len]))
                .collect();
            pieces.push(IoSlice::new(
                &batch.buffer[last_at..last_at + done.last_len],
            ));
            write_all_vectored(&mut self.writer, &mut pieces)
        };
        written.map_err(Error::Write)?;
        self.written += len as u64;
        self.plaintext += (done.whole * CHUNK_LEN + done.last_plaintext_len) as u64;
        (self.progress)(self.plaintext);
        Ok(())
    }
}

fn write_all_vectored<W: Write>(writer: &mut W, mut pieces: &mut [IoSlice<'_>]) -> io::Result<()> {
    // Leading empty pieces would make an honest writer report zero bytes.
    IoSlice::advance_slices(&mut pieces, 0);
    while !pieces.is_empty() {
        match writer.write_vectored(pieces) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut pieces, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A signal comes in before the first byte.
    #[derive(Default)]
    struct Interrupted {
        calls: usize,
        written: Vec<u8>,
    }

    impl Write for Interrupted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.calls += 1;
            match self.calls {
                1 => Err(ErrorKind::Interrupted.into()),
                _ => self.written.write(bytes),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_signal_does_not_end_a_write() {
        let mut writer = Interrupted::default();
        let mut pieces = [IoSlice::new(b"one "), IoSlice::new(b"two")];
        write_all_vectored(&mut writer, &mut pieces).unwrap();
        assert_eq!(writer.written, b"one two");
    }
}
