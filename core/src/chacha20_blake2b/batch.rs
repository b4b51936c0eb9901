//! Many messages under one key in one call.

use super::{
    ChaCha20Blake2b, Extended, Key, LongTag, Short, XChaCha20Blake2b, XChaCha20Blake2bSiv,
    check_len, mode, on_tier,
};
use crate::error::Error;
use crate::tier::{Kind, Token};
use mode::{Message, TagBytes};

/// One message of a batch, sealed or opened in place.
///
/// `N` is the nonce: `[u8; 8]`, `[u8; 24]`, or `()` for SIV.
pub struct LongTagMessage<'a, N> {
    /// The nonce; to seal, one that no other message under this key has.
    pub nonce: N,
    /// What is authenticated but not encrypted.
    pub aad: &'a [u8],
    /// The plaintext to seal, or the ciphertext to open.
    pub in_out: &'a mut [u8],
    /// The tag: set by sealing, read by opening.
    pub tag: LongTag,
    /// What became of the message, as the call for one message would return it; what is
    /// here before the call does not matter.
    pub status: Result<(), Error>,
}

impl<'a, N> LongTagMessage<'a, N> {
    /// A message to seal.
    pub fn to_seal(nonce: N, aad: &'a [u8], in_out: &'a mut [u8]) -> Self {
        Self::to_open(nonce, aad, in_out, LongTag::from([0; 32]))
    }

    /// A message to open.
    pub fn to_open(nonce: N, aad: &'a [u8], in_out: &'a mut [u8], tag: LongTag) -> Self {
        Self {
            nonce,
            aad,
            in_out,
            tag,
            status: Ok(()),
        }
    }
}

impl<N> Message<N> for LongTagMessage<'_, N> {
    fn is_refused(&self) -> bool {
        self.status.is_err()
    }

    fn nonce(&self) -> &N {
        &self.nonce
    }

    fn aad(&self) -> &[u8] {
        self.aad
    }

    fn text(&self) -> &[u8] {
        self.in_out
    }

    fn text_mut(&mut self) -> &mut [u8] {
        self.in_out
    }

    fn expected(&self) -> &[u8] {
        self.tag.as_bytes()
    }

    fn set_tag(&mut self, tag: &TagBytes) {
        // The length was set before: it is the key's.
        self.tag = LongTag::new(*tag, self.tag.len());
    }

    fn set_authentic(&mut self, authentic: bool) {
        self.status = if authentic { Ok(()) } else { Err(Error::Open) };
    }
}

impl Key {
    /// Says of each message whether it keeps the limits.
    fn admit<N>(
        &self,
        messages: &mut [LongTagMessage<'_, N>],
        text: &'static str,
    ) -> Result<(), Error> {
        let refused = self.keys().err();
        for message in messages.iter_mut() {
            message.status = check_len(text, message.in_out.len() as u64)
                .and_then(|()| check_len("aad", message.aad.len() as u64))
                .and(refused.map_or(Ok(()), Err));
        }
        refused.map_or(Ok(()), Err)
    }

    fn seal_batch<N>(
        &self,
        messages: &mut [LongTagMessage<'_, N>],
        seal: impl FnOnce(&mode::Keys, &mut [LongTagMessage<'_, N>]),
    ) -> Result<(), Error> {
        self.admit(messages, "plaintext")?;
        for message in messages.iter_mut() {
            message.tag = LongTag::new([0; 64], self.tag_len);
        }
        seal(self.keys()?, messages);
        messages.iter().try_for_each(|message| message.status)
    }

    fn open_batch<N>(
        &self,
        messages: &mut [LongTagMessage<'_, N>],
        open: impl FnOnce(&mode::Keys, &mut [LongTagMessage<'_, N>]),
    ) -> Result<(), Error> {
        self.admit(messages, "ciphertext")?;
        for message in messages.iter_mut() {
            message.status = message
                .status
                .and_then(|()| self.check_tag_len(&message.tag));
        }
        open(self.keys()?, messages);
        messages.iter().try_for_each(|message| message.status)
    }
}

macro_rules! batch {
    ($name:ident, $nonce:ty, $seal:path, $open:path) => {
        impl $name {
            /// Seals many messages in place, several side by side: for messages of similar
            /// lengths about twice as fast as one after another. Sets each message's `tag`
            /// and `status`.
            ///
            /// # Errors
            ///
            /// The first message's error, if any has one: [`Error::TooLong`] for inputs over
            /// 2^31 - 1 bytes, whose `in_out` is then as it was; the others are sealed all
            /// the same. [`Error::SelfCheck`] for all.
            pub fn seal_batch(
                &self,
                messages: &mut [LongTagMessage<'_, $nonce>],
            ) -> Result<(), Error> {
                let tag_len = self.0.tag_len.bytes();
                self.0.seal_batch(messages, |keys, messages| {
                    on_tier!(self.0.tier, |t| $seal(t, keys, tag_len, messages));
                })
            }

            /// Opens many messages in place, several side by side, and sets each message's
            /// `status`.
            ///
            /// # Errors
            ///
            /// The first message's error, if any has one: [`Error::Open`] if it does not
            /// open, and its `in_out` is then all zeros; [`Error::TagLen`] and
            /// [`Error::TooLong`], and its `in_out` is then as it was; the others are
            /// opened all the same. [`Error::SelfCheck`] for all.
            pub fn open_batch(
                &self,
                messages: &mut [LongTagMessage<'_, $nonce>],
            ) -> Result<(), Error> {
                let tag_len = self.0.tag_len.bytes();
                self.0.open_batch(messages, |keys, messages| {
                    on_tier!(self.0.tier, |t| $open(t, keys, tag_len, messages));
                })
            }
        }
    };
}
batch!(
    ChaCha20Blake2b,
    [u8; 8],
    mode::seal_many::<_, Short, _>,
    mode::open_many::<_, Short, _>
);
batch!(
    XChaCha20Blake2b,
    [u8; 24],
    mode::seal_many::<_, Extended, _>,
    mode::open_many::<_, Extended, _>
);
batch!(
    XChaCha20Blake2bSiv,
    (),
    mode::seal_siv_many,
    mode::open_siv_many
);
