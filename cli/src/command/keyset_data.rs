//! Sealing and opening under a keyset, in the bytes that every Tink has.

use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use serde::Serialize;
use sivka_keyset::{Error, Keyset, Primitive};
use zeroize::Zeroizing;

use crate::args::KeysetData;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::input::{Input, named};
use crate::keyset_file::{failure, read};
use crate::name::{is_standard, shown};
use crate::output::Output;
use crate::progress::size;
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
struct DataRecord {
    content_len: u64,
}

/// Seals or opens one message, or one stream, as the keyset's keys are for.
pub(super) fn carry_out(direction: Direction, data: &KeysetData) -> Result<(), Failure> {
    let report = data.file.reporting.report();
    let inputs = named(&Vec::from_iter(data.input.clone()))?;
    let path = inputs.first().map_or(Path::new("-"), |path| path.as_path());
    let target = data.output.as_deref().filter(|path| !is_standard(path));
    report.may_share(target.is_none())?;
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
    let done = match primitive {
        Primitive::StreamingAead => stream(direction, &keyset, &input, &mut text, aad),
        _ => message(direction, &keyset, primitive, &input, &mut text, aad),
    };
    if let Some(refused) = text.failure(path) {
        return Err(refused);
    }
    let content_len = done.map_err(|error| match error {
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
    report.tell_json(path, 0, DataRecord { content_len })
}

enum Failed {
    Keyset(Error),
    Read(io::Error),
    Write(io::Error),
    TooLong,
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
    let mut message = Zeroizing::new(Vec::with_capacity(expected + 1));
    (&input.file)
        .take(longest as u64 + 1)
        .read_to_end(&mut message)
        .map_err(Failed::Read)?;
    if message.len() > longest {
        return Err(Failed::TooLong);
    }
    let made = match (primitive, direction) {
        (Primitive::DeterministicAead, Direction::Seal) => {
            let keys = keyset.deterministic_aead().map_err(Failed::Keyset)?;
            keys.seal(&message, aad)
        }
        (Primitive::DeterministicAead, Direction::Open) => {
            let keys = keyset.deterministic_aead().map_err(Failed::Keyset)?;
            keys.open(&message, aad)
        }
        (_, Direction::Seal) => keyset.aead().and_then(|keys| keys.seal(&message, aad)),
        (_, Direction::Open) => keyset.aead().and_then(|keys| keys.open(&message, aad)),
    };
    let made = Zeroizing::new(made.map_err(Failed::Keyset)?);
    output.write_all(&made).map_err(Failed::Write)?;
    Ok(match direction {
        Direction::Seal => message.len(),
        Direction::Open => made.len(),
    } as u64)
}

fn stream(
    direction: Direction,
    keyset: &Keyset,
    input: &Input,
    output: &mut impl Write,
    aad: &[u8],
) -> Result<u64, Failed> {
    let keys = keyset.streaming_aead().map_err(Failed::Keyset)?;
    let mut buffer = Zeroizing::new(vec![0; PIECE_LEN]);
    match direction {
        Direction::Seal => {
            let mut sealed = keys.seal(output, aad).map_err(Failed::Keyset)?;
            let read = |buffer: &mut [u8]| (&input.file).read(buffer).map_err(Failed::Read);
            let len = copy(read, |piece| sealed.write_all(piece), &mut buffer)?;
            sealed.finish().map_err(Failed::Write)?;
            Ok(len)
        }
        Direction::Open => {
            let mut opened = keys.open(BufReader::new(&input.file), aad);
            let read = |buffer: &mut [u8]| opened.read(buffer).map_err(not_opened);
            copy(read, |piece| output.write_all(piece), &mut buffer)
        }
    }
}

/// Hands on what is read until there is no more, and counts it.
fn copy(
    mut read: impl FnMut(&mut [u8]) -> Result<usize, Failed>,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
    buffer: &mut [u8],
) -> Result<u64, Failed> {
    let mut len = 0;
    loop {
        match read(buffer)? {
            0 => return Ok(len),
            more => {
                write(&buffer[..more]).map_err(Failed::Write)?;
                len += more as u64;
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
