//! Many messages under one key: short ones at once where the tier can, others one by one.
//!
//! Messages of one length, which a column or a table mostly holds, go through [`equal`], those
//! that follow others of another length through [`mixed`].

mod equal;
mod mixed;

use super::{NONCE_LEN, open, seal};
use crate::kernel::Block;
use crate::kernel::gcm_siv::GcmSiv;
use crate::kernel::gcm_siv::lanes::{GcmSivLanes, MAX_AAD_LEN, Workspace};
use crate::mode::message::{Message, Messages, Status};
use equal::Equal;
use mixed::Mixed;

type Nonce = [u8; NONCE_LEN];

/// Messages that take as long in lanes as they do alone.
const TOO_FEW: usize = 2;

/// So many messages are worked on alone: to start and to wipe the lanes takes as long as some.
#[inline(always)]
pub(crate) fn few<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(t: T) -> usize {
    fn of<L: GcmSivLanes>(_lanes: L) -> usize {
        L::FEW
    }
    t.lanes().map_or(1, of)
}

/// How far ahead memory is asked for, in bytes, or as far as the next group if that is more.
/// Where messages are one after the other, CPUs do not look beyond a page by themselves.
const AHEAD: usize = 2048;

/// Encrypts every message and writes its tag.
#[inline(always)]
pub(crate) fn seal_batch<'a, T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Messages<'a, Nonce, &'a mut [u8]>,
) {
    in_groups::<_, Sealing, _, _>(t.lanes(), keys, messages, |message| {
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
    messages: impl Messages<'a, Nonce, &'a [u8]>,
) {
    in_groups::<_, Opening, _, _>(t.lanes(), keys, messages, |message| {
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

/// What sealing and opening do differently, in `equal` and in `mixed`.
trait Direction<Tag>: equal::Direction + mixed::Direction<Tag> {
    /// The longest text that goes into the lanes, in bytes.
    fn longest<L: GcmSivLanes>() -> usize;
}

struct Sealing;
struct Opening;

impl Direction<&mut [u8]> for Sealing {
    fn longest<L: GcmSivLanes>() -> usize {
        L::SEALED_LEN
    }
}

impl Direction<&[u8]> for Opening {
    fn longest<L: GcmSivLanes>() -> usize {
        L::OPENED_LEN
    }
}

/// Works on short messages in groups where the tier can, and by `one` on all others.
#[inline(always)]
fn in_groups<'a, L: GcmSivLanes, D: Direction<Tag>, Tag: Default, M: Messages<'a, Nonce, Tag>>(
    lanes: Option<L>,
    keys: &L::RoundKeys,
    messages: M,
    mut one: impl FnMut(&mut Message<'_, Nonce, Tag>),
) {
    match lanes {
        Some(lanes) => {
            let mut workspace = Workspace::new();
            let workspace = &mut workspace;
            lanes.inside(|| in_lanes::<L, D, Tag, M>(lanes, keys, workspace, messages, one));
        }
        None => messages.for_each(|mut message| one(&mut message)),
    }
}

#[inline(always)]
fn in_lanes<'a, L: GcmSivLanes, D: Direction<Tag>, Tag: Default, M: Messages<'a, Nonce, Tag>>(
    lanes: L,
    keys: &L::RoundKeys,
    workspace: &mut Workspace,
    mut messages: M,
    mut one: impl FnMut(&mut Message<'_, Nonce, Tag>),
) {
    lanes.start(keys, workspace);
    let is_short = |aad_len, text_len| aad_len <= MAX_AAD_LEN && text_len <= D::longest::<L>();
    let mut statuses = [Status::Done; mixed::MESSAGES];
    let mut mixed = Mixed::new(&mut statuses);
    let mut equal = Equal::new();
    loop {
        while let Some(lens) = messages.equal_lens(L::MESSAGES)
            && lens.count > TOO_FEW
            && is_short(lens.aad_len, lens.text_len)
        {
            mixed.lanes_taken();
            let shape = equal::Shape::of(lens);
            equal.enter(lanes, workspace, shape, &mut messages);
            D::run_equal(lanes, workspace, &mut equal);
        }
        equal.leave(lanes, workspace);
        let mut taken = 0;
        for mut message in messages.by_ref().take(L::MESSAGES) {
            taken += 1;
            let (aad_len, text_len) = message.lens();
            match L::MIXED_LEN {
                Some(most) if text_len <= most && is_short(aad_len, text_len) => {
                    mixed.add::<L, D>(lanes, workspace, message);
                }
                _ => one(&mut message),
            }
        }
        if taken == 0 {
            break;
        }
    }
    if L::MIXED_LEN.is_some() {
        mixed.finish::<L, D>(lanes, workspace, one);
    }
}
