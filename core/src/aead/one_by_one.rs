//! Few messages through the engine, one by one; more of them as a batch.

use super::arrays::TagBytes;
use super::engine::{Cipher, Engine};
use crate::error::Error;
use crate::mode::message::{Messages, Status};
use crate::tier::depth::Depth;

impl<C: Cipher> Engine<C> {
    /// Seals `count` messages, or those of them that may be. Either way leaves nothing on the
    /// stack, and files rely on it.
    pub(super) fn seal_messages<'a>(
        &self,
        count: usize,
        messages: impl Messages<'a, C::Nonce, &'a mut [u8]>,
    ) -> Result<(), Error> {
        let done = if count <= self.cipher().few() {
            self.seal_one_by_one(messages)
        } else {
            self.cipher().seal_batch(messages)
        };
        done.ok_or_else(|| self.refused_tier())
    }

    /// Opens `count` messages, or those of them that can have been sealed, likewise.
    pub(super) fn open_messages<'a>(
        &self,
        count: usize,
        messages: impl Messages<'a, C::Nonce, &'a [u8]>,
    ) -> Result<(), Error> {
        let done = if count <= self.cipher().few() {
            self.open_one_by_one(messages)
        } else {
            self.cipher().open_batch(messages)
        };
        done.ok_or_else(|| self.refused_tier())
    }

    fn seal_one_by_one<'a>(
        &self,
        messages: impl Messages<'a, C::Nonce, &'a mut [u8]>,
    ) -> Option<()> {
        let cipher = self.cipher();
        let mut depth = C::BRIEF_DEPTH;
        for message in messages {
            if message.aad.len() + message.in_out.len() > C::BRIEF_LEN {
                depth = Depth::Deep;
            }
            if let Some(tag) = C::Tag::of_mut(message.tag, cipher.tag_len()) {
                cipher.seal(message.nonce, message.aad, None, message.in_out, tag)?;
            }
        }
        depth.overwrite(self.tier());
        Some(())
    }

    fn open_one_by_one<'a>(&self, messages: impl Messages<'a, C::Nonce, &'a [u8]>) -> Option<()> {
        let cipher = self.cipher();
        let mut depth = C::BRIEF_DEPTH;
        for message in messages {
            if message.aad.len() + message.in_out.len() > C::BRIEF_LEN {
                depth = Depth::Deep;
            }
            let authentic = match C::Tag::of(message.tag, cipher.tag_len()) {
                Some(tag) => cipher.open(message.nonce, message.aad, None, message.in_out, tag)?,
                None => false,
            };
            if !authentic {
                *message.status = Status::NotOpened;
            }
        }
        depth.overwrite(self.tier());
        Some(())
    }
}
