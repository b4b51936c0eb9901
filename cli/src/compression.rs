//! Content that is compressed before it is sealed (docs/adr/0041-zstd-before-sealing.md).
//!
//! A frame of Zstandard that is passed over says so, and the content is in the frame after it:
//! `zstd -d` reads the whole.

use std::io::{self, BufReader, Read, Write};

use zeroize::Zeroizing;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer, WriteBuf};
use zstd::stream::read::Encoder;
use zstd::stream::zio;
use zstd::zstd_safe::get_error_name;

use crate::exit::Exit;
use crate::failure::Failure;

/// The bytes that compressed content begins with.
pub(crate) const MARK_LEN: usize = 32;
/// A frame that is passed over, of 24 bytes (RFC 8878 section 3.1.2).
const MARK: &[u8; MARK_LEN] = b"\x50\x2a\x4d\x18\x18\0\0\0sivka zstd, version 1\0\0\0";
/// Where the digit of the version is.
const VERSION_AT: usize = 28;
/// The level of `zstd` unless told otherwise.
const LEVEL: i32 = 3;
/// The most memory that a frame may ask for: 8 MiB, four times what level 3 needs.
const MAX_WINDOW_LOG: u32 = 23;

/// What the first bytes of a content say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Compressed,
    /// Compressed in a way that this program does not know.
    Newer,
}

impl Form {
    /// Looks at the first [`MARK_LEN`] bytes, or at all if there are fewer.
    pub(crate) fn of(head: &[u8]) -> Self {
        match head.get(..MARK_LEN) {
            Some(head) if head == MARK => Self::Compressed,
            Some(head)
                if head[..VERSION_AT] == MARK[..VERSION_AT]
                    && head[VERSION_AT].is_ascii_digit()
                    && head[VERSION_AT + 1..] == MARK[VERSION_AT + 1..] =>
            {
                Self::Newer
            }
            _ => Self::Plain,
        }
    }
}

/// A reader that compresses what `content` gives.
pub(crate) struct Compressing<R: Read> {
    mark: &'static [u8],
    encoder: Encoder<'static, BufReader<R>>,
}

impl<R: Read> Compressing<R> {
    pub(crate) fn new(content: R) -> io::Result<Self> {
        let content = BufReader::with_capacity(1 << 17, content);
        Ok(Self {
            mark: MARK,
            encoder: Encoder::with_buffer(content, LEVEL)?,
        })
    }
}

impl<R: Read> Read for Compressing<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if !self.mark.is_empty() {
            return self.mark.read(out);
        }
        self.encoder.read(out).map_err(known)
    }
}

/// A writer that passes content on as it is, and decompressed if its first bytes say that it
/// is compressed.
pub(crate) struct Decompressing<W: Write> {
    way: Option<Way<W>>,
    failed: Option<Failed>,
}

enum Way<W: Write> {
    /// Not all of the first bytes are here.
    Unknown(W, Zeroizing<Vec<u8>>),
    Plain(W),
    Compressed(Box<zio::Writer<Counted<W>, OneFrame>>),
    Refused(W),
}

/// Why content does not come of what was sealed.
#[derive(Clone, Copy)]
enum Failed {
    Newer,
    Malformed,
    NoMemory,
    Window,
}

/// What came of it.
pub(crate) struct Ended<W> {
    pub(crate) writer: Option<W>,
    /// The length of what was compressed, if it was.
    pub(crate) len: Option<u64>,
    /// Why not all was passed on.
    pub(crate) error: Option<io::Error>,
    failed: Option<Failed>,
}

impl<W> Ended<W> {
    /// The failure, if it is the content's fault. `name` is the file's.
    pub(crate) fn failure(&self, name: &str) -> Option<Failure> {
        Some(match self.failed? {
            Failed::Newer => {
                let message = "compressed in a form that is not known to this program";
                Failure::new(Exit::Newer, format!("{name}: {message}"))
                    .hint("a newer version of sivka may know it")
            }
            Failed::Malformed => {
                let message = "what is compressed in it is malformed";
                Failure::new(Exit::Malformed, format!("{name}: {message}"))
            }
            Failed::NoMemory => {
                let message = "not enough memory to decompress it";
                Failure::new(Exit::Limit, format!("{name}: {message}"))
            }
            Failed::Window => {
                let message = "needs more than 8 MiB of memory to decompress";
                Failure::new(Exit::Limit, format!("{name}: {message}")).hint(
                    "`open --raw` gives what is compressed; `sivka` does not make such content",
                )
            }
        })
    }
}

impl<W: Write> Decompressing<W> {
    pub(crate) fn new(writer: W) -> Self {
        let head = Zeroizing::new(Vec::with_capacity(MARK_LEN));
        Self {
            way: Some(Way::Unknown(writer, head)),
            failed: None,
        }
    }

    /// Goes the way that the first bytes say.
    fn decide(&mut self, mut writer: W, head: &[u8]) -> io::Result<()> {
        let (way, done) = match Form::of(head) {
            Form::Plain => {
                let written = writer.write_all(head);
                (Way::Plain(writer), written)
            }
            Form::Newer => {
                self.failed = Some(Failed::Newer);
                (Way::Refused(writer), Err(refused()))
            }
            Form::Compressed => match OneFrame::new() {
                Ok(decoder) => {
                    let counted = Counted::new(writer);
                    let writer = zio::Writer::new(counted, decoder);
                    (Way::Compressed(Box::new(writer)), Ok(()))
                }
                Err(error) => (Way::Refused(writer), Err(error)),
            },
        };
        self.way = Some(way);
        done
    }

    /// Ends, and gives the writer back. `is_whole` says whether all was written.
    pub(crate) fn end(mut self, is_whole: bool) -> Ended<W> {
        let mut error = None;
        if is_whole && matches!(self.way, Some(Way::Unknown(..))) {
            // All of the content is shorter than a mark.
            if let Some(Way::Unknown(writer, head)) = self.way.take() {
                error = self.decide(writer, &head).err();
            }
        }
        let (writer, len) = match self.way.take() {
            Some(Way::Compressed(mut writer)) => {
                if is_whole && let Err(ended) = writer.finish() {
                    let below = writer.writer_mut().failed.take();
                    error = Some(self.failed(below, ended));
                }
                let (counted, _) = writer.into_inner();
                (Some(counted.writer), Some(counted.len))
            }
            Some(Way::Unknown(writer, _) | Way::Plain(writer) | Way::Refused(writer)) => {
                (Some(writer), None)
            }
            None => (None, None),
        };
        Ended {
            writer,
            len,
            error,
            failed: self.failed,
        }
    }

    /// What a decoder's error is: the writer's below it, or its own.
    fn failed(&mut self, below: Option<io::Error>, error: io::Error) -> io::Error {
        match below {
            Some(error) => error,
            None => {
                self.failed = Some(if has_number(&error, NO_MEMORY) {
                    Failed::NoMemory
                } else if has_number(&error, WINDOW_TOO_LARGE) {
                    Failed::Window
                } else {
                    Failed::Malformed
                });
                error
            }
        }
    }
}

impl<W: Write> Write for Decompressing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.way {
            Some(Way::Unknown(_, head)) => {
                let taken = bytes.len().min(MARK_LEN - head.len());
                head.extend_from_slice(&bytes[..taken]);
                if head.len() == MARK_LEN
                    && let Some(Way::Unknown(writer, head)) = self.way.take()
                {
                    self.decide(writer, &head)?;
                }
                Ok(taken)
            }
            Some(Way::Plain(writer)) => writer.write(bytes),
            Some(Way::Compressed(writer)) => match writer.write(bytes) {
                Ok(written) => Ok(written),
                Err(error) => {
                    let below = writer.writer_mut().failed.take();
                    Err(self.failed(below, error))
                }
            },
            Some(Way::Refused(_)) | None => Err(refused()),
        }
    }

    fn write_vectored(&mut self, pieces: &[io::IoSlice<'_>]) -> io::Result<usize> {
        if let Some(Way::Plain(writer)) = &mut self.way {
            return writer.write_vectored(pieces);
        }
        let first = pieces.iter().find(|piece| !piece.is_empty());
        first.map_or(Ok(0), |piece| self.write(piece))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // `end` does.
    }
}

/// Two numbers of errors that Zstandard keeps as they are (`zstd_errors.h`).
const WINDOW_TOO_LARGE: usize = 16;
const NO_MEMORY: usize = 64;

/// Whether an error of the library is that of its number, of which it passes on the name alone.
fn has_number(error: &io::Error, number: usize) -> bool {
    error.to_string() == get_error_name(0_usize.wrapping_sub(number))
}

/// An error of the encoder, as the standard library knows it.
fn known(error: io::Error) -> io::Error {
    match has_number(&error, NO_MEMORY) {
        true => io::ErrorKind::OutOfMemory.into(),
        false => error,
    }
}

/// A decoder of one frame that holds content. The library's goes on with the frames after it,
/// and passes over those without content; a program that stops after one would see another
/// content.
struct OneFrame {
    decoder: Decoder<'static>,
    /// How much of the frame's magic number was seen.
    magic_len: usize,
    /// What was taken of its header.
    header: Vec<u8>,
}

/// The most bytes of a frame's header (RFC 8878 section 3.1.1.1).
const MAX_HEADER_LEN: usize = 18;

/// Whether a frame states a length of 2^64 - 1, which the library takes for none.
fn states_no_length(header: &[u8]) -> bool {
    let Some(descriptor) = header.get(4) else {
        return false;
    };
    let has_window = usize::from(descriptor & 0x20 == 0);
    let at = 5 + has_window + [0, 1, 2, 4][usize::from(descriptor & 3)];
    descriptor >> 6 == 3 && header.get(at..at + 8) == Some(&[0xff; 8])
}

/// What a frame begins with (RFC 8878 section 3.1.1).
const MAGIC: &[u8; 4] = b"\x28\xb5\x2f\xfd";

impl OneFrame {
    fn new() -> io::Result<Self> {
        let mut decoder = Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG))?;
        Ok(Self {
            decoder,
            magic_len: 0,
            header: Vec::with_capacity(MAX_HEADER_LEN),
        })
    }
}

impl Operation for OneFrame {
    fn run<C: WriteBuf + ?Sized>(
        &mut self,
        input: &mut InBuffer<'_>,
        output: &mut OutBuffer<'_, C>,
    ) -> io::Result<usize> {
        let magic = MAGIC[self.magic_len..].iter();
        for (expected, found) in magic.zip(&input.src[input.pos()..]) {
            if expected != found {
                return Err(refused());
            }
            self.magic_len += 1;
        }
        let from = input.pos();
        let hint = self.decoder.run(input, output)?;
        let more = MAX_HEADER_LEN - self.header.len();
        let taken = input.src[from..input.pos()].iter().take(more);
        self.header.extend(taken);
        match states_no_length(&self.header) {
            true => Err(refused()),
            false => Ok(hint),
        }
    }

    fn finish<C: WriteBuf + ?Sized>(
        &mut self,
        output: &mut OutBuffer<'_, C>,
        finished_frame: bool,
    ) -> io::Result<usize> {
        self.decoder.finish(output, finished_frame)
    }

    /// Called when something follows the frame.
    fn reinit(&mut self) -> io::Result<()> {
        Err(refused())
    }
}

/// A writer that counts, and keeps its error from the decoder above it.
struct Counted<W> {
    writer: W,
    len: u64,
    failed: Option<io::Error>,
}

impl<W> Counted<W> {
    fn new(writer: W) -> Self {
        Self {
            writer,
            len: 0,
            failed: None,
        }
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.writer.write(bytes) {
            Ok(written) => {
                self.len += written as u64;
                Ok(written)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.failed = Some(error);
                Err(refused())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn refused() -> io::Error {
    io::Error::other("refused")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(sealed: &[u8], piece: usize) -> (Vec<u8>, Option<Exit>) {
        let mut out = Vec::new();
        let mut writer = Decompressing::new(&mut out);
        let done = sealed
            .chunks(piece)
            .try_for_each(|piece| writer.write_all(piece));
        let ended = writer.end(done.is_ok());
        let failure = ended.failure("x").map(|failure| failure.exit);
        assert_eq!(done.is_err() || ended.error.is_some(), failure.is_some());
        drop(ended);
        (out, failure)
    }

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        Compressing::new(content)
            .and_then(|mut reader| reader.read_to_end(&mut bytes))
            .expect("compressed");
        bytes
    }

    #[test]
    fn content_comes_back_compressed_or_not() {
        let text: Vec<u8> = (0..300_000_u32).map(|i| (i / 7 % 251) as u8).collect();
        for len in [0, 1, 31, 32, 33, 300_000] {
            let plain = &text[..len];
            for piece in [1, 32, 16384] {
                assert_eq!(through(plain, piece), (plain.to_vec(), None));
                let packed = packed(plain);
                assert!(len < 1000 || packed.len() < len / 2);
                assert_eq!(through(&packed, piece), (plain.to_vec(), None));
            }
        }
        let newer = [&MARK[..VERSION_AT], b"2", &MARK[VERSION_AT + 1..]].concat();
        assert_eq!(through(&newer, 99), (vec![], Some(Exit::Newer)));
    }

    #[test]
    fn what_is_cut_or_changed_or_goes_on_does_not_end_well() {
        let packed = packed(&[7; 100_000]);
        for len in MARK_LEN..packed.len() {
            assert_eq!(through(&packed[..len], 99).1, Some(Exit::Malformed));
        }
        let empty = &packed_frame(b"");
        let skipped = &b"\x50\x2a\x4d\x18\x01\0\0\0x"[..];
        for more in [
            b"more",
            &packed_frame(b"a frame")[..],
            empty,
            skipped,
            b"\0",
        ] {
            for piece in [1, 99, 1 << 20] {
                let more = [&packed[..], more].concat();
                assert_eq!(through(&more, piece).1, Some(Exit::Malformed));
                let less = [MARK, skipped, &packed[MARK_LEN..]].concat();
                assert_eq!(through(&less, piece).1, Some(Exit::Malformed));
            }
        }
    }

    fn packed_frame(content: &[u8]) -> Vec<u8> {
        packed(content)[MARK_LEN..].to_vec()
    }

    /// Other programs compare it with what comes, and refuse.
    #[test]
    fn a_length_that_is_taken_for_none_is_refused() {
        let mut sealed = MARK.to_vec();
        sealed.extend_from_slice(MAGIC);
        // Eight bytes of length, and a window of 1 MiB; one block, the last, of one byte.
        sealed.extend_from_slice(b"\xc0\x50");
        let at = sealed.len();
        sealed.extend_from_slice(&1_u64.to_le_bytes());
        sealed.extend_from_slice(b"\x09\0\0x");
        assert_eq!(through(&sealed, 99), (b"x".to_vec(), None));
        sealed[at..at + 8].fill(0xff);
        assert_eq!(through(&sealed, 99).1, Some(Exit::Malformed));
    }

    /// A frame that asks for a window of 1 GiB, which a decoder would have to hold.
    #[test]
    fn a_window_is_bounded() {
        let frame = b"\x28\xb5\x2f\xfd\0\xa0\x01\0\0";
        let content = [&MARK[..], frame].concat();
        assert_eq!(through(&content, 99).1, Some(Exit::Limit));
    }
}
