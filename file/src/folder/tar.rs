//! The headers of the archive: one strict form of pax.

mod records;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Bytes of a block.
pub(super) const BLOCK_LEN: usize = 512;
/// The most bytes of records ahead of an entry.
pub(super) const MAX_RECORDS_LEN: usize = 1 << 20;

const NAME: Range<usize> = 0..100;
const MODE: Range<usize> = 100..108;
const UID: Range<usize> = 108..116;
const GID: Range<usize> = 116..124;
const SIZE: Range<usize> = 124..136;
const MTIME: Range<usize> = 136..148;
const CHECKSUM: Range<usize> = 148..156;
const TYPE: usize = 156;
const LINK: Range<usize> = 157..257;
const MAGIC: Range<usize> = 257..265;
const NAMES_OF_OWNERS: Range<usize> = 265..329;
const DEVICES: [Range<usize>; 2] = [329..337, 337..345];
const PREFIX_AND_REST: Range<usize> = 345..BLOCK_LEN;

pub(super) const FOLDER: u8 = b'5';
pub(super) const FILE: u8 = b'0';
pub(super) const SYMBOLIC_LINK: u8 = b'2';
pub(super) const HARD_LINK: u8 = b'1';
pub(super) const RECORDS: u8 = b'x';

use records::{ATTRIBUTE, LOST, is_digits, record};
pub(super) use records::{apply, attribute_len, lost_names};

/// A time of last change: whole seconds since 1970 began, and nanoseconds after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Whole seconds, rounded down.
    pub seconds: i64,
    /// Below a thousand million.
    pub nanos: u32,
}

const NANOS: i128 = 1_000_000_000;

/// A decimal number of seconds, with as many digits as it needs or nine after the point.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = i128::from(self.seconds) * NANOS + i128::from(self.nanos);
        let sign = if all < 0 { "-" } else { "" };
        let (whole, nanos) = (all.abs() / NANOS, all.abs() % NANOS);
        match nanos {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{nanos:09}"),
        }
    }
}

impl Time {
    fn of_decimal(text: &[u8]) -> Option<Self> {
        let text = str::from_utf8(text).ok()?;
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        if !is_digits(whole) || !is_digits(fraction) || fraction.len() > 9 {
            return None;
        }
        // No clock has more seconds than this: what is beyond is the last that there is.
        let whole: i128 = whole.parse::<i64>().unwrap_or(i64::MAX).into();
        let all = whole * NANOS + format!("{fraction:0<9}").parse::<i128>().ok()?;
        let all = if text == digits { all } else { -all };
        Some(Self {
            seconds: all.div_euclid(NANOS) as i64,
            nanos: all.rem_euclid(NANOS) as u32,
        })
    }
}

/// What an entry is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EntryKind {
    /// What is in it follows.
    #[default]
    Folder,
    /// Its content follows.
    File {
        /// Bytes.
        len: u64,
    },
    /// Leads wherever it says: nothing looks at it.
    SymbolicLink {
        /// As it was made.
        target: PathBuf,
    },
    /// Another name of a file or symbolic link.
    HardLink {
        /// The path of an entry before it.
        first: PathBuf,
    },
    /// The file of this name, which was before, could not be read as a whole when it was sealed.
    Lost,
}

/// One entry of the archive.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Entry {
    /// Below the folder; empty for the folder itself.
    pub path: PathBuf,
    /// What it is.
    pub kind: EntryKind,
    /// Rights: twelve bits.
    pub mode: u32,
    /// Whose it was.
    pub uid: u32,
    /// Which group had it.
    pub gid: u32,
    /// When its content was changed last.
    pub mtime: Time,
    /// Extended attributes and access lists, by their names.
    pub attributes: BTreeMap<OsString, Vec<u8>>,
    /// Where it is in the archive: its headers and content, filled up, in bytes.
    pub span: Range<u64>,
}

/// What a header says by itself.
#[derive(Default)]
pub(super) struct Header {
    pub(super) kind: u8,
    pub(super) name: Vec<u8>,
    pub(super) link: Vec<u8>,
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) size: u64,
    pub(super) mtime: Time,
}

/// Reads a header.
pub(super) fn header(block: &[u8; BLOCK_LEN]) -> Result<Header, &'static str> {
    if block[MAGIC] != *b"ustar\x0000" {
        return Err("no header of ustar");
    }
    if block[CHECKSUM] != checksum(block) {
        return Err("a wrong checksum");
    }
    let is_empty = |place: Range<usize>| block[place].iter().all(|byte| *byte == 0);
    let is_zero = |place: Range<usize>| is_empty(place.clone()) || octal(&block[place]) == Ok(0);
    if !is_empty(NAMES_OF_OWNERS) || !is_empty(PREFIX_AND_REST) || !DEVICES.into_iter().all(is_zero)
    {
        return Err("a field that has no use");
    }
    let text = |place: Range<usize>| {
        let len = block[place.clone()]
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(place.len());
        let (text, rest) = block[place].split_at(len);
        let is_all = rest.iter().all(|byte| *byte == 0);
        is_all
            .then(|| text.to_vec())
            .ok_or("a name with more behind it")
    };
    // Seven digits fit.
    let small = |place: Range<usize>| octal(&block[place]).map(|number| number as u32);
    Ok(Header {
        kind: block[TYPE],
        name: text(NAME)?,
        link: text(LINK)?,
        mode: small(MODE)? & 0o7777,
        uid: small(UID)?,
        gid: small(GID)?,
        size: octal(&block[SIZE])?,
        mtime: Time {
            // Eleven digits fit.
            seconds: octal(&block[MTIME])? as i64,
            nanos: 0,
        },
    })
}

fn octal(field: &[u8]) -> Result<u64, &'static str> {
    match field {
        [digits @ .., 0] if digits.iter().all(|byte| (b'0'..b'8').contains(byte)) => Ok(digits
            .iter()
            .fold(0, |n, digit| n << 3 | u64::from(digit - b'0'))),
        _ => Err("a number that is not octal digits and NUL"),
    }
}

/// The field of the checksum, as tar writes it.
fn checksum(block: &[u8; BLOCK_LEN]) -> [u8; 8] {
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    let mut sum = sum(block) - sum(&block[CHECKSUM]) + 8 * u32::from(b' ');
    let mut field = *b"000000\0 ";
    for digit in field[..6].iter_mut().rev() {
        *digit = b'0' + (sum % 8) as u8;
        sum /= 8;
    }
    field
}

fn block(header: &Header) -> [u8; BLOCK_LEN] {
    let mut block = [0; BLOCK_LEN];
    let mut text =
        |place: Range<usize>, text: &[u8]| block[place][..text.len()].copy_from_slice(text);
    text(NAME, &header.name);
    text(LINK, &header.link);
    text(MAGIC, b"ustar\x0000");
    for (place, number) in [
        (MODE, u64::from(header.mode)),
        (UID, u64::from(header.uid)),
        (GID, u64::from(header.gid)),
        (SIZE, header.size),
        (MTIME, header.mtime.seconds as u64),
    ] {
        let digits = place.len() - 1;
        text(place, format!("{number:0digits$o}").as_bytes());
    }
    block[TYPE] = header.kind;
    let sum = checksum(&block);
    block[CHECKSUM].copy_from_slice(&sum);
    block
}

fn write_records(out: &mut dyn Write, body: &[u8]) -> io::Result<()> {
    let header = Header {
        kind: RECORDS,
        name: b"pax".to_vec(),
        mode: 0o644,
        size: body.len() as u64,
        ..Header::default()
    };
    out.write_all(&block(&header))?;
    out.write_all(body)?;
    fill(out, body.len() as u64)
}

/// Fills up content of `len` bytes.
pub(super) fn fill(out: &mut dyn Write, len: u64) -> io::Result<()> {
    out.write_all(&[0; BLOCK_LEN][..(len.next_multiple_of(BLOCK_LEN as u64) - len) as usize])
}

/// The name in the archive: a folder's has a slash behind it.
fn name_of(path: &Path, is_folder: bool) -> Vec<u8> {
    let mut name = path.as_os_str().as_bytes().to_vec();
    if name.is_empty() {
        name.push(b'.');
    }
    if is_folder {
        name.push(b'/');
    }
    name
}

/// Writes all of `entry` that stands ahead of its content, and gives its header.
pub(super) fn write(out: &mut dyn Write, entry: &Entry) -> io::Result<[u8; BLOCK_LEN]> {
    let (kind, size, link) = match &entry.kind {
        EntryKind::Folder => (FOLDER, 0, None),
        EntryKind::File { len } => (FILE, *len, None),
        EntryKind::SymbolicLink { target } => (SYMBOLIC_LINK, 0, Some(target)),
        EntryKind::HardLink { first } => (HARD_LINK, 0, Some(first)),
        EntryKind::Lost => return Err(io::ErrorKind::InvalidInput.into()),
    };
    let mut header = Header {
        kind,
        name: name_of(&entry.path, kind == FOLDER),
        link: link.map_or(Vec::new(), |link| link.as_os_str().as_bytes().to_vec()),
        mode: entry.mode,
        uid: entry.uid,
        gid: entry.gid,
        size,
        mtime: entry.mtime,
    };
    let mut body = Vec::new();
    // A field with a record is left empty: a header without its records has no wrong name.
    for (key, field) in [
        (&b"path"[..], &mut header.name),
        (b"linkpath", &mut header.link),
    ] {
        if field.len() > NAME.len() || !field.is_ascii() {
            body.extend(record(key, &std::mem::take(field)));
        }
    }
    if header.size >= 1 << 33 {
        body.extend(record(b"size", header.size.to_string().as_bytes()));
        header.size = 0;
    }
    for (key, id) in [(&b"uid"[..], &mut header.uid), (b"gid", &mut header.gid)] {
        if *id >= 1 << 21 {
            body.extend(record(key, std::mem::take(id).to_string().as_bytes()));
        }
    }
    if entry.mtime.nanos != 0 || !(0..1 << 33).contains(&entry.mtime.seconds) {
        body.extend(record(b"mtime", entry.mtime.to_string().as_bytes()));
        header.mtime = Time {
            seconds: entry.mtime.seconds.clamp(0, (1 << 33) - 1),
            nanos: 0,
        };
    }
    for (name, value) in &entry.attributes {
        body.extend(record(&[ATTRIBUTE, name.as_bytes()].concat(), value));
    }
    if !body.is_empty() {
        write_records(out, &body)?;
    }
    let block = block(&header);
    out.write_all(&block)?;
    Ok(block)
}

/// Writes the end of an archive whose first header is `first`, and in which the files `lost` are no
/// copies of what there was.
pub(super) fn write_end<'a>(
    out: &mut dyn Write,
    first: &[u8; BLOCK_LEN],
    lost: impl Iterator<Item = &'a Path>,
) -> io::Result<()> {
    let mut list = Vec::new();
    let write_list = |out: &mut dyn Write, list: &mut Vec<u8>| {
        write_records(out, &record(LOST, &std::mem::take(list)))?;
        out.write_all(first)
    };
    for path in lost {
        let name = path.as_os_str().as_bytes();
        if list.len() + name.len() + 64 > MAX_RECORDS_LEN {
            write_list(out, &mut list)?;
        }
        list.extend_from_slice(name);
        list.push(0);
    }
    if !list.is_empty() {
        write_list(out, &mut list)?;
    }
    out.write_all(&[0; 2 * BLOCK_LEN])
}

/// A name below the folder, as a path. Plain parts alone: one path has one name.
pub(super) fn path_of(name: Vec<u8>) -> Result<PathBuf, &'static str> {
    let is_plain = |part: &[u8]| !matches!(part, b"" | b"." | b"..") && !part.contains(&0);
    match name.split(|byte| *byte == b'/').all(is_plain) {
        true => Ok(PathBuf::from(OsString::from_vec(name))),
        false => Err("a name that is not plain and relative"),
    }
}
