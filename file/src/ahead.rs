//! Two threads for one content: files are read or written in one, sealed or opened in the other.
//! Where the system gives no thread, one does both, with the same bytes.

use crate::chunk::has_memory;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, Builder, Scope, ScopedJoinHandle};
use zeroize::Zeroizing;

/// Bytes that one thread hands to the other at once.
const PIECE_LEN: usize = 1 << 20;
/// Pieces that may wait: as much as is sealed or opened at once.
const PIECES: usize = 4;

/// It goes back when it is used: to wipe each one would take a tenth of all time.
type Piece = Zeroizing<Vec<u8>>;

fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    has_memory().then(|| Builder::new().spawn_scoped(scope, work).ok()).flatten()
}

/// Does `work`, while another thread hands what it writes on to `out`, up to 5 MiB behind it.
///
/// # Errors
/// Those of `out`, or else of `work`. Nobody knows then how much was written.
pub fn write_behind<T, E: From<io::Error>, W: FnOnce(&mut dyn Write) -> Result<T, E>>(
    out: &mut (dyn Write + Send),
    work: W,
) -> Result<T, E> {
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
        Ok(written.map_err(E::from).and(done))
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

/// Does `work` with what `input` has, while another thread reads up to 5 MiB ahead of it.
///
/// It comes back when the last call of `input` does: do not use it for a pipe whose other end may
/// wait for ever.
pub fn read_ahead<T, W: FnOnce(&mut (dyn BufRead + Send)) -> T>(
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
    done.unwrap_or_else(|work| work(&mut BufReader::new(input)))
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

impl BufRead for Incoming {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.given == self.piece.len() && !self.is_over {
            // After an error there is nothing more.
            let next = self.receiver.recv().map_err(|_| ErrorKind::BrokenPipe)??;
            self.is_over = next.is_empty();
            let _ = self.used.send(std::mem::replace(&mut self.piece, next));
            self.given = 0;
        }
        Ok(&self.piece[self.given..])
    }

    fn consume(&mut self, len: usize) {
        self.given += len;
    }
}

impl Read for Incoming {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(bytes)?;
        self.consume(len);
        Ok(len)
    }
}
