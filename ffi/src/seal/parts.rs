//! The arguments of a call one by one: what is wrong with them, if something is.

use super::message::Message;
use crate::failure::Failure;
use crate::key::AlgorithmKey;
use crate::region::{Region, Span, check_apart};
use sivka::Error;

/// The text and the tag of one piece that holds nothing else.
pub(super) fn text_and_tag(
    key: &AlgorithmKey,
    joined: Region<u8>,
    text_len: usize,
) -> Result<(Region<u8>, Region<u8>), Failure> {
    if key.tag_first {
        let (tag, text) = joined.split_at(key.tag_len)?;
        Ok((text, tag))
    } else {
        joined.split_at(text_len)
    }
}

/// The parts of one message.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) nonce: Region<u8>,
    pub(super) aad: Region<u8>,
    pub(super) input: Region<u8>,
    pub(super) output: Region<u8>,
    pub(super) tag: Region<u8>,
}

impl Parts {
    pub(super) fn is_in_place(&self) -> bool {
        self.input.as_ptr() == self.output.as_ptr()
    }

    /// The input, unless it is the output's own memory.
    fn input_apart(&self) -> Result<Region<u8>, Failure> {
        let len = if self.is_in_place() {
            0
        } else {
            self.input.len()
        };
        self.input.first(len)
    }

    pub(super) fn check_to_seal(&self) -> Result<(), Failure> {
        let written = [self.output.span(), self.tag.span()];
        let read = [
            self.nonce.span(),
            self.aad.span(),
            self.input_apart()?.span(),
        ];
        check_apart(&written, &read)
    }

    pub(super) fn check_to_open(&self) -> Result<(), Failure> {
        let read = [
            self.nonce.span(),
            self.aad.span(),
            self.tag.span(),
            self.input_apart()?.span(),
        ];
        check_apart(&[self.output.span()], &read)
    }

    /// Whether a length may be told at this place.
    pub(super) fn check_told(&self, told: Span) -> Result<(), Failure> {
        let parts = [self.nonce, self.aad, self.input, self.output, self.tag];
        check_apart(&[told], &parts.map(Region::span))
    }

    /// A message whose ciphertext and tag go to one buffer, in the order of the algorithm, and
    /// before them the nonce, if none is given.
    pub(super) fn joined_to_seal(
        key: &AlgorithmKey,
        nonce: Option<Region<u8>>,
        aad: Region<u8>,
        input: Region<u8>,
        joined: Region<u8>,
    ) -> Result<Self, Failure> {
        let front_len = if nonce.is_some() { 0 } else { key.nonce_len };
        let joined = joined.first(front_len + input.len() + key.tag_len)?;
        let (front, text) = joined.split_at(front_len)?;
        let (output, tag) = text_and_tag(key, text, input.len())?;
        let parts = Self {
            nonce: nonce.unwrap_or(front),
            aad,
            input,
            output,
            tag,
        };
        check_apart(&[front.span()], &[aad.span(), input.span()])?;
        Ok(parts)
    }

    /// A message whose ciphertext and tag are in one buffer, and before them the nonce, if
    /// none is given.
    pub(super) fn joined_to_open(
        key: &AlgorithmKey,
        nonce: Option<Region<u8>>,
        aad: Region<u8>,
        joined: Region<u8>,
        output: Region<u8>,
    ) -> Result<Self, Failure> {
        let front_len = if nonce.is_some() { 0 } else { key.nonce_len };
        let text_len = joined.len().checked_sub(front_len + key.tag_len);
        let text_len = text_len.ok_or(Error::Open)?;
        let (front, text) = joined.split_at(front_len)?;
        let (input, tag) = text_and_tag(key, text, text_len)?;
        Ok(Self {
            nonce: nonce.unwrap_or(front),
            aad,
            input,
            output: output.first(text_len)?,
            tag,
        })
    }

    /// The message that they make.
    pub(super) fn message(self, key: &AlgorithmKey) -> Message<'_> {
        Message {
            key,
            nonce: self.nonce.as_ptr(),
            aad: self.aad.as_ptr(),
            aad_len: self.aad.len(),
            input: self.input.as_ptr(),
            output: self.output.as_ptr().cast_mut(),
            text_len: self.input.len(),
            tag: self.tag.as_ptr().cast_mut(),
        }
    }
}
