//! One frame of Zstandard (RFC 8878 section 3.1.1), read as a stream.

use std::io::{self, BufRead, Read};

use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

/// What a frame begins with, as it lies in the file.
pub(super) const MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();
/// What the seek table begins with: a frame that every decompressor passes over.
pub(super) const TABLE_MAGIC: [u8; 4] = 0x184D_2A5E_u32.to_le_bytes();
/// The most content of a frame, and the largest window: 8 MiB.
pub(super) const MAX_LEN: u64 = 8 << 20;
/// As `ZSTD_d_windowLogMax` wants [`MAX_LEN`].
const MAX_WINDOW_LOG: u32 = MAX_LEN.trailing_zeros();
/// The longest header of a frame.
const MAX_HEADER_LEN: usize = 18;

/// The compressed content breaks a rule of `docs/spec/compression-v1.md`. It was authentic, so
/// its maker made it so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the compressed content is malformed: {0}")]
pub struct Malformed(String);

/// The error of a reader whose content is malformed because of `what`.
pub(super) fn malformed(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, Malformed(what.into()))
}

/// An error of the C library: `other` of its words, unless memory is short.
pub(super) fn library_error(code: usize, other: impl FnOnce(String) -> io::Error) -> io::Error {
    // ZSTD_error_memory_allocation of zstd_errors.h.
    match 0_usize.wrapping_sub(code) {
        64 => io::ErrorKind::OutOfMemory.into(),
        _ => other(format!("Zstandard: {}", zstd_safe::get_error_name(code))),
    }
}

/// What comes next in a compressed content.
pub(super) enum Next {
    /// A frame, whose content was read. It has so many bytes.
    Frame(u64),
    /// The magic number of the seek table, which was read.
    Table,
}

/// What decompresses frames, one after another, each by itself.
pub(super) struct Decompressor {
    context: DCtx<'static>,
}

impl Decompressor {
    /// # Errors
    ///
    /// [`io::ErrorKind::OutOfMemory`].
    pub(super) fn new() -> io::Result<Self> {
        let mut context = DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        context
            .set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG))
            .map_err(|code| library_error(code, io::Error::other))?;
        Ok(Self { context })
    }

    /// Reads a frame's content into `content`, or the magic number of the seek table. `index` is
    /// the frame's, for errors. On an error `content` has nothing that may be used.
    pub(super) fn next(
        &mut self,
        from: &mut impl BufRead,
        index: u64,
        content: &mut Vec<u8>,
    ) -> io::Result<Next> {
        content.clear();
        let cut = || {
            malformed(format!(
                "it ends within frame {index}, or before a seek table"
            ))
        };
        let mut header = [0; MAX_HEADER_LEN];
        read(from, &mut header[..4], cut)?;
        if header.starts_with(&TABLE_MAGIC) {
            return Ok(Next::Table);
        }
        if !header.starts_with(&MAGIC) {
            let found = &header[..4];
            refuse!("{found:02x?} where frame {index} begins");
        }
        read(from, &mut header[4..5], cut)?;
        // What follows: a window unless it is one segment, a dictionary's number, and the size.
        let descriptor = header[4];
        let has_window = descriptor & 0x20 == 0;
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let size = [usize::from(!has_window), 2, 4, 8][usize::from(descriptor >> 6)];
        let header = &mut header[..5 + usize::from(has_window) + dictionary + size];
        read(from, &mut header[5..], cut)?;
        if descriptor & 4 == 0 {
            refuse!("frame {index} has no checksum");
        }
        let stated = zstd_safe::get_frame_content_size(header).ok().flatten();
        let Some(stated) = stated.filter(|stated| (1..=MAX_LEN).contains(stated)) else {
            refuse!("frame {index} does not state that it has 1 byte to 8 MiB of content");
        };
        // One byte more, so that a frame with more than it states is seen.
        content.reserve_exact(stated as usize + 1);
        let frame_len = self.decompress(from, index, header, content)?;
        if content.len() as u64 != stated {
            let len = content.len();
            refuse!("frame {index} states {stated} bytes and has {len}");
        }
        Ok(Next::Frame(frame_len))
    }

    /// Decompresses the frame of `header` into what room `content` has.
    fn decompress(
        &mut self,
        from: &mut impl BufRead,
        index: u64,
        header: &[u8],
        content: &mut Vec<u8>,
    ) -> io::Result<u64> {
        let failed =
            |code| library_error(code, |words| malformed(format!("frame {index}: {words}")));
        self.context
            .reset(ResetDirective::SessionOnly)
            .map_err(failed)?;
        let room = content.capacity();
        let mut output = OutBuffer::around(content);
        let mut input = InBuffer::around(header);
        let mut left = self
            .context
            .decompress_stream(&mut output, &mut input)
            .map_err(failed)?;
        let mut len = input.pos() as u64;
        while left != 0 {
            let bytes = match from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                refuse!("it ends within frame {index}");
            }
            let mut input = InBuffer::around(bytes);
            left = self
                .context
                .decompress_stream(&mut output, &mut input)
                .map_err(failed)?;
            let used = input.pos();
            from.consume(used);
            len += used as u64;
            if left != 0 && output.pos() == room {
                refuse!("frame {index} has more content than it states");
            }
        }
        Ok(len)
    }
}

/// Fills `bytes`, or fails with what `cut` gives where `from` ends.
pub(super) fn read(
    from: &mut impl Read,
    bytes: &mut [u8],
    cut: impl FnOnce() -> io::Error,
) -> io::Result<()> {
    from.read_exact(bytes).map_err(|error| match error.kind() {
        // That of a truncated file has the file's error inside, and stays.
        io::ErrorKind::UnexpectedEof if error.get_ref().is_none() => cut(),
        _ => error,
    })
}
