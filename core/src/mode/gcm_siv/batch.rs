//! Many messages under one key: short ones at once where the tier can, others one by one.
//!
//! Messages of one length fill every row from end to end, and their texts are encrypted where
//! they are laid out. Those of different lengths take turns:
//!
//! ```text
//! stage        message 0   1     2     …        rows of blocks, ends aligned:
//! row 0        0           A1    0              zeros in front change nothing,
//! row 1        A1          X1    0              so messages of different length
//! row 2        X1          X2    A1             share the rows
//! row 3        L           L     L
//! ```

use super::{NONCE_LEN, length_block, open, seal};
use crate::kernel::Block;
use crate::kernel::gcm_siv::GcmSiv;
use crate::kernel::gcm_siv::lanes::{
    DERIVED, GcmSivLanes, MAX_AAD_LEN, MAX_TEXT_LEN, MESSAGES, Row, Workspace,
};
use crate::mode::message::{Message, Status};
use crate::tier::secret;
use core::ops::Range;

type Nonce = [u8; NONCE_LEN];
pub(crate) type ToSeal<'a> = crate::mode::message::ToSeal<'a, Nonce>;
pub(crate) type ToOpen<'a> = crate::mode::message::ToOpen<'a, Nonce>;

/// Encrypts every message and writes its tag.
#[inline(always)]
pub(crate) fn seal_batch<'a, T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = ToSeal<'a>>,
) {
    in_groups::<_, Sealing, _>(t.lanes(), keys, messages, |message| {
        let Message { nonce, aad, .. } = *message;
        if let Ok(tag) = <&mut Block>::try_from(&mut *message.tag) {
            seal::<T, KEY_LEN>(t, keys, nonce, aad, None, message.in_out, tag);
        }
    });
}

/// Decrypts every message, and wipes those whose tag is wrong.
#[inline(always)]
pub(crate) fn open_batch<'a, T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = ToOpen<'a>>,
) {
    in_groups::<_, Opening, _>(t.lanes(), keys, messages, |message| {
        let Message { nonce, aad, .. } = *message;
        let authentic = match <&Block>::try_from(message.tag) {
            Ok(tag) => open::<T, KEY_LEN>(t, keys, nonce, aad, None, message.in_out, tag),
            Err(_) => false,
        };
        if !authentic {
            *message.status = Status::NotOpened;
        }
    });
}

/// Works on short messages in groups where the tier can, and by `one` on all others.
#[inline(always)]
fn in_groups<'a, L: GcmSivLanes, D: Direction<Tag>, Tag: Default>(
    lanes: Option<L>,
    keys: &L::RoundKeys,
    messages: impl Iterator<Item = Message<'a, Nonce, Tag>>,
    mut one: impl FnMut(&mut Message<'_, Nonce, Tag>),
) {
    match lanes {
        Some(lanes) => lanes.inside(|| in_lanes::<L, D, Tag>(lanes, keys, messages, one)),
        None => messages.for_each(|mut message| one(&mut message)),
    }
}

/// Collects short messages until a group is full. With every fourth the keys of these four are
/// derived, which runs beside the collecting of the next four.
#[inline(always)]
fn in_lanes<'a, L: GcmSivLanes, D: Direction<Tag>, Tag: Default>(
    lanes: L,
    keys: &L::RoundKeys,
    messages: impl Iterator<Item = Message<'a, Nonce, Tag>>,
    mut one: impl FnMut(&mut Message<'_, Nonce, Tag>),
) {
    let mut workspace = Workspace::new();
    lanes.start(keys, &mut workspace);
    let mut statuses = [Status::Done; MESSAGES];
    let mut group = statuses
        .each_mut()
        .map(|status| Message::none(&[0; NONCE_LEN], status));
    let mut held = 0;
    // Of the first message of the group, and the bits in which those of others differ.
    let (mut lens, mut differing) = ((0, 0), 0);
    // `for_each` and not `for`: the iterator is then part of this loop, not a call.
    messages.for_each(|message| {
        // Part by part: as a whole it would be put together in memory, and read back.
        let Message {
            nonce,
            aad,
            in_out,
            tag,
            status,
        } = message;
        if in_out.len() > MAX_TEXT_LEN || aad.len() > MAX_AAD_LEN {
            return one(&mut Message {
                nonce,
                aad,
                in_out,
                tag,
                status,
            });
        }
        lanes.ask_ahead(in_out);
        lanes.ask_ahead(nonce);
        if held == 0 {
            (lens, differing) = ((aad.len(), in_out.len()), 0);
        }
        differing |= (aad.len() ^ lens.0) | (in_out.len() ^ lens.1);
        let place = &mut group[held];
        place.nonce = nonce;
        place.aad = aad;
        place.in_out = in_out;
        place.tag = tag;
        place.status = status;
        held += 1;
        if held.is_multiple_of(DERIVED) {
            derive(lanes, &mut workspace, held - DERIVED, &group);
        }
        if held == L::MESSAGES {
            let shape = (differing == 0).then(|| Shape::of(lens));
            workspace.messages = held;
            D::run(lanes, &mut workspace, shape, &mut group[..L::MESSAGES]);
            held = 0;
        }
    });
    // Two messages in lanes take as long as two alone.
    if held <= 2 {
        group[..held].iter_mut().for_each(one);
        return;
    }
    if !held.is_multiple_of(DERIVED) {
        derive(lanes, &mut workspace, held / DERIVED * DERIVED, &group);
    }
    let shape = (differing == 0).then(|| Shape::of(lens));
    workspace.messages = held;
    D::run(lanes, &mut workspace, shape, &mut group[..held]);
}

/// Derives the keys of the messages from `first` on.
#[inline(always)]
fn derive<L: GcmSivLanes, Tag>(
    lanes: L,
    workspace: &mut Workspace,
    first: usize,
    group: &[Message<'_, Nonce, Tag>; MESSAGES],
) {
    if let Some(few) = group[first..].first_chunk::<DERIVED>() {
        lanes.derive_lanes(
            workspace,
            first,
            few.each_ref().map(|message| message.nonce),
        );
    }
}

/// What sealing and opening do differently.
trait Direction<Tag> {
    /// Works on a group whose keys are derived. It has a shape if all messages are of one
    /// length.
    fn run<L: GcmSivLanes>(
        lanes: L,
        workspace: &mut Workspace,
        shape: Option<Shape>,
        messages: &mut [Message<'_, Nonce, Tag>],
    );
}

struct Sealing;

impl<'t> Direction<&'t mut [u8]> for Sealing {
    #[inline(always)]
    fn run<L: GcmSivLanes>(
        lanes: L,
        workspace: &mut Workspace,
        shape: Option<Shape>,
        messages: &mut [Message<'_, Nonce, &'t mut [u8]>],
    ) {
        if let Some(shape) = shape {
            lay_out_alike(lanes, workspace, shape, messages);
            lanes.expand_lanes(workspace);
            lanes.tag_lanes(workspace, shape.rows);
            lanes.encrypt_lanes(workspace, shape.texts(), 16);
            take_alike(lanes, workspace, shape, messages);
        } else {
            let shape = lay_out_each(workspace, messages);
            lanes.expand_lanes(workspace);
            lanes.tag_lanes(workspace, shape.rows);
            lanes.keystream_lanes(workspace, 0..shape.text_rows);
            xor_into(workspace, messages);
        }
        place_tags(&workspace.tags, messages);
    }
}

/// Writes the tags.
#[inline(always)]
fn place_tags(tags: &Row, messages: &mut [Message<'_, Nonce, &mut [u8]>]) {
    for (message, tag) in messages.iter_mut().zip(tags) {
        if let Ok(place) = <&mut Block>::try_from(&mut *message.tag) {
            *place = *tag;
        }
    }
}

struct Opening;

impl<'t> Direction<&'t [u8]> for Opening {
    #[inline(always)]
    fn run<L: GcmSivLanes>(
        lanes: L,
        workspace: &mut Workspace,
        shape: Option<Shape>,
        messages: &mut [Message<'_, Nonce, &'t [u8]>],
    ) {
        for (tag, message) in workspace.tags.iter_mut().zip(&*messages) {
            *tag = expected(message);
        }
        if let Some(shape) = shape {
            lay_out_alike(lanes, workspace, shape, messages);
            lanes.expand_lanes(workspace);
            let last_len = shape.lens.1.wrapping_sub(1) % 16 + 1;
            lanes.encrypt_lanes(workspace, shape.texts(), last_len);
            lanes.tag_lanes(workspace, shape.rows);
            take_alike(lanes, workspace, shape, messages);
        } else {
            lanes.expand_lanes(workspace);
            let text_rows = messages.iter().map(|message| message.blocks().1).max();
            lanes.keystream_lanes(workspace, 0..text_rows.unwrap_or(0));
            xor_into(workspace, messages);
            let shape = lay_out_each(workspace, messages);
            lanes.tag_lanes(workspace, shape.rows);
        }
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
    /// The lengths of AAD and text in bytes, if they are those of every message.
    lens: (usize, usize),
    /// Of AAD, text and length block together.
    rows: usize,
    /// Of text alone.
    text_rows: usize,
}

impl Shape {
    /// That of a group in which every message has these lengths.
    #[inline(always)]
    fn of(lens: (usize, usize)) -> Self {
        let text_rows = lens.1.div_ceil(16);
        let rows = lens.0.div_ceil(16) + text_rows + 1;
        Self {
            lens,
            rows,
            text_rows,
        }
    }

    /// The rows of text of such a group.
    #[inline(always)]
    fn texts(self) -> Range<usize> {
        self.rows - 1 - self.text_rows..self.rows - 1
    }
}

/// Texts of up to so many blocks are moved one by one; longer ones by fours, which takes
/// longer to begin.
const FEW_BLOCKS: usize = 2;

/// Lays out messages of one length for POLYVAL.
#[inline(always)]
fn lay_out_alike<L: GcmSivLanes, Tag>(
    lanes: L,
    workspace: &mut Workspace,
    shape: Shape,
    messages: &[Message<'_, Nonce, Tag>],
) {
    let (aad_len, text_len) = shape.lens;
    let texts = shape.texts();
    fill_rows(
        &mut workspace.stage[..texts.start],
        0,
        messages,
        |message| message.aad,
    );
    let (fours, rest) = messages.as_chunks::<DERIVED>();
    if shape.text_rows <= FEW_BLOCKS {
        fill_rows(&mut workspace.stage[texts], 0, messages, |message| {
            message.in_out
        });
    } else {
        for (i, four) in fours.iter().enumerate() {
            let four = four.each_ref().map(|message| &*message.in_out);
            lanes.load_lanes(workspace, texts.start, DERIVED * i, four);
        }
        let first = DERIVED * fours.len();
        fill_rows(&mut workspace.stage[texts], first, rest, |message| {
            message.in_out
        });
    }
    workspace.stage[shape.rows - 1] = [length_block(aad_len, text_len); MESSAGES];
}

/// Copies the blocks of messages to their lanes from `first` on, the last one padded with
/// zeros.
#[inline(always)]
fn fill_rows<Tag>(
    rows: &mut [Row],
    first: usize,
    messages: &[Message<'_, Nonce, Tag>],
    bytes: impl for<'m> Fn(&'m Message<'_, Nonce, Tag>) -> &'m [u8],
) {
    for (i, row) in rows.iter_mut().enumerate() {
        for (place, message) in row[first..].iter_mut().zip(messages) {
            let (blocks, rest) = bytes(message).as_chunks::<16>();
            if let Some(block) = blocks.get(i) {
                *place = *block;
            } else {
                *place = [0; 16];
                place[..rest.len()].copy_from_slice(rest);
            }
        }
    }
}

/// Hands out what was made of texts of one length.
#[inline(always)]
fn take_alike<L: GcmSivLanes, Tag>(
    lanes: L,
    workspace: &Workspace,
    shape: Shape,
    messages: &mut [Message<'_, Nonce, Tag>],
) {
    let texts = shape.texts();
    if shape.text_rows <= FEW_BLOCKS {
        return take_rows(&workspace.stage[texts], 0, messages);
    }
    let (fours, rest) = messages.as_chunks_mut::<DERIVED>();
    let first = DERIVED * fours.len();
    for (i, four) in fours.iter_mut().enumerate() {
        let four = four.each_mut().map(|message| &mut *message.in_out);
        lanes.store_lanes(workspace, texts.start, DERIVED * i, four);
    }
    take_rows(&workspace.stage[texts], first, rest);
}

/// Copies the blocks of lanes from `first` on to their messages.
#[inline(always)]
fn take_rows<Tag>(rows: &[Row], first: usize, messages: &mut [Message<'_, Nonce, Tag>]) {
    for (i, row) in rows.iter().enumerate() {
        for (made, message) in row[first..].iter().zip(&mut *messages) {
            let (blocks, rest) = message.in_out.as_chunks_mut::<16>();
            if let Some(block) = blocks.get_mut(i) {
                *block = *made;
            } else {
                rest.copy_from_slice(&made[..rest.len()]);
            }
        }
    }
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
