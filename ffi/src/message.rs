//! One message.
//!
//! A short message takes some fifty nanoseconds. So a call looks at its arguments once, as
//! plain integers; where that leaves a doubt, it looks at them one by one, to say what is wrong
//! or that nothing is (`call`).

mod call;
mod parts;
mod strings;

use crate::key::Key;
use crate::status::Status;
pub use strings::SIVKA_MAX_STRINGS;

/// One message to seal or to open. Set all to 0 first: what stays NULL is not used.
///
/// Errors say `plaintext`, and of what is sealed `sealed` or, beside a tag, `ciphertext`.
#[derive(Default)]
#[repr(C)]
pub struct Message {
    /// NULL: sealing draws a random nonce, and the nonce is before all else that is sealed.
    /// A nonce of the caller's must not seal another message under the key; what a repetition
    /// costs depends on the algorithm.
    pub nonce: *const u8,
    /// The length of the nonce, which is the algorithm's; 0 without one.
    pub nonce_len: usize,
    /// Associated data: authenticated, and neither encrypted nor written.
    pub aad: *const u8,
    /// The length of the associated data.
    pub aad_len: usize,
    /// In the place of `aad`, a list of strings, for AES-SIV alone: `aad_lens[i]` bytes are at
    /// `aads[i]`. Number, order and bounds of the strings count: none is not the same as an empty
    /// one, and `aad` is the list of one. The AEAD with a nonce of RFC 5297 is the list whose
    /// last string is the nonce.
    pub aads: *const *const u8,
    /// The lengths of the strings.
    pub aad_lens: *const usize,
    /// How many strings there are, at most SIVKA_MAX_STRINGS.
    pub aad_count: usize,
    /// What is read: to seal the plaintext, to open what is sealed. In place, input and output
    /// text begin at the same byte, and overlap in no other way.
    pub input: *const u8,
    /// The length of the input.
    pub input_len: usize,
    /// What is written. Without a tag of its own it needs, to seal, sivka_key_seal_len() bytes
    /// (less the nonce, if one is given), and to open so much less than the input.
    pub output: *mut u8,
    /// The space at `output`; with a tag of its own exactly the length of the input.
    pub output_len: usize,
    /// The tag by itself, written in sealing and read in opening, and with a nonce of the
    /// caller's. NULL: it is after the ciphertext, or before it if the algorithm has it first.
    pub tag: *mut u8,
    /// The length of the tag, which is the algorithm's; 0 without one.
    pub tag_len: usize,
}

/// Seals a message, and writes the length of the output to `written_len` unless that is NULL.
/// Allocates nothing, except at a thread's first failure and random nonce.
/// _REFUSED, _NO_RANDOM_NONCE, _USAGE_BOUND; for a list _ALGORITHM. Nothing is sealed after a
/// failure, no plaintext is where none was, and what was to be encrypted in place is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal(
    key: *const Key,
    message: *const Message,
    written_len: *mut usize,
) -> Status {
    // SAFETY: as the header asks.
    unsafe { call::carry_out::<true>(key, message, written_len) }
}

/// Opens what sivka_seal() wrote, and writes the length of the output to `written_len` unless that
/// is NULL. Allocates nothing, except at a thread's first failure and random nonce.
/// _OPEN: the output holds zeros, also in place. _NO_RANDOM_NONCE; for a list _ALGORITHM. There is
/// no plaintext in any buffer after a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open(
    key: *const Key,
    message: *const Message,
    written_len: *mut usize,
) -> Status {
    // SAFETY: as the header asks.
    unsafe { call::carry_out::<false>(key, message, written_len) }
}
