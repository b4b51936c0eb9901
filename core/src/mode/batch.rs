//! The parts of a batch, and how messages are taken from them.

pub(crate) mod rows;

use super::message::{self, Alike, FEW, Few, Message, Messages, Status};
use crate::kernel::Block;
use crate::tier::secret;
use rows::{Row, Rows, RowsToOpen, RowsToSeal};

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

    /// Takes as many as there are places.
    #[inline(always)]
    fn take(&mut self, places: &mut [&'a [u8]]) {
        if let Self::Common(aad) = self {
            return places.fill(aad);
        }
        for place in places {
            *place = self.next().unwrap_or_default();
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

    /// Takes as many as there are places.
    #[inline(always)]
    fn take(&mut self, places: &mut [&'a mut [u8]]) {
        if let Self::Slices(left) = self
            && let Some(texts) = left.split_off_mut(..places.len())
        {
            for (place, text) in places.iter_mut().zip(texts) {
                *place = text;
            }
            return;
        }
        for place in places {
            *place = self.next().unwrap_or_default();
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
pub(crate) trait Tags<'a>: Iterator {
    /// The tags with their nonces and texts, where these stand together.
    type Rows: Rows<'a, Tag = Self::Item>;

    /// The next ones, of 16 bytes each: those to be written from `tags`, those that must be to
    /// `tags`.
    fn pass(&mut self, tags: &mut [Block]);

    /// The place of the one that comes after `i` others.
    fn ahead(&self, i: usize) -> &[u8];
}

/// Tags of one length, one behind the other.
pub(crate) struct Flat<Bytes> {
    pub(crate) bytes: Bytes,
    /// Of each, in bytes.
    pub(crate) len: usize,
}

impl<'a> Iterator for Flat<&'a mut [u8]> {
    type Item = &'a mut [u8];

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.bytes.split_off_mut(..self.len)
    }
}

impl<'a> Iterator for Flat<&'a [u8]> {
    type Item = &'a [u8];

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.bytes.split_off(..self.len)
    }
}

impl<'a> Tags<'a> for Flat<&'a mut [u8]> {
    type Rows = RowsToSeal<'a>;

    #[inline(always)]
    fn pass(&mut self, tags: &mut [Block]) {
        let tags = tags.as_flattened();
        if let Some(places) = self.bytes.split_off_mut(..tags.len()) {
            places.copy_from_slice(tags);
        }
    }

    #[inline(always)]
    fn ahead(&self, i: usize) -> &[u8] {
        self.bytes.get(i * self.len..).unwrap_or_default()
    }
}

impl<'a> Tags<'a> for Flat<&'a [u8]> {
    type Rows = RowsToOpen<'a>;

    #[inline(always)]
    fn pass(&mut self, tags: &mut [Block]) {
        let places = tags.as_flattened_mut();
        if let Some(tags) = self.bytes.split_off(..places.len()) {
            places.copy_from_slice(tags);
        }
    }

    #[inline(always)]
    fn ahead(&self, i: usize) -> &[u8] {
        self.bytes.get(i * self.len..).unwrap_or_default()
    }
}

/// Where the texts and the tags of a batch are.
pub(crate) enum Places<'a, 'b, T: Tags<'a>> {
    /// The texts in place, the tags somewhere else.
    Apart(Texts<'a, 'b>, T),
    /// Row by row, with the nonces.
    Rows(T::Rows),
}

/// The messages of a batch, for as many as there are nonces. All parts are as long.
pub(crate) struct Batch<'a, 'b, N, T: Tags<'a>, Admit> {
    pub(crate) nonces: &'a [N],
    pub(crate) aads: Aads<'a>,
    pub(crate) places: Places<'a, 'b, T>,
    pub(crate) statuses: &'a mut [Status],
    /// The status of a message by its nonce and the lengths of AAD, text and tag. It is worked
    /// on if that is [`Status::Done`].
    pub(crate) admit: Admit,
}

impl<'a, N: AsRef<[u8]>, T: Tags<'a>, Admit> Batch<'a, '_, N, T, Admit> {
    /// Takes `count` messages, at most [`FEW`]; AADs only if they have bytes.
    #[inline(always)]
    fn take(&mut self, count: usize, lens: Alike, few: &mut Few<'a, N>) {
        if let Some(nonces) = self.nonces.split_off(..count) {
            few.nonces = nonces;
        }
        if let Some(statuses) = self.statuses.split_off_mut(..count) {
            statuses.fill(Status::Done);
            few.statuses = statuses;
        }
        if lens.aad_len > 0 {
            self.aads.take(&mut few.aads[..count]);
        }
        match &mut self.places {
            Places::Apart(texts, _) => {
                let mut places = <[_; FEW]>::default();
                texts.take(&mut places[..count]);
                few.texts = message::Texts::InPlace(places);
            }
            Places::Rows(rows) => few.texts = rows.take(count, lens.text_len),
        }
    }
}

impl<'a, N: AsRef<[u8]>, T: Tags<'a>, Admit> Iterator for Batch<'a, '_, N, T, Admit>
where
    T::Item: AsRef<[u8]>,
    Admit: Fn(&N, (usize, usize), usize) -> Status,
{
    type Item = Message<'a, N, T::Item>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let nonce = self.nonces.split_off_first()?;
            let aad = self.aads.next()?;
            let status = self.statuses.split_off_first_mut()?;
            let (in_out, tag) = match &mut self.places {
                Places::Apart(texts, tags) => (texts.next()?, tags.next()?),
                Places::Rows(rows) => match rows.next(nonce.as_ref())? {
                    Row::Message(in_out, tag) => (in_out, tag),
                    Row::Absent(why) => {
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

impl<'a, N: AsRef<[u8]>, T: Tags<'a>, Admit> Messages<'a, N, T::Item> for Batch<'a, '_, N, T, Admit>
where
    T::Item: AsRef<[u8]>,
    Admit: Fn(&N, (usize, usize), usize) -> Status,
{
    #[inline(always)]
    fn alike(&self, most: usize) -> Option<Alike> {
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
        self.nonces[..count].iter().all(admitted).then_some(Alike {
            count,
            aad_len,
            text_len,
        })
    }

    #[inline(always)]
    fn tag_ahead(&self, i: usize) -> Option<&[u8]> {
        match &self.places {
            Places::Apart(_, tags) => Some(tags.ahead(i)),
            Places::Rows(_) => None,
        }
    }

    #[inline(always)]
    fn take_few(&mut self, left: Alike, few: &mut Few<'a, N>) {
        // A count that the compiler knows, for all but the last of a group.
        if left.count >= FEW {
            self.take(FEW, left, few);
        } else {
            *few = Few::none();
            self.take(left.count, left, few);
        }
    }

    #[inline(always)]
    fn pass_tags(&mut self, tags: &mut [Block]) {
        match &mut self.places {
            Places::Apart(_, places) => places.pass(tags),
            Places::Rows(rows) => rows.pass_tags(tags),
        }
    }
}
