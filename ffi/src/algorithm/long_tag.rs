//! Rows of algorithms whose tags are `sivka::LongTag`, one for each length of tag.

use super::{Aead, Algorithm, AlgorithmNumber, array};
use crate::batch::Slab;
use crate::status::{Failure, SIVKA_OK, message_status};
use sivka::{
    ChaCha20Blake2b, Error, LongTag, LongTagMessage, TagLen, XChaCha20Blake2b, XChaCha20Blake2bSiv,
};
use std::ffi::CStr;

/// What a row needs to know of a type.
pub(super) trait LongTagKey {
    const KEY_LEN: usize;
    const NONCE_LEN: usize;
    const RANDOM_NONCES: bool;
    fn boxed(key: &[u8], tag_len: usize) -> Result<Box<dyn Aead>, Failure>;
}

pub(super) const fn row<K: LongTagKey>(
    number: AlgorithmNumber,
    name: &'static CStr,
    tag_len: TagLen,
) -> Algorithm {
    Algorithm {
        number,
        name,
        key_len: K::KEY_LEN,
        nonce_len: K::NONCE_LEN,
        tag_len: tag_len.bytes(),
        random_nonces: K::RANDOM_NONCES,
        first_nonce_byte_mask: 0xff,
        new: K::boxed,
    }
}

/// The length of tag that a row states.
fn tag_len(bytes: usize) -> Result<TagLen, Failure> {
    let all = [TagLen::Bytes32, TagLen::Bytes48, TagLen::Bytes64];
    let found = all.into_iter().find(|len| len.bytes() == bytes);
    found.ok_or(Failure::Algorithm)
}

/// `$nonce` turns the bytes of a nonce into the type's own; `$args` is what a call for one
/// message is given of it.
macro_rules! long_tag {
    ($key:ident, $nonce_len:expr, $random_nonces:expr, |$bytes:ident| $nonce:expr, ($($arg:expr)?)) => {
        impl LongTagKey for $key {
            const KEY_LEN: usize = $key::KEY_LEN;
            const NONCE_LEN: usize = $nonce_len;
            const RANDOM_NONCES: bool = $random_nonces;

            fn boxed(key: &[u8], len: usize) -> Result<Box<dyn Aead>, Failure> {
                Ok(Box::new($key::with_tag_len(array("key", key)?, tag_len(len)?)))
            }
        }

        impl Aead for $key {
            fn seal(
                &self,
                $bytes: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Failure> {
                let made = self.seal_in_place($($arg,)? aad, in_out)?;
                tag.copy_from_slice(made.as_bytes());
                Ok(())
            }

            fn open(
                &self,
                $bytes: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), Failure> {
                let tag = LongTag::try_from(tag)?;
                Ok(self.open_in_place($($arg,)? aad, in_out, &tag)?)
            }

            fn seal_slab(&self, slab: Slab<'_, '_>, tags: &mut [u8]) -> Result<(), Failure> {
                let len = self.tag_len().bytes();
                let mut messages = room(slab.texts.len())?;
                for (index, text) in slab.texts.iter_mut().enumerate() {
                    let $bytes = &slab.nonces[index * $nonce_len..][..$nonce_len];
                    messages.push(LongTagMessage::to_seal($nonce, slab.aads[index], text));
                }
                let sealed = self.seal_batch(&mut messages);
                report(sealed, &messages, slab.statuses)?;
                for (out, message) in tags.chunks_exact_mut(len).zip(&messages) {
                    match message.status {
                        Ok(()) => out.copy_from_slice(message.tag.as_bytes()),
                        Err(_) => out.fill(0),
                    }
                }
                Ok(())
            }

            fn open_slab(&self, slab: Slab<'_, '_>, tags: &[u8]) -> Result<(), Failure> {
                let len = self.tag_len().bytes();
                let mut messages = room(slab.texts.len())?;
                for (index, text) in slab.texts.iter_mut().enumerate() {
                    let $bytes = &slab.nonces[index * $nonce_len..][..$nonce_len];
                    let tag = LongTag::try_from(&tags[index * len..][..len])?;
                    messages.push(LongTagMessage::to_open($nonce, slab.aads[index], text, tag));
                }
                let opened = self.open_batch(&mut messages);
                report(opened, &messages, slab.statuses)
            }

            fn tier_name(&self) -> &'static str {
                $key::tier_name(self)
            }
        }
    };
}
long_tag!(
    ChaCha20Blake2b,
    ChaCha20Blake2b::NONCE_LEN,
    false,
    |nonce| *array("nonce", nonce)?,
    (array("nonce", nonce)?)
);
long_tag!(
    XChaCha20Blake2b,
    XChaCha20Blake2b::NONCE_LEN,
    true,
    |nonce| *array("nonce", nonce)?,
    (array("nonce", nonce)?)
);
long_tag!(XChaCha20Blake2bSiv, 0, true, |_nonce| (), ());

/// Room for the messages of a slab.
fn room<'a, N>(count: usize) -> Result<Vec<LongTagMessage<'a, N>>, Failure> {
    let mut messages = Vec::new();
    let reserved = messages.try_reserve_exact(count);
    reserved.map(|()| messages).map_err(|_| Failure::NoMemory)
}

/// Hands on what became of each message, unless nothing became of any.
fn report<N>(
    whole: Result<(), Error>,
    messages: &[LongTagMessage<'_, N>],
    statuses: &mut [i32],
) -> Result<(), Failure> {
    if let Err(error @ Error::SelfCheck { .. }) = whole {
        return Err(error.into());
    }
    for (status, message) in statuses.iter_mut().zip(messages) {
        *status = message
            .status
            .as_ref()
            .map_or_else(message_status, |()| SIVKA_OK);
    }
    Ok(())
}
