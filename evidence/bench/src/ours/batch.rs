//! Many messages in one call.
//!
//! The harness keeps every tag after its text. So the timed work includes a list of slices made for
//! the call and a copy of every tag. A caller with contiguous texts and a slice of tags pays less.

use crate::harness::Work;
use crate::messages::Messages;
use sivka::{Aead, BatchAad, BatchText, Status};
use std::mem;

/// Calls `key` once for every `at_once` messages.
pub(super) fn work(key: Box<dyn Aead>, at_once: usize) -> Box<dyn Work> {
    match key.algorithm().tag_len() {
        16 => Box::new(Batches::<16>::new(key, at_once)),
        32 => Box::new(Batches::<32>::new(key, at_once)),
        other => panic!("no algorithm here has tags of {other} bytes"),
    }
}

struct Batches<const TAG_LEN: usize> {
    key: Box<dyn Aead>,
    at_once: usize,
    /// Empty between calls, kept for its memory.
    texts: Vec<&'static mut [u8]>,
    tags: Vec<[u8; TAG_LEN]>,
    statuses: Vec<Status>,
}

impl<const TAG_LEN: usize> Batches<TAG_LEN> {
    fn new(key: Box<dyn Aead>, at_once: usize) -> Self {
        Self { key, at_once, texts: Vec::new(), tags: Vec::new(), statuses: Vec::new() }
    }
}

impl<const TAG_LEN: usize> Work for Batches<TAG_LEN> {
    fn forward(&mut self, messages: &mut Messages) {
        for (nonces, aad, group, stride) in messages.groups(self.at_once) {
            let count = group.len() / stride;
            self.tags.resize(count, [0; TAG_LEN]);
            self.statuses.resize(count, Status::Done);
            let mut texts = reused(mem::take(&mut self.texts));
            let each = group.chunks_exact_mut(stride);
            texts.extend(each.map(|message| &mut message[..stride - TAG_LEN]));
            let (aad, text) = (BatchAad::Common(aad), BatchText::Slices(&mut texts));
            let tags = self.tags.as_flattened_mut();
            let sealed = self.key.seal_batch(nonces, aad, text, tags, &mut self.statuses);
            sealed.expect("within the limits");
            self.texts = reused(texts);
            for (message, tag) in group.chunks_exact_mut(stride).zip(&self.tags) {
                message[stride - TAG_LEN..].copy_from_slice(tag);
            }
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        for (nonces, aad, group, stride) in messages.groups(self.at_once) {
            self.tags.clear();
            self.statuses.resize(group.len() / stride, Status::Done);
            let mut texts = reused(mem::take(&mut self.texts));
            for message in group.chunks_exact_mut(stride) {
                let (text, tag) = message.split_last_chunk_mut().expect("a text and its tag");
                self.tags.push(*tag);
                texts.push(text);
            }
            let (aad, text) = (BatchAad::Common(aad), BatchText::Slices(&mut texts));
            let tags = self.tags.as_flattened();
            let opened = self.key.open_batch(nonces, aad, text, tags, &mut self.statuses);
            opened.expect("messages that were sealed open");
            self.texts = reused(texts);
        }
    }
}

/// The memory of a list for a list of the same type: `collect` keeps the allocation.
fn reused<'a>(mut list: Vec<&mut [u8]>) -> Vec<&'a mut [u8]> {
    list.clear();
    list.into_iter().map(|_| -> &mut [u8] { &mut [] }).collect()
}
