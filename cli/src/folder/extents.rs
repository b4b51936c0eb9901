//! The parts of a file that hold data: what is between them are holes, which take no room.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;

use tar::{EntryType, GnuExtSparseHeader, Header};

use super::BLOCK_LEN;
use super::entry::refuse;
use super::number::number;

/// More parts than this and the holes are packed as the zeros that they read as: the
/// list of parts is held in memory, here and when it is unpacked.
const MOST_PARTS: usize = 8192;

/// The parts of the first `len` bytes of `file`, in order; one alone where it has no hole.
pub(super) fn parts(file: &File, len: u64, allocated: u64) -> Vec<Range<u64>> {
    let whole = || Vec::from_iter((len > 0).then_some(0..len));
    if allocated >= len {
        return whole();
    }
    match find(file, len) {
        // Archives have whole blocks of each part but the last.
        Ok(Some(parts)) if parts.iter().rev().skip(1).all(is_of_blocks) => parts,
        // Not every file system tells.
        _ => whole(),
    }
}

fn is_of_blocks(part: &Range<u64>) -> bool {
    (part.end - part.start).is_multiple_of(BLOCK_LEN as u64)
}

#[cfg(target_os = "linux")]
fn find(file: &File, len: u64) -> io::Result<Option<Vec<Range<u64>>>> {
    use rustix::fs::{SeekFrom, seek};
    let mut parts = Vec::new();
    let mut at = 0;
    while at < len {
        let start = match seek(file, SeekFrom::Data(at)) {
            Ok(start) if start < len => start,
            // Nothing but a hole up to the end.
            Ok(_) | Err(rustix::io::Errno::NXIO) => break,
            Err(error) => return Err(error.into()),
        };
        let end = seek(file, SeekFrom::Hole(start))?.min(len);
        if end <= start || parts.len() == MOST_PARTS {
            return Ok(None);
        }
        parts.push(start..end);
        at = end;
    }
    Ok(Some(parts))
}

#[cfg(not(target_os = "linux"))]
fn find(_: &File, _: u64) -> io::Result<Option<Vec<Range<u64>>>> {
    Ok(None)
}

/// Describes a file of `len` bytes that has only `parts`, in the way of GNU tar. What
/// comes back belongs between the header and the data.
pub(super) fn describe(header: &mut Header, parts: &[Range<u64>], len: u64) -> Vec<u8> {
    let data_len = parts.iter().map(|part| part.end - part.start).sum();
    header.set_size(data_len);
    if data_len == len {
        return Vec::new();
    }
    header.set_entry_type(EntryType::GNUSparse);
    let gnu = header.as_gnu_mut().expect("made as such a header");
    gnu.set_real_size(len);
    // The empty part at the end says how long the file is.
    let end = std::iter::once(len..len);
    let mut entries = parts.iter().cloned().chain(end).peekable();
    for place in &mut gnu.sparse {
        if let Some(part) = entries.next() {
            place.set_offset(part.start);
            place.set_length(part.end - part.start);
        }
    }
    gnu.set_is_extended(entries.peek().is_some());
    let mut more = Vec::new();
    while entries.peek().is_some() {
        let mut extension = GnuExtSparseHeader::new();
        for place in &mut extension.sparse {
            if let Some(part) = entries.next() {
                place.set_offset(part.start);
                place.set_length(part.end - part.start);
            }
        }
        extension.set_is_extended(entries.peek().is_some());
        more.extend_from_slice(extension.as_bytes());
    }
    more
}

/// Where the header of a file with holes has its parts, whether more follow, and its length.
const PARTS: Range<usize> = 386..482;
const HAS_MORE: usize = 482;
const LEN: Range<usize> = 483..495;
/// The same of a block with more parts.
const MORE_PARTS: Range<usize> = 0..504;
const HAS_STILL_MORE: usize = 504;
const PART_LEN: usize = 24;

/// Checks the description of a file with holes, of which so many bytes are `stored`: its
/// header, and the blocks with `more` parts.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] where it is not as [`describe`] or GNU tar writes it.
pub(super) fn check(header: &[u8], more: &[u8], stored: Option<u64>) -> io::Result<()> {
    let mut places: Vec<_> = header[PARTS].chunks_exact(PART_LEN).collect();
    let mut room = places.len();
    let mut has_more = header[HAS_MORE];
    for block in more.chunks_exact(BLOCK_LEN) {
        if has_more != 1 {
            return Err(refuse("more parts of a file than it says"));
        }
        room = MORE_PARTS.len() / PART_LEN;
        places.extend(block[MORE_PARTS].chunks_exact(PART_LEN));
        has_more = block[HAS_STILL_MORE];
    }
    let is_empty = |place: &&[u8]| place.iter().all(|byte| *byte == 0);
    let used = places.iter().position(is_empty).unwrap_or(places.len());
    let (parts, rest) = places.split_at(used);
    // Each block but the last is full, and the last is not empty.
    if has_more != 0 || rest.len() >= room || !rest.iter().all(is_empty) {
        return Err(refuse(
            "a file with parts at places where no program has them",
        ));
    }
    check_parts(parts, stored, number(&header[LEN]))
}

/// Checks that parts are in order, and together what is `stored` of a file of `len` bytes.
fn check_parts(parts: &[&[u8]], stored: Option<u64>, len: Option<u64>) -> io::Result<()> {
    let (mut at, mut stored_before, mut filled) = (0, 0, 0);
    for (i, part) in parts.iter().enumerate() {
        let (offset, part_len) = part.split_at(PART_LEN / 2);
        let offset = number(offset).filter(|offset| *offset >= at);
        let part_len = number(part_len).filter(|len| match len {
            0 => i + 1 == parts.len(),
            _ => stored_before % BLOCK_LEN as u64 == 0,
        });
        let (Some(offset), Some(part_len)) = (offset, part_len) else {
            return Err(refuse(
                "parts of a file that overlap, are empty or no blocks",
            ));
        };
        filled += usize::from(part_len > 0);
        // Neither overflows: all numbers are below 2^63, and what is stored ends before `at`.
        at = offset + part_len;
        stored_before += part_len;
        if i64::try_from(at).is_err() {
            break;
        }
    }
    match (stored, len) == (Some(stored_before), Some(at)) && filled <= MOST_PARTS {
        true => Ok(()),
        false => Err(refuse("parts that are not those of the file, or too many")),
    }
}

/// The bytes of the parts of a file, one after another. The archive already says how many
/// there are: from where one cannot be read, zeros take their place.
pub(super) struct PartReader<'a> {
    file: &'a File,
    parts: std::vec::IntoIter<Range<u64>>,
    part: Range<u64>,
    failure: Option<io::Error>,
}

impl<'a> PartReader<'a> {
    pub(super) fn new(file: &'a File, parts: Vec<Range<u64>>) -> Self {
        Self {
            file,
            parts: parts.into_iter(),
            part: 0..0,
            failure: None,
        }
    }

    /// Why there are zeros, if there are.
    pub(super) fn into_failure(self) -> Option<io::Error> {
        self.failure
    }
}

impl Read for PartReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() {
            match self.parts.next() {
                Some(part) => self.part = part,
                None => return Ok(0),
            }
        }
        let left = self.part.end - self.part.start;
        let wanted = usize::try_from(left).map_or(out.len(), |left| left.min(out.len()));
        let out = &mut out[..wanted];
        if out.is_empty() {
            return Ok(0);
        }
        let read = match self.failure {
            None => self.file.read_at(out, self.part.start),
            Some(_) => Ok(0),
        };
        let given = match read {
            Ok(read @ 1..) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            end => {
                let shorter = || io::Error::other("became shorter while it was read");
                self.failure
                    .get_or_insert_with(|| end.err().unwrap_or_else(shorter));
                out.fill(0);
                wanted
            }
        };
        self.part.start += given as u64;
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: u64 = BLOCK_LEN as u64;

    #[test]
    fn parts_are_whole_blocks_wherever_they_begin() {
        assert!(is_of_blocks(&(0..LEN)) && is_of_blocks(&(1..LEN + 1)));
        assert!(!is_of_blocks(&(0..LEN + 1)) && !is_of_blocks(&(LEN..LEN + 1)));
    }

    /// On a file system that tells.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_list_of_parts_has_an_end() {
        for (count, found) in [(MOST_PARTS, MOST_PARTS), (MOST_PARTS + 1, 1)] {
            let file = tempfile::tempfile().unwrap();
            for i in 0..count as u64 {
                file.write_all_at(b"data", i << 16).unwrap();
            }
            let len = (count as u64) << 16;
            file.set_len(len).unwrap();
            assert_eq!(parts(&file, len, 0).len(), found, "of {count}");
        }
    }

    #[test]
    fn a_file_that_became_shorter_ends_in_zeros() {
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(b"0123456789", 0).unwrap();
        let mut reader = PartReader::new(&file, vec![2..4, 4..4, 8..12, 20..21]);
        assert_eq!(reader.read(&mut []).unwrap(), 0);
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, b"2389\0\0\0");
        assert!(reader.into_failure().is_some());

        let mut reader = PartReader::new(&file, vec![2..4, 8..10]);
        reader.read_to_end(&mut bytes).unwrap();
        assert!(reader.into_failure().is_none());
    }
}
