//! Implementations by others, each behind the cargo feature of its name.

#[cfg(feature = "aws-lc")]
#[allow(unsafe_code)]
mod aws_lc;
#[cfg(feature = "boringssl")]
#[allow(unsafe_code)]
mod boringssl;
#[cfg(any(feature = "libsodium", feature = "parts"))]
mod compose;
#[cfg(any(feature = "aws-lc", feature = "boringssl"))]
mod evp_aead;
#[cfg(feature = "rustcrypto")]
pub(crate) mod kuznyechik;
#[cfg(feature = "libsodium")]
#[allow(unsafe_code)]
mod libsodium;
#[cfg(any(
    feature = "aws-lc",
    feature = "boringssl",
    feature = "libsodium",
    feature = "openssl",
    feature = "ring"
))]
mod narrow;
#[cfg(feature = "openssl")]
#[allow(unsafe_code)]
mod openssl;
#[cfg(feature = "parts")]
mod parts;
#[cfg(feature = "ring")]
mod ring;
#[cfg(feature = "rscrypto")]
mod rscrypto;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;

use crate::harness::Work;
use crate::messages::Interface;

/// The input for peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PeerAlgorithm {
    /// RFC 8452 with a 16-byte key.
    Aes128GcmSiv,
    /// RFC 8452 with a 32-byte key.
    Aes256GcmSiv,
    /// NIST SP 800-38D with a 16-byte key.
    Aes128Gcm,
    /// NIST SP 800-38D with a 32-byte key.
    Aes256Gcm,
    /// Composed of a peer's ChaCha20 and BLAKE2b, tags of 32 bytes.
    ChaCha20Blake2b,
    /// Keyed BLAKE2b of the message alone, 32 bytes of output.
    Blake2b,
    /// RFC 8439.
    ChaCha20Poly1305,
    /// RFC 5297 with a 64-byte key.
    AesSiv512,
    /// RFC 5297 with a 32-byte key, and a nonce after the AAD.
    AesSiv256Nonce,
    /// RFC 9058.
    KuznyechikMgm,
}

impl PeerAlgorithm {
    /// The name that reports use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Aes128GcmSiv => "aes-128-gcm-siv",
            Self::Aes256GcmSiv => "aes-256-gcm-siv",
            Self::Aes128Gcm => "aes-128-gcm",
            Self::Aes256Gcm => "aes-256-gcm",
            Self::ChaCha20Blake2b => "chacha20-blake2b",
            Self::Blake2b => "blake2b",
            Self::ChaCha20Poly1305 => "chacha20-poly1305",
            Self::AesSiv512 => "aes-siv-512",
            Self::AesSiv256Nonce => "aes-siv-256-nonce",
            Self::KuznyechikMgm => "kuznyechik-mgm",
        }
    }

    /// The addition to a peer's name if its algorithm is another one.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Aes128Gcm | Self::Aes256Gcm => " AES-GCM",
            Self::ChaCha20Poly1305 => " ChaCha20-Poly1305",
            Self::Blake2b => " hash alone",
            _ => "",
        }
    }
}

/// A peer's name and its work under a key.
pub(crate) type Peer = (&'static str, Box<dyn Work>);

/// Every peer built in that offers `cipher`, with its key set up unless a row makes keys. Rows of
/// interfaces have those with a C interface for messages apart.
#[allow(unused_mut, unused_variables, reason = "no peer may be built in")]
pub(crate) fn offering(
    cipher: PeerAlgorithm,
    key: &[u8],
    interface: Option<Interface>,
) -> Vec<Peer> {
    let mut peers: Vec<Peer> = Vec::new();
    if interface.is_none() {
        #[cfg(feature = "libsodium")]
        peers.extend(libsodium::offering(cipher, key));
        #[cfg(feature = "parts")]
        peers.extend(parts::offering(cipher, key));
    }
    #[cfg(feature = "aws-lc")]
    peers.extend(aws_lc::offering(cipher, key, interface));
    #[cfg(feature = "boringssl")]
    peers.extend(boringssl::offering(cipher, key, interface));
    if interface.is_none() {
        #[cfg(feature = "rscrypto")]
        peers.extend(rscrypto::offering(cipher, key));
        #[cfg(feature = "rustcrypto")]
        peers.extend(rustcrypto::offering(cipher, key));
        #[cfg(feature = "openssl")]
        peers.extend(openssl::offering(cipher, key));
        #[cfg(feature = "ring")]
        peers.extend(ring::offering(cipher, key));
    }
    peers
}
