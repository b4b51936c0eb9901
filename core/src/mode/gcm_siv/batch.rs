//! Many messages under one key: short ones at once where the tier can, others one by one.

use super::{open, seal};
use crate::kernel::gcm_siv::GcmSiv;
use crate::kernel::gcm_siv::lanes::{MESSAGES, Message, Workspace};

/// Encrypts every message and reports each with its tag.
#[inline(always)]
pub(crate) fn seal_batch<'a, T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = Message<'a>>,
    report: impl FnMut(&Message<'a>),
) {
    in_groups(
        messages,
        |workspace, group| t.seal_lanes(keys, workspace, group),
        |message| {
            let Message {
                nonce, aad, in_out, ..
            } = message;
            message.tag = seal::<T, KEY_LEN>(t, keys, nonce, aad, None, in_out);
        },
        report,
    );
}

/// Decrypts every message, wipes those whose tag is wrong, and reports each.
#[inline(always)]
pub(crate) fn open_batch<'a, T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = Message<'a>>,
    report: impl FnMut(&Message<'a>),
) {
    in_groups(
        messages,
        |workspace, group| t.open_lanes(keys, workspace, group),
        |message| {
            let Message {
                nonce,
                aad,
                in_out,
                tag,
                authentic,
                ..
            } = message;
            *authentic = open::<T, KEY_LEN>(t, keys, nonce, aad, None, in_out, tag);
        },
        report,
    );
}

/// Collects short messages until a group is full; `many` says no if the tier has
/// nothing better than `one` at a time.
#[inline(always)]
fn in_groups<'a>(
    messages: impl Iterator<Item = Message<'a>>,
    mut many: impl FnMut(&mut Workspace, &mut [Message<'a>]) -> bool,
    mut one: impl FnMut(&mut Message<'a>),
    mut report: impl FnMut(&Message<'a>),
) {
    let mut workspace = Workspace::new();
    let mut flush = |group: &mut [Message<'a>]| {
        // Two messages in lanes take as long as two alone.
        if group.len() <= 2 || !many(&mut workspace, group) {
            group.iter_mut().for_each(&mut one);
        }
        group.iter().for_each(&mut report);
    };
    let mut group = [(); MESSAGES].map(|()| Message::none());
    let mut held = 0;
    // `for_each` and not `for`: the iterator is then part of this loop, not a call.
    messages.for_each(|message| {
        if !message.is_short() {
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
