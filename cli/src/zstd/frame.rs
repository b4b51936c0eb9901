//! One frame of Zstandard (RFC 8878 section 3.1.1) behind its head, read as a stream.

use std::array;
use std::io::{self, BufRead, Read};

use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

/// What a frame begins with, as it lies in the file.
const MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();
/// What a head begins with, up to its mark: a frame that every decompressor passes over.
const HEAD: [u8; 8] = *b"\x5D\x2A\x4D\x18\x10\0\0\0";
/// Bytes of a head: those, the mark, and the place of the content.
pub(super) const HEAD_LEN: usize = 24;
/// What the seek table begins with: another such frame.
pub(super) const TABLE_MAGIC: [u8; 4] = 0x184D_2A5E_u32.to_le_bytes();
/// The most content of a frame, and the largest window: 8 MiB.
pub(super) const MAX_LEN: u64 = 8 << 20;
/// The longest header of a frame without a dictionary.
const MAX_HEADER_LEN: usize = 14;

/// The compressed content, though authentic, breaks a rule of `docs/spec/compression-v1.md`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the compressed content is malformed: {0}")]
pub(crate) struct Malformed(&'static str);

/// The error of a reader whose content is malformed because of `why`.
pub(super) fn malformed(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, Malformed(why))
}

/// The error of a number that the C library gave.
fn failed(code: usize) -> io::Error {
    // ZSTD_error_memory_allocation of zstd_errors.h.
    match 0_usize.wrapping_sub(code) {
        64 => io::ErrorKind::OutOfMemory.into(),
        _ => malformed(zstd_safe::get_error_name(code)),
    }
}

/// A head up to the place.
pub(super) fn head(mark: [u8; 8]) -> [u8; 16] {
    array::from_fn(|index| if index < 8 { HEAD[index] } else { mark[index - 8] })
}

/// What was read of a compressed content: a head and frame, or the seek table's magic number.
pub(super) enum Next {
    Frame {
        /// Bytes of head and frame.
        len: u64,
        /// Where the content is, as the head says.
        place: u64,
    },
    Table,
}

/// What decompresses frames, one after another, each by itself.
pub(super) struct Decompressor(DCtx<'static>);

impl Decompressor {
    pub(super) fn new() -> io::Result<Self> {
        let mut context = DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        let window = DParameter::WindowLogMax(MAX_LEN.trailing_zeros());
        context.set_parameter(window).map_err(failed)?;
        Ok(Self(context))
    }

    /// Reads a frame's content into `content`. After an error that has nothing that may be used.
    pub(super) fn next(
        &mut self,
        from: &mut impl BufRead,
        content: &mut Vec<u8>,
    ) -> io::Result<Next> {
        content.clear();
        let mut head = [0; HEAD_LEN];
        read(from, &mut head[..4])?;
        if head.starts_with(&TABLE_MAGIC) {
            return Ok(Next::Table);
        }
        read(from, &mut head[4..])?;
        let mut header = [0; MAX_HEADER_LEN];
        read(from, &mut header[..5])?;
        if !head.starts_with(&HEAD) || !header.starts_with(&MAGIC) {
            return Err(malformed("neither a frame with its head nor the seek table"));
        }
        let place = u64::from_le_bytes(array::from_fn(|index| head[16 + index]));
        // What follows: a window unless it is one segment, and the size.
        let descriptor = header[4];
        if descriptor & 7 != 4 {
            return Err(malformed("a frame without a checksum, or with a dictionary"));
        }
        let has_window = descriptor & 0x20 == 0;
        let size = [usize::from(!has_window), 2, 4, 8][usize::from(descriptor >> 6)];
        let header = &mut header[..5 + usize::from(has_window) + size];
        read(from, &mut header[5..])?;
        let stated = zstd_safe::get_frame_content_size(header).ok().flatten();
        let stated = stated.filter(|stated| (1..=MAX_LEN).contains(stated));
        let stated = stated.ok_or_else(|| malformed("a frame that does not state a right size"))?;
        // One byte more, so that a frame with more than it states is seen.
        content.reserve_exact(stated as usize + 1);
        let len = self.decompress(from, header, content)?;
        match content.len() as u64 == stated {
            true => Ok(Next::Frame { len: HEAD_LEN as u64 + len, place }),
            false => Err(malformed("a frame of another size than it states")),
        }
    }

    /// Decompresses the frame of `header` into what room `content` has. Gives its length.
    fn decompress(
        &mut self,
        from: &mut impl BufRead,
        header: &[u8],
        content: &mut Vec<u8>,
    ) -> io::Result<u64> {
        self.0.reset(ResetDirective::SessionOnly).map_err(failed)?;
        let (room, mut len) = (content.capacity(), 0);
        let mut output = OutBuffer::around(content);
        let mut from = header.chain(from);
        loop {
            let bytes = match from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                return Err(malformed(ENDS));
            }
            let mut input = InBuffer::around(bytes);
            let left = self.0.decompress_stream(&mut output, &mut input);
            let left = left.map_err(failed)?;
            let used = input.pos();
            from.consume(used);
            len += used as u64;
            if left == 0 {
                return Ok(len);
            }
            if output.pos() == room {
                return Err(malformed("a frame with more content than it states"));
            }
        }
    }
}

const ENDS: &str = "it ends before its seek table does";

/// Fills `bytes`; that `from` ends is malformed.
pub(super) fn read(from: &mut impl Read, bytes: &mut [u8]) -> io::Result<()> {
    from.read_exact(bytes).map_err(|error| match error.kind() {
        // That of a truncated file has the file's error inside, and stays.
        io::ErrorKind::UnexpectedEof if error.get_ref().is_none() => malformed(ENDS),
        _ => error,
    })
}
