//! Where the copies of a header stand in a file (specification section 4.4, steps 1 to 4).

use crate::error::Error;
use crate::header_copy::{HeaderCopy, MAX_COPY_LEN, PREFIX_LEN, STEP, counter_of, parse_prefix};
use std::io::{ErrorKind, Read};

/// The length of both copies of a header in bytes, unless its slots or the room for more need
/// longer ones.
pub const HEADER_LEN: usize = 2 * STEP;
/// The most bytes that both copies of a header have.
pub const MAX_HEADER_LEN: usize = 2 * MAX_COPY_LEN;

/// Where a valid prefix stands, the length that it says.
fn len_at(file: &[u8], at: usize) -> Option<usize> {
    let prefix = parse_prefix(file.get(at..)?);
    prefix.ok().map(|(len, _)| len)
}

/// The bytes of both copies, or of as much of them as there is. Of a file with a damaged copy it
/// may be more, at most [`MAX_HEADER_LEN`], and the payload's first bytes are among them. What
/// reads the file from its beginning reads these first, and then the rest of `input`.
///
/// # Errors
/// [`Error::Read`].
pub fn read_header<R: Read>(input: &mut R) -> Result<Vec<u8>, Error> {
    // At once: what it is may be a key, and a buffer that grows leaves copies.
    let mut bytes = Vec::with_capacity(MAX_HEADER_LEN);
    let mut read_to = |bytes: &mut Vec<u8>, end: usize| {
        let len = bytes.len();
        bytes.resize(end.max(len), 0);
        let read = read_up_to(input, &mut bytes[len..])?;
        bytes.truncate(len + read);
        Ok::<_, Error>(bytes.len() < end)
    };
    read_to(&mut bytes, HEADER_LEN)?;
    if let Some(len) = len_at(&bytes, 0) {
        read_to(&mut bytes, 2 * len)?;
        if len_at(&bytes, len) == Some(len) {
            return Ok(bytes);
        }
    }
    for at in (STEP..=MAX_COPY_LEN).step_by(STEP) {
        let is_end = read_to(&mut bytes, at + PREFIX_LEN)?;
        if len_at(&bytes, at) == Some(at) {
            read_to(&mut bytes, 2 * at)?;
            break;
        }
        if is_end {
            break;
        }
    }
    Ok(bytes)
}

/// The copies that are whole, in the order in which they are tried, and whether each is the
/// second (specification section 4.4, steps 1 to 4).
pub(crate) fn whole_copies(file: &[u8]) -> Result<Vec<(&[u8], bool)>, Error> {
    let first = len_at(file, 0);
    let is_second = |at: &usize| len_at(file, *at) == Some(*at);
    let second = first.filter(is_second);
    let second = second.or_else(|| (STEP..=MAX_COPY_LEN).step_by(STEP).find(is_second));
    if first.is_none() && second.is_none() {
        parse_prefix(file)?;
    }
    let first = first.and_then(|len| file.get(..len));
    let second = second.and_then(|len| file.get(len..2 * len));
    let first = first.map(|bytes| (bytes, false));
    let mut whole: Vec<_> = first
        .into_iter()
        .chain(second.map(|bytes| (bytes, true)))
        .collect();
    whole.sort_by_key(|(bytes, _)| std::cmp::Reverse(counter_of(bytes)));
    match whole.is_empty() {
        true => Err(Error::Truncated { chunks: 0 }),
        false => Ok(whole),
    }
}

/// What is left of each whole copy, and whether nothing was left out.
pub(crate) fn what_is_left(file: &[u8]) -> Result<Vec<(HeaderCopy, bool)>, Error> {
    let whole = whole_copies(file)?;
    let parsed = whole
        .into_iter()
        .map(|(bytes, _)| HeaderCopy::parse_what_is_left(bytes));
    parsed.collect()
}

/// Reads until `buffer` is full or the input ends; returns how many bytes were read.
pub(crate) fn read_up_to<R: Read>(input: &mut R, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut len = 0;
    while len < buffer.len() {
        match input.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::Read(error)),
        }
    }
    Ok(len)
}
