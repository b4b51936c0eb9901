//! A stream of bytes from one thread to another, whose end is said and never guessed.
//!
//! A thread that fails, or panics, drops its side. If that were an end, half a folder
//! would be sealed as a whole one, and half a content unpacked as all of it.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use zeroize::Zeroizing;

const PIECE_LEN: usize = 256 << 10;
/// Pieces under way: enough for either side to go on while the other one waits.
const UNDER_WAY: usize = 4;

enum Piece {
    Bytes(Zeroizing<Vec<u8>>),
    End,
}

/// The two sides of a stream.
pub(crate) fn pipe() -> (PieceWriter, PieceReader) {
    let (sender, receiver) = sync_channel(UNDER_WAY);
    let writer = PieceWriter {
        sender,
        piece: new_piece(),
    };
    let reader = PieceReader {
        receiver,
        piece: Zeroizing::default(),
        at: 0,
        ended: false,
    };
    (writer, reader)
}

/// All of it at once: a buffer that grows leaves copies of plaintext behind.
fn new_piece() -> Zeroizing<Vec<u8>> {
    Zeroizing::new(Vec::with_capacity(PIECE_LEN))
}

pub(crate) struct PieceWriter {
    sender: SyncSender<Piece>,
    piece: Zeroizing<Vec<u8>>,
}

impl PieceWriter {
    /// Says that everything was written. Without it the reader meets an error.
    pub(crate) fn end(mut self) -> io::Result<()> {
        self.flush()?;
        self.send(Piece::End)
    }

    fn send(&self, piece: Piece) -> io::Result<()> {
        self.sender
            .send(piece)
            .map_err(|_| ErrorKind::BrokenPipe.into())
    }
}

impl Write for PieceWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PIECE_LEN - self.piece.len());
        self.piece.extend_from_slice(&bytes[..taken]);
        if self.piece.len() == PIECE_LEN {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, new_piece());
        self.send(Piece::Bytes(piece))
    }
}

pub(crate) struct PieceReader {
    receiver: Receiver<Piece>,
    piece: Zeroizing<Vec<u8>>,
    at: usize,
    ended: bool,
}

impl Read for PieceReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() && !self.ended && !out.is_empty() {
            match self.receiver.recv() {
                Ok(Piece::Bytes(piece)) => (self.piece, self.at) = (piece, 0),
                Ok(Piece::End) => self.ended = true,
                Err(_) => return Err(ErrorKind::UnexpectedEof.into()),
            }
        }
        let ready = &self.piece[self.at..];
        let given = ready.len().min(out.len());
        out[..given].copy_from_slice(&ready[..given]);
        self.at += given;
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_that_is_gone_is_no_end() {
        let (mut writer, mut reader) = pipe();
        writer.write_all(b"half of it").expect("somebody reads");
        writer.flush().expect("somebody reads");
        drop(writer);
        let mut read = Vec::new();
        let error = reader.read_to_end(&mut read).expect_err("no end was said");
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        assert_eq!(read, b"half of it");

        let (mut writer, reader) = pipe();
        drop(reader);
        let error = writer.write_all(&[0; PIECE_LEN]).expect_err("nobody reads");
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }

    #[test]
    fn everything_arrives() {
        let sent: Vec<u8> = (0..3 * PIECE_LEN + 7).map(|i| (i % 251) as u8).collect();
        let (mut writer, mut reader) = pipe();
        let mut read = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for part in sent.chunks(1000) {
                    writer.write_all(part).expect("somebody reads");
                }
                writer.end().expect("somebody reads");
            });
            reader.read_to_end(&mut read).expect("the end was said");
        });
        assert!(read == sent);
        assert_eq!(reader.read(&mut [0; 1]).expect("still at the end"), 0);
    }
}
