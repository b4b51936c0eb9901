//! The parts of a batch, and how messages are taken from them.

use super::message::{Alike, FEW, Few, Message, Messages, Status};
use crate::kernel::Block;
use crate::tier::secret;
use core::slice;

/// The AADs of a batch.
pub(crate) enum Aads<'a> {
    Common(&'a [u8]),
    Slices(&'a [&'a [u8]]),
    /// One buffer, and the bounds in it: one more than messages.
    Contiguous(&'a [u8], &'a [usize]),
}

/// The texts of a batch.
pub(crate) enum Texts<'a, 'b> {
    Slices(&'a mut [&'b mut [u8]]),
    /// The buffer from the first bound on, and the bounds: one more than messages.
    Contiguous(&'a mut [u8], &'a [usize]),
}

impl<'a> Aads<'a> {
    /// The length of the next `count`, if they are of one.
    #[inline(always)]
    fn len_of_all(&self, count: usize) -> Option<usize> {
        match self {
            Self::Common(aad) => Some(aad.len()),
            Self::Slices(aads) => one_len(aads[..count].iter().map(|aad| aad.len())),
            Self::Contiguous(_, bounds) => one_len(distances(&bounds[..=count])),
        }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<&'a [u8]> {
        match self {
            Self::Common(aad) => Some(aad),
            Self::Slices(aads) => aads.split_off_first().copied(),
            Self::Contiguous(bytes, bounds) => {
                let start = *bounds.split_off_first()?;
                bytes.get(start..*bounds.first()?)
            }
        }
    }
}

impl<'a> Texts<'a, '_> {
    /// The length of the next `count`, if they are of one.
    #[inline(always)]
    fn len_of_all(&self, count: usize) -> Option<usize> {
        match self {
            Self::Slices(texts) => one_len(texts[..count].iter().map(|text| text.len())),
            Self::Contiguous(_, bounds) => one_len(distances(&bounds[..=count])),
        }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<&'a mut [u8]> {
        match self {
            Self::Slices(texts) => texts.split_off_first_mut().map(|text| &mut **text),
            Self::Contiguous(left, bounds) => {
                let start = *bounds.split_off_first()?;
                left.split_off_mut(..*bounds.first()? - start)
            }
        }
    }
}

/// From each bound to the next.
#[inline(always)]
fn distances(bounds: &[usize]) -> impl Iterator<Item = usize> {
    let ends = &bounds[1..];
    bounds.iter().zip(ends).map(|(start, end)| end - start)
}

/// The first length, if the others are the same.
#[inline(always)]
fn one_len(mut lens: impl Iterator<Item = usize>) -> Option<usize> {
    let first = lens.next()?;
    lens.all(|len| len == first).then_some(first)
}

/// The tags of a batch, in order.
pub(crate) trait Tags: Iterator {
    /// The next ones, of 16 bytes each: those to be written from `tags`, those that must be to
    /// `tags`.
    fn pass(&mut self, tags: &mut [Block]);
}

impl Tags for slice::ChunksExactMut<'_, u8> {
    #[inline(always)]
    fn pass(&mut self, tags: &mut [Block]) {
        for (tag, place) in tags.iter().zip(self) {
            place.copy_from_slice(tag);
        }
    }
}

impl Tags for slice::ChunksExact<'_, u8> {
    #[inline(always)]
    fn pass(&mut self, tags: &mut [Block]) {
        for (place, tag) in tags.iter_mut().zip(self) {
            place.copy_from_slice(tag);
        }
    }
}

/// The messages of a batch, for as many as there are nonces. All parts are as long.
pub(crate) struct Batch<'a, 'b, N, Tags, Admit> {
    pub(crate) nonces: &'a [N],
    pub(crate) aads: Aads<'a>,
    pub(crate) texts: Texts<'a, 'b>,
    pub(crate) tags: Tags,
    pub(crate) statuses: &'a mut [Status],
    /// The status of a message by its nonce and the lengths of AAD, text and tag. It is worked
    /// on if that is [`Status::Done`].
    pub(crate) admit: Admit,
}

impl<'a, N, T: Tags, Admit> Iterator for Batch<'a, '_, N, T, Admit>
where
    T::Item: AsRef<[u8]>,
    Admit: Fn(&N, (usize, usize), usize) -> Status,
{
    type Item = Message<'a, N, T::Item>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let message = Message {
                nonce: self.nonces.split_off_first()?,
                aad: self.aads.next()?,
                in_out: self.texts.next()?,
                tag: self.tags.next()?,
                status: self.statuses.split_off_first_mut()?,
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

impl<'a, N, T: Tags, Admit> Messages<'a, N, T::Item> for Batch<'a, '_, N, T, Admit>
where
    T::Item: AsRef<[u8]>,
    Admit: Fn(&N, (usize, usize), usize) -> Status,
{
    #[inline(always)]
    fn alike(&self, most: usize) -> Option<Alike> {
        let count = self.nonces.len().min(most);
        let text_len = self.texts.len_of_all(count)?;
        let aad_len = self.aads.len_of_all(count)?;
        let admitted = |nonce| {
            let tag_len = size_of::<Block>();
            (self.admit)(nonce, (aad_len, text_len), tag_len) == Status::Done
        };
        self.nonces[..count].iter().all(admitted).then_some(Alike {
            count,
            aad_len,
            text_len,
        })
    }

    #[inline(always)]
    fn take_few(&mut self, count: usize, few: &mut Few<'a, N>) {
        let count = count.min(FEW);
        if let Some(nonces) = self.nonces.split_off(..count) {
            few.nonces = nonces;
        }
        if let Some(statuses) = self.statuses.split_off_mut(..count) {
            statuses.fill(Status::Done);
            few.statuses = statuses;
        }
        for (aad, text) in few.aads.iter_mut().zip(&mut few.texts).take(count) {
            *aad = self.aads.next().unwrap_or(&[]);
            *text = self.texts.next().unwrap_or_default();
        }
    }

    #[inline(always)]
    fn pass_tags(&mut self, tags: &mut [Block]) {
        self.tags.pass(tags);
    }
}
