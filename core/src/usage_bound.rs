//! How many messages one key may seal: RFC 8452 section 9.

#[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
use crate::error::Error;
#[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
use core::sync::atomic::{AtomicU64, Ordering};

/// A bound on the use of one key with random nonces.
///
/// For AES-GCM-SIV, RFC 8452 section 9 sets it, and the constants have it. Other algorithms
/// document theirs; [`UsageBound::new`] makes it. The section's limits keep an attacker's advantage
/// under 2^-32 while no nonce is used more than 256 times with one key. Random nonces stay within
/// that:
///
/// | plaintext and AAD of a message, at most | messages under one key | constant |
/// |---|---|---|
/// | 1 GiB | 2^29 | [`UsageBound::GIB_1`] |
/// | 128 MiB | 2^35 | [`UsageBound::MIB_128`] |
/// | 1 MiB | 2^49 | [`UsageBound::MIB_1`] |
/// | 16 KiB | 2^61 | [`UsageBound::KIB_16`] |
///
/// A key counts nothing unless it is asked to, because only the application knows about its other
/// processes and restarts. The count belongs to one key object and starts at zero with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsageBound {
    messages: u64,
    message_len: u64,
}

impl UsageBound {
    /// 2^29 messages of at most 1 GiB.
    pub const GIB_1: Self = Self { messages: 1 << 29, message_len: 1 << 30 };
    /// 2^35 messages of at most 128 MiB.
    pub const MIB_128: Self = Self { messages: 1 << 35, message_len: 1 << 27 };
    /// 2^49 messages of at most 1 MiB.
    pub const MIB_1: Self = Self { messages: 1 << 49, message_len: 1 << 20 };
    /// 2^61 messages of at most 16 KiB.
    pub const KIB_16: Self = Self { messages: 1 << 61, message_len: 1 << 14 };

    /// So many messages of at most `message_len` bytes, plaintext and AAD together.
    #[must_use]
    pub const fn new(messages: u64, message_len: u64) -> Self {
        Self { messages, message_len }
    }

    /// The same bound with fewer messages, for keys that several processes share.
    /// A larger number than the bound's own changes nothing.
    #[must_use]
    pub const fn at_most(self, messages: u64) -> Self {
        let messages = if messages < self.messages { messages } else { self.messages };
        Self { messages, ..self }
    }

    /// How many messages one key may seal.
    #[must_use]
    pub const fn messages(self) -> u64 {
        self.messages
    }

    /// The longest message in bytes, plaintext and AAD together.
    #[must_use]
    pub const fn message_len(self) -> u64 {
        self.message_len
    }
}

/// A bound together with its use so far.
#[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
pub(crate) struct Usage {
    bound: UsageBound,
    sealed: AtomicU64,
}

#[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
impl Usage {
    pub(crate) fn new(bound: UsageBound) -> Self {
        Self { bound, sealed: AtomicU64::new(0) }
    }

    /// Takes `messages` of the longest length `message_len` out of the rest, all of them or none.
    pub(crate) fn spend(&self, messages: u64, message_len: u64) -> Result<(), Error> {
        if messages == 0 {
            return Ok(());
        }
        if message_len > self.bound.message_len {
            return Err(Error::TooLong {
                what: "plaintext and aad under this key's usage bound",
                limit: self.bound.message_len,
                given: message_len,
            });
        }
        self.sealed
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |sealed| {
                sealed.checked_add(messages).filter(|&sum| sum <= self.bound.messages)
            })
            .map(|_| ())
            .map_err(|_| Error::UsageBound { messages: self.bound.messages })
    }
}
