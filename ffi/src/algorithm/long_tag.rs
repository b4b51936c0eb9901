//! Rows of algorithms whose tags are `sivka::LongTag`, one for each length of tag.

use super::{Aead, Algorithm, AlgorithmNumber, array, report};
use crate::batch::{SLAB_LEN, Slab};
use crate::status::Failure;
use sivka::{
    BatchAad, BatchText, ChaCha20Blake2b, LongTag, Status, TagLen, XChaCha20Blake2b,
    XChaCha20Blake2bSiv,
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

/// What one call is given of the nonce's bytes, and what a batch is given of a slab's:
/// nothing, for an algorithm without nonces.
macro_rules! long_tag {
    ($key:ident, $nonce_len:expr, $random_nonces:expr, |$bytes:ident, $slab:ident| ($($arg:expr)?), ($($args:expr)?)) => {
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

            fn seal_slab(&self, $slab: Slab<'_, '_>, tags_out: &mut [u8]) -> Result<(), Failure> {
                let count = $slab.texts.len();
                let mut tags = [LongTag::from([0; 32]); SLAB_LEN];
                let mut results = [Status::Done; SLAB_LEN];
                let (tags, results) = (&mut tags[..count], &mut results[..count]);
                let sealed = self.seal_batch(
                    $($args,)?
                    BatchAad::Slices($slab.aads),
                    BatchText::Slices($slab.texts),
                    tags,
                    results,
                );
                report(sealed, results, $slab.statuses)?;
                let outs = tags_out.chunks_exact_mut(self.tag_len().bytes());
                for ((out, tag), result) in outs.zip(tags).zip(results) {
                    match result {
                        Status::Done => out.copy_from_slice(tag.as_bytes()),
                        _ => out.fill(0),
                    }
                }
                Ok(())
            }

            fn open_slab(&self, $slab: Slab<'_, '_>, tags_in: &[u8]) -> Result<(), Failure> {
                let count = $slab.texts.len();
                let mut tags = [LongTag::from([0; 32]); SLAB_LEN];
                let mut results = [Status::Done; SLAB_LEN];
                let (tags, results) = (&mut tags[..count], &mut results[..count]);
                for (tag, bytes) in tags.iter_mut().zip(tags_in.chunks_exact(self.tag_len().bytes())) {
                    *tag = LongTag::try_from(bytes)?;
                }
                let opened = self.open_batch(
                    $($args,)?
                    BatchAad::Slices($slab.aads),
                    BatchText::Slices($slab.texts),
                    tags,
                    results,
                );
                report(opened, results, $slab.statuses)
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
    |nonce, slab| (array("nonce", nonce)?),
    (slab.nonces.as_chunks().0)
);
long_tag!(
    XChaCha20Blake2b,
    XChaCha20Blake2b::NONCE_LEN,
    true,
    |nonce, slab| (array("nonce", nonce)?),
    (slab.nonces.as_chunks().0)
);
long_tag!(XChaCha20Blake2bSiv, 0, true, |_nonce, slab| (), ());
