//! The headers of the archive: one strict form of pax, read and written.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Write};
use std::mem::take;
use std::ops::Range;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

pub(super) const BLOCK_LEN: usize = 512;
pub(super) type Block = [u8; BLOCK_LEN];
/// The most bytes of records ahead of an entry.
pub(super) const MAX_RECORDS_LEN: usize = 1 << 20;

type Field = Range<usize>;
const NAME: Field = 0..100;
const MODE: Field = 100..108;
const UID: Field = 108..116;
const GID: Field = 116..124;
const SIZE: Field = 124..136;
const MTIME: Field = 136..148;
const CHECKSUM: Field = 148..156;
const TYPE: usize = 156;
const LINK: Field = 157..257;
const MAGIC: Field = 257..265;
const USTAR: &[u8] = b"ustar\x0000";
const DEVICES: [Field; 2] = [329..337, 337..345];
/// In the padding, which tar programs pass over; star has its own mark in the last four bytes.
const MARK: Field = 500..508;

pub(super) const FOLDER: u8 = b'5';
pub(super) const FILE: u8 = b'0';
pub(super) const SYMBOLIC_LINK: u8 = b'2';
pub(super) const HARD_LINK: u8 = b'1';
pub(super) const RECORDS: u8 = b'x';

const ATTRIBUTE: &[u8] = b"SCHILY.xattr.";
const LOST: &[u8] = b"SIVKA.lost";

/// What is read, or which rule it breaks.
pub(super) type Judged<T> = Result<T, &'static str>;

/// `why` unless a rule `holds`.
pub(super) fn require(holds: bool, why: &'static str) -> Judged<()> {
    if holds { Ok(()) } else { Err(why) }
}

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
        Some(Self { seconds: all.div_euclid(NANOS) as i64, nanos: all.rem_euclid(NANOS) as u32 })
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
    /// That of its header.
    pub(super) mark: [u8; 8],
    /// Whether it is behind a loss that may have its records.
    pub(super) may_lack_records: bool,
}

/// What a header and its records say, and what only the other entries can judge.
#[derive(Default)]
pub(super) struct Header {
    pub(super) kind: u8,
    pub(super) name: Vec<u8>,
    pub(super) link: Vec<u8>,
    pub(super) size: u64,
    /// All else that there is of the entry.
    pub(super) entry: Entry,
}

/// Reads a header by itself. It is right if it is what a writer makes of what it says, and has the
/// mark of the archive, if that is known.
pub(super) fn header(block: &Block, mark: &mut Option<[u8; 8]>) -> Judged<Header> {
    const ZERO: &[u8] = b"0000000\0";
    require(block[MAGIC] == *USTAR, "no header of ustar")?;
    let text = |field: Field| block[field].split(|byte| *byte == 0).next();
    let text = |field| text(field).unwrap_or_default().to_vec();
    let number = |field| {
        let digits = String::from_utf8(text(field)).unwrap_or_default();
        u64::from_str_radix(&digits, 8).unwrap_or_default()
    };
    let mtime = Time { seconds: number(MTIME) as i64, nanos: 0 }; // Twelve digits fit.
    let [mode, uid, gid] = [MODE, UID, GID].map(|field| number(field) as u32);
    let entry = Entry { mode, uid, gid, mtime, mark: mark_of(block), ..Entry::default() };
    let mut header =
        Header { kind: block[TYPE], name: text(NAME), link: text(LINK), size: number(SIZE), entry };
    let mut right = header.to_block();
    for field in DEVICES.into_iter().filter(|it| block[it.clone()] == *ZERO) {
        right[field].copy_from_slice(ZERO);
    }
    sign(&mut right);
    require(right == *block, "a header with a malformed field")?;
    let is_ours = *mark.get_or_insert(header.entry.mark) == header.entry.mark;
    require(is_ours, "a header of another archive")?;
    header.entry.mode &= 0o7777;
    Ok(header)
}

/// The mark of the archive that a header is of.
fn mark_of(header: &Block) -> [u8; 8] {
    std::array::from_fn(|index| header[MARK.start + index])
}

pub(super) fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// Puts in the checksum, as tar writes it.
fn sign(block: &mut Block) {
    block[CHECKSUM].fill(b' ');
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[CHECKSUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A decimal number of at most `most`.
fn decimal(text: &[u8], most: u64) -> Option<u64> {
    let text = str::from_utf8(text).ok().filter(|text| is_digits(text))?;
    text.parse().ok().filter(|number| *number <= most)
}

/// The first record of a body, its key and value, and what follows it.
fn first_record(body: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let find = |text: &[u8], wanted| text.iter().position(|byte| *byte == wanted);
    let digits = find(body, b' ')?;
    let len = decimal(&body[..digits], body.len() as u64).filter(|_| body[0] != b'0')?;
    let (record, rest) = body.split_at(len as usize);
    let record = record.get(digits + 1..)?.strip_suffix(b"\n")?;
    let (key, value) = record.split_at(find(record, b'=')?);
    (!key.contains(&0)).then_some((key, &value[1..], rest))
}

/// Whether a number has more octal digits than there are.
fn is_long(number: u64, digits: usize) -> bool {
    number >> (3 * digits) != 0
}

impl Header {
    /// Overwrites what a header says by the records before it.
    pub(super) fn apply(&mut self, mut records: &[u8]) -> Judged<()> {
        const MAX_ID: u64 = u32::MAX as u64 - 1;
        while !records.is_empty() {
            let (key, value, rest) = first_record(records).ok_or("a malformed record")?;
            let name = || {
                let is_name = !value.is_empty() && !value.contains(&0);
                require(is_name, "a record with an empty name, or a NUL in it")?;
                Ok(value.to_vec())
            };
            let number = |most| decimal(value, most).ok_or("a record with a malformed number");
            match (key, key.strip_prefix(ATTRIBUTE)) {
                (b"path", _) => self.name = name()?,
                (b"linkpath", _) => self.link = name()?,
                (b"size", _) => self.size = number(i64::MAX as u64)?,
                (b"uid", _) => self.entry.uid = number(MAX_ID)? as u32,
                (b"gid", _) => self.entry.gid = number(MAX_ID)? as u32,
                (b"mtime", _) => {
                    self.entry.mtime =
                        Time::of_decimal(value).ok_or("a record with a malformed time")?;
                }
                (_, Some(name)) if !name.is_empty() => {
                    let name = OsStr::from_bytes(name).to_owned();
                    self.entry.attributes.insert(name, value.to_vec());
                }
                _ => return Err("a record of an unknown key"),
            }
            records = rest;
        }
        Ok(())
    }

    fn to_block(&self) -> Block {
        let mut block = [0; BLOCK_LEN];
        let mut put = |field: Field, text: &[u8]| block[field][..text.len()].copy_from_slice(text);
        put(NAME, &self.name);
        put(LINK, &self.link);
        put(MAGIC, USTAR);
        let entry = &self.entry;
        put(MARK, &entry.mark);
        for (field, number) in [
            (MODE, entry.mode.into()),
            (UID, entry.uid.into()),
            (GID, entry.gid.into()),
            (SIZE, self.size),
            (MTIME, entry.mtime.seconds.clamp(0, (1 << 33) - 1) as u64),
        ] {
            // What does not fit is in a record.
            let digits = field.len() - 1;
            let number = if is_long(number, digits) { 0 } else { number };
            put(field, format!("{number:0digits$o}").as_bytes());
        }
        block[TYPE] = self.kind;
        sign(&mut block);
        block
    }
}

/// The names of lost files, if the records are a list of them.
pub(super) fn lost_names(records: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (LOST, list, []) = first_record(records)? else {
        return None;
    };
    let names = list.strip_suffix(b"\0")?.split(|byte| *byte == 0);
    Some(names.map(<[u8]>::to_vec).collect())
}

/// A name below the folder, as a path. Plain parts alone: one path has one name.
pub(super) fn path_of(name: Vec<u8>) -> Judged<PathBuf> {
    let is_plain = |part: &[u8]| !matches!(part, b"" | b"." | b"..") && !part.contains(&0);
    let is_plain = name.split(|byte| *byte == b'/').all(is_plain);
    require(is_plain, "a name that is not plain and relative")?;
    Ok(PathBuf::from(OsString::from_vec(name)))
}

fn record(key: &[u8], value: &[u8]) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    // The length counts its own digits.
    let mut len = rest + 1;
    while rest + len.to_string().len() > len {
        len += 1;
    }
    [format!("{len} ").as_bytes(), key, b"=", value, b"\n"].concat()
}

fn write_records(out: &mut dyn Write, records: &[u8], mark: [u8; 8]) -> io::Result<()> {
    let header = Header {
        kind: RECORDS,
        name: b"pax".to_vec(),
        size: records.len() as u64,
        entry: Entry { mode: 0o644, mark, ..Entry::default() },
        ..Header::default()
    };
    out.write_all(&header.to_block())?;
    out.write_all(records)?;
    fill(out, header.size)
}

/// Fills up content of `len` bytes.
pub(super) fn fill(out: &mut dyn Write, len: u64) -> io::Result<()> {
    out.write_all(&[0; BLOCK_LEN][..(len.next_multiple_of(BLOCK_LEN as u64) - len) as usize])
}

/// Writes all of `entry` that stands ahead of its content, and gives its header.
pub(super) fn write(out: &mut dyn Write, entry: &Entry) -> io::Result<Block> {
    let (kind, size, link) = match &entry.kind {
        EntryKind::Folder => (FOLDER, 0, None),
        EntryKind::File { len } => (FILE, *len, None),
        EntryKind::SymbolicLink { target } => (SYMBOLIC_LINK, 0, Some(target)),
        EntryKind::HardLink { first } => (HARD_LINK, 0, Some(first)),
        EntryKind::Lost => return Err(io::ErrorKind::InvalidInput.into()),
    };
    let mut name = entry.path.as_os_str().as_bytes().to_vec();
    if kind == FOLDER {
        let end: &[u8] = if name.is_empty() { b"./" } else { b"/" };
        name.extend_from_slice(end);
    }
    let mut header = Header {
        kind,
        name,
        link: link.map_or(Vec::new(), |link| link.as_os_str().as_bytes().to_vec()),
        size,
        entry: entry.clone(),
    };
    let mut records = Vec::new();
    // A field with a record is left empty, and the name if the size has one: a header without its
    // records has neither a wrong name nor a wrong size.
    for (key, field) in [("path", &mut header.name), ("linkpath", &mut header.link)] {
        let is_of_long = is_long(size, 11) && !field.is_empty();
        if field.len() > NAME.len() || !field.is_ascii() || is_of_long {
            records.extend(record(key.as_bytes(), &take(field)));
        }
    }
    for (key, number, digits) in
        [("size", size, 11), ("uid", entry.uid.into(), 7), ("gid", entry.gid.into(), 7)]
    {
        if is_long(number, digits) {
            records.extend(record(key.as_bytes(), number.to_string().as_bytes()));
        }
    }
    if entry.mtime.nanos != 0 || entry.mtime.seconds >> 33 != 0 {
        records.extend(record(b"mtime", entry.mtime.to_string().as_bytes()));
    }
    for (name, value) in &entry.attributes {
        records.extend(record(&[ATTRIBUTE, name.as_bytes()].concat(), value));
    }
    if !records.is_empty() {
        write_records(out, &records, entry.mark)?;
    }
    let block = header.to_block();
    out.write_all(&block)?;
    Ok(block)
}

/// Writes the end of an archive whose first header is `first`, and in which the files `lost` are no
/// copies of what there was.
pub(super) fn write_end<'a>(
    out: &mut dyn Write,
    first: &Block,
    lost: impl Iterator<Item = &'a Path>,
) -> io::Result<()> {
    let mut names = lost.map(|path| path.as_os_str().as_bytes()).peekable();
    while names.peek().is_some() {
        let mut list = Vec::new();
        while let Some(name) = names.next_if(|it| list.len() + it.len() + 64 <= MAX_RECORDS_LEN) {
            list.extend_from_slice(name);
            list.push(0);
        }
        write_records(out, &record(LOST, &list), mark_of(first))?;
        out.write_all(first)?;
    }
    out.write_all(&[0; 2 * BLOCK_LEN])
}
