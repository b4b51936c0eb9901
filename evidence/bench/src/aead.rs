//! AEADs one message at a time: the trait of a contender, and how it is called.

use crate::harness::Work;
use crate::messages::{Interface, Messages};

/// A key of some implementation, used for one message after another, in place.
pub(crate) trait Aead {
    /// Seals `message`, which is plaintext followed by space for the tag.
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]);

    /// Opens `message`, which is ciphertext ‖ tag; the plaintext replaces the
    /// ciphertext. Says whether the tag was right.
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool;
}

/// The input of a call: the text is a plaintext or a ciphertext.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) nonce: &'a [u8],
    pub(crate) aad: &'a [u8],
    pub(crate) text: &'a [u8],
}

/// A key that also goes from one buffer to another, with the tag wherever it is wanted.
pub(crate) trait Apart: Aead {
    /// Seals a text `to` as many bytes, and writes the tag.
    fn seal_apart(&mut self, given: Given<'_>, to: &mut [u8], tag: &mut [u8]);

    /// Opens a text `to` as many bytes. Says whether the tag was right.
    fn open_apart(&mut self, given: Given<'_>, tag: &[u8], to: &mut [u8]) -> bool;
}

/// A message's text, and its tag or the space for it.
#[inline(always)]
#[allow(dead_code, reason = "no peer may be built in")]
pub(crate) fn split<const TAG_LEN: usize>(message: &mut [u8]) -> (&mut [u8], &mut [u8; TAG_LEN]) {
    message.split_last_chunk_mut().expect("room for a tag")
}

/// The AAD of a row as two strings of associated data; the second is a nonce.
pub(crate) fn two_strings(strings: &[u8]) -> [&[u8]; 2] {
    let (aad, nonce) = strings.split_at(strings.len() / 2);
    [aad, nonce]
}

/// Calls `key` as a row's interface asks.
pub(crate) fn work<A: Apart + 'static>(key: A, interface: Option<Interface>) -> Box<dyn Work> {
    match interface {
        None | Some(Interface::InPlace) => Box::new(OneAtATime(key)),
        Some(Interface::Apart) => Box::new(FromTo::<_, false>(key)),
        Some(Interface::Chained) => Box::new(FromTo::<_, true>(key)),
    }
}

/// Calls an [`Aead`] for each message.
pub(crate) struct OneAtATime<A>(pub(crate) A);

impl<A: Aead> Work for OneAtATime<A> {
    fn forward(&mut self, messages: &mut Messages) {
        for (nonce, aad, message) in messages.each() {
            self.0.seal(nonce, aad, message);
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        let mut opened = true;
        for (nonce, aad, message) in messages.each() {
            opened &= self.0.open(nonce, aad, message);
        }
        assert!(opened, "a message that was sealed does not open");
    }
}

/// Calls an [`Apart`] for each message; if `CHAINED`, no call can begin before it has the
/// results of the one before.
struct FromTo<A, const CHAINED: bool>(A);

impl<A: Apart, const CHAINED: bool> Work for FromTo<A, CHAINED> {
    fn forward(&mut self, messages: &mut Messages) {
        let (len, tag_len) = (messages.shape().len, messages.shape().tag_len);
        let mut chain = Chain::<CHAINED>::new();
        for (nonce, aad, input, output) in messages.each_apart() {
            let (nonce, aad) = chain.applied(nonce, aad);
            let (text, (to, room)) = (&input[..len], output.split_at_mut(len));
            let tag = &mut room[..tag_len];
            self.0.seal_apart(Given { nonce, aad, text }, to, tag);
            chain.go_on(text, tag);
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        let (len, tag_len) = (messages.shape().len, messages.shape().tag_len);
        let (mut chain, mut opened) = (Chain::<CHAINED>::new(), true);
        for (nonce, aad, input, output) in messages.each_apart() {
            let (nonce, aad) = chain.applied(nonce, aad);
            let ((text, rest), to) = (input.split_at(len), &mut output[..len]);
            let tag = &rest[..tag_len];
            opened &= self.0.open_apart(Given { nonce, aad, text }, tag, to);
            chain.go_on(to, tag);
        }
        assert!(opened, "a message that was sealed does not open");
    }
}

/// The link from one message to the next: 8 bytes of the tag, which sealing writes, and the last 8
/// of the plaintext, which opening writes. They change the nonce, or the AAD of an algorithm
/// without nonces.
struct Chain<const CHAINED: bool> {
    link: u64,
    nonce: [u8; 24],
    aad: [u8; 64],
}

impl<const CHAINED: bool> Chain<CHAINED> {
    fn new() -> Self {
        Self { link: 0, nonce: [0; 24], aad: [0; 64] }
    }

    /// Nonce and AAD of the next message.
    #[inline(always)]
    fn applied<'a>(&'a mut self, nonce: &'a [u8], aad: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        if !CHAINED {
            return (nonce, aad);
        }
        if nonce.is_empty() {
            let changed = &mut self.aad[..aad.len()];
            changed.copy_from_slice(aad);
            change(changed, self.link);
            return (nonce, changed);
        }
        let changed = &mut self.nonce[..nonce.len()];
        changed.copy_from_slice(nonce);
        change(changed, self.link);
        (changed, aad)
    }

    #[inline(always)]
    fn go_on(&mut self, plaintext: &[u8], tag: &[u8]) {
        if CHAINED {
            let of = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
            let link = of(tag.first_chunk()) ^ of(plaintext.last_chunk());
            // The first bit of MGM's nonces is zero.
            self.link = link & !0x80;
        }
    }
}

/// Adds `link` to the first 8 bytes.
#[inline(always)]
fn change(bytes: &mut [u8], link: u64) {
    let first = bytes.first_chunk_mut().expect("8 bytes or more");
    *first = (u64::from_le_bytes(*first) ^ link).to_le_bytes();
}
