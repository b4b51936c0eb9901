//! Finding the entries behind what is lost of an archive.

use std::io::SeekFrom;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{Entries, ReadSeek, Source, State, is_zero};
use crate::folder::error::Error;
use crate::folder::tar::{self, BLOCK_LEN, EntryKind};

impl<'a> Entries<'a> {
    /// As [`seekable`](Self::seekable), where the parts `lost` of the archive are zeros. Entries
    /// that begin in one are not found; of those that go on in one,
    /// [`is_damaged`](Self::is_damaged) tells.
    pub(in crate::folder) fn with_holes(
        file: &'a mut dyn ReadSeek,
        lost: &[Range<u64>],
    ) -> Result<Self, Error> {
        let len = file.seek(SeekFrom::End(0)).map_err(Error::Archive)?;
        let mut entries = Self::seekable(file).map_err(Error::Archive)?;
        let mut lost = lost.to_vec();
        lost.push(len..u64::MAX);
        lost.retain(|hole| !hole.is_empty());
        lost.sort_by_key(|hole| hole.start);
        for hole in lost {
            match entries.holes.last_mut() {
                Some(last) if hole.start <= last.end => last.end = last.end.max(hole.end),
                _ => entries.holes.push(hole),
            }
        }
        entries.find_points(len)?;
        Ok(entries)
    }

    /// The first entry that is known from byte `from` on.
    pub(super) fn point(&self, from: u64) -> Option<&(u64, Option<PathBuf>)> {
        let count = self.points.partition_point(|(at, _)| *at >= from);
        self.points[..count].last()
    }

    /// Finds the first entry behind each hole, from the last one on. Content can be an archive by
    /// itself: so what looks like an entry counts only if entries in order follow it up to the end,
    /// or up to a hole and are before what is known behind that.
    fn find_points(&mut self, len: u64) -> Result<(), Error> {
        const BLOCK: u64 = BLOCK_LEN as u64;
        let mut segment_end = len;
        for hole in self.holes.clone().into_iter().rev() {
            let mut at = hole.end.checked_next_multiple_of(BLOCK).unwrap_or(u64::MAX);
            while at < segment_end && segment_end - at >= BLOCK {
                self.go_to(State::default(), at)?;
                let block = self.block()?;
                // Zeros can be content. The end that a writer makes has two blocks.
                let is_end = is_zero(&block) && len - at == 2 * BLOCK;
                if is_end || tar::header(&block).is_ok() {
                    match self.follow(at)? {
                        Ok(name) => {
                            self.points.push((at, name));
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
        self.go_to(State::default(), 0)
    }

    pub(super) fn go_to(&mut self, state: State, at: u64) -> Result<(), Error> {
        if let Source::Seekable(file, _) = &mut self.source
            && self.state.at != at
        {
            file.seek(SeekFrom::Start(at)).map_err(Error::Archive)?;
        }
        self.state = State {
            at,
            content: 0,
            end: at,
            ..state
        };
        Ok(())
    }

    /// Follows entries from `at` on. Gives the name of the first one, if it is no end; or where the
    /// last one is, if they lead to nothing.
    fn follow(&mut self, at: u64) -> Result<Result<Option<PathBuf>, u64>, Error> {
        self.go_to(State::default().after_loss(), at)?;
        let (mut name, mut last) = (None, at);
        let is_before = |path: &Path, point: Option<&(u64, Option<PathBuf>)>| match point {
            Some((_, Some(next))) => path < next,
            _ => true,
        };
        loop {
            let start = self.state.end;
            let point = self.point(start);
            if point.is_some_and(|(at, _)| *at == start) {
                let is_right = is_before(&self.state.last, point);
                return Ok(if is_right { Ok(name) } else { Err(last) });
            }
            let before = self.state.last.clone();
            let entry = self.parse();
            if self.hole(start..self.state.at.max(start + 1)).is_some() {
                let is_right = name.is_some() && is_before(&before, self.point(start));
                return Ok(if is_right { Ok(name) } else { Err(last) });
            }
            match entry {
                Ok(Some(entry)) if entry.kind != EntryKind::Lost => {
                    name.get_or_insert(entry.path);
                    last = start;
                }
                Ok(Some(_)) => {}
                Ok(None) => return Ok(Ok(name)),
                Err(Error::Archive(error)) => return Err(Error::Archive(error)),
                Err(_) => return Ok(Err(last)),
            }
        }
    }
}
