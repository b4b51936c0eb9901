//! Our AEADs, a whole batch in one call.
//!
//! The harness keeps every tag behind its text, so what is timed includes a list of
//! slices made for the call and a copy of every tag: a caller with contiguous texts
//! and a slice of tags pays less.

use crate::aead::{Aead, OneAtATime};
use crate::harness::{Contender, Kind, Work};
use crate::messages::{Messages, Shape};
use sivka::{Aes128GcmSiv, Aes256GcmSiv, BatchAad, BatchText, KuznyechikMgm, Status, Tag, Tier};
use std::mem;

/// A key that takes a batch in one call, with nonces of so many bytes.
pub(crate) trait BatchAead<const NONCE_LEN: usize> {
    /// Seals every text in place and writes its tag.
    fn seal(
        &self,
        nonces: &[[u8; NONCE_LEN]],
        aad: &[u8],
        texts: &mut [&mut [u8]],
        tags: &mut [Tag],
        statuses: &mut [Status],
    );

    /// Opens every text in place.
    fn open(
        &self,
        nonces: &[[u8; NONCE_LEN]],
        aad: &[u8],
        texts: &mut [&mut [u8]],
        tags: &[Tag],
        statuses: &mut [Status],
    );
}

macro_rules! batch_aead {
    ($key:ty) => {
        impl BatchAead<{ <$key>::NONCE_LEN }> for $key {
            fn seal(
                &self,
                nonces: &[[u8; <$key>::NONCE_LEN]],
                aad: &[u8],
                texts: &mut [&mut [u8]],
                tags: &mut [Tag],
                statuses: &mut [Status],
            ) {
                let (aad, text) = (BatchAad::Common(aad), BatchText::Slices(texts));
                self.seal_batch(nonces, aad, text, tags, statuses)
                    .expect("messages in limits");
            }

            fn open(
                &self,
                nonces: &[[u8; <$key>::NONCE_LEN]],
                aad: &[u8],
                texts: &mut [&mut [u8]],
                tags: &[Tag],
                statuses: &mut [Status],
            ) {
                let (aad, text) = (BatchAad::Common(aad), BatchText::Slices(texts));
                self.open_batch(nonces, aad, text, tags, statuses)
                    .expect("sealed messages");
            }
        }
    };
}
batch_aead!(Aes128GcmSiv);
batch_aead!(Aes256GcmSiv);
batch_aead!(KuznyechikMgm);

/// Calls a [`BatchAead`] once for all messages.
pub(crate) struct WholeBatch<K, const NONCE_LEN: usize> {
    key: K,
    /// Empty between calls, kept for its memory.
    texts: Vec<&'static mut [u8]>,
    tags: Vec<Tag>,
    statuses: Vec<Status>,
}

impl<K: BatchAead<NONCE_LEN>, const NONCE_LEN: usize> WholeBatch<K, NONCE_LEN> {
    pub(crate) fn new(key: K) -> Self {
        Self {
            key,
            texts: Vec::new(),
            tags: Vec::new(),
            statuses: Vec::new(),
        }
    }
}

impl<K: BatchAead<NONCE_LEN>, const NONCE_LEN: usize> Work for WholeBatch<K, NONCE_LEN> {
    fn forward(&mut self, messages: &mut Messages) {
        let parts = messages.parts();
        let (nonces, _) = parts.nonces.as_chunks::<NONCE_LEN>();
        self.tags.resize(nonces.len(), Tag::from([0; 16]));
        self.statuses.resize(nonces.len(), Status::Done);
        let text_len = parts.stride - Tag::LEN;
        let mut texts = reused(mem::take(&mut self.texts));
        texts.extend(
            parts
                .bytes
                .chunks_exact_mut(parts.stride)
                .map(|m| &mut m[..text_len]),
        );
        self.key.seal(
            nonces,
            parts.aad,
            &mut texts,
            &mut self.tags,
            &mut self.statuses,
        );
        self.texts = reused(texts);
        for (message, tag) in parts.bytes.chunks_exact_mut(parts.stride).zip(&self.tags) {
            message[text_len..].copy_from_slice(tag.as_bytes());
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        let parts = messages.parts();
        let (nonces, _) = parts.nonces.as_chunks::<NONCE_LEN>();
        self.tags.clear();
        self.statuses.resize(nonces.len(), Status::Done);
        let mut texts = reused(mem::take(&mut self.texts));
        for message in parts.bytes.chunks_exact_mut(parts.stride) {
            let (text, tag) = message.split_last_chunk_mut().expect("a text and its tag");
            self.tags.push(Tag::from(*tag));
            texts.push(text);
        }
        self.key.open(
            nonces,
            parts.aad,
            &mut texts,
            &self.tags,
            &mut self.statuses,
        );
        self.texts = reused(texts);
    }
}

/// Our contenders on one tier: single calls, and in a batch whatever else we offer.
pub(crate) fn ours<K: Aead + BatchAead<NONCE_LEN> + 'static, const NONCE_LEN: usize>(
    algorithm: &'static str,
    tier: Tier,
    shape: Shape,
    make: impl Fn() -> K,
) -> Vec<Contender> {
    let mut contenders = Vec::new();
    if shape.batch > 1 {
        contenders.push(Contender {
            name: format!("sivka {tier} batch"),
            algorithm,
            kind: Kind::Ours(tier),
            work: Box::new(WholeBatch::new(make())),
        });
    }
    contenders.push(Contender {
        name: format!("sivka {tier}"),
        algorithm,
        kind: Kind::Ours(tier),
        work: Box::new(OneAtATime(make())),
    });
    contenders
}

/// The memory of a list for a list of the same shape: `collect` keeps the allocation.
fn reused<'a>(mut list: Vec<&mut [u8]>) -> Vec<&'a mut [u8]> {
    list.clear();
    list.into_iter().map(|_| -> &mut [u8] { &mut [] }).collect()
}
