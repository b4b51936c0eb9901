//! The only error type of this crate, by whose fault it is.

use core::fmt;

/// Why a message was not sealed or opened.
///
/// [`Error::Open`] is the only error that the *content* of untrusted input can cause, and it gives
/// no reason. Every other variant is the caller's or the machine's fault, and says which value was
/// expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The message does not open under this key, nonce and AAD. The output was wiped.
    Open,
    /// An input is longer than the algorithm allows. Nothing was written.
    TooLong {
        /// Which input: `"plaintext"`, `"ciphertext"`, `"aad"`, `"aad and plaintext together"`,
        /// `"column"`, or `"plaintext and aad under this key's usage bound"`.
        what: &'static str,
        /// The most bytes allowed.
        limit: u64,
        /// The bytes given.
        given: u64,
    },
    /// AES-SIV takes fewer strings of associated data. Nothing was written.
    TooManyStrings {
        /// The most strings allowed.
        limit: usize,
        /// The strings given.
        given: usize,
    },
    /// The bytes for a key are not as many as the algorithm's keys have.
    KeyLen {
        /// The bytes of the algorithm's keys.
        expected: usize,
        /// The bytes given.
        given: usize,
    },
    /// The bytes for a nonce are not as many as the algorithm's nonces have, or those for
    /// several are not a multiple of it. Nothing was written.
    NonceLen {
        /// The bytes of the algorithm's nonces.
        expected: usize,
        /// The bytes given.
        given: usize,
    },
    /// The algorithm's nonces are too short to be random: count them. Nothing was sealed.
    NoRandomNonce,
    /// A detached tag is not as long as this key's tags. Nothing was written.
    TagLen {
        /// The bytes of this key's tags.
        expected: usize,
        /// The bytes given.
        given: usize,
    },
    /// A buffer for output has another length than the output. Nothing was written.
    OutputLen {
        /// The bytes that would be written: as many as the input has, but for columns.
        expected: usize,
        /// The bytes of the buffer.
        given: usize,
    },
    /// Some messages of a batch were not done; the statuses say which and why. All the
    /// others were.
    Batch {
        /// How many.
        failed: usize,
    },
    /// The parts of a batch do not match. Nothing was written.
    BatchShape {
        /// Which part: `"nonces"`, `"tags"`, `"statuses"`, `"texts"`, `"aads"`, `"text offsets"`,
        /// `"aad offsets"`, or of a column `"offsets"`, `"output offsets"` or
        /// `"bits of validity"`.
        what: &'static str,
        /// How many there should be, or the least or the greatest offset allowed.
        expected: usize,
        /// How many there are, or the offset found.
        given: usize,
    },
    /// An offset of a column is negative. Nothing was written.
    NegativeOffset {
        /// The offset.
        given: i64,
    },
    /// The usage bound that the caller set on this key is spent: rotate the key.
    /// Nothing was sealed.
    UsageBound {
        /// The most messages that the bound allows under one key.
        messages: u64,
    },
    /// The nonce's first bit is set, which MGM does not allow (RFC 9058 section 4).
    /// Nothing was sealed.
    Nonce,
    /// Plaintext and AAD are both empty, which MGM does not allow (RFC 9058 section 4.1).
    /// Nothing was sealed.
    Empty,
    /// A section of CTR-ACPKM must be a whole number of blocks, at least one.
    SectionLen {
        /// The bytes given.
        given: u64,
    },
    /// The operating system gave no random bytes. Nothing was sealed.
    Random,
    /// The kernels of this tier gave a wrong known answer on this machine, and
    /// refuse to run. Nothing was written.
    SelfCheck {
        /// The name of the tier.
        tier: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("message does not open under this key, nonce and aad"),
            Self::TooLong { what, limit, given } => {
                write!(f, "{what} is too long: at most {limit} bytes, {given} given")
            }
            Self::TooManyStrings { limit, given } => {
                write!(f, "too many strings of associated data: at most {limit}, {given} given")
            }
            Self::KeyLen { expected, given } => {
                write!(f, "keys of this algorithm have {expected} bytes, {given} given")
            }
            Self::NonceLen { expected, given } => {
                write!(f, "nonces of this algorithm have {expected} bytes, {given} given")
            }
            Self::NoRandomNonce => {
                f.write_str("the nonces of this algorithm are too short to be random")
            }
            Self::TagLen { expected, given } => {
                write!(f, "tags of this key have {expected} bytes, {given} given")
            }
            Self::OutputLen { expected, given } => {
                write!(f, "the output must have {expected} bytes, {given} given")
            }
            Self::Batch { failed: 1 } => f.write_str("1 message of the batch was not done"),
            Self::Batch { failed } => write!(f, "{failed} messages of the batch were not done"),
            Self::BatchShape { what, expected, given } => {
                write!(f, "batch does not fit together: {what}: {expected} expected, {given} given")
            }
            Self::NegativeOffset { given } => {
                write!(f, "an offset of the column is negative: {given}")
            }
            Self::UsageBound { messages } => {
                let plural = if *messages == 1 { "" } else { "s" };
                write!(f, "usage bound spent: this key sealed {messages} message{plural}")
            }
            Self::Nonce => f.write_str("the first bit of an MGM nonce must be zero"),
            Self::Empty => f.write_str("MGM cannot seal an empty plaintext with an empty aad"),
            Self::SectionLen { given } => {
                write!(f, "a section must be a positive multiple of 16 bytes, {given} given")
            }
            Self::Random => f.write_str("the operating system gave no random bytes"),
            Self::SelfCheck { tier } => {
                write!(f, "the {tier} kernels failed their known-answer check")
            }
        }
    }
}

impl core::error::Error for Error {}
