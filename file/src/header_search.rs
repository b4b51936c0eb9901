//! Where the copies of a header stand in a file (specification section 4.4, steps 1 to 4).

use crate::chunk::PAYLOAD_HEAD_LEN;
use crate::error::Error;
use crate::header_copy::{HeaderCopy, MAX_COPY_LEN, STEP, counter_of, parse_prefix};
use std::io::Read;

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

/// How many of a file's first bytes its header may need, as far as `file`, its beginning, tells:
/// once there are so many, it needs no more.
#[must_use]
pub fn header_need(file: &[u8]) -> usize {
    match len_at(file, 0) {
        _ if file.len() < HEADER_LEN => HEADER_LEN,
        Some(len) if file.len() < 2 * len || len_at(file, len) == Some(len) => 2 * len,
        _ => MAX_HEADER_LEN,
    }
}

/// The bytes of both copies, or of as much of them as there is. Of a file with a damaged copy it
/// may be more, at most [`MAX_HEADER_LEN`], and the payload's first bytes are among them. What
/// reads the file from its beginning reads these first, and then the rest of `input`.
pub(crate) fn read_header<R: Read>(input: &mut R) -> Result<Vec<u8>, Error> {
    // At once: what it is may be a key, and a buffer that grows leaves copies.
    let mut bytes = Vec::with_capacity(MAX_HEADER_LEN + PAYLOAD_HEAD_LEN);
    loop {
        let needed = header_need(&bytes);
        read_up_to(input, &mut bytes, needed)?;
        if bytes.len() < needed || needed == header_need(&bytes) {
            return Ok(bytes);
        }
    }
}

/// Reads on until there are `len` bytes or the input ends.
pub(crate) fn read_up_to<R: Read>(
    input: &mut R,
    bytes: &mut Vec<u8>,
    len: usize,
) -> Result<(), Error> {
    let missing = len.saturating_sub(bytes.len()) as u64;
    let read = input.by_ref().take(missing).read_to_end(bytes);
    read.map(drop).map_err(Error::Read)
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
    let first = first.and_then(|len| Some((file.get(..len)?, false)));
    let second = second.and_then(|len| Some((file.get(len..2 * len)?, true)));
    let mut whole: Vec<_> = first.into_iter().chain(second).collect();
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
