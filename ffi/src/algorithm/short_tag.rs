//! Rows of algorithms whose tags are `sivka::Tag`.

use super::{Aead, Algorithm, AlgorithmNumber, array, report};
use crate::batch::{SLAB_LEN, Slab};
use crate::status::Failure;
use sivka::{Aes128GcmSiv, Aes256GcmSiv, BatchAad, BatchText, KuznyechikMgm, Status, Tag};
use std::ffi::CStr;

/// What a row needs to know of a type.
pub(super) trait ShortTag {
    const KEY_LEN: usize;
    const NONCE_LEN: usize;
    fn boxed(key: &[u8], tag_len: usize) -> Result<Box<dyn Aead>, Failure>;
}

pub(super) const fn row<K: ShortTag>(number: AlgorithmNumber, name: &'static CStr) -> Algorithm {
    Algorithm {
        number,
        name,
        key_len: K::KEY_LEN,
        nonce_len: K::NONCE_LEN,
        tag_len: Tag::LEN,
        random_nonces: true,
        first_nonce_byte_mask: 0xff,
        new: K::boxed,
    }
}

macro_rules! short_tag {
    ($key:ident $(, $into:ident)?) => {
        impl ShortTag for $key {
            const KEY_LEN: usize = $key::KEY_LEN;
            const NONCE_LEN: usize = $key::NONCE_LEN;

            fn boxed(key: &[u8], _: usize) -> Result<Box<dyn Aead>, Failure> {
                Ok(Box::new($key::new(array("key", key)?)))
            }
        }

        impl Aead for $key {
            fn seal(
                &self,
                nonce: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Failure> {
                let made = self.seal_in_place(array("nonce", nonce)?, aad, in_out)?;
                tag.copy_from_slice(made.as_bytes());
                Ok(())
            }

            fn open(
                &self,
                nonce: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), Failure> {
                let tag = Tag::from(*array("tag", tag)?);
                Ok(self.open_in_place(array("nonce", nonce)?, aad, in_out, &tag)?)
            }

            $($into!();)?

            fn seal_slab(&self, slab: Slab<'_, '_>, tags_out: &mut [u8]) -> Result<(), Failure> {
                let count = slab.texts.len();
                let mut tags = [Tag::from([0; Tag::LEN]); SLAB_LEN];
                let mut results = [Status::Done; SLAB_LEN];
                let (tags, results) = (&mut tags[..count], &mut results[..count]);
                let sealed = self.seal_batch(
                    slab.nonces.as_chunks().0,
                    BatchAad::Slices(slab.aads),
                    BatchText::Slices(slab.texts),
                    tags,
                    results,
                );
                report(sealed, results, slab.statuses)?;
                for (out, tag) in tags_out.chunks_exact_mut(Tag::LEN).zip(tags) {
                    out.copy_from_slice(tag.as_bytes());
                }
                Ok(())
            }

            fn open_slab(&self, slab: Slab<'_, '_>, tags_in: &[u8]) -> Result<(), Failure> {
                let count = slab.texts.len();
                let mut tags = [Tag::from([0; Tag::LEN]); SLAB_LEN];
                let mut results = [Status::Done; SLAB_LEN];
                let (tags, results) = (&mut tags[..count], &mut results[..count]);
                for (tag, bytes) in tags.iter_mut().zip(tags_in.as_chunks().0) {
                    *tag = Tag::from(*bytes);
                }
                let opened = self.open_batch(
                    slab.nonces.as_chunks().0,
                    BatchAad::Slices(slab.aads),
                    BatchText::Slices(slab.texts),
                    tags,
                    results,
                );
                report(opened, results, slab.statuses)
            }

            fn tier_name(&self) -> &'static str {
                $key::tier_name(self)
            }
        }
    };
}

/// For keys that are faster from one buffer into another than with a copy before.
macro_rules! into {
    () => {
        fn seal_into(
            &self,
            nonce: &[u8],
            plaintext: &[u8],
            aad: &[u8],
            ciphertext: &mut [u8],
            tag: &mut [u8],
        ) -> Result<(), Failure> {
            let made = Self::seal_into(self, array("nonce", nonce)?, plaintext, aad, ciphertext)?;
            tag.copy_from_slice(made.as_bytes());
            Ok(())
        }

        fn open_into(
            &self,
            nonce: &[u8],
            ciphertext: &[u8],
            aad: &[u8],
            tag: &[u8],
            plaintext: &mut [u8],
        ) -> Result<(), Failure> {
            let (nonce, tag) = (array("nonce", nonce)?, Tag::from(*array("tag", tag)?));
            Ok(Self::open_into(
                self, nonce, ciphertext, aad, &tag, plaintext,
            )?)
        }
    };
}

short_tag!(Aes128GcmSiv, into);
short_tag!(Aes256GcmSiv, into);
short_tag!(KuznyechikMgm);
