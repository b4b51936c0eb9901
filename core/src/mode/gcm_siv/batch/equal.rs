//! Messages of one length, which fill every row from end to end, so that their texts are
//! encrypted where they are laid out.
//!
//! The texts of a group are written when the next group enters its lanes, four messages at a
//! time: what a CPU does to move bytes is then done beside the derivation of keys, which is
//! AES alone.

use super::super::length_block;
use super::{AHEAD, NONCE_LEN, Nonce, Opening, Sealing};
use crate::kernel::Block;
use crate::kernel::gcm_siv::lanes::{GcmSivLanes, MESSAGES, Row, Workspace};
use crate::mode::batch::parts::Tags;
use crate::mode::message::{EqualLens, Messages, QUAD, Quad, Status, Texts};
use crate::tier::secret;
use core::ops::Range;

/// What a row of a column has beside its text, in bytes.
const OVERHEAD: usize = NONCE_LEN + size_of::<Block>();

/// The rows of a group.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    messages: EqualLens,
    /// Of AAD, text and length block together.
    rows: usize,
    /// Of text alone.
    text_rows: usize,
}

impl Shape {
    pub(super) fn of(messages: EqualLens) -> Self {
        let (aad_rows, text_rows) = (
            messages.aad_len.div_ceil(16),
            messages.text_len.div_ceil(16),
        );
        Self {
            messages,
            rows: aad_rows + text_rows + 1,
            text_rows,
        }
    }

    const EMPTY: Self = Self {
        messages: EqualLens {
            count: 0,
            aad_len: 0,
            text_len: 0,
        },
        rows: 1,
        text_rows: 0,
    };

    /// The rows of text.
    #[inline(always)]
    fn texts(self) -> Range<usize> {
        self.rows - 1 - self.text_rows..self.rows - 1
    }
}

/// The group that is in the lanes.
pub(super) struct Equal<'a, T> {
    shape: Shape,
    messages: [Quad<'a, Nonce, T>; MESSAGES / QUAD],
}

impl<'a, T: Tags<'a>> Equal<'a, T> {
    pub(super) fn new() -> Self {
        Self {
            shape: Shape::EMPTY,
            messages: core::array::from_fn(|_| Quad::none()),
        }
    }

    /// Takes a group, derives its keys and lays it out, and writes the texts of the group
    /// before.
    #[inline(always)]
    pub(super) fn enter<L: GcmSivLanes>(
        &mut self,
        lanes: L,
        workspace: &mut Workspace,
        shape: Shape,
        messages: &mut impl Messages<'a, Nonce, T::Tag, Tags = T>,
    ) {
        workspace.stage.need(shape.rows);
        let before = self.shape;
        let (mut leaving, mut entering) = (before.messages.count, shape.messages.count);
        let places = &mut self.messages[..L::MESSAGES / QUAD];
        for (i, quad) in places.iter_mut().enumerate() {
            if leaving > 0 {
                store(lanes, workspace, before, i, quad);
                leaving = leaving.saturating_sub(QUAD);
            }
            if entering > 0 {
                messages.take_quad(entering, quad);
                // Stores that wait for memory hold up all that come after them.
                lanes.ask(quad.tags.first_place());
                entering = entering.saturating_sub(QUAD);
                lay_out(lanes, workspace, shape, i, quad);
            }
        }
        let lengths = length_block(shape.messages.aad_len, shape.messages.text_len);
        workspace.stage[shape.rows - 1] = [lengths; MESSAGES];
        workspace.messages = shape.messages.count;
        self.shape = shape;
    }

    /// Writes the tags that were made, but for rows, or reads those that must be.
    #[inline(always)]
    fn exchange_tags(&mut self, tags: &mut Row) {
        let EqualLens {
            count, text_len, ..
        } = self.shape.messages;
        let (tags, _) = tags.as_chunks_mut::<QUAD>();
        let quads = self.messages[..count.div_ceil(QUAD)].iter_mut();
        for (quad, tags) in quads.zip(tags) {
            match &quad.texts {
                Texts::InPlace(_) => quad.tags.exchange(tags),
                Texts::FromRows(rows, _) => {
                    for (tag, row) in tags.iter_mut().zip(four(rows, OVERHEAD + text_len)) {
                        *tag = row.last_chunk().copied().unwrap_or_default();
                    }
                }
                Texts::ToRows(..) => {}
            }
        }
    }

    /// Writes the texts of the group that is there.
    #[inline(always)]
    pub(super) fn leave<L: GcmSivLanes>(&mut self, lanes: L, workspace: &Workspace) {
        let quads = self.shape.messages.count.div_ceil(QUAD);
        for (i, quad) in self.messages[..quads].iter_mut().enumerate() {
            store(lanes, workspace, self.shape, i, quad);
        }
        self.shape = Shape::EMPTY;
    }
}

/// Derives the keys of the messages from `QUAD * i` on, and lays them out.
#[inline(always)]
fn lay_out<L: GcmSivLanes, T>(
    lanes: L,
    workspace: &mut Workspace,
    shape: Shape,
    i: usize,
    quad: &mut Quad<'_, Nonce, T>,
) {
    let first = QUAD * i;
    match quad.nonces.first_chunk() {
        Some(nonces) => {
            lanes.ask_ahead(nonces.as_flattened(), AHEAD);
            lanes.derive_adjacent(workspace, first, nonces);
        }
        None => {
            let nonce = |i| quad.nonces.get(i).unwrap_or(&[0; 12]);
            lanes.derive_lanes(workspace, first, core::array::from_fn(nonce));
        }
    }
    let text_len = shape.messages.text_len;
    let texts = match &quad.texts {
        Texts::InPlace(texts) => texts.each_ref().map(|text| &**text),
        Texts::ToRows(texts, rows) => {
            // They are in no cache yet.
            rows.chunks(64).for_each(|line| lanes.ask(line));
            four(texts, text_len)
        }
        Texts::FromRows(rows, texts) => {
            texts.chunks(64).for_each(|line| lanes.ask(line));
            four(rows, OVERHEAD + text_len).map(text_of)
        }
    };
    let ahead = AHEAD.max(shape.messages.count * text_len);
    match &quad.texts {
        Texts::FromRows(rows, _) => lanes.ask_ahead(rows, ahead),
        _ => texts.iter().for_each(|text| lanes.ask_ahead(text, ahead)),
    }
    if shape.messages.aad_len > 0 {
        lanes.load_lanes(workspace, 0, first, quad.aads);
    }
    lanes.load_lanes(workspace, shape.texts().start, first, texts);
}

/// Writes the texts of the messages from `QUAD * i` on, and what else is in their rows.
#[inline(always)]
fn store<L: GcmSivLanes, T>(
    lanes: L,
    workspace: &Workspace,
    shape: Shape,
    i: usize,
    quad: &mut Quad<'_, Nonce, T>,
) {
    let first = QUAD * i;
    let text_len = shape.messages.text_len;
    let texts = match &mut quad.texts {
        Texts::InPlace(texts) => texts.each_mut().map(|text| &mut **text),
        Texts::FromRows(_, texts) => four_mut(texts, text_len),
        Texts::ToRows(_, rows) => {
            let mut parts = quad.nonces.iter().zip(&workspace.tags[first..]);
            four_mut(rows, OVERHEAD + text_len).map(|row| frame(row, parts.next()))
        }
    };
    lanes.store_lanes(workspace, shape.texts().start, first, texts);
}

/// Writes nonce and tag of a row, and gives the place of its text.
#[inline(always)]
fn frame<'a>(row: &'a mut [u8], parts: Option<(&Nonce, &Block)>) -> &'a mut [u8] {
    if let Some((nonce, tag)) = parts
        && let Some((nonce_place, row)) = row.split_first_chunk_mut()
        && let Some((text, tag_place)) = row.split_last_chunk_mut()
    {
        (*nonce_place, *tag_place) = (*nonce, *tag);
        text
    } else {
        &mut []
    }
}

/// The text of a row.
#[inline(always)]
fn text_of(row: &[u8]) -> &[u8] {
    match row.split_first_chunk::<NONCE_LEN>() {
        Some((_, row)) => row
            .split_last_chunk::<{ size_of::<Block>() }>()
            .map_or(&[], |(text, _)| text),
        None => &[],
    }
}

/// Pieces of this length, one after the other; those that are not there are empty.
#[inline(always)]
fn four(mut bytes: &[u8], len: usize) -> [&[u8]; QUAD] {
    if bytes.len() == QUAD * len {
        let (a, rest) = bytes.split_at(len);
        let (b, rest) = rest.split_at(len);
        let (c, d) = rest.split_at(len);
        return [a, b, c, d];
    }
    core::array::from_fn(|_| bytes.split_off(..len).unwrap_or_default())
}

/// The same of those to be written.
#[inline(always)]
fn four_mut(mut bytes: &mut [u8], len: usize) -> [&mut [u8]; QUAD] {
    if bytes.len() == QUAD * len {
        let (a, rest) = bytes.split_at_mut(len);
        let (b, rest) = rest.split_at_mut(len);
        let (c, d) = rest.split_at_mut(len);
        return [a, b, c, d];
    }
    core::array::from_fn(|_| bytes.split_off_mut(..len).unwrap_or_default())
}

/// What sealing and opening do differently.
pub(super) trait Direction {
    /// Works on the group that has entered the lanes.
    fn run_equal<'a, L: GcmSivLanes, T: Tags<'a>>(
        lanes: L,
        workspace: &mut Workspace,
        group: &mut Equal<'a, T>,
    );
}

impl Direction for Sealing {
    #[inline(always)]
    fn run_equal<'a, L: GcmSivLanes, T: Tags<'a>>(
        lanes: L,
        workspace: &mut Workspace,
        group: &mut Equal<'a, T>,
    ) {
        let shape = group.shape;
        lanes.expand_lanes(workspace);
        lanes.tag_lanes(workspace, shape.rows);
        group.exchange_tags(&mut workspace.tags);
        lanes.encrypt_lanes(workspace, shape.texts(), 16);
    }
}

impl Direction for Opening {
    #[inline(always)]
    fn run_equal<'a, L: GcmSivLanes, T: Tags<'a>>(
        lanes: L,
        workspace: &mut Workspace,
        group: &mut Equal<'a, T>,
    ) {
        let shape = group.shape;
        let mut expected = [[0; 16]; MESSAGES];
        group.exchange_tags(&mut expected);
        workspace.tags = expected;
        lanes.expand_lanes(workspace);
        let last_len = shape.messages.text_len.wrapping_sub(1) % 16 + 1;
        lanes.encrypt_lanes(workspace, shape.texts(), last_len);
        lanes.tag_lanes(workspace, shape.rows);
        if !all_equal(&workspace.tags, &expected, shape.messages.count) {
            refuse_forged(lanes, workspace, group, &expected);
        }
    }
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

/// Writes the texts of the group that is there, and zeros for those whose tag is wrong.
#[cold]
#[inline(never)]
fn refuse_forged<'a, L: GcmSivLanes, T: Tags<'a>>(
    lanes: L,
    workspace: &Workspace,
    group: &mut Equal<'a, T>,
    expected: &Row,
) {
    let pairs = workspace.tags.iter().zip(expected);
    let mut verdicts = pairs.map(|(tag, expected): (&Block, &Block)| secret::equal(tag, expected));
    let EqualLens {
        count, text_len, ..
    } = group.shape.messages;
    group.leave(lanes, workspace);
    for quad in &mut group.messages[..count.div_ceil(QUAD)] {
        let texts = match &mut quad.texts {
            Texts::InPlace(texts) => texts.each_mut().map(|text| &mut **text),
            Texts::FromRows(_, texts) | Texts::ToRows(_, texts) => four_mut(texts, text_len),
        };
        for (text, status) in texts.into_iter().zip(&mut *quad.statuses) {
            if verdicts.next() == Some(false) {
                secret::wipe(text);
                *status = Status::NotOpened;
            }
        }
    }
}
