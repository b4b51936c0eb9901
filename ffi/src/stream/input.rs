//! Where an opener reads.

use crate::failure::Failure;
use crate::file::HeldKeys;
use crate::region::Region;
use sivka_file::{MAX_HEADER_LEN, PAYLOAD_HEAD_LEN, Reader, header_need};
use sivka_keyset::OpeningReader;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use zeroize::Zeroizing;

/// What opens a stream from an [`Input`].
pub(crate) trait Opens: Read {
    fn input(&mut self) -> &mut Input;
}

impl Opens for Reader<Input> {
    fn input(&mut self) -> &mut Input {
        self.get_mut()
    }
}

impl Opens for OpeningReader<Input> {
    fn input(&mut self) -> &mut Input {
        self.get_mut()
    }
}

/// The beginning of a file, and then what the caller gives. Between two calls there is no more
/// for now.
#[derive(Default)]
pub(crate) struct Input {
    head: Zeroizing<Vec<u8>>,
    /// How much of the beginning was read.
    read: usize,
    /// What is left of the caller's bytes, during a call.
    given: Option<Region<u8>>,
    has_ended: bool,
}

impl Input {
    /// Lets these bytes be read until [`take_back`](Self::take_back).
    pub(super) fn lend(&mut self, bytes: Region<u8>, has_ended: bool) {
        (self.given, self.has_ended) = (Some(bytes), has_ended);
    }

    /// How many bytes were not read, which are not used any more.
    pub(super) fn take_back(&mut self) -> usize {
        self.given.take().map_or(0, Region::len)
    }
}

impl Read for Input {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let head = &self.head[self.read..];
        if !head.is_empty() {
            let len = head.len().min(out.len());
            out[..len].copy_from_slice(&head[..len]);
            self.read += len;
            if self.read == self.head.len() {
                (self.head, self.read) = (Zeroizing::default(), 0);
            }
            return Ok(len);
        }
        let given = self.given.filter(|given| given.len() > 0);
        let Some(given) = given else {
            return match self.has_ended {
                true => Ok(0),
                false => Err(ErrorKind::WouldBlock.into()),
            };
        };
        let len = given.len().min(out.len());
        if let Ok((now, rest)) = given.split_at(len) {
            // SAFETY: the buffer of the call under way, which nothing writes meanwhile.
            out[..len].copy_from_slice(unsafe { now.as_slice() });
            self.given = Some(rest);
        }
        Ok(len)
    }
}

/// The header of a file, as far as it has come. It is tried once, when it is whole: to try a
/// passphrase takes long.
pub(crate) struct Head {
    keys: Arc<HeldKeys>,
    bytes: Zeroizing<Vec<u8>>,
}

impl Head {
    pub(super) fn new(keys: Arc<HeldKeys>) -> Self {
        // At once: what it is may be a key, and a buffer that grows leaves copies.
        let bytes = Vec::with_capacity(MAX_HEADER_LEN + PAYLOAD_HEAD_LEN);
        Self { keys, bytes: Zeroizing::new(bytes) }
    }

    /// How many bytes more are to be read before any other is.
    fn missing(&self) -> usize {
        (header_need(&self.bytes) + PAYLOAD_HEAD_LEN).saturating_sub(self.bytes.len())
    }

    pub(super) fn is_whole(&self) -> bool {
        self.missing() == 0
    }

    /// Takes as many of these bytes as are missing. How many they were.
    pub(super) fn take(&mut self, bytes: &[u8]) -> usize {
        let mut taken = 0;
        while !self.is_whole() && taken < bytes.len() {
            let len = self.missing().min(bytes.len() - taken);
            self.bytes.extend_from_slice(&bytes[taken..taken + len]);
            taken += len;
        }
        taken
    }

    /// Opens it, and lets what was taken after the header be read first.
    pub(super) fn open(self) -> Result<Box<dyn Opens>, Failure> {
        let input = Input { has_ended: true, head: self.bytes, ..Input::default() };
        let keys = (self.keys.unlocks(), self.keys.open_options());
        Ok(Box::new(Reader::new(input, &keys.0, &keys.1)?))
    }
}
