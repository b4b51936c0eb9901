//! Many messages under one key in one call.

use super::{
    ChaCha20Blake2b, Extended, Key, LongTag, Short, XChaCha20Blake2b, XChaCha20Blake2bSiv, mode,
    on_tier,
};
use crate::batch::{self, BatchAad, BatchText, Job, Jobs, Status};
use crate::error::Error;
use crate::tier::{Kind, Token};
use core::cell::Cell;
use mode::{MAX_LEN, Message};

/// The messages of a batch that keep the limits; every message gets its status, good until
/// something else is found. Those to open have the tags given, of the key's length; those
/// to seal have none.
#[inline(always)]
fn within_limits<'a, const NONCE_LEN: usize>(
    jobs: Jobs<'a, '_, NONCE_LEN>,
    tags: Option<(&Key, &'a [LongTag])>,
    statuses: &[Cell<Status>],
) -> impl Iterator<Item = Message<'a, [u8; NONCE_LEN]>> {
    jobs.enumerate().filter_map(move |(index, job)| {
        let Job { nonce, aad, in_out } = job;
        let too_long = in_out.len() as u64 > MAX_LEN || aad.len() as u64 > MAX_LEN;
        let (status, expected) = match tags {
            _ if too_long => (Status::TooLong, &[][..]),
            None => (Status::Done, &[][..]),
            Some((key, tags)) => (
                Status::from(key.check_tag_len(&tags[index])),
                tags[index].as_bytes(),
            ),
        };
        statuses[index].set(status);
        (status == Status::Done).then_some(Message {
            index,
            nonce,
            aad,
            in_out,
            expected,
        })
    })
}

impl Key {
    /// Runs `seal` over the messages of a batch; it hands each one's tag to its last argument.
    fn seal_batch<'a, const NONCE_LEN: usize>(
        &self,
        jobs: Jobs<'a, '_, NONCE_LEN>,
        tags: &mut [LongTag],
        statuses: &mut [Status],
        seal: impl FnOnce(
            &mode::Keys,
            &mut dyn Iterator<Item = Message<'a, [u8; NONCE_LEN]>>,
            &mut dyn FnMut(usize, &mode::TagBytes),
        ),
    ) -> Result<(), Error> {
        let keys = self.keys()?;
        let cells = Cell::from_mut(&mut *statuses).as_slice_of_cells();
        seal(
            keys,
            &mut within_limits(jobs, None, cells),
            &mut |index, tag| {
                tags[index] = LongTag::new(*tag, self.tag_len);
            },
        );
        batch::verdict(statuses)
    }

    /// Runs `open` over the messages of a batch; it hands each verdict to its last argument.
    fn open_batch<'a, const NONCE_LEN: usize>(
        &self,
        jobs: Jobs<'a, '_, NONCE_LEN>,
        tags: &'a [LongTag],
        statuses: &mut [Status],
        open: impl FnOnce(
            &mode::Keys,
            &mut dyn Iterator<Item = Message<'a, [u8; NONCE_LEN]>>,
            &mut dyn FnMut(usize, bool),
        ),
    ) -> Result<(), Error> {
        let keys = self.keys()?;
        let cells = Cell::from_mut(&mut *statuses).as_slice_of_cells();
        let to_open = Some((self, tags));
        open(
            keys,
            &mut within_limits(jobs, to_open, cells),
            &mut |index, authentic| {
                if !authentic {
                    cells[index].set(Status::NotOpened);
                }
            },
        );
        batch::verdict(statuses)
    }
}

macro_rules! batch_with_nonce {
    ($name:ident, $variant:ident, $nonce_len:literal) => {
        impl $name {
            /// Seals many messages in place, each under its own nonce, and writes their
            /// tags: the same bytes as [`seal_in_place`](Self::seal_in_place) one by one, but
            /// several are hashed side by side (for messages of similar lengths about twice as
            /// fast). Message `i` has `nonces[i]`, `tags[i]` and `statuses[i]`; what is in
            /// `tags` before does not matter. Allocates nothing.
            ///
            /// # Errors
            ///
            /// [`Error::BatchShape`] if the parts are not of one length, and
            /// [`Error::SelfCheck`]: nothing was written. [`Error::Batch`] if some messages
            /// are over the limits: their statuses say so, their texts are as they were,
            /// and every other message is sealed.
            ///
            /// # Example
            ///
            /// ```
            /// use sivka::{BatchAad, BatchText, LongTag, Status};
            #[doc = concat!("let key = sivka::", stringify!($name), "::new(&[7; 32]);")]
            #[doc = concat!("let nonces = [[1; ", stringify!($nonce_len), "], [2; ", stringify!($nonce_len), "]];")]
            /// let mut tags = [LongTag::from([0; 32]); 2];
            /// let mut statuses = [Status::Done; 2];
            /// let (mut bytes, offsets) = (*b"firstsecond", [0, 5, 11]);
            /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
            /// key.seal_batch(&nonces, BatchAad::Common(b"aad"), text, &mut tags, &mut statuses)?;
            ///
            /// tags[0] = tags[1]; // forge the first message
            /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
            /// let opened = key.open_batch(&nonces, BatchAad::Common(b"aad"), text, &tags, &mut statuses);
            /// assert_eq!(opened, Err(sivka::Error::Batch { failed: 1 }));
            /// assert_eq!(statuses, [Status::NotOpened, Status::Done]);
            /// assert_eq!(&bytes, b"\0\0\0\0\0second");
            /// # Ok::<(), sivka::Error>(())
            /// ```
            pub fn seal_batch(
                &self,
                nonces: &[[u8; $nonce_len]],
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &mut [LongTag],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                let jobs = Jobs::new(nonces, aad, in_out, tags.len(), statuses.len())?;
                let tag_len = self.0.tag_len.bytes();
                self.0.seal_batch(jobs, tags, statuses, |keys, messages, sealed| {
                    on_tier!(self.0.tier, |t| mode::seal_many::<_, $variant>(
                        t, keys, tag_len, messages, sealed
                    ));
                })
            }

            /// Opens many messages in place, each under its own nonce and tag. One that
            /// does not open is wiped and hides none of the others. Allocates nothing.
            ///
            /// # Errors
            ///
            /// [`Error::BatchShape`] if the parts are not of one length, and
            /// [`Error::SelfCheck`]: nothing was written. [`Error::Batch`] if some messages
            /// did not open: their statuses are [`Status::NotOpened`] and their texts zeros, or
            /// [`Status::TooLong`], or [`Status::Refused`] for a tag whose length is not this
            /// key's, and their texts as they were; every other message is open.
            pub fn open_batch(
                &self,
                nonces: &[[u8; $nonce_len]],
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &[LongTag],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                let jobs = Jobs::new(nonces, aad, in_out, tags.len(), statuses.len())?;
                let tag_len = self.0.tag_len.bytes();
                self.0.open_batch(jobs, tags, statuses, |keys, messages, opened| {
                    on_tier!(self.0.tier, |t| mode::open_many::<_, $variant>(
                        t, keys, tag_len, messages, opened
                    ));
                })
            }
        }
    };
}
batch_with_nonce!(ChaCha20Blake2b, Short, 8);
batch_with_nonce!(XChaCha20Blake2b, Extended, 24);

impl XChaCha20Blake2b {
    /// [`seal_batch`](Self::seal_batch) under random nonces, which it writes to `nonces`.
    ///
    /// # Errors
    ///
    /// As [`seal_batch`](Self::seal_batch), and [`Error::Random`] if the operating system
    /// gives no random bytes, with nothing written but nonces.
    #[cfg(feature = "getrandom")]
    pub fn seal_batch_with_random_nonces(
        &self,
        nonces: &mut [[u8; 24]],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &mut [LongTag],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        getrandom::fill(nonces.as_flattened_mut()).map_err(|_| Error::Random)?;
        self.seal_batch(nonces, aad, in_out, tags, statuses)
    }
}

impl XChaCha20Blake2bSiv {
    /// Seals many messages in place and writes their tags: the same bytes as
    /// [`seal_in_place`](Self::seal_in_place) one by one, but several are hashed side by
    /// side. Message `i` has `tags[i]` and `statuses[i]`, and there are as many messages as
    /// statuses; what is in `tags` before does not matter. Allocates nothing.
    ///
    /// # Errors
    ///
    /// [`Error::BatchShape`] if the parts are not of one length, and
    /// [`Error::SelfCheck`]: nothing was written. [`Error::Batch`] if some messages are over
    /// the limits: their statuses say so, their texts are as they were, and every other
    /// message is sealed.
    ///
    /// # Example
    ///
    /// ```
    /// use sivka::{BatchAad, BatchText, LongTag, Status, XChaCha20Blake2bSiv};
    /// let key = XChaCha20Blake2bSiv::new(&[7; 32]);
    /// let mut tags = [LongTag::from([0; 32]); 2];
    /// let mut statuses = [Status::Done; 2];
    /// let (mut bytes, offsets) = (*b"firstsecond", [0, 5, 11]);
    /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
    /// key.seal_batch(BatchAad::Common(b"aad"), text, &mut tags, &mut statuses)?;
    ///
    /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
    /// key.open_batch(BatchAad::Common(b"aad"), text, &tags, &mut statuses)?;
    /// assert_eq!(&bytes, b"firstsecond");
    /// # Ok::<(), sivka::Error>(())
    /// ```
    pub fn seal_batch(
        &self,
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &mut [LongTag],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        let jobs = Jobs::without_nonces(aad, in_out, tags.len(), statuses.len())?;
        let tag_len = self.0.tag_len.bytes();
        self.0
            .seal_batch(jobs, tags, statuses, |keys, messages, sealed| {
                on_tier!(self.0.tier, |t| mode::seal_siv_many(
                    t, keys, tag_len, messages, sealed
                ));
            })
    }

    /// Opens many messages in place, each under its own tag. One that does not open is
    /// wiped and hides none of the others. Allocates nothing.
    ///
    /// # Errors
    ///
    /// [`Error::BatchShape`] if the parts are not of one length, and
    /// [`Error::SelfCheck`]: nothing was written. [`Error::Batch`] if some messages did not
    /// open: their statuses are [`Status::NotOpened`] and their texts zeros, or
    /// [`Status::TooLong`], or [`Status::Refused`] for a tag whose length is not this key's,
    /// and their texts as they were; every other message is open.
    pub fn open_batch(
        &self,
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &[LongTag],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        let jobs = Jobs::without_nonces(aad, in_out, tags.len(), statuses.len())?;
        let tag_len = self.0.tag_len.bytes();
        self.0
            .open_batch(jobs, tags, statuses, |keys, messages, opened| {
                on_tier!(self.0.tier, |t| mode::open_siv_many(
                    t, keys, tag_len, messages, opened
                ));
            })
    }
}
