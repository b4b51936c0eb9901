//! Many messages under one key: short ones at once where the tier can, others one by one.
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
    GcmSivLanes, MAX_AAD_LEN, MAX_TEXT_LEN, MESSAGES, Row, Workspace,
};
use crate::mode::message::{Message, Status};
use crate::tier::secret;

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
    in_groups(
        messages,
        |workspace, group| match t.lanes() {
            Some(lanes) => {
                lanes.inside(|| seal_lanes(lanes, keys, workspace, group));
                true
            }
            None => false,
        },
        |message| {
            let Message { nonce, aad, .. } = *message;
            if let Ok(tag) = <&mut Block>::try_from(&mut *message.tag) {
                seal::<T, KEY_LEN>(t, keys, nonce, aad, None, message.in_out, tag);
            }
        },
    );
}

/// Decrypts every message, and wipes those whose tag is wrong.
#[inline(always)]
pub(crate) fn open_batch<'a, T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = ToOpen<'a>>,
) {
    in_groups(
        messages,
        |workspace, group| match t.lanes() {
            Some(lanes) => {
                lanes.inside(|| open_lanes(lanes, keys, workspace, group));
                true
            }
            None => false,
        },
        |message| {
            let Message { nonce, aad, .. } = *message;
            let authentic = match <&Block>::try_from(message.tag) {
                Ok(tag) => open::<T, KEY_LEN>(t, keys, nonce, aad, None, message.in_out, tag),
                Err(_) => false,
            };
            if !authentic {
                *message.status = Status::NotOpened;
            }
        },
    );
}

/// Collects short messages until a group is full; `many` says no if the tier has
/// nothing better than `one` at a time.
#[inline(always)]
fn in_groups<'a, Tag: Default>(
    messages: impl Iterator<Item = Message<'a, Nonce, Tag>>,
    mut many: impl FnMut(&mut Workspace, &mut [Message<'_, Nonce, Tag>]) -> bool,
    mut one: impl FnMut(&mut Message<'_, Nonce, Tag>),
) {
    let mut workspace = Workspace::new();
    let mut flush = |group: &mut [Message<'_, Nonce, Tag>]| {
        // Two messages in lanes take as long as two alone.
        if group.len() <= 2 || !many(&mut workspace, group) {
            group.iter_mut().for_each(&mut one);
        }
    };
    let mut statuses = [Status::Done; MESSAGES];
    let mut group = statuses
        .each_mut()
        .map(|status| Message::none(&[0; NONCE_LEN], status));
    let mut held = 0;
    // `for_each` and not `for`: the iterator is then part of this loop, not a call.
    messages.for_each(|message| {
        if message.in_out.len() > MAX_TEXT_LEN || message.aad.len() > MAX_AAD_LEN {
            return flush(&mut [message]);
        }
        group[held] = message;
        held += 1;
        if held == MESSAGES {
            flush(&mut group);
            held = 0;
        }
    });
    flush(&mut group[..held]);
}

/// Encrypts up to sixteen short messages and writes their tags.
#[inline(always)]
fn seal_lanes<L: GcmSivLanes>(
    lanes: L,
    keys: &L::RoundKeys,
    workspace: &mut Workspace,
    messages: &mut [Message<'_, Nonce, &mut [u8]>],
) {
    for messages in messages.chunks_mut(L::MESSAGES) {
        let shape = gather(lanes, workspace, messages);
        lanes.derive_lanes(keys, workspace);
        lay_out(workspace, messages, shape);
        lanes.tag_lanes(workspace, shape.rows);
        lanes.keystream_lanes(workspace, shape.text_rows);
        xor_into(workspace, messages);
        for (message, tag) in messages.iter_mut().zip(&workspace.tags) {
            if let Ok(place) = <&mut Block>::try_from(&mut *message.tag) {
                *place = *tag;
            }
        }
    }
}

/// Decrypts up to sixteen short messages, and wipes those whose tag is wrong.
#[inline(always)]
fn open_lanes<L: GcmSivLanes>(
    lanes: L,
    keys: &L::RoundKeys,
    workspace: &mut Workspace,
    messages: &mut [Message<'_, Nonce, &[u8]>],
) {
    for messages in messages.chunks_mut(L::MESSAGES) {
        let shape = gather(lanes, workspace, messages);
        lanes.derive_lanes(keys, workspace);
        for (tag, message) in workspace.tags.iter_mut().zip(&*messages) {
            *tag = expected(message);
        }
        lanes.keystream_lanes(workspace, shape.text_rows);
        xor_into(workspace, messages);
        lay_out(workspace, messages, shape);
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
#[derive(Clone, Copy)]
struct Shape {
    /// The lengths of AAD and text in bytes, if they are those of every message.
    alike: Option<(usize, usize)>,
    /// Of AAD, text and length block together.
    rows: usize,
    /// Of text alone.
    text_rows: usize,
}

/// Lays out the nonces, and measures the messages.
#[inline(always)]
fn gather<L: GcmSivLanes, Tag>(
    lanes: L,
    workspace: &mut Workspace,
    messages: &[Message<'_, Nonce, Tag>],
) -> Shape {
    let lens = messages.first().map(Message::lens);
    let mut alike = true;
    // One loop for both: a loop over lengths alone becomes slow gathers.
    for (block, message) in workspace.nonces.iter_mut().zip(messages) {
        alike &= Some(message.lens()) == lens;
        lanes.ask_ahead(message.in_out);
        lanes.ask_ahead(message.nonce);
        *block = [0; 16];
        block[4..].copy_from_slice(message.nonce);
    }
    let measured = if alike {
        messages.len().min(1)
    } else {
        messages.len()
    };
    let mut shape = Shape {
        alike: if alike { lens } else { None },
        rows: 0,
        text_rows: 0,
    };
    for message in &messages[..measured] {
        let (aad, text) = message.blocks();
        shape.rows = shape.rows.max(aad + text + 1);
        shape.text_rows = shape.text_rows.max(text);
    }
    shape
}

/// Lays out `messages` for POLYVAL in the rows of their shape.
#[inline(always)]
fn lay_out<Tag>(workspace: &mut Workspace, messages: &[Message<'_, Nonce, Tag>], shape: Shape) {
    let stage = &mut workspace.stage[..shape.rows];
    let Some((aad_len, text_len)) = shape.alike else {
        return lay_out_each(stage, messages);
    };
    // Messages of one length fill every row from end to end.
    let (texts, lengths) = stage.split_at_mut(shape.rows - 1);
    let (aads, texts) = texts.split_at_mut(shape.rows - 1 - shape.text_rows);
    fill_rows(aads, messages, |message| message.aad);
    fill_rows(texts, messages, |message| message.in_out);
    lengths.fill([length_block(aad_len, text_len); MESSAGES]);
}

#[inline(always)]
fn lay_out_each<Tag>(stage: &mut [Row], messages: &[Message<'_, Nonce, Tag>]) {
    for (lane, message) in messages.iter().enumerate() {
        let (aad, text) = message.blocks();
        let (in_front, column) = stage.split_at_mut(stage.len() - (aad + text + 1));
        for row in in_front {
            row[lane % MESSAGES] = [0; 16];
        }
        let mut places = column.iter_mut().map(|row| &mut row[lane % MESSAGES]);
        pad_into(&mut places, message.aad);
        pad_into(&mut places, message.in_out);
        if let Some(place) = places.next() {
            *place = length_block(message.aad.len(), message.in_out.len());
        }
    }
}

/// Copies the blocks of every message to its lane, the last one padded with zeros.
#[inline(always)]
fn fill_rows<Tag>(
    rows: &mut [Row],
    messages: &[Message<'_, Nonce, Tag>],
    bytes: impl for<'m> Fn(&'m Message<'_, Nonce, Tag>) -> &'m [u8],
) {
    // Row by row while they are few: then the loop over a message's blocks is the cost.
    if rows.len() <= 4 {
        for (i, row) in rows.iter_mut().enumerate() {
            for (place, message) in row.iter_mut().zip(messages) {
                let (blocks, rest) = bytes(message).as_chunks::<16>();
                if let Some(block) = blocks.get(i) {
                    *place = *block;
                } else {
                    *place = [0; 16];
                    place[..rest.len()].copy_from_slice(rest);
                }
            }
        }
        return;
    }
    for (lane, message) in messages.iter().enumerate() {
        pad_into(
            &mut rows.iter_mut().map(|row| &mut row[lane % MESSAGES]),
            bytes(message),
        );
    }
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
        let mut keystream = workspace.keystream.iter().map(|row| &row[lane % MESSAGES]);
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
