//! The messages of a batch's window, from their texts to their tags, around their hashes.

use super::keyed::Keyed;
use super::streams::{Ahead, Rest, Waiting};
use super::{TagBytes, verify};
use crate::mode::batch::{Batch, Direction};

/// When the messages of a window have their keystreams.
enum Keystreams {
    /// Before they are hashed.
    Ahead(Ahead),
    /// After that.
    Last(Waiting),
}

/// The messages of a batch's window.
pub(super) struct Window<F> {
    /// Messages that are not brief, and that no lane has taken.
    pub(super) rest: Rest,
    keystreams: Keystreams,
    nonce_of: F,
}

impl<F> Window<F> {
    /// `is_ahead`: keystreams come before hashes.
    #[inline(always)]
    pub(super) fn new(is_ahead: bool, nonce_of: F) -> Self {
        Self {
            rest: Rest::new(),
            keystreams: if is_ahead {
                Keystreams::Ahead(Ahead::new())
            } else {
                Keystreams::Last(Waiting::new())
            },
            nonce_of,
        }
    }

    /// The next message to be hashed, where its text is made.
    #[inline(always)]
    pub(super) fn next<K: Copy + Default, N: AsRef<[u8]>>(
        &mut self,
        kernels: &(impl Keyed<K> + ?Sized),
        batch: &mut Batch<'_, '_, N>,
    ) -> Option<usize>
    where
        F: Fn(&Batch<'_, '_, N>, usize) -> K + Copy,
    {
        if let Keystreams::Ahead(ahead) = &mut self.keystreams {
            return ahead.next(kernels, batch, &mut self.rest, self.nonce_of);
        }
        let message = self.rest.next()?;
        batch.bring_in_place(message);
        Some(message)
    }

    /// Goes on with a message that was hashed.
    #[inline(always)]
    pub(super) fn end<K: Copy + Default, N: AsRef<[u8]>>(
        &mut self,
        kernels: &(impl Keyed<K> + ?Sized),
        batch: &mut Batch<'_, '_, N>,
        message: usize,
        hash: &TagBytes,
    ) where
        F: Fn(&Batch<'_, '_, N>, usize) -> K + Copy,
    {
        if put_or_check_tag(batch, message, hash)
            && let Keystreams::Last(waiting) = &mut self.keystreams
        {
            waiting.push(kernels, batch, message, self.nonce_of);
        }
    }

    /// Makes the keystreams that wait.
    #[inline(always)]
    pub(super) fn finish<K: Copy + Default, N: AsRef<[u8]>>(
        &mut self,
        kernels: &(impl Keyed<K> + ?Sized),
        batch: &mut Batch<'_, '_, N>,
    ) where
        F: Fn(&Batch<'_, '_, N>, usize) -> K + Copy,
    {
        if let Keystreams::Last(waiting) = &mut self.keystreams {
            waiting.finish(kernels, batch, self.nonce_of);
        }
    }
}

/// Writes the tag; or says whether it is the message's, whose text is wiped if not.
#[inline(always)]
fn put_or_check_tag<N: AsRef<[u8]>>(
    batch: &mut Batch<'_, '_, N>,
    message: usize,
    hash: &TagBytes,
) -> bool {
    if batch.direction() == Direction::Seal {
        batch.put_tag(message, hash);
        return true;
    }
    let authentic = verify(hash, batch.tag(message));
    if !authentic {
        batch.refuse(message);
    }
    authentic
}
