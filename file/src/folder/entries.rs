//! Reading an archive, entry by entry, and judging it.

mod bytes;
mod judge;
mod resume;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use self::bytes::{is_zero, malformed};
pub(super) use self::judge::Names;
use super::error::Error;
use super::tar::{self, BLOCK_LEN, Entry, EntryKind, Header};

/// What can be read and sought.
pub trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

/// Where an archive comes from; with its length, where its content can be leapt over.
enum Source<'a> {
    Stream(&'a mut dyn Read),
    Seekable(&'a mut dyn ReadSeek, u64),
}

/// How far an archive was read, and what the entry after that may be.
#[derive(Clone, Default)]
struct State {
    at: u64,
    /// Bytes of content that were not read.
    content: u64,
    /// Where that is filled up, and the next header is.
    end: u64,
    has_begun: bool,
    /// The header of the folder itself; empty if that is lost.
    first: Vec<u8>,
    /// The entry before, and the folder that is open.
    last: PathBuf,
    folder: PathBuf,
    /// After a loss: the folder of the next entry may be unknown.
    is_loose: bool,
    /// Names of lost files that were not handed out, the last one first.
    lost_names: Vec<Vec<u8>>,
    is_in_list: bool,
    is_over: bool,
}

impl State {
    /// What follows is content of `len` bytes, below 2^63.
    fn expect(&mut self, len: u64) {
        self.content = len;
        self.end = self
            .at
            .saturating_add(len.next_multiple_of(BLOCK_LEN as u64));
    }

    fn after_loss(self) -> Self {
        Self {
            has_begun: true,
            is_loose: true,
            ..self
        }
    }
}

/// The entries of an archive; `Read` gives the content of the last one, if it is a file.
///
/// An archive that breaks a rule is refused at that entry, by every reader: no other code judges
/// archives. Takes memory for the records of one entry, at most a few MiB, and some 16 bytes for
/// the name of each file and link.
pub struct Entries<'a> {
    source: Source<'a>,
    state: State,
    names: Names,
    /// What is lost of the archive, in order. To a reader that salvages, all behind the end is.
    holes: Vec<Range<u64>>,
    /// Where it goes on behind holes, the last one first, with the name there.
    points: Vec<(u64, Option<PathBuf>)>,
}

type Judged<T> = Result<T, &'static str>;

impl<'a> Entries<'a> {
    /// The entries of an archive that is read once, from where `stream` is up to its end.
    pub fn new(stream: &'a mut dyn Read) -> Self {
        Self::of(Source::Stream(stream))
    }

    /// The entries of an archive whose content need not be read where nobody wants it: from the
    /// beginning of `file` up to its end.
    ///
    /// # Errors
    /// Errors of seeking.
    pub fn seekable(file: &'a mut dyn ReadSeek) -> io::Result<Self> {
        let len = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        Ok(Self::of(Source::Seekable(file, len)))
    }

    fn of(source: Source<'a>) -> Self {
        Self {
            source,
            state: State::default(),
            names: Names::default(),
            holes: Vec::new(),
            points: Vec::new(),
        }
    }

    /// The next entry; `None` after the last one, when all of the archive except contents was read.
    /// The unread content of the entry before is skipped.
    ///
    /// # Errors
    /// [`Error::Malformed`], and [`Error::Archive`] if it cannot be read. No entry can be read
    /// after an error.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, Error> {
        if self.state.is_over {
            return Ok(None);
        }
        if self.holes.is_empty() {
            return self.parse();
        }
        loop {
            let before = self.state.clone();
            let entry = self.parse();
            let start = before.end;
            let end = match &entry {
                Ok(Some(_)) => self.state.at,
                _ => self.state.at.max(start + BLOCK_LEN as u64),
            };
            let from = match (entry, self.hole(start..end)) {
                (Err(error @ Error::Archive(_)), _) => return Err(error),
                (Err(_), None) => start + BLOCK_LEN as u64,
                (entry, None) => return entry,
                (_, Some(hole)) => hole.end,
            };
            let Some((at, _)) = self.point(from).cloned() else {
                self.state.is_over = true;
                return Ok(None);
            };
            self.go_to(before.after_loss(), at)?;
        }
    }

    /// Whether parts of an entry are lost.
    pub(super) fn is_damaged(&self, entry: &Entry) -> bool {
        self.hole(entry.span.clone()).is_some()
    }

    /// Whether it can begin again.
    pub(super) fn is_seekable(&self) -> bool {
        matches!(self.source, Source::Seekable(..))
    }

    /// Begins again, if it can.
    pub(super) fn rewind(&mut self) -> Result<(), Error> {
        self.go_to(State::default(), 0)
    }

    /// The first hole that `range` touches.
    fn hole(&self, range: Range<u64>) -> Option<Range<u64>> {
        let at = self.holes.partition_point(|hole| hole.end <= range.start);
        self.holes
            .get(at)
            .filter(|hole| hole.start < range.end)
            .cloned()
    }

    /// Reads the headers of an entry.
    fn parse(&mut self) -> Result<Option<Entry>, Error> {
        self.skip()?;
        loop {
            let start = self.state.at;
            if let Some(name) = self.state.lost_names.pop() {
                let lost = self.lost(name).map(Some);
                return lost.map_err(|why| malformed(start, why));
            }
            let mut block = self.block()?;
            if is_zero(&block) && self.state.has_begun {
                self.end()?;
                return Ok(None);
            }
            let refuse = |why| malformed(start, why);
            let mut header = tar::header(&block).map_err(refuse)?;
            let mut attributes = BTreeMap::new();
            if header.kind == tar::RECORDS {
                let body = self.body(&header)?;
                block = self.block()?;
                let list = Some(body.as_slice()).filter(|_| self.state.has_begun);
                if let Some(names) = list.and_then(tar::lost_names) {
                    if ![&block[..], &[]].contains(&&self.state.first[..]) {
                        return Err(refuse("lost files ahead of another header than the first"));
                    }
                    self.state.lost_names = names.into_iter().rev().collect();
                    self.state.is_in_list = true;
                    continue;
                }
                header = tar::header(&block).map_err(refuse)?;
                attributes = tar::apply(&body, &mut header).map_err(refuse)?;
            }
            if !self.state.has_begun {
                self.state.first = block.to_vec();
            }
            return self
                .entry(start, header, attributes)
                .map(Some)
                .map_err(refuse);
        }
    }

    fn entry(
        &mut self,
        start: u64,
        header: Header,
        attributes: BTreeMap<OsString, Vec<u8>>,
    ) -> Judged<Entry> {
        let kind = header.kind;
        let path = match (kind, header.name.strip_suffix(b"/")) {
            (tar::FOLDER, None) => return Err("a folder's name without a slash"),
            (tar::FOLDER, Some(b".")) => PathBuf::new(),
            (tar::FOLDER, Some(name)) => tar::path_of(name.to_vec())?,
            _ => tar::path_of(header.name)?,
        };
        self.advance(&path, kind == tar::FOLDER)?;
        let is_link = kind == tar::SYMBOLIC_LINK || kind == tar::HARD_LINK;
        if header.size != 0 && kind != tar::FILE {
            return Err("a size of what is no file");
        }
        if header.link.is_empty() == is_link {
            return Err("a link to nothing, or of what is none");
        }
        if !attributes.is_empty() && is_link {
            return Err("attributes of a link");
        }
        let kind = match kind {
            tar::FOLDER => EntryKind::Folder,
            tar::FILE => EntryKind::File { len: header.size },
            tar::SYMBOLIC_LINK => EntryKind::SymbolicLink {
                target: PathBuf::from(OsString::from_vec(header.link)),
            },
            tar::HARD_LINK => EntryKind::HardLink {
                first: Some(tar::path_of(header.link)?)
                    .filter(|first| *first < path)
                    .ok_or("another name of something that is not before it")?,
            },
            _ => return Err("an entry of an unknown type"),
        };
        self.note_name(&path, &kind)?;
        self.state.expect(header.size);
        Ok(Entry {
            path,
            kind,
            mode: header.mode,
            uid: header.uid,
            gid: header.gid,
            mtime: header.mtime,
            attributes,
            span: start..self.state.end,
        })
    }
}
