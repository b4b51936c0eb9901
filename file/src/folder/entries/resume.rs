//! Finding the entries behind what is lost of an archive.

use std::io::SeekFrom;
use std::ops::Range;
use std::path::PathBuf;

use super::{Entries, ReadSeek, Source, State};
use crate::folder::error::Error;
use crate::folder::tar::{self, BLOCK_LEN, Entry, EntryKind};

const BLOCK: u64 = BLOCK_LEN as u64;

impl State {
    /// Behind a loss, after what was read before it.
    fn after_loss(self) -> Self {
        Self { first: Some(self.first.unwrap_or_default()), folder: None, ..self }
    }
}

impl<'a> Entries<'a> {
    /// The entries of an archive of which parts are `lost`: ranges of bytes, in order. In their
    /// place `file` has zeros, as both other salvages write them. Every entry of which no part is
    /// lost is found, and of those that are in part, all whose header is there. What is malformed
    /// is passed over. Of an entry whose records alone are lost, attributes and times are missing.
    ///
    /// # Errors
    /// [`Error::Archive`], which is also all that reading them gives.
    //
    // Finds the first entry behind each hole, from the last one on. Content can be an archive by
    // itself. So what looks like an entry counts only if entries in order follow it up to the end,
    // or up to a hole and are before what is known behind that.
    pub fn damaged(file: &'a mut dyn ReadSeek, lost: &[Range<u64>]) -> Result<Self, Error> {
        let mut segment_end = file.seek(SeekFrom::End(0))?;
        let mut entries = Self::seekable(file)?;
        let lost = lost.iter().filter(|hole| !hole.is_empty());
        entries.holes = lost.clone().cloned().collect();
        entries.holes.push(segment_end..u64::MAX);
        for hole in lost.rev() {
            let mut at = hole.end.next_multiple_of(BLOCK);
            while at + BLOCK <= segment_end {
                entries.go_to(State::default(), at)?;
                let block = entries.block()?;
                if tar::header(&block).is_ok() {
                    match entries.follow(at)? {
                        Ok(name) => {
                            entries.points.push((at, name));
                            break;
                        }
                        Err(last) if last < segment_end => at = last,
                        Err(_) => {}
                    }
                }
                at += BLOCK;
            }
            segment_end = hole.start;
        }
        entries.rewind()?;
        Ok(entries)
    }

    /// The next entry of which the header is there.
    pub(super) fn next_found(&mut self) -> Result<Option<Entry>, Error> {
        loop {
            let before = self.state.clone();
            let start = before.end;
            let entry = self.parse();
            // A name in a list of lost files takes no bytes.
            let least = if entry.is_ok() { start } else { start + BLOCK };
            let from = match (self.hole(start..self.state.at.max(least)), entry) {
                (_, Err(error @ Error::Archive(_))) => return Err(error),
                (Some(hole), _) => hole.end,
                (None, Err(_)) => start + BLOCK,
                (None, entry) => return entry,
            };
            let Some((at, _)) = self.point(from).cloned() else {
                self.state.is_over = true;
                return Ok(None);
            };
            self.go_to(before.after_loss(), at)?;
        }
    }

    /// Whether parts of an entry are lost.
    pub(in crate::folder) fn is_damaged(&self, entry: &Entry) -> bool {
        self.hole(entry.span.clone()).is_some()
    }

    /// The first hole that `range` touches.
    fn hole(&self, range: Range<u64>) -> Option<Range<u64>> {
        let at = self.holes.partition_point(|hole| hole.end <= range.start);
        let hole = self.holes.get(at).filter(|hole| hole.start < range.end);
        hole.cloned()
    }

    /// The first entry that is known from byte `from` on.
    fn point(&self, from: u64) -> Option<&(u64, Option<PathBuf>)> {
        let count = self.points.partition_point(|(at, _)| *at >= from);
        self.points[..count].last()
    }

    pub(super) fn go_to(&mut self, state: State, at: u64) -> Result<(), Error> {
        if let Source::Seekable(file, _) = &mut self.source
            && self.state.at != at
        {
            file.seek(SeekFrom::Start(at))?;
        }
        self.state = State { at, content: 0, end: at, ..state };
        Ok(())
    }

    /// Follows entries from `at` on. Gives the name of the first one, if any is before the lost
    /// files; or where the last one is, if they lead to nothing.
    fn follow(&mut self, at: u64) -> Result<Result<Option<PathBuf>, u64>, Error> {
        self.go_to(State::default().after_loss(), at)?;
        let (mut name, mut last) = (None, at);
        loop {
            let start = self.state.end;
            let point = self.point(start);
            let next = point.and_then(|(_, next)| next.as_ref());
            let is_before = next.is_none_or(|next| self.state.last < *next);
            if point.is_some_and(|(at, _)| *at == start) {
                return Ok(if is_before { Ok(name) } else { Err(last) });
            }
            let entry = self.parse();
            if self.hole(start..self.state.at.max(start + 1)).is_some() {
                let is_right = is_before && name.is_some();
                return Ok(if is_right { Ok(name) } else { Err(last) });
            }
            match entry {
                Ok(Some(entry)) if entry.kind == EntryKind::Lost => {}
                Ok(Some(entry)) => {
                    name.get_or_insert(entry.path);
                    last = start;
                }
                Ok(None) => return Ok(Ok(name)),
                Err(Error::Archive(error)) => return Err(Error::Archive(error)),
                Err(_) => return Ok(Err(last)),
            }
        }
    }
}
