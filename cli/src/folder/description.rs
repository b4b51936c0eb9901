//! The blocks that describe an entry, as bytes. Programs differ in what they make of blocks
//! that GNU tar does not write: those are refused.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;

use super::entry::refuse;
use super::number::{number, octal};
use super::{BLOCK_LEN, extents, void};

/// Where a header has what, in bytes.
const MODE: Range<usize> = 100..108;
const SIZE: Range<usize> = 124..136;
/// Owner, group, length and time.
const NUMBERS: [Range<usize>; 4] = [108..116, 116..124, SIZE, 136..148];
const CHECKSUM: Range<usize> = 148..156;
const KIND: usize = 156;
const MAGIC: Range<usize> = 257..265;

const GNU: &[u8] = b"ustar  \0";
const USTAR: &[u8] = b"ustar\x0000";

/// The kinds that `pack` writes, and named pipes and devices, which are left out.
const KINDS: &[u8] = b"50S21346";

/// The most bytes of an entry's records: 512 KiB of attributes, and a time.
const MOST_RECORDS: usize = (512 << 10) + BLOCK_LEN;
/// The most bytes of long names together, without the zero after each.
const MOST_NAMES: usize = 768 << 10;

/// Checks the blocks of one entry, without what is stored of it.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`].
pub(super) fn check(mut blocks: &[u8]) -> io::Result<()> {
    let (mut seen, mut names_len) = (Vec::new(), 0);
    loop {
        let Some((header, rest)) = blocks.split_at_checked(BLOCK_LEN) else {
            return Err(refuse("a description that is cut short"));
        };
        let kind = header[KIND];
        if kind == b'g' && seen.is_empty() {
            return match header == &void()[..BLOCK_LEN] {
                true => Ok(()),
                false => Err(refuse("a second mark")),
            };
        }
        let magic = if kind == b'x' { USTAR } else { GNU };
        if &header[MAGIC] != magic {
            return Err(refuse("a header that is not GNU's"));
        }
        // The sum itself was computed by `tar`, which takes signs and spaces.
        let checksum = &header[CHECKSUM];
        if octal(checksum.strip_suffix(b" ").unwrap_or(checksum)).is_none() {
            return Err(refuse("a checksum that is none"));
        }
        if !matches!(kind, b'x' | b'L' | b'K') {
            return check_entry(header, rest);
        }
        let len = octal(&header[SIZE]).and_then(|len| usize::try_from(len).ok());
        let len = len.filter(|len| *len <= rest.len());
        let len = len.ok_or_else(|| refuse("a description that is cut short"))?;
        if seen.contains(&kind) {
            return Err(refuse("two descriptions of one kind for an entry"));
        }
        seen.push(kind);
        match kind {
            b'x' if len > MOST_RECORDS => return Err(refuse("records of more than 512 KiB")),
            b'x' => check_records(&rest[..len])?,
            _ => {
                names_len += len.saturating_sub(1);
                check_name(&rest[..len], names_len)?;
            }
        }
        blocks = rest.get(len.next_multiple_of(BLOCK_LEN)..).unwrap_or(&[]);
    }
}

/// Takes the text of a void mark from the beginning of what was read after its header.
pub(super) fn after_void(blocks: &[u8]) -> io::Result<&[u8]> {
    let text = void();
    let rest = blocks.strip_prefix(&text[BLOCK_LEN..]);
    rest.ok_or_else(|| refuse("a second mark, or another text than that of a void file"))
}

fn check_entry(header: &[u8], rest: &[u8]) -> io::Result<()> {
    if !KINDS.contains(&header[KIND]) {
        return Err(refuse(&format!("an entry of kind {}", header[KIND])));
    }
    let mut fields = NUMBERS.into_iter().map(|field| &header[field]);
    if octal(&header[MODE]).is_none() || !fields.all(|field| number(field).is_some()) {
        return Err(refuse("a number that is none"));
    }
    match header[KIND] {
        b'S' => extents::check(header, rest, number(&header[SIZE])),
        _ => Ok(()),
    }
}

/// A long name ends with the one zero that is in it.
fn check_name(name: &[u8], len_of_all: usize) -> io::Result<()> {
    match name.iter().position(|byte| *byte == 0) {
        _ if len_of_all > MOST_NAMES => Err(refuse("names of more than 768 KiB")),
        Some(end) if end + 1 == name.len() => Ok(()),
        _ => Err(refuse(
            "a long name with zeros in it, or without one at its end",
        )),
    }
}

/// Each record says its own length, is in one line, and comes once.
fn check_records(mut records: &[u8]) -> io::Result<()> {
    let mut keys = BTreeSet::new();
    while !records.is_empty() {
        let end = records.iter().position(|byte| *byte == b'\n');
        let (record, rest) = records.split_at(end.map_or(records.len(), |end| end + 1));
        let key = record_key(record).ok_or_else(|| refuse("a record that is malformed"))?;
        if !keys.insert(key) {
            return Err(refuse("a record twice"));
        }
        records = rest;
    }
    Ok(())
}

/// The key of a record with its line end; `None` if it is none.
fn record_key(record: &[u8]) -> Option<&[u8]> {
    let space = record.iter().position(|byte| *byte == b' ')?;
    let len = std::str::from_utf8(&record[..space]).ok()?;
    let plain = !len.starts_with('0') && len.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || len.parse() != Ok(record.len()) || !record.ends_with(b"\n") {
        return None;
    }
    let equals = record[space..].iter().position(|byte| *byte == b'=')?;
    let key = &record[space + 1..space + equals];
    (!key.is_empty() && !key.contains(&0)).then_some(key)
}
