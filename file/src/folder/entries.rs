//! Reading an archive, entry by entry, and judging it.

use std::collections::HashMap;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::tar::{
    self, BLOCK_LEN, Block, Entry, EntryKind, Header, Judged, is_zero, path_of, require,
};

/// What can be read and sought.
pub trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

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
    /// The header of the folder itself, when that was read; empty if it is lost.
    first: Option<Vec<u8>>,
    /// The entry before.
    last: PathBuf,
    /// The folder that is open, unless it is lost.
    folder: Option<PathBuf>,
    /// In the list of lost files: those that were not handed out, the last one first.
    lost_names: Option<Vec<Vec<u8>>>,
    is_over: bool,
}

impl State {
    /// What follows is content of `len` bytes, below 2^63.
    fn expect(&mut self, len: u64) {
        self.content = len;
        let filled_up = len.next_multiple_of(BLOCK_LEN as u64);
        self.end = self.at.saturating_add(filled_up);
    }
}

/// The names of files and of symbolic links, and what else is known of each. They are hashes under
/// a key of this run: another entry can have the hash of one by accident alone.
#[derive(Default)]
pub(super) struct Names(RandomState, HashMap<u64, bool>);

impl Names {
    pub(super) fn insert(&mut self, name: &Path, known: bool) {
        self.1.insert(self.0.hash_one(name), known);
    }

    pub(super) fn get(&self, name: &Path) -> Option<bool> {
        self.1.get(&self.0.hash_one(name)).copied()
    }

    pub(super) fn remove(&mut self, name: &Path) -> Option<bool> {
        self.1.remove(&self.0.hash_one(name))
    }
}

/// The entries of an archive; `Read` gives the content of the last one, if it is a file.
///
/// An archive that breaks a rule is refused where it does, whoever reads it: this is the one judge
/// of archives. Takes memory for the records of one entry, at most a few MiB, and some 32 bytes for
/// the name of each file and link.
pub struct Entries<'a> {
    source: Source<'a>,
    state: State,
    /// Of files and symbolic links, and whether each is a file.
    names: Names,
    /// What is lost of the archive, in order. To a reader that salvages, all behind the end is.
    holes: Vec<Range<u64>>,
    /// What every header has, when one was read or it is known.
    mark: Option<[u8; 8]>,
}

impl<'a> Entries<'a> {
    /// The entries of an archive that is read once, from where `stream` is up to its end.
    pub fn new(stream: &'a mut dyn Read) -> Self {
        Self::of(Source::Stream(stream))
    }

    /// The entries of an archive whose content need not be read where nobody wants it: from the
    /// beginning of `file` up to its end.
    ///
    /// # Errors
    /// [`Error::Archive`].
    pub fn seekable(file: &'a mut dyn ReadSeek) -> Result<Self, Error> {
        let len = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        Ok(Self::of(Source::Seekable(file, len)))
    }

    /// The entries of an archive of which parts are `lost`: ranges of bytes, in order. In their
    /// place `file` has zeros, as both other salvages write them. Every header that is there and has
    /// the archive's [mark](crate::Salvage::archive_mark) is found, unless it is malformed.
    ///
    /// # Errors
    /// [`Error::Archive`], which is also all that reading them gives.
    pub fn damaged(
        file: &'a mut dyn ReadSeek,
        lost: &[Range<u64>],
        mark: [u8; 8],
    ) -> Result<Self, Error> {
        let end = file.seek(SeekFrom::End(0))?;
        let mut entries = Self::seekable(file)?;
        entries.holes = lost.iter().filter(|hole| !hole.is_empty()).cloned().collect();
        entries.holes.push(end..u64::MAX);
        // What the archive begins with is no content, so its mark counts in any case.
        drop(entries.parse());
        entries.mark.get_or_insert(mark);
        entries.rewind()?;
        Ok(entries)
    }

    fn of(source: Source<'a>) -> Self {
        Self {
            source,
            state: State::default(),
            names: Names::default(),
            holes: Vec::new(),
            mark: None,
        }
    }

    /// The next entry; `None` after the last one, when all of the archive except contents was read.
    /// The unread content of the entry before is skipped.
    ///
    /// # Errors
    /// [`Error::Malformed`], and [`Error::Archive`] if it cannot be read. No entry can be read
    /// after an error.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, Error> {
        match self.holes.is_empty() {
            _ if self.state.is_over => Ok(None),
            true => self.parse(),
            false => self.next_found(),
        }
    }

    /// Whether it can begin again.
    pub(super) fn is_seekable(&self) -> bool {
        matches!(self.source, Source::Seekable(..))
    }

    /// Begins again, if it can.
    pub(super) fn rewind(&mut self) -> Result<(), Error> {
        self.go_to(State::default(), 0)
    }

    /// The next entry of which the header is there: looks at every block for one, behind a loss.
    fn next_found(&mut self) -> Result<Option<Entry>, Error> {
        loop {
            let before = self.state.clone();
            let is_behind_loss = before.first.is_some() && before.folder.is_none();
            let entry = self.parse();
            let read = before.end..self.state.at;
            match entry {
                Err(error @ Error::Archive(_)) => return Err(error),
                Ok(mut entry) if !self.is_damaged(&read) => {
                    let is_alone = read.end - read.start == BLOCK_LEN as u64;
                    if let Some(it) = entry.as_mut().filter(|_| is_alone && is_behind_loss) {
                        (it.mode, it.may_lack_records) = (it.mode & 0o777, true);
                    }
                    return Ok(entry);
                }
                _ if self.holes.last().is_some_and(|rest| rest.start <= read.start) => {
                    self.state.is_over = true;
                    return Ok(None);
                }
                _ => {}
            }
            let first = Some(before.first.unwrap_or_default());
            let next = read.start + BLOCK_LEN as u64;
            self.go_to(State { first, folder: None, ..before }, next)?;
        }
    }

    /// Whether parts of a span are lost.
    pub(super) fn is_damaged(&self, span: &Range<u64>) -> bool {
        let at = self.holes.partition_point(|hole| hole.end <= span.start);
        self.holes.get(at).is_some_and(|hole| hole.start < span.end)
    }

    fn go_to(&mut self, state: State, at: u64) -> Result<(), Error> {
        if let Source::Seekable(file, _) = &mut self.source
            && self.state.at != at
        {
            file.seek(SeekFrom::Start(at))?;
        }
        self.state = State { at, content: 0, end: at, ..state };
        Ok(())
    }

    /// Reads the headers of an entry.
    fn parse(&mut self) -> Result<Option<Entry>, Error> {
        self.skip()?;
        let start = self.state.at;
        let refuse = |why| malformed(start, why);
        if let Some(name) = self.state.lost_names.as_mut().and_then(Vec::pop) {
            return self.lost(name).map(Some).map_err(refuse);
        }
        let mut block = self.block()?;
        // Behind a loss, zeros may be content.
        if is_zero(&block) && self.state.folder.is_some() {
            self.end()?;
            return Ok(None);
        }
        let mut header = tar::header(&block, &mut self.mark).map_err(refuse)?;
        if header.kind == tar::RECORDS {
            let records = self.records(header.size)?;
            block = self.block()?;
            if let (Some(first), Some(names)) = (&self.state.first, tar::lost_names(&records)) {
                let is_first = first.is_empty() || block[..] == first[..];
                require(is_first, "lost files ahead of another header").map_err(refuse)?;
                self.state.lost_names = Some(names.into_iter().rev().collect());
                return self.parse();
            }
            header = tar::header(&block, &mut self.mark).map_err(refuse)?;
            header.apply(&records).map_err(refuse)?;
        }
        let entry = self.entry(start, header).map_err(refuse)?;
        self.state.first.get_or_insert_with(|| block.to_vec());
        Ok(Some(entry))
    }

    /// Judges an entry by what is before it.
    fn entry(&mut self, start: u64, header: Header) -> Judged<Entry> {
        let is_folder = header.kind == tar::FOLDER;
        let path = match (is_folder, header.name.strip_suffix(b"/")) {
            (true, None) => return Err("a folder's name without a slash"),
            (true, Some(b".")) => PathBuf::new(),
            (true, Some(name)) => path_of(name.to_vec())?,
            (false, _) => path_of(header.name)?,
        };
        self.advance(&path, is_folder)?;
        let is_link = header.kind == tar::SYMBOLIC_LINK || header.kind == tar::HARD_LINK;
        let (is_file, has_none) = (header.kind == tar::FILE, header.entry.attributes.is_empty());
        require(is_file || header.size == 0, "a size of what is no file")?;
        require(is_link != header.link.is_empty(), "a link to nothing, or of what is none")?;
        require(!is_link || has_none, "attributes of a link")?;
        let kind = match header.kind {
            tar::FOLDER => EntryKind::Folder,
            tar::FILE => EntryKind::File { len: header.size },
            tar::SYMBOLIC_LINK => {
                EntryKind::SymbolicLink { target: PathBuf::from(OsString::from_vec(header.link)) }
            }
            tar::HARD_LINK => EntryKind::HardLink {
                first: Some(path_of(header.link)?)
                    .filter(|first| *first < path)
                    .ok_or("another name of something that is not before it")?,
            },
            _ => return Err("an entry of an unknown type"),
        };
        self.note_name(&path, &kind)?;
        self.state.expect(header.size);
        Ok(Entry { path, kind, span: start..self.state.end, ..header.entry })
    }

    /// Moves on to `path`, if it may come next.
    fn advance(&mut self, path: &Path, is_folder: bool) -> Judged<()> {
        let (state, parent) = (&mut self.state, path.parent());
        require(state.lost_names.is_none(), "an entry after the lost files")?;
        let is_root_first = state.first.is_none() == parent.is_none();
        require(is_root_first, "the folder itself, not first; or another entry first")?;
        let is_after = parent.is_none() || *path > *state.last;
        require(is_after, "a name that is not in order")?;
        let parent = parent.unwrap_or(path);
        let is_within = (state.folder.as_ref()).is_none_or(|folder| folder.starts_with(parent));
        require(is_within, "an entry that is not in the folder before it")?;
        state.folder = Some(if is_folder { path } else { parent }.to_path_buf());
        state.last = path.to_path_buf();
        Ok(())
    }

    /// Keeps the name of a file or link in mind. Another name must be one of these. Where parts of
    /// the archive are lost, nobody knows.
    fn note_name(&mut self, path: &Path, kind: &EntryKind) -> Judged<()> {
        let is_file = match kind {
            _ if !self.holes.is_empty() => return Ok(()),
            EntryKind::File { .. } => true,
            EntryKind::SymbolicLink { .. } => false,
            EntryKind::HardLink { first } => {
                (self.names.get(first)).ok_or("another name of what is no file or symbolic link")?
            }
            EntryKind::Folder | EntryKind::Lost => return Ok(()),
        };
        self.names.insert(path, is_file);
        Ok(())
    }

    fn lost(&mut self, name: Vec<u8>) -> Judged<Entry> {
        let path = path_of(name)?;
        let is_file = !self.holes.is_empty() || self.names.get(&path) == Some(true);
        require(is_file, "a lost file that is none of its files")?;
        Ok(Entry {
            path,
            kind: EntryKind::Lost,
            span: self.state.at..self.state.at,
            ..Entry::default()
        })
    }

    /// Skips what is left of the content, and what fills it up.
    fn skip(&mut self) -> Result<(), Error> {
        if let Source::Seekable(file, len) = &mut self.source
            && self.state.content > 0
        {
            // Neither is 2^63.
            let to = self.state.at + self.state.content;
            if to > *len {
                return Err(malformed(*len, ENDS));
            }
            file.seek(SeekFrom::Start(to))?;
            (self.state.at, self.state.content) = (to, 0);
        }
        io::copy(self, &mut io::sink())?;
        let (start, mut fill) = (self.state.at, [0; BLOCK_LEN]);
        self.read_whole(&mut fill[..(self.state.end - start) as usize])?;
        match is_zero(&fill) {
            true => Ok(()),
            false => Err(malformed(start, "content that is not filled up with zeros")),
        }
    }

    /// The records behind a header.
    fn records(&mut self, len: u64) -> Result<Vec<u8>, Error> {
        if len > tar::MAX_RECORDS_LEN as u64 {
            return Err(malformed(self.state.at, "more than 1 MiB of records"));
        }
        self.state.expect(len);
        let mut records = vec![0; len as usize];
        self.read_exact(&mut records)?;
        self.skip()?;
        Ok(records)
    }

    /// A block that is no content.
    fn block(&mut self) -> Result<Block, Error> {
        let mut block = [0; BLOCK_LEN];
        self.read_whole(&mut block)?;
        self.state.end = self.state.at;
        Ok(block)
    }

    /// Reads what is no content.
    fn read_whole(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.state.content = bytes.len() as u64;
        Ok(self.read_exact(bytes)?)
    }

    /// Reads up to the end, after its first block: nothing but zeros.
    fn end(&mut self) -> Result<(), Error> {
        let mut block = self.block()?;
        let mut len = BLOCK_LEN;
        while is_zero(&block[..len]) {
            len = match self.source().read(&mut block) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read?,
            };
            self.state.at += len as u64;
            if len == 0 {
                self.state.is_over = true;
                return Ok(());
            }
        }
        Err(malformed(self.state.at, "an end that is not all zero"))
    }

    fn source(&mut self) -> &mut dyn Read {
        match &mut self.source {
            Source::Stream(stream) => stream,
            Source::Seekable(file, _) => file,
        }
    }
}

/// The content of the last entry.
impl Read for Entries<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.state.content).unwrap_or(usize::MAX);
        let most = left.min(buffer.len());
        let len = self.source().read(&mut buffer[..most])?;
        if len == 0 && most > 0 {
            let ends = malformed(self.state.at, ENDS);
            return Err(io::Error::new(ErrorKind::InvalidData, ends));
        }
        self.state.at += len as u64;
        self.state.content -= len as u64;
        Ok(len)
    }
}

const ENDS: &str = "it ends too early";

fn malformed(at: u64, why: &'static str) -> Error {
    Error::Malformed(at, why)
}
