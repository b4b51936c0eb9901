//! The AEADs, each beside the peers that have it and yardsticks that do a comparable job.

use crate::algorithm::{Algorithm, BATCH};
use crate::harness::{Contender, Kind, Operation};
use crate::messages::Shape;
use crate::ours;
use crate::peer::{self, PeerAlgorithm};

/// RFC 8452, AEAD_AES_128_GCM_SIV, with AES-GCM of the same key size as the yardstick.
pub(super) const AES_128_GCM_SIV: Algorithm = Algorithm {
    name: "aes-128-gcm-siv",
    hash_of: None,
    operations: &[Operation::Seal, Operation::Open],
    lens: &[16, 64, 128, 256, 1024, 4096, 8192, 16_384, 65_536, 1_048_576, 35_756_441],
    aad_lens: &[0, 16],
    batch_lens: &[16, 64, 256, 1024, 4096],
    at_once: BATCH,
    interface_lens: &[0, 16, 64, 128, 256, 512, 1024, 4096],
    ciphers: &[PeerAlgorithm::Aes128GcmSiv, PeerAlgorithm::Aes128Gcm],
    contenders,
};

/// RFC 8452, AEAD_AES_256_GCM_SIV.
pub(super) const AES_256_GCM_SIV: Algorithm = Algorithm {
    name: "aes-256-gcm-siv",
    ciphers: &[PeerAlgorithm::Aes256GcmSiv, PeerAlgorithm::Aes256Gcm],
    ..AES_128_GCM_SIV
};

/// POLYVAL (RFC 8452, section 3) beside GHASH, the yardstick (NIST SP 800-38D, section 6.4),
/// as the AEADs run them over AAD. The message is empty, which leaves beside the hash its key
/// and one block for the tag. At the sizes of the C# library's own table.
pub(super) const POLYVAL: Algorithm = Algorithm {
    name: "polyval",
    hash_of: Some("aes-128-gcm-siv"),
    lens: &[0],
    aad_lens: &[16, 128, 1024, 4096, 8192],
    batch_lens: &[],
    interface_lens: &[],
    ..AES_128_GCM_SIV
};

/// ChaCha20-BLAKE2b with tags of 32 bytes. The peers are composed of others' parts. The yardstick
/// is ChaCha20-Poly1305, which commits to nothing.
pub(super) const CHACHA20_BLAKE2B: Algorithm = Algorithm {
    name: "chacha20-blake2b",
    // The sizes of the C# library's own table, 16 KiB to 34.1 MiB, among ours.
    lens: &[16, 64, 512, 1024, 4096, 16_384, 32_768, 66_253, 132_096, 1_048_576, 35_756_441],
    batch_lens: &[64, 16_384],
    // As many as a program would collect.
    at_once: 64,
    ciphers: &[
        PeerAlgorithm::ChaCha20Blake2b,
        PeerAlgorithm::Blake2b,
        PeerAlgorithm::ChaCha20Poly1305,
    ],
    ..AES_128_GCM_SIV
};

/// XChaCha20-BLAKE2b with tags of 32 bytes.
pub(super) const XCHACHA20_BLAKE2B: Algorithm =
    Algorithm { name: "xchacha20-blake2b", ciphers: &[], ..CHACHA20_BLAKE2B };

/// XChaCha20-BLAKE2b-SIV with tags of 32 bytes.
pub(super) const XCHACHA20_BLAKE2B_SIV: Algorithm =
    Algorithm { name: "xchacha20-blake2b-siv", ..XCHACHA20_BLAKE2B };

/// RFC 5297, AEAD_AES_SIV_CMAC_512, with one string of associated data.
pub(super) const AES_SIV_512: Algorithm = Algorithm {
    name: "aes-siv-512",
    lens: &[16, 64, 256, 1024, 4096, 16_384, 65_536, 1_048_576],
    aad_lens: &[16],
    interface_lens: &[],
    ciphers: &[PeerAlgorithm::AesSiv512],
    ..AES_128_GCM_SIV
};

/// RFC 9058.
pub(super) const KUZNYECHIK_MGM: Algorithm = Algorithm {
    name: "kuznyechik-mgm",
    lens: &[16, 64, 256, 1024, 4096, 16_384, 65_536, 1_048_576],
    aad_lens: &[16],
    ciphers: &[PeerAlgorithm::KuznyechikMgm],
    ..AES_128_GCM_SIV
};

fn contenders(algorithm: &Algorithm, shape: Shape) -> Vec<Contender> {
    let mut all = ours::contenders(algorithm, shape);
    all.extend(peers(algorithm, shape));
    all
}

/// The peers and yardsticks of an algorithm.
pub(super) fn peers(algorithm: &Algorithm, shape: Shape) -> impl Iterator<Item = Contender> {
    algorithm.ciphers.iter().flat_map(move |cipher| {
        let (kind, of) = if [algorithm.name, algorithm.aead()].contains(&cipher.name()) {
            (Kind::Peer, algorithm.name)
        } else {
            (Kind::Yardstick, cipher.name())
        };
        let peers = peer::offering(*cipher, algorithm.key(), shape.interface);
        peers.into_iter().map(move |(peer, work)| Contender {
            name: format!("{peer}{}", cipher.title()),
            algorithm: of,
            kind,
            work,
        })
    })
}
