//! The arguments of a call one by one: what is wrong with them, if something is.

use crate::failure::Failure;
use crate::key::Key;
use crate::region::{Region, check_apart};
use sivka::Error;

/// A pointer and the length beside it.
type Argument = (*const u8, usize);

/// The parts of one message.
pub(super) struct Parts {
    pub(super) nonce: Region<u8>,
    pub(super) aad: Region<u8>,
    pub(super) input: Region<u8>,
    pub(super) output: Region<u8>,
    pub(super) tag: Region<u8>,
}

impl Parts {
    pub(super) fn nonce(key: &Key, nonce: *const u8, len: usize) -> Result<Region<u8>, Failure> {
        Region::exactly("nonce", nonce, len, key.nonce_len)
    }

    /// The input, unless it is the output's own memory.
    fn input_apart(&self) -> Result<Region<u8>, Failure> {
        let len = if self.input.begins_with(self.output) {
            0
        } else {
            self.input.len()
        };
        self.input.first(len)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn check_to_seal(&self) -> Result<(), Failure> {
        let written = [self.output.span(), self.tag.span()];
        let read = [
            self.nonce.span(),
            self.aad.span(),
            self.input_apart()?.span(),
        ];
        check_apart(&written, &read)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn check_to_open(&self) -> Result<(), Failure> {
        let read = [
            self.nonce.span(),
            self.aad.span(),
            self.tag.span(),
            self.input_apart()?.span(),
        ];
        check_apart(&[self.output.span()], &read)
    }

    /// Ciphertext and tag go to one buffer, one behind the other; so does the nonce before
    /// them, if none is given.
    #[cold]
    #[inline(never)]
    pub(super) fn joined_to_seal(
        key: &Key,
        what: &'static str,
        joined: *const u8,
        capacity: usize,
        nonce: Option<Region<u8>>,
        aad: Argument,
        plaintext: Argument,
    ) -> Result<(), Failure> {
        // The order in which mistakes are named: what stands first in the call.
        let aad_before = nonce
            .map(|_| Region::new("aad", aad.0, aad.1))
            .transpose()?;
        let input = Region::new("plaintext", plaintext.0, plaintext.1)?;
        let joined = Region::new(what, joined, capacity)?;
        let front_len = if nonce.is_some() { 0 } else { key.nonce_len };
        let joined = joined.first(front_len + input.len() + key.tag_len)?;
        let (front, text) = joined.split_at(front_len)?;
        let (output, tag) = text.split_at(input.len())?;
        let aad = aad_before.map_or_else(|| Region::new("aad", aad.0, aad.1), Ok)?;
        let parts = Self {
            nonce: nonce.unwrap_or(front),
            aad,
            input,
            output,
            tag,
        };
        parts.check_to_seal()?;
        check_apart(&[front.span()], &[aad.span(), input.span()])
    }

    /// Ciphertext and tag stand in one buffer, and before them the nonce, if none is given.
    #[cold]
    #[inline(never)]
    pub(super) fn joined_to_open(
        key: &Key,
        what: &'static str,
        joined: *const u8,
        joined_len: usize,
        nonce: Option<Region<u8>>,
        aad: Argument,
        plaintext: Argument,
    ) -> Result<(), Failure> {
        let aad_before = nonce
            .map(|_| Region::new("aad", aad.0, aad.1))
            .transpose()?;
        let joined = Region::new(what, joined, joined_len)?;
        let front_len = if nonce.is_some() { 0 } else { key.nonce_len };
        let text_len = joined.len().checked_sub(front_len + key.tag_len);
        let text_len = text_len.ok_or(Error::Open)?;
        let (front, text) = joined.split_at(front_len)?;
        let (input, tag) = text.split_at(text_len)?;
        let output = Region::new("plaintext", plaintext.0, plaintext.1)?.first(text_len)?;
        let aad = aad_before.map_or_else(|| Region::new("aad", aad.0, aad.1), Ok)?;
        let parts = Self {
            nonce: nonce.unwrap_or(front),
            aad,
            input,
            output,
            tag,
        };
        parts.check_to_open()
    }
}
