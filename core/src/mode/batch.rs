//! Many messages under one key, and how they are taken.

mod bounds;
pub(crate) mod parts;
pub(crate) mod row;
pub(crate) mod rows;

use super::message::{self, EqualLens, Message, Messages, QUAD, Quad, Status};
use crate::kernel::Block;
use crate::tier::secret;
use parts::{Aads, Tags, Texts};
use rows::Rows;

/// One code for all types of a table of calls, which costs nothing where each call is long.
/// Machine code that keeps nothing has no such table: its addresses would have to be written
/// when it is loaded.
macro_rules! through_table {
    (let $name:ident: $table:ty = $value:expr) => {
        #[cfg(not(sivka_stateless))]
        let $name: $table = $value;
        #[cfg(sivka_stateless)]
        let $name = $value;
    };
}
pub(crate) use through_table;

/// Where the texts and the tags of a batch are.
pub(crate) enum Places<'a, 'b, T> {
    /// The texts in place, the tags somewhere else.
    Apart(Texts<'a, 'b>, T),
    /// Row by row, with the nonces.
    Rows(Rows<'a>),
}

/// The messages of a batch, for as many as there are nonces. All parts are as long.
///
/// A message is taken whole: nothing but [`take`](Self::take) and [`next`](Iterator::next)
/// advances a part, and both advance them all.
pub(crate) struct Batch<'a, 'b, N, T, Admit> {
    pub(crate) nonces: &'a [N],
    pub(crate) aads: Aads<'a>,
    pub(crate) places: Places<'a, 'b, T>,
    pub(crate) statuses: &'a mut [Status],
    /// The status of a message by its nonce and the lengths of AAD, text and tag. It is worked
    /// on if that is [`Status::Done`].
    pub(crate) admit: Admit,
}

impl<'a, N: AsRef<[u8]>, T: Tags<'a>, Admit> Batch<'a, '_, N, T, Admit> {
    /// Takes `count` messages, at most [`QUAD`], that [`equal_lens`](Messages::equal_lens) has
    /// counted.
    #[inline(always)]
    fn take(&mut self, count: usize, quad: &mut Quad<'a, N, T>) {
        quad.nonces = self.nonces.split_off(..count).unwrap_or_default();
        self.aads.split_off(&mut quad.aads[..count]);
        quad.statuses = self.statuses.split_off_mut(..count).unwrap_or_default();
        quad.statuses.fill(Status::Done);
        match &mut self.places {
            Places::Apart(texts, tags) => {
                let mut places = <[_; QUAD]>::default();
                texts.split_off(&mut places[..count]);
                quad.texts = message::Texts::InPlace(places);
                quad.tags = tags.split_off(count);
            }
            Places::Rows(rows) => quad.texts = rows.split_off(count),
        }
    }
}

impl<'a, N: AsRef<[u8]>, T: Tags<'a>, Admit> Iterator for Batch<'a, '_, N, T, Admit>
where
    Admit: Fn(&N, (usize, usize), usize) -> Status,
{
    type Item = Message<'a, N, T::Tag>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let nonce = self.nonces.split_off_first()?;
            let aad = self.aads.split_off_first()?;
            let status = self.statuses.split_off_first_mut()?;
            let (in_out, tag) = match &mut self.places {
                Places::Apart(texts, tags) => (texts.split_off_first()?, tags.split_off_first()?),
                Places::Rows(rows) => match rows.split_off_first() {
                    Ok(row) => T::of_row(row, nonce.as_ref())?,
                    Err(why) => {
                        *status = why;
                        continue;
                    }
                },
            };
            let message = Message {
                nonce,
                aad,
                in_out,
                tag,
                status,
            };
            let status = (self.admit)(message.nonce, message.lens(), message.tag.as_ref().len());
            *message.status = status;
            match status {
                Status::Done => return Some(message),
                Status::NotOpened => secret::wipe(message.in_out),
                Status::TooLong | Status::Refused => {}
            }
        }
    }
}

impl<'a, N: AsRef<[u8]>, T: Tags<'a>, Admit> Messages<'a, N, T::Tag> for Batch<'a, '_, N, T, Admit>
where
    Admit: Fn(&N, (usize, usize), usize) -> Status,
{
    type Tags = T;

    #[inline(always)]
    fn equal_lens(&self, most: usize) -> Option<EqualLens> {
        let count = self.nonces.len().min(most);
        let text_len = match &self.places {
            Places::Apart(texts, _) => texts.len_of_all(count),
            Places::Rows(rows) => rows.len_of_all(count),
        }?;
        let aad_len = self.aads.len_of_all(count)?;
        let admitted = |nonce| {
            let tag_len = size_of::<Block>();
            (self.admit)(nonce, (aad_len, text_len), tag_len) == Status::Done
        };
        let nonces = self.nonces.get(..count)?;
        nonces.iter().all(admitted).then_some(EqualLens {
            count,
            aad_len,
            text_len,
        })
    }

    #[inline(always)]
    fn take_quad(&mut self, left: usize, quad: &mut Quad<'a, N, T>) {
        // A count that the compiler knows, for all but the last of a group.
        if left >= QUAD {
            self.take(QUAD, quad);
        } else {
            *quad = Quad::none();
            self.take(left, quad);
        }
    }
}
