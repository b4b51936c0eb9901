//! Batches through the engine: few messages one by one, more of them at once where the tier has
//! lanes.

use super::arrays::TagBytes;
use super::engine::{Cipher, Engine};
use crate::error::Error;
use crate::mode::batch::{Batch, Direction, Message, Status, TagPlace};
use crate::tier::stack::Depth;

impl<C: Cipher> Engine<C> {
    /// Seals or opens messages. Either way leaves nothing on the stack, and files rely on it.
    pub(super) fn crypt_messages(&self, batch: &mut Batch<'_, '_, C::Nonce>) -> Result<(), Error> {
        // A key that was refused touches no message and no status.
        let few = self.cipher().few().ok_or_else(|| self.refused_tier())?;
        let done = if batch.len() <= few && !is_long::<C>(batch) {
            self.crypt_one_by_one(batch)
        } else {
            self.cipher().crypt_batch(batch)
        };
        done.ok_or_else(|| self.refused_tier())
    }

    fn crypt_one_by_one(&self, batch: &mut Batch<'_, '_, C::Nonce>) -> Option<()> {
        let cipher = self.cipher();
        let mut depth = C::BRIEF_DEPTH;
        while batch.advance() {
            for i in 0..batch.count() {
                if !batch.is_there(i) {
                    continue;
                }
                let message = batch.message(i);
                if message.aad.len() + message.in_out.len() > C::BRIEF_LEN {
                    depth = Depth::Deep;
                }
                if !crypt_one(cipher, message)? {
                    batch.set_status(i, Status::NotOpened);
                }
            }
        }
        depth.overwrite(self.tier());
        Some(())
    }
}

/// Whether few messages are sealed in less time as a batch: they are long, and the tag of one is
/// made beside the keystream of another.
fn is_long<C: Cipher>(batch: &Batch<'_, '_, C::Nonce>) -> bool {
    let long = C::LONG_LEN.saturating_mul(batch.len().max(4));
    batch.direction() == Direction::Seal && batch.text_len() >= long && batch.len() > 1
}

/// Whether the message was sealed, or opened.
#[inline(always)]
fn crypt_one<C: Cipher>(cipher: &C, message: Message<'_, C::Nonce>) -> Option<bool> {
    let Message { nonce, aad, from, in_out, tag } = message;
    match tag {
        TagPlace::Made(tag) => {
            if let Some(tag) = C::TagBytes::of_mut(tag, cipher.tag_len()) {
                cipher.seal(nonce, aad, from, in_out, tag)?;
            }
            Some(true)
        }
        TagPlace::Given(tag) => match C::TagBytes::of(tag, cipher.tag_len()) {
            Some(tag) => cipher.open(nonce, aad, from, in_out, tag),
            None => Some(false),
        },
    }
}
