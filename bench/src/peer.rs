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
#[cfg(feature = "openssl")]
#[allow(unsafe_code)]
mod openssl;
#[cfg(feature = "parts")]
mod parts;
#[cfg(feature = "ring")]
mod ring;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;

use crate::harness::Work;

/// What peers are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cipher {
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
}

/// A peer's name and its work under a key.
pub(crate) type Peer = (&'static str, Box<dyn Work>);

/// Every peer built in that offers `cipher`, with its key set up.
#[allow(unused_mut, unused_variables, reason = "no peer may be built in")]
pub(crate) fn offering(cipher: Cipher, key: &[u8]) -> Vec<Peer> {
    let mut peers: Vec<Peer> = Vec::new();
    #[cfg(feature = "libsodium")]
    peers.extend(libsodium::offering(cipher, key));
    #[cfg(feature = "parts")]
    peers.extend(parts::offering(cipher, key));
    #[cfg(feature = "aws-lc")]
    peers.extend(aws_lc::offering(cipher, key));
    #[cfg(feature = "boringssl")]
    peers.extend(boringssl::offering(cipher, key));
    #[cfg(feature = "rustcrypto")]
    peers.extend(rustcrypto::offering(cipher, key));
    #[cfg(feature = "openssl")]
    peers.extend(openssl::offering(cipher, key));
    #[cfg(feature = "ring")]
    peers.extend(ring::offering(cipher, key));
    peers
}
