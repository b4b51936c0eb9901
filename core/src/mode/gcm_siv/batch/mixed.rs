//! Messages of any lengths, side by side:
//!
//! ```text
//! stage        message 0   1     2     …        rows of blocks, ends aligned:
//! row 0        0           A1    0              zeros in front change nothing,
//! row 1        A1          X1    0              so messages of different length
//! row 2        X1          X2    A1             share the rows
//! row 3        L           L     L
//! ```

use super::super::length_block;
use super::{AHEAD, Nonce, Opening, Sealing, TOO_FEW};
use crate::kernel::Block;
pub(super) use crate::kernel::gcm_siv::lanes::MESSAGES;
use crate::kernel::gcm_siv::lanes::{DERIVED, GcmSivLanes, Row, Workspace};
use crate::mode::message::{Message, Status};
use crate::tier::secret;

/// The messages that wait for a group to be full.
pub(super) struct Mixed<'a, Tag> {
    messages: [Message<'a, Nonce, Tag>; MESSAGES],
    held: usize,
    /// Of these, how many have their keys in the lanes.
    derived: usize,
}

impl<'a, Tag: Default> Mixed<'a, Tag> {
    /// No messages, and a status for each of them.
    pub(super) fn new(statuses: &'a mut [Status; MESSAGES]) -> Self {
        Self {
            messages: statuses
                .each_mut()
                .map(|status| Message::none(&[0; 12], status)),
            held: 0,
            derived: 0,
        }
    }

    /// Other messages have taken the lanes.
    #[inline(always)]
    pub(super) fn lanes_taken(&mut self) {
        self.derived = 0;
    }

    /// Adds a short message, and works on the group if it is full. With every fourth the keys
    /// of these four are derived, which runs beside the collecting of the next four.
    #[inline(always)]
    pub(super) fn add<L: GcmSivLanes, D: Direction<Tag>>(
        &mut self,
        lanes: L,
        workspace: &mut Workspace,
        message: Message<'a, Nonce, Tag>,
    ) {
        lanes.ask_ahead(message.in_out, AHEAD);
        lanes.ask_ahead(message.nonce, AHEAD);
        // Part by part: as a whole it would be put together in memory, and read back.
        let place = &mut self.messages[self.held];
        place.nonce = message.nonce;
        place.aad = message.aad;
        place.in_out = message.in_out;
        place.tag = message.tag;
        place.status = message.status;
        self.held += 1;
        if self.held.is_multiple_of(DERIVED) {
            self.derive(lanes, workspace);
        }
        if self.held == L::MESSAGES {
            self.run::<L, D>(lanes, workspace);
        }
    }

    /// Works on the messages that are left, if they are few by `one`.
    #[inline(always)]
    pub(super) fn finish<L: GcmSivLanes, D: Direction<Tag>>(
        &mut self,
        lanes: L,
        workspace: &mut Workspace,
        one: impl FnMut(&mut Message<'_, Nonce, Tag>),
    ) {
        if self.held <= TOO_FEW {
            self.messages[..self.held].iter_mut().for_each(one);
        } else {
            self.derive(lanes, workspace);
            self.run::<L, D>(lanes, workspace);
        }
    }

    /// Derives the keys of the messages that have none yet.
    #[inline(always)]
    fn derive<L: GcmSivLanes>(&mut self, lanes: L, workspace: &mut Workspace) {
        while self.derived < self.held {
            if let Some(quad) = self.messages[self.derived..].first_chunk::<DERIVED>() {
                let nonces = quad.each_ref().map(|message| message.nonce);
                lanes.derive_lanes(workspace, self.derived, nonces);
            }
            self.derived += DERIVED;
        }
    }

    #[inline(always)]
    fn run<L: GcmSivLanes, D: Direction<Tag>>(&mut self, lanes: L, workspace: &mut Workspace) {
        workspace.messages = self.held;
        D::run_mixed(lanes, workspace, &mut self.messages[..self.held]);
        (self.held, self.derived) = (0, 0);
    }
}

/// What sealing and opening do differently.
pub(super) trait Direction<Tag> {
    /// Works on a group whose keys are derived.
    fn run_mixed<L: GcmSivLanes>(
        lanes: L,
        workspace: &mut Workspace,
        messages: &mut [Message<'_, Nonce, Tag>],
    );
}

impl<'t> Direction<&'t mut [u8]> for Sealing {
    #[inline(always)]
    fn run_mixed<L: GcmSivLanes>(
        lanes: L,
        workspace: &mut Workspace,
        messages: &mut [Message<'_, Nonce, &'t mut [u8]>],
    ) {
        let shape = lay_out_each(workspace, messages);
        lanes.expand_lanes(workspace);
        lanes.tag_lanes(workspace, shape.rows);
        lanes.keystream_lanes(workspace, 0..shape.text_rows);
        xor_into(workspace, messages);
        for (message, tag) in messages.iter_mut().zip(&workspace.tags) {
            if let Ok(place) = <&mut Block>::try_from(&mut *message.tag) {
                *place = *tag;
            }
        }
    }
}

impl<'t> Direction<&'t [u8]> for Opening {
    #[inline(always)]
    fn run_mixed<L: GcmSivLanes>(
        lanes: L,
        workspace: &mut Workspace,
        messages: &mut [Message<'_, Nonce, &'t [u8]>],
    ) {
        for (tag, message) in workspace.tags.iter_mut().zip(&*messages) {
            *tag = expected(message);
        }
        lanes.expand_lanes(workspace);
        let text_rows = messages.iter().map(|message| message.blocks().1).max();
        let text_rows = text_rows.unwrap_or(0);
        workspace.stage.need(text_rows);
        lanes.keystream_lanes(workspace, 0..text_rows);
        xor_into(workspace, messages);
        let shape = lay_out_each(workspace, messages);
        lanes.tag_lanes(workspace, shape.rows);
        for (message, tag) in messages.iter_mut().zip(&workspace.tags) {
            if !secret::equal(tag, &expected(message)) {
                secret::wipe(message.in_out);
                *message.status = Status::NotOpened;
            }
        }
    }
}

/// The tag that a message must have.
#[inline(always)]
fn expected(message: &Message<'_, Nonce, &[u8]>) -> Block {
    message.tag.first_chunk().copied().unwrap_or_default()
}

/// How many rows the longest message of a group takes.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// Of AAD, text and length block together.
    rows: usize,
    /// Of text alone.
    text_rows: usize,
}

/// Lays out a message for POLYVAL from the first row on, without its length block.
#[inline(always)]
fn lay_out<Tag>(rows: &mut [Row], lane: usize, message: &Message<'_, Nonce, Tag>) {
    let mut places = rows.iter_mut().map(|row| &mut row[lane % MESSAGES]);
    pad_into(&mut places, message.aad);
    pad_into(&mut places, message.in_out);
}

/// Lays out messages of any lengths, the ends in the last row, and says how many rows.
#[inline(always)]
fn lay_out_each<Tag>(workspace: &mut Workspace, messages: &[Message<'_, Nonce, Tag>]) -> Shape {
    let mut shape = Shape::default();
    for message in messages {
        let (aad, text) = message.blocks();
        shape.rows = shape.rows.max(aad + text + 1);
        shape.text_rows = shape.text_rows.max(text);
    }
    workspace.stage.need(shape.rows);
    let stage = &mut workspace.stage[..shape.rows];
    for (lane, message) in messages.iter().enumerate() {
        let (aad, text) = message.blocks();
        let (in_front, column) = stage.split_at_mut(stage.len() - (aad + text + 1));
        for row in in_front {
            row[lane % MESSAGES] = [0; 16];
        }
        lay_out(column, lane, message);
        if let Some(row) = column.last_mut() {
            row[lane % MESSAGES] = length_block(message.aad.len(), message.in_out.len());
        }
    }
    shape
}

/// Copies `bytes` into the next places, the last block padded with zeros.
#[inline(always)]
fn pad_into<'a>(places: &mut impl Iterator<Item = &'a mut Block>, bytes: &[u8]) {
    let (blocks, rest) = bytes.as_chunks::<16>();
    for block in blocks {
        let Some(place) = places.next() else { return };
        *place = *block;
    }
    if !rest.is_empty()
        && let Some(place) = places.next()
    {
        *place = [0; 16];
        place[..rest.len()].copy_from_slice(rest);
    }
}

/// XORs the keystream into every message's text.
#[inline(always)]
fn xor_into<Tag>(workspace: &Workspace, messages: &mut [Message<'_, Nonce, Tag>]) {
    for (lane, message) in messages.iter_mut().enumerate() {
        let mut keystream = workspace.stage.iter().map(|row| &row[lane % MESSAGES]);
        let (blocks, rest) = message.in_out.as_chunks_mut::<16>();
        for block in blocks {
            let Some(key) = keystream.next() else { break };
            let text = u128::from_ne_bytes(*block) ^ u128::from_ne_bytes(*key);
            *block = text.to_ne_bytes();
        }
        if let Some(key) = keystream.next() {
            for (byte, key) in rest.iter_mut().zip(key) {
                *byte ^= key;
            }
        }
    }
}
