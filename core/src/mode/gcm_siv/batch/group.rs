//! Messages of about one length, side by side in the lanes:
//!
//! ```text
//! stage        message 0   1     2     …        rows of blocks, ends aligned:
//! row 0        0           A1    A1             zeros in front change nothing,
//! row 1        A1          X1    X1             so messages of different length
//! row 2        X1          X2    X2             share the rows
//! row 3        L           L     L
//! ```
//!
//! Texts are encrypted in the stage. The keystream of each begins in its own row.
//!
//! The texts of a group are written when the next group enters its lanes, four messages at a time.
//! The CPU then moves bytes beside the derivation of keys, which is AES alone.

use super::super::length_block;
use super::Batch;
use super::order::Job;
use crate::kernel::gcm_siv::lanes::{DERIVED, GcmSivLanes, MESSAGES, Row, Workspace};
use crate::mode::batch::Direction;
use crate::tier::secret;
use core::ops::Range;

/// How many rows a group takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Of AAD, text and length block together.
    rows: usize,
    /// Of the longest text, which end one row before the last.
    text_rows: usize,
    /// Of each message, together.
    filled: usize,
    /// Whether all have the same lengths.
    is_equal: bool,
    /// Whether all texts have as many rows.
    is_even: bool,
}

impl Shape {
    #[inline(always)]
    pub(super) fn of(batch: &Batch<'_, '_>, jobs: &[Job]) -> Self {
        let mut shape = Self { rows: 1, text_rows: 0, filled: 0, is_equal: true, is_even: true };
        let differing = if batch.is_uniform() { &jobs[..1] } else { jobs };
        for job in differing {
            let rows = job.aad_rows() + job.text_rows() + 1;
            shape.rows = shape.rows.max(rows);
            shape.text_rows = shape.text_rows.max(job.text_rows());
            shape.filled += rows;
            shape.is_equal &= job.has_lens_of(jobs[0]);
            shape.is_even &= job.text_rows() == jobs[0].text_rows();
        }
        if batch.is_uniform() {
            shape.filled *= jobs.len();
        }
        shape
    }

    /// Whether so many messages take less time in lanes than one by one. The key of a message
    /// takes as long as some rows: five in lanes.
    #[inline(always)]
    pub(super) fn pays<L: GcmSivLanes>(self, count: usize) -> bool {
        let lanes = if count <= L::MESSAGES / 2 { L::MESSAGES / 2 } else { L::MESSAGES };
        L::KEY_ROWS * count + self.filled > lanes * (5 + self.rows)
    }

    /// The rows of text.
    #[inline(always)]
    fn texts(self) -> Range<usize> {
        self.rows - 1 - self.text_rows..self.rows - 1
    }
}

/// The group that is in the lanes.
pub(super) struct Group {
    shape: Shape,
    jobs: [Job; MESSAGES],
    count: usize,
    /// Whether they come one after the other.
    is_as_given: bool,
}

impl Group {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            shape: Shape { rows: 1, text_rows: 0, filled: 0, is_equal: true, is_even: true },
            jobs: [Job::default(); MESSAGES],
            count: 0,
            is_as_given: true,
        }
    }

    /// Takes messages, derives their keys and lays them out, and writes the texts of the group
    /// before. Memory is asked for, of the messages from number `next` on.
    #[inline(always)]
    pub(super) fn enter<L: GcmSivLanes>(
        &mut self,
        lanes: L,
        workspace: &mut Workspace,
        batch: &mut Batch<'_, '_>,
        (jobs, next): (&[Job], usize),
        is_as_given: bool,
        shape: Shape,
    ) {
        workspace.stage.need(shape.rows);
        for first in (0..L::MESSAGES).step_by(DERIVED) {
            self.store(lanes, workspace, batch, first);
            if let Some(memory) = batch.memory_of_four(next + first) {
                memory.iter().for_each(|bytes| lanes.ask(bytes));
            }
            let four = four(jobs, first);
            if !four.is_empty() {
                let adjacent = first_of_adjacent(four, is_as_given);
                derive(lanes, workspace, batch, first, four, adjacent);
                lay_out(lanes, workspace, batch, shape, first, four, adjacent);
            }
        }
        let is_like_before = self.count > 0
            && self.shape == shape
            && shape.is_equal
            && self.jobs[0].has_lens_of(jobs[0]);
        for (place, job) in self.jobs[..L::MESSAGES].iter_mut().zip(jobs) {
            *place = *job;
        }
        (self.count, self.shape, self.is_as_given) = (jobs.len(), shape, is_as_given);
        workspace.messages = self.count;
        if shape.is_equal && !is_like_before {
            let job = self.jobs[0];
            let lengths = length_block(job.aad_len(), job.text_len());
            workspace.stage[shape.rows - 1][..L::MESSAGES].fill(lengths);
            workspace.delays[..L::MESSAGES].fill([0; 16]);
            workspace.ends[..L::MESSAGES].fill(end_mask(job.text_len()));
        }
    }

    /// Works on the group that has entered the lanes.
    #[inline(always)]
    pub(super) fn run<L: GcmSivLanes>(
        &mut self,
        lanes: L,
        workspace: &mut Workspace,
        batch: &mut Batch<'_, '_>,
    ) {
        let shape = self.shape;
        match batch.direction() {
            Direction::Seal => {
                lanes.expand_lanes(workspace);
                lanes.tag_lanes(workspace, shape.rows);
                self.put_tags(workspace, batch);
                lanes.encrypt_lanes(workspace, shape.texts(), false);
            }
            Direction::Open => {
                self.get_tags(workspace, batch);
                let expected = workspace.tags;
                lanes.expand_lanes(workspace);
                let from_delay = L::MIXED_LEN > 0 && !shape.is_equal;
                lanes.encrypt_lanes(workspace, shape.texts(), from_delay);
                if let Some(last) = shape.texts().last() {
                    lanes.cut_lanes(workspace, last);
                }
                lanes.tag_lanes(workspace, shape.rows);
                if !all_equal(&workspace.tags, &expected, self.count) {
                    self.refuse_forged(lanes, workspace, batch, &expected);
                }
            }
        }
    }

    /// Writes the texts of the group that is there.
    #[inline(always)]
    pub(super) fn leave<L: GcmSivLanes>(
        &mut self,
        lanes: L,
        workspace: &Workspace,
        batch: &mut Batch<'_, '_>,
    ) {
        for first in (0..self.count).step_by(DERIVED) {
            self.store(lanes, workspace, batch, first);
        }
        self.count = 0;
    }

    #[inline(always)]
    fn messages(&self) -> impl Iterator<Item = usize> + use<> {
        let (jobs, count) = (self.jobs, self.count);
        jobs.into_iter().take(count).map(|job| job.number())
    }

    #[inline(always)]
    fn first(&self) -> usize {
        self.jobs[0].number()
    }

    /// Reads the tags of the group.
    #[inline(always)]
    fn get_tags(&self, workspace: &mut Workspace, batch: &Batch<'_, '_>) {
        if self.is_as_given {
            batch.get_tags(self.first(), &mut workspace.tags[..self.count]);
        } else {
            for (i, tag) in self.messages().zip(&mut workspace.tags) {
                batch.get_tags(i, core::slice::from_mut(tag));
            }
        }
    }

    /// Writes the tags of the group.
    #[inline(always)]
    fn put_tags(&self, workspace: &Workspace, batch: &mut Batch<'_, '_>) {
        if self.is_as_given {
            batch.put_tags(self.first(), &workspace.tags[..self.count]);
        } else {
            for (i, tag) in self.messages().zip(&workspace.tags) {
                batch.put_tags(i, core::slice::from_ref(tag));
            }
        }
    }

    /// Writes the texts of the messages in the lanes from `first` on.
    #[inline(always)]
    fn store<L: GcmSivLanes>(
        &self,
        lanes: L,
        workspace: &Workspace,
        batch: &mut Batch<'_, '_>,
        first: usize,
    ) {
        let rows = self.shape.texts();
        let jobs = four(&self.jobs[..self.count], first);
        let texts = match (first_of_adjacent(jobs, self.is_as_given), jobs) {
            (Some(first), _) => batch.four_texts(first),
            (None, [a, b, c, d]) if L::MIXED_LEN > 0 => {
                batch.texts_of([a.number(), b.number(), c.number(), d.number()])
            }
            (None, _) => None,
        };
        if let Some(mut texts) = texts {
            return lanes.store_lanes(workspace, rows, first, &mut texts);
        }
        for (lane, job) in jobs.iter().enumerate() {
            let mut texts = <[_; DERIVED]>::default();
            texts[lane] = batch.text(job.number());
            lanes.store_lanes(workspace, rows.clone(), first, &mut texts);
        }
    }

    /// Writes the texts of the group that is there, and zeros for those whose tag is wrong.
    #[cold]
    #[inline(never)]
    fn refuse_forged<L: GcmSivLanes>(
        &mut self,
        lanes: L,
        workspace: &Workspace,
        batch: &mut Batch<'_, '_>,
        expected: &Row,
    ) {
        let messages = self.messages();
        self.leave(lanes, workspace, batch);
        for (i, (tag, expected)) in messages.zip(workspace.tags.iter().zip(expected)) {
            if !secret::equal(tag, expected) {
                batch.refuse(i);
            }
        }
    }
}

/// The messages in four lanes, or as many as there are.
#[inline(always)]
fn four(jobs: &[Job], first: usize) -> &[Job] {
    let jobs = jobs.get(first..).unwrap_or_default();
    &jobs[..jobs.len().min(DERIVED)]
}

/// The number of the first of four, if the messages come one after the other.
#[inline(always)]
fn first_of_adjacent(jobs: &[Job], is_as_given: bool) -> Option<usize> {
    match jobs {
        [first, _, _, _] if is_as_given => Some(first.number()),
        _ => None,
    }
}

/// Derives the keys of at most [`DERIVED`] messages.
#[inline(always)]
fn derive<L: GcmSivLanes>(
    lanes: L,
    workspace: &mut Workspace,
    batch: &Batch<'_, '_>,
    lane: usize,
    jobs: &[Job],
    adjacent: Option<usize>,
) {
    if let Some(first) = adjacent
        && let Some(nonces) = batch.nonces(first)
    {
        lanes.derive_adjacent(workspace, lane, nonces);
    } else {
        let nonce = |i| jobs.get(i).map_or(&[0; 12], |job: &Job| batch.nonce(job.number()));
        lanes.derive_lanes(workspace, lane, core::array::from_fn(nonce));
    }
}

/// Lays out messages in the lanes from `first` on.
#[inline(always)]
fn lay_out<L: GcmSivLanes>(
    lanes: L,
    workspace: &mut Workspace,
    batch: &Batch<'_, '_>,
    shape: Shape,
    first: usize,
    jobs: &[Job],
    adjacent: Option<usize>,
) {
    let texts = match adjacent.and_then(|i| batch.four_sources(i)) {
        Some(texts) => texts,
        None => {
            let mut texts: [&[u8]; DERIVED] = Default::default();
            for (text, job) in texts.iter_mut().zip(jobs) {
                *text = batch.source(job.number());
            }
            texts
        }
    };
    lanes.load_lanes(workspace, shape.texts(), first, texts);
    // All rows before even texts are those of the AADs.
    if shape.is_even && shape.texts().start > 0 {
        let mut aads: [&[u8]; DERIVED] = Default::default();
        for (aad, job) in aads.iter_mut().zip(jobs) {
            *aad = batch.aad(job.number());
        }
        lanes.load_lanes(workspace, 0..shape.texts().start, first, aads);
    }
    if shape.is_equal || L::MIXED_LEN == 0 {
        return;
    }
    for (lane, &job) in (first..).zip(jobs) {
        // Without AAD, zeros are before a text already.
        if !shape.is_even && (job.aad_len() > 0 || shape.texts().start > 0) {
            lay_out_front(lanes, workspace, batch, shape, lane, job);
        }
        let delay = (shape.text_rows - job.text_rows()) as u32;
        let lengths = length_block(job.aad_len(), job.text_len());
        workspace.stage[shape.rows - 1][lane] = lengths;
        workspace.delays[lane] = u128::from(delay.wrapping_neg()).to_le_bytes();
        workspace.rows_before[lane] = (u128::from(delay) * EVERY_WORD).to_le_bytes();
        workspace.ends[lane] = end_mask(job.text_len());
    }
}

/// Lays out the AAD of a message and zeros before it.
#[inline(always)]
fn lay_out_front<L: GcmSivLanes>(
    lanes: L,
    workspace: &mut Workspace,
    batch: &Batch<'_, '_>,
    shape: Shape,
    lane: usize,
    job: Job,
) {
    let first = shape.rows - 1 - job.text_rows() - job.aad_rows();
    for row in &mut workspace.stage[..first] {
        row[lane % MESSAGES] = [0; 16];
    }
    if job.aad_len() > 0 {
        lanes.load_lane(workspace, first, lane, batch.aad(job.number()));
    }
}

/// A word, times this, is in each of four words.
const EVERY_WORD: u128 = 0x0000_0001_0000_0001_0000_0001_0000_0001;

/// The bytes of the last block of a text, if it has one.
#[inline(always)]
fn end_mask(text_len: usize) -> [u8; 16] {
    const MASKS: [u8; 32] = [
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, //
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let unused = text_len.wrapping_neg() % 16;
    MASKS[unused..].first_chunk().copied().unwrap_or_default()
}

/// Whether as many tags are equal, in constant time.
#[inline(always)]
fn all_equal(tags: &Row, expected: &Row, count: usize) -> bool {
    let pairs = tags[..count].iter().zip(expected);
    let difference = pairs.fold(0, |difference, (tag, expected)| {
        difference | (u128::from_ne_bytes(*tag) ^ u128::from_ne_bytes(*expected))
    });
    secret::equal(&difference.to_ne_bytes(), &[0; 16])
}
