//! Records: what a header of ustar has no room for.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::{Header, Time};

pub(super) const ATTRIBUTE: &[u8] = b"SCHILY.xattr.";
pub(super) const LOST: &[u8] = b"SIVKA.lost";

pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A decimal number of at most `most`.
fn number(text: &[u8], most: u64) -> Option<u64> {
    let text = str::from_utf8(text).ok().filter(|text| is_digits(text))?;
    text.parse().ok().filter(|number| *number <= most)
}

type Record<'a> = (&'a [u8], &'a [u8]);

/// The records of a body: keys and values.
fn records(mut body: &[u8]) -> Result<Vec<Record<'_>>, &'static str> {
    let mut records = Vec::new();
    while !body.is_empty() {
        let (record, rest) = first_record(body).ok_or("a malformed record")?;
        records.push(record);
        body = rest;
    }
    Ok(records)
}

/// The first record of a body, and what follows it.
fn first_record(body: &[u8]) -> Option<(Record<'_>, &[u8])> {
    let split = |text: &'_ [u8], by| text.iter().position(|byte| *byte == by);
    let digits = split(body, b' ')?;
    let len = number(&body[..digits], body.len() as u64).filter(|_| body[0] != b'0')?;
    let (record, rest) = body.split_at(len as usize);
    let record = record.get(digits + 1..)?.strip_suffix(b"\n")?;
    let (key, value) = record.split_at(split(record, b'=')?);
    (!key.contains(&0)).then_some(((key, &value[1..]), rest))
}

/// Overwrites what a header says by the records before it, and gives the attributes.
pub(in crate::folder) fn apply(
    body: &[u8],
    header: &mut Header,
) -> Result<BTreeMap<OsString, Vec<u8>>, &'static str> {
    const MAX_ID: u64 = u32::MAX as u64 - 1;
    let mut attributes = BTreeMap::new();
    for (key, value) in records(body)? {
        let name = || match value.is_empty() || value.contains(&0) {
            true => Err("a record with an empty name, or a NUL in it"),
            false => Ok(value.to_vec()),
        };
        let number =
            |most| number(value, most).ok_or("a record whose number is malformed or too large");
        match (key, key.strip_prefix(ATTRIBUTE)) {
            (b"path", _) => header.name = name()?,
            (b"linkpath", _) => header.link = name()?,
            (b"size", _) => header.size = number(i64::MAX as u64)?,
            (b"uid", _) => header.uid = number(MAX_ID)? as u32,
            (b"gid", _) => header.gid = number(MAX_ID)? as u32,
            (b"mtime", _) => {
                header.mtime = Time::of_decimal(value).ok_or("a record with a malformed time")?;
            }
            (_, Some(name)) if !name.is_empty() => {
                attributes.insert(OsStr::from_bytes(name).to_owned(), value.to_vec());
            }
            _ => return Err("a record of an unknown key"),
        }
    }
    Ok(attributes)
}

/// The names of lost files, if the records are a list of them.
pub(in crate::folder) fn lost_names(body: &[u8]) -> Option<Vec<Vec<u8>>> {
    match records(body).ok()?[..] {
        [(LOST, list)] => {
            let list = list.strip_suffix(b"\0")?;
            Some(list.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect())
        }
        _ => None,
    }
}

pub(super) fn record(key: &[u8], value: &[u8]) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    // The length counts its own digits.
    let mut len = rest + 1;
    while rest + len.to_string().len() > len {
        len += 1;
    }
    [format!("{len} ").as_bytes(), key, b"=", value, b"\n"].concat()
}

/// Bytes of the record of an attribute, and a few more.
pub(in crate::folder) fn attribute_len(name: &OsStr, value: &[u8]) -> usize {
    ATTRIBUTE.len() + name.len() + value.len() + 16
}
