//! Writing an archive: entries in GNU headers, and ahead of each what has no room there.

use std::io::{self, Read, Write};

use rustix::fs::Stat;
use tar::{Builder, EntryType, Header};

use super::pieces::PieceWriter;
use super::time::Mtime;
use super::{mark, void};

/// The bytes of a name that a header has room for.
const NAME_LEN: usize = 100;

pub(super) struct ArchiveWriter(Builder<PieceWriter>);

/// What an entry is called, and what it links to.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) name: &'a [u8],
    pub(super) link: &'a [u8],
}

impl ArchiveWriter {
    /// An archive after the mark of a folder.
    pub(super) fn new(mut writer: PieceWriter) -> io::Result<Self> {
        writer.write_all(&mark())?;
        Ok(Self(Builder::new(writer)))
    }

    /// Writes an entry: what its header has no room for, and pax records, go ahead of it.
    pub(super) fn append(
        &mut self,
        mut header: Header,
        found: &Stat,
        names: Names<'_>,
        mut records: Vec<(String, Vec<u8>)>,
        data: impl Read,
    ) -> io::Result<()> {
        let mtime = Mtime::new(found.st_mtime, found.st_mtime_nsec as i64);
        match mtime.as_plain() {
            Some(seconds) => header.set_mtime(seconds),
            None => records.insert(0, ("mtime".to_owned(), mtime.to_decimal().into_bytes())),
        }
        if !records.is_empty() {
            let records = records.iter();
            self.0.append_pax_extensions(
                records.map(|(key, value)| (key.as_str(), value.as_slice())),
            )?;
        }
        let Names { name, link } = names;
        if name.len() > NAME_LEN {
            self.append_long(EntryType::GNULongName, name)?;
        }
        if link.len() > NAME_LEN {
            self.append_long(EntryType::GNULongLink, link)?;
        }
        let gnu = header.as_gnu_mut().expect("made as such a header");
        fill(&mut gnu.name, name);
        fill(&mut gnu.linkname, link);
        header.set_cksum();
        self.0.append(&header, data)
    }

    /// Takes the file back that was written last.
    pub(super) fn void(&mut self) -> io::Result<()> {
        self.0.get_mut().write_all(&void())
    }

    /// Says that this was all.
    pub(super) fn end(self) -> io::Result<()> {
        self.0.into_inner()?.end()
    }

    /// An entry that holds the long name of the next one.
    fn append_long(&mut self, kind: EntryType, name: &[u8]) -> io::Result<()> {
        let mut header = Header::new_gnu();
        fill(
            &mut header.as_gnu_mut().expect("made as such a header").name,
            b"././@LongLink",
        );
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_size(name.len() as u64 + 1);
        header.set_cksum();
        self.0.append(&header, name.chain(&[0][..]))
    }
}

/// A header without name, length and time.
pub(super) fn header(kind: EntryType, found: &Stat) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    // A mode has 16 bits on macOS.
    #[allow(clippy::unnecessary_cast)]
    header.set_mode(found.st_mode as u32 & 0o7777);
    header.set_uid(found.st_uid.into());
    header.set_gid(found.st_gid.into());
    header.set_mtime(0);
    header.set_size(0);
    header
}

/// As much of `bytes` as there is room for.
fn fill(field: &mut [u8; NAME_LEN], bytes: &[u8]) {
    let len = bytes.len().min(NAME_LEN);
    field[..len].copy_from_slice(&bytes[..len]);
}
