//! Many messages under one key, as one list of jobs, in whatever form they came.
//!
//! A batch looks up each part of message `i` by `i`: nonce, AAD, text, tag and status. No part has
//! a cursor of its own.

pub(crate) mod by_size;
pub(crate) mod parts;

use crate::kernel::Block;
use crate::tier::secret;
use parts::{Aads, Texts};

/// Calls go through `dyn`, so the code exists once; each call is long, so this costs nothing. The
/// machine code for Go cannot have a vtable, whose addresses are written when it is loaded: there
/// the code is generic.
macro_rules! through_table {
    (let $name:ident: $table:ty = $value:expr) => {
        #[cfg(not(sivka_stateless))]
        let $name: $table = $value;
        #[cfg(sivka_stateless)]
        let $name = $value;
    };
}
pub(crate) use through_table;

/// The result for one message of a batch: one byte, so that a million of them take little cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Status {
    /// Sealed, or opened.
    #[default]
    Done = 0,
    /// Does not open under its key, nonce, AAD and tag. Its text was wiped.
    NotOpened = 1,
    /// The text or the AAD is longer than the algorithm allows. Its text is as it was.
    TooLong = 2,
    /// The algorithm refuses such a nonce, or a message that is empty in every part. Its text
    /// is as it was.
    Refused = 3,
}

/// The work on messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Seal,
    Open,
}

/// The most messages of a window.
pub(crate) const WINDOW: usize = 512;

/// The messages of a batch, for as many as there are nonces. All parts are as long.
///
/// Work is done in windows of at most [`WINDOW`] messages, which are counted from the window's
/// beginning.
pub(crate) struct Batch<'a, 'b, N> {
    nonces: &'a [N],
    aads: Aads<'a>,
    texts: Texts<'a, 'b>,
    tags: TagPlace<'a>,
    /// The status of each message that is none; empty if there are no such ones.
    absences: &'a [Option<Status>],
    /// Empty if nobody asks for them.
    statuses: &'a mut [Status],
    rules: Rules<N>,
    window: Window,
}

/// Which messages are worked on.
pub(crate) struct Rules<N> {
    pub(crate) direction: Direction,
    /// The length of the key's tags, in bytes.
    pub(crate) tag_len: usize,
    /// True if every message up to these lengths is accepted, whatever its nonce is.
    pub(crate) allow_all: fn(Longest) -> bool,
    /// The status of a message with this nonce and these lengths of AAD and text.
    pub(crate) status: fn(Direction, &N, (usize, usize)) -> Status,
}

struct Window {
    /// The number of its first message.
    first: usize,
    count: usize,
    /// Whether the lengths of all its messages are the same.
    one_len: bool,
    /// Whether the lengths of all its texts are.
    one_text_len: bool,
    longest: Longest,
    /// A bit for each message that is not worked on.
    left_out: [u64; WINDOW / 64],
    all_there: bool,
}

/// No AAD and no text of a window is longer, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Longest {
    pub(crate) aad: usize,
    pub(crate) text: usize,
}

/// One message, whose nonce and lengths were checked.
pub(crate) struct Message<'m, N> {
    /// Of no bytes, for an algorithm without nonces.
    pub(crate) nonce: &'m N,
    pub(crate) aad: &'m [u8],
    /// The input, as long as `in_out`, if it is not `in_out`.
    pub(crate) from: Option<&'m [u8]>,
    pub(crate) in_out: &'m mut [u8],
    pub(crate) tag: TagPlace<'m>,
}

/// The tag of a message, as long as those of the key, or the tags of all, one after the other.
pub(crate) enum TagPlace<'m> {
    /// To be written.
    Made(&'m mut [u8]),
    /// To be found right.
    Given(&'m [u8]),
}

impl<'a, 'b, N: AsRef<[u8]>> Batch<'a, 'b, N> {
    /// Messages that are not in the window yet.
    #[inline(always)]
    pub(crate) fn new(
        nonces: &'a [N],
        aads: Aads<'a>,
        texts: Texts<'a, 'b>,
        tags: TagPlace<'a>,
        absences: &'a [Option<Status>],
        statuses: &'a mut [Status],
        rules: Rules<N>,
    ) -> Self {
        let window = Window {
            first: 0,
            count: 0,
            one_len: true,
            one_text_len: true,
            longest: Longest { aad: 0, text: 0 },
            left_out: [0; WINDOW / 64],
            all_there: true,
        };
        Self { nonces, aads, texts, tags, absences, statuses, rules, window }
    }

    /// How many messages there are, in the window and outside of it.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.nonces.len()
    }

    /// The length of all texts together, in bytes.
    pub(crate) fn text_len(&self) -> usize {
        (0..self.len()).map(|i| self.texts.len_of(i)).sum()
    }

    /// How many messages the window has.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.window.count
    }

    #[inline(always)]
    pub(crate) fn direction(&self) -> Direction {
        self.rules.direction
    }

    /// Moves the window to the next messages, if there are any, and finds out which of them are
    /// worked on.
    #[inline(always)]
    pub(crate) fn advance(&mut self) -> bool {
        let first = self.window.first + self.window.count;
        if first >= self.len() {
            return false;
        }
        self.select(first);
        if (self.rules.allow_all)(self.window.longest) && self.absences.is_empty() {
            self.admit_all();
        } else {
            self.admit_each();
        }
        true
    }

    /// Moves the window to the messages from number `first` on, and looks at their lengths.
    fn select(&mut self, first: usize) {
        self.window.first = first;
        self.window.count = WINDOW.min(self.len() - first);
        let window = first..first + self.window.count;
        let aads = self.aads.lens_of(window.clone());
        let texts = self.texts.lens_of(window);
        self.window.one_text_len = texts.are_equal();
        self.window.one_len = aads.are_equal() && texts.are_equal();
        self.window.longest = Longest { aad: aads.bits, text: texts.bits };
    }

    fn admit_all(&mut self) {
        self.window.all_there = true;
        let first = self.window.first;
        if let Some(statuses) = self.statuses.get_mut(first..first + self.window.count) {
            statuses.fill(Status::Done);
        }
    }

    /// One that cannot be opened is wiped.
    #[inline(never)]
    fn admit_each(&mut self) {
        self.window.all_there = true;
        self.window.left_out = [0; WINDOW / 64];
        for i in 0..self.window.count {
            let absence = self.absences.get(self.window.first + i).copied().flatten();
            let status = match absence {
                Some(why) => why,
                None => {
                    let (nonce, lens) = (self.nonce(i), self.lens(i));
                    (self.rules.status)(self.rules.direction, nonce, lens)
                }
            };
            let is_there = absence.is_none() && status == Status::Done;
            if absence.is_none() && status == Status::NotOpened {
                secret::wipe(self.text(i));
            }
            self.set_status(i, status);
            self.window.all_there &= is_there;
            self.window.left_out[i / 64] |= u64::from(!is_there) << (i % 64);
        }
    }

    /// Whether every message of the window is worked on, and all have the same lengths.
    #[inline(always)]
    pub(crate) fn is_uniform(&self) -> bool {
        self.window.one_len && self.window.all_there
    }

    /// Whether the texts of the window, also of messages that are not worked on, are of one length.
    #[inline(always)]
    pub(crate) fn has_one_text_len(&self) -> bool {
        self.window.one_text_len
    }

    /// Lengths of AAD and text that none exceeds, each below any power of two that all are below, if
    /// every message of the window is worked on.
    #[inline(always)]
    pub(crate) fn limits(&self) -> Option<(usize, usize)> {
        let Longest { aad, text } = self.window.longest;
        self.window.all_there.then_some((aad, text))
    }

    /// Whether message `i` is worked on.
    #[inline(always)]
    pub(crate) fn is_there(&self, i: usize) -> bool {
        self.window.all_there || self.window.left_out[i / 64] >> (i % 64) & 1 == 0
    }

    /// The lengths of AAD and text, in bytes.
    #[inline(always)]
    pub(crate) fn lens(&self, i: usize) -> (usize, usize) {
        let i = self.window.first + i;
        (self.aads.get(i).len(), self.texts.len_of(i))
    }

    /// The same in blocks of 16 bytes.
    #[inline(always)]
    pub(crate) fn blocks(&self, i: usize) -> (usize, usize) {
        let (aad_len, text_len) = self.lens(i);
        (aad_len.div_ceil(16), text_len.div_ceil(16))
    }

    #[inline(always)]
    pub(crate) fn nonce(&self, i: usize) -> &'a N {
        &self.nonces[self.window.first + i]
    }

    /// Those of the `COUNT` messages from `i` on.
    #[inline(always)]
    pub(crate) fn nonces<const COUNT: usize>(&self, i: usize) -> Option<&'a [N; COUNT]> {
        self.nonces.get(self.window.first + i..)?.first_chunk()
    }

    #[inline(always)]
    pub(crate) fn aad(&self, i: usize) -> &'a [u8] {
        self.aads.get(self.window.first + i)
    }

    /// The text as it was given.
    #[inline(always)]
    pub(crate) fn source(&self, i: usize) -> &[u8] {
        self.texts.source(self.window.first + i)
    }

    /// The same of four messages from `i` on.
    #[inline(always)]
    pub(crate) fn four_sources(&self, i: usize) -> Option<[&[u8]; 4]> {
        self.texts.four_sources(self.window.first + i)
    }

    /// The text where it is made, as it is now.
    #[inline(always)]
    pub(crate) fn made(&self, i: usize) -> &[u8] {
        self.texts.get(self.window.first + i)
    }

    /// The same, to be written.
    #[inline(always)]
    pub(crate) fn text(&mut self, i: usize) -> &mut [u8] {
        self.texts.get_mut(self.window.first + i).1
    }

    /// The same of four messages from `i` on.
    #[inline(always)]
    pub(crate) fn four_texts(&mut self, i: usize) -> Option<[&mut [u8]; 4]> {
        self.texts.four_mut(self.window.first + i)
    }

    /// The same of four different messages.
    #[inline(always)]
    pub(crate) fn texts_of(&mut self, messages: [usize; 4]) -> Option<[&mut [u8]; 4]> {
        self.texts.of_mut(messages.map(|i| self.window.first + i))
    }

    /// The texts of messages whose numbers rise.
    #[inline(always)]
    pub(crate) fn rising_texts<'t>(&'t mut self, messages: &[usize], places: &mut [&'t mut [u8]]) {
        let first = self.window.first;
        self.texts.rising_mut(messages.iter().map(|i| first + i), places);
    }

    /// Where the text of a message is read, if that is not where it is made, and where it is made;
    /// and the text that is given of another, whose number is higher.
    #[inline(always)]
    pub(crate) fn text_and_source(
        &mut self,
        i: usize,
        other: usize,
    ) -> (Option<&[u8]>, &mut [u8], &[u8]) {
        self.texts.text_and_source(self.window.first + i, self.window.first + other)
    }

    /// The given tag, or the memory for one.
    #[inline(always)]
    pub(crate) fn tag(&self, i: usize) -> &[u8] {
        self.tags.get(self.window.first + i, self.rules.tag_len)
    }

    /// All of one message.
    #[inline(always)]
    pub(crate) fn message(&mut self, i: usize) -> Message<'_, N> {
        let i = self.window.first + i;
        let (from, in_out) = self.texts.get_mut(i);
        let tag = self.tags.place(i, self.rules.tag_len);
        Message { nonce: &self.nonces[i], aad: self.aads.get(i), from, in_out, tag }
    }

    /// The same with the text where it is made.
    #[inline(always)]
    pub(crate) fn message_in_place(&mut self, i: usize) -> Message<'_, N> {
        let message = self.message(i);
        if let Some(from) = message.from {
            message.in_out.copy_from_slice(from);
        }
        message
    }

    /// Puts a text where it is made, if it was given elsewhere.
    #[inline(always)]
    pub(crate) fn bring_in_place(&mut self, i: usize) {
        let _ = self.message_in_place(i);
    }

    /// Writes a tag that was made, which has as many bytes as the key's or more.
    #[inline(always)]
    pub(crate) fn put_tag(&mut self, i: usize, made: &[u8]) {
        let i = self.window.first + i;
        if let TagPlace::Made(place) = self.tags.place(i, self.rules.tag_len) {
            let (places, _) = place.as_chunks_mut::<16>();
            for (place, made) in places.iter_mut().zip(made.as_chunks().0) {
                *place = *made;
            }
        }
    }

    /// Writes tags of 16 bytes that were made, for the messages from `i` on.
    #[inline(always)]
    pub(crate) fn put_tags(&mut self, i: usize, made: &[Block]) {
        self.tags.put_all(self.window.first + i, made);
    }

    /// Reads given tags of 16 bytes.
    #[inline(always)]
    pub(crate) fn get_tags(&self, i: usize, given: &mut [Block]) {
        self.tags.get_all(self.window.first + i, given);
    }

    /// The memory of four messages from `i` on, which may be after the window: the first nonce,
    /// the first tag, and the texts where they are read and made.
    #[inline(always)]
    pub(crate) fn memory_of_four(&self, i: usize) -> Option<[&[u8]; 6]> {
        let first = self.window.first + i;
        let nonce = self.nonces.get(first)?.as_ref();
        let [a, b, c, d] = self.texts.memory_of_four(first, self.len().min(first + 4));
        Some([nonce, self.tags.get(first, self.rules.tag_len), a, b, c, d])
    }

    /// Wipes a message that does not open.
    #[inline(always)]
    pub(crate) fn refuse(&mut self, i: usize) {
        secret::wipe(self.text(i));
        self.set_status(i, Status::NotOpened);
    }

    #[inline(always)]
    pub(crate) fn set_status(&mut self, i: usize, status: Status) {
        if let Some(place) = self.statuses.get_mut(self.window.first + i) {
            *place = status;
        }
    }
}
