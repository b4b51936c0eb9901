//! Sealing and opening under a keyset, in the bytes that every Tink has.

use std::cell::Cell;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use serde::Serialize;
use sivka_keyset::{Error, Keyset, Primitive};
use zeroize::Zeroizing;

use crate::args::KeysetData;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::input::{Input, named};
use crate::keyset_file::{failure, may_replace, read};
use crate::name::{is_standard, shown};
use crate::output::Output;
use crate::progress::size;
use crate::report::Name;
use crate::terminal::TextOnly;

/// The most bytes of a message, which is in memory as a whole.
const MAX_MESSAGE_LEN: usize = 256 << 20;
/// What sealing adds at most: a wrapped key, for an envelope, is the longest part of it.
const MAX_OVERHEAD: usize = 64 << 10;
/// What is read of a stream at once.
const PIECE_LEN: usize = 1 << 16;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Seal,
    Open,
}

#[derive(Serialize)]
struct DataRecord<'a> {
    #[serde(flatten)]
    output: Name<'a>,
    content_len: u64,
}

/// Seals or opens one message, or one stream, as the keyset's keys are for.
pub(super) fn carry_out(direction: Direction, data: &KeysetData) -> Result<(), Failure> {
    let report = data.file.reporting.report();
    let inputs = named(&Vec::from_iter(data.input.clone()))?;
    let path = inputs.first().map_or(Path::new("-"), |path| path.as_path());
    let target = data.output.as_deref().filter(|path| !is_standard(path));
    report.may_share(target.is_none())?;
    if let Some(target) = target {
        may_replace(&data.file, target)?;
    }
    let keyset = read(&data.file)?.keyset;
    let primitive = keyset.primitive();
    let primitive = primitive.map_err(|error| failure(&data.file.file, &error))?;
    let input = Input::open(path)?;
    let mut output = match target {
        Some(target) => Output::create(target, input.permissions(), data.force)?,
        None => Output::standard()?,
    };
    let (name, aad) = (output.name().to_path_buf(), data.aad.as_bytes());
    let mut text = TextOnly::new(&mut output, data.force);
    let (mut opened_len, ended) = (0, Cell::new(false));
    let done = match primitive {
        Primitive::StreamingAead => {
            let source = Watched {
                input: &input,
                ended: &ended,
            };
            stream(direction, &keyset, source, &mut text, aad, &mut opened_len)
        }
        _ => message(direction, &keyset, primitive, &input, &mut text, aad),
    };
    if let Some(refused) = text.failure(path) {
        return Err(refused);
    }
    let content_len = done.map_err(|error| match error {
        // A key has opened what comes before.
        Failed::Keyset(Error::Open) if opened_len > 0 => {
            let (exit, what) = match ended.get() {
                true => (Exit::Truncated, "is truncated, or its end is damaged"),
                false => (Exit::Damaged, "is damaged"),
            };
            let message = format!("{}: {what}, after {}", shown(path), size(opened_len));
            Failure::new(exit, message)
        }
        Failed::Keyset(Error::Open) => {
            let message = format!("{}: {}", shown(path), Error::Open);
            Failure::new(Exit::Key, message)
        }
        Failed::Keyset(error) => failure(&data.file.file, &error),
        Failed::Read(error) => Failure::io(path, &error),
        Failed::Write(error) => Failure::io(&name, &error),
        Failed::TooLong => {
            let message = format!("longer than {}", size(MAX_MESSAGE_LEN as u64));
            Failure::new(Exit::Limit, format!("{}: {message}", shown(path)))
                .hint("a keyset of AES256_GCM_HKDF_1MB seals what is longer, as does `sivka seal`")
        }
    })?;
    output.commit()?;
    let output = Name {
        field: "output",
        path: &name,
    };
    let record = DataRecord {
        output,
        content_len,
    };
    report.tell_json(path, 0, record)
}

enum Failed {
    Keyset(Error),
    Read(io::Error),
    Write(io::Error),
    TooLong,
}

/// What becomes of a message: keys of both kinds have these calls, and no trait.
macro_rules! made {
    ($keys:expr, $direction:expr, $message:expr, $aad:expr) => {{
        let keys = $keys.map_err(Failed::Keyset)?;
        let len = match $direction {
            Direction::Seal => keys.seal_len($message.len()),
            Direction::Open => keys.open_len($message.len()),
        };
        let mut made = room(len)?;
        made.resize(len, 0);
        let len = match $direction {
            Direction::Seal => keys.seal_into(&$message, $aad, &mut made).map(|()| len),
            Direction::Open => keys.open_into(&$message, $aad, &mut made),
        };
        made.truncate(len.map_err(Failed::Keyset)?);
        made
    }};
}

/// Room for so many bytes: where there is none, the program would be aborted.
fn room(len: usize) -> Result<Zeroizing<Vec<u8>>, Failed> {
    let mut room = Zeroizing::new(Vec::new());
    let reserved = room.try_reserve_exact(len);
    reserved.map_err(|_| Failed::Read(io::ErrorKind::OutOfMemory.into()))?;
    Ok(room)
}

fn message(
    direction: Direction,
    keyset: &Keyset,
    primitive: Primitive,
    input: &Input,
    output: &mut impl Write,
    aad: &[u8],
) -> Result<u64, Failed> {
    let longest = match direction {
        Direction::Seal => MAX_MESSAGE_LEN,
        Direction::Open => MAX_MESSAGE_LEN + MAX_OVERHEAD,
    };
    let expected = input.len().unwrap_or(0).min(longest as u64) as usize;
    let mut message = room(expected + 1)?;
    (&input.file)
        .take(longest as u64 + 1)
        .read_to_end(&mut message)
        .map_err(Failed::Read)?;
    if message.len() > longest {
        return Err(Failed::TooLong);
    }
    let made = match primitive {
        Primitive::DeterministicAead => made!(keyset.deterministic_aead(), direction, message, aad),
        _ => made!(keyset.aead(), direction, message, aad),
    };
    output.write_all(&made).map_err(Failed::Write)?;
    Ok(match direction {
        Direction::Seal => message.len(),
        Direction::Open => made.len(),
    } as u64)
}

fn stream(
    direction: Direction,
    keyset: &Keyset,
    mut source: Watched<'_>,
    output: &mut impl Write,
    aad: &[u8],
    opened_len: &mut u64,
) -> Result<u64, Failed> {
    let keys = keyset.streaming_aead().map_err(Failed::Keyset)?;
    let mut buffer = Zeroizing::new(vec![0; PIECE_LEN]);
    match direction {
        Direction::Seal => {
            let mut sealed = keys.seal(output, aad).map_err(Failed::Keyset)?;
            let read = |buffer: &mut [u8]| source.read(buffer).map_err(Failed::Read);
            let len = copy(read, |piece| sealed.write_all(piece), &mut buffer, &mut 0)?;
            sealed.finish().map_err(Failed::Write)?;
            Ok(len)
        }
        Direction::Open => {
            let mut opened = keys.open(BufReader::new(source), aad);
            let read = |buffer: &mut [u8]| opened.read(buffer).map_err(not_opened);
            copy(
                read,
                |piece| output.write_all(piece),
                &mut buffer,
                opened_len,
            )
        }
    }
}

/// The input, and whether its end was met.
struct Watched<'a> {
    input: &'a Input,
    ended: &'a Cell<bool>,
}

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = (&self.input.file).read(out)?;
        self.ended.set(len == 0 && !out.is_empty());
        Ok(len)
    }
}

/// Hands on what is read until there is no more, and counts it in `len`.
fn copy(
    mut read: impl FnMut(&mut [u8]) -> Result<usize, Failed>,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
    buffer: &mut [u8],
    len: &mut u64,
) -> Result<u64, Failed> {
    loop {
        match read(buffer)? {
            0 => return Ok(*len),
            more => {
                write(&buffer[..more]).map_err(Failed::Write)?;
                *len += more as u64;
            }
        }
    }
}

/// The keyset's own error, which a reader wraps in one of input.
fn not_opened(error: io::Error) -> Failed {
    match error.downcast() {
        Ok(error) => Failed::Keyset(error),
        Err(error) => Failed::Read(io::Error::other(reason(&error))),
    }
}
