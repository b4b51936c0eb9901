//! Two threads for one archive: the file system's calls in one, sealing or opening in the other.
//! Where the system gives no thread, one does both, with the same bytes.

use std::io::{self, ErrorKind, Read, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

use zeroize::Zeroizing;

use super::error::Error;
use crate::chunk::has_memory;

/// Bytes that one thread hands to the other at once.
const PIECE_LEN: usize = 256 << 10;
/// Pieces that may wait: 2 MiB, so that no thread waits for a single call of the other.
const PIECES: usize = 8;

/// It goes back when it is used: to wipe each one would take a tenth of all time.
type Piece = Zeroizing<Vec<u8>>;

fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    has_memory().then(|| Builder::new().spawn_scoped(scope, work).ok()).flatten()
}

/// Does `work`, while another thread hands what it writes on to `out`.
pub(super) fn write_beside<T, W: FnOnce(&mut dyn Write) -> Result<T, Error>>(
    out: &mut (dyn Write + Send),
    work: W,
) -> Result<T, Error> {
    let (sender, receiver) = sync_channel::<Piece>(PIECES);
    let (used, spare) = channel();
    let done = thread::scope(|scope| {
        let hand_on = || {
            for mut piece in receiver {
                out.write_all(&piece)?;
                piece.clear();
                let _ = used.send(piece);
            }
            io::Result::Ok(())
        };
        let Some(thread) = spawn(scope, hand_on) else {
            return Err(work);
        };
        let mut pieces = Outgoing { sender, spare, piece: Piece::default() };
        let done = work(&mut pieces).and_then(|done| Ok(pieces.flush().map(|()| done)?));
        drop(pieces);
        // If `out` failed, it is why the work could not go on.
        let written = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok(written.map_err(Error::from).and(done))
    });
    done.unwrap_or_else(|work| work(out))
}

/// What is written in this thread, and sent to the other in pieces.
struct Outgoing {
    sender: SyncSender<Piece>,
    spare: Receiver<Piece>,
    piece: Piece,
}

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = PIECE_LEN - self.piece.len();
        self.piece.try_reserve_exact(room)?;
        let len = bytes.len().min(room);
        self.piece.extend_from_slice(&bytes[..len]);
        if self.piece.len() == PIECE_LEN {
            self.flush()?;
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        let next = self.spare.try_recv().unwrap_or_default();
        let piece = std::mem::replace(&mut self.piece, next);
        self.sender.send(piece).map_err(|_| ErrorKind::BrokenPipe.into())
    }
}

/// Does `work`, while another thread reads `input` ahead of it.
pub(super) fn read_beside<T, W: FnOnce(&mut (dyn Read + Send)) -> T>(
    input: &mut (dyn Read + Send),
    work: W,
) -> T {
    let (sender, receiver) = sync_channel(PIECES);
    let (used, spare) = channel();
    let done = thread::scope(|scope| {
        let input = &mut *input;
        let read_on = move || {
            loop {
                let piece = next_piece(input, spare.try_recv().unwrap_or_default());
                let is_last = !piece.as_ref().is_ok_and(|piece| !piece.is_empty());
                if sender.send(piece).is_err() || is_last {
                    break;
                }
            }
        };
        match spawn(scope, read_on) {
            Some(_) => {
                let piece = Piece::default();
                Ok(work(&mut Incoming { receiver, used, piece, given: 0, is_over: false }))
            }
            None => Err(work),
        }
    });
    done.unwrap_or_else(|work| work(input))
}

/// What is there of the input, up to a piece; nothing at its end.
fn next_piece(input: &mut dyn Read, mut piece: Piece) -> io::Result<Piece> {
    let room = PIECE_LEN - piece.len();
    piece.try_reserve_exact(room)?;
    piece.resize(PIECE_LEN, 0);
    loop {
        match input.read(&mut piece) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => {
                piece.truncate(read?);
                return Ok(piece);
            }
        }
    }
}

/// What the other thread read.
struct Incoming {
    receiver: Receiver<io::Result<Piece>>,
    used: Sender<Piece>,
    piece: Piece,
    given: usize,
    is_over: bool,
}

impl Read for Incoming {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.given == self.piece.len() && !self.is_over {
            // After an error there is nothing more.
            let next = self.receiver.recv().map_err(|_| ErrorKind::BrokenPipe)??;
            self.is_over = next.is_empty();
            let _ = self.used.send(std::mem::replace(&mut self.piece, next));
            self.given = 0;
        }
        let len = (&self.piece[self.given..]).read(bytes)?;
        self.given += len;
        Ok(len)
    }
}
