//! The ChaCha20-BLAKE2b family, with what is composed of others' parts as peers and
//! ChaCha20-Poly1305, which commits to nothing, as the yardstick.

use super::Algorithm;
use crate::aead::{Aead, OneAtATime};
use crate::harness::{Contender, Kind, Operation, Work};
use crate::messages::{Messages, Shape};
use crate::peer::{self, Cipher};
use sivka::{BatchAad, BatchText, ChaCha20Blake2b, LongTag, Status, TagLen, Tier};
use sivka::{XChaCha20Blake2b, XChaCha20Blake2bSiv};

/// The sizes of the C# library's own table, 16 KiB to 34.1 MiB, among ours.
const LENS: &[usize] = &[
    16, 64, 512, 1024, 4096, 16_384, 32_768, 66_253, 132_096, 1_048_576, 35_756_441,
];

/// ChaCha20-BLAKE2b with tags of 32 bytes.
pub(super) const CHACHA20: Algorithm = Algorithm {
    name: "chacha20-blake2b",
    nonce_len: 8,
    contenders: chacha20,
    ..COMMON
};

/// XChaCha20-BLAKE2b with tags of 32 bytes.
pub(super) const XCHACHA20: Algorithm = Algorithm {
    name: "xchacha20-blake2b",
    nonce_len: 24,
    contenders: xchacha20,
    ..COMMON
};

/// XChaCha20-BLAKE2b-SIV with tags of 32 bytes.
pub(super) const SIV: Algorithm = Algorithm {
    name: "xchacha20-blake2b-siv",
    nonce_len: 0,
    contenders: siv,
    ..COMMON
};

const TAG_LEN: usize = 32;

const COMMON: Algorithm = Algorithm {
    name: "",
    operations: &[Operation::Seal, Operation::Open],
    nonce_len: 0,
    tag_len: TAG_LEN,
    lens: LENS,
    aad_lens: &[0, 16],
    batch_lens: &[64, 16_384],
    contenders: siv,
};

const KEY: &[u8; 32] = b"a 256-bit key, not a secret one.";

fn chacha20(shape: Shape) -> Vec<Contender> {
    let mut all = Vec::new();
    for tier in Tier::available() {
        let key = || ChaCha20Blake2b::with_tier(KEY, TagLen::Bytes32, tier);
        all.extend(ours(CHACHA20.name, tier, shape, key));
    }
    all.extend(others(CHACHA20.name, Kind::Peer, Cipher::ChaCha20Blake2b));
    all.extend(others("blake2b", Kind::Yardstick, Cipher::Blake2b));
    all.extend(others(
        "chacha20-poly1305",
        Kind::Yardstick,
        Cipher::ChaCha20Poly1305,
    ));
    all
}

fn xchacha20(shape: Shape) -> Vec<Contender> {
    let each = Tier::available().flat_map(|tier| {
        let key = move || XChaCha20Blake2b::with_tier(KEY, TagLen::Bytes32, tier);
        ours(XCHACHA20.name, tier, shape, key)
    });
    each.collect()
}

fn siv(shape: Shape) -> Vec<Contender> {
    let each = Tier::available().flat_map(|tier| {
        let key = move || XChaCha20Blake2bSiv::with_tier(KEY, TagLen::Bytes32, tier);
        ours(SIV.name, tier, shape, key)
    });
    each.collect()
}

/// Our contenders on one tier: single calls, and in a batch one call for all as well.
fn ours<K: Aead + Batch + 'static>(
    algorithm: &'static str,
    tier: Tier,
    shape: Shape,
    key: impl Fn() -> K,
) -> Vec<Contender> {
    let contender = |name: String, work: Box<dyn Work>| Contender {
        name,
        algorithm,
        kind: Kind::Ours(tier),
        work,
    };
    let mut all = vec![contender(
        format!("sivka {tier}"),
        Box::new(OneAtATime(key())),
    )];
    if shape.batch > 1 {
        all.push(contender(
            format!("sivka {tier} batch"),
            Box::new(AllAtOnce(key())),
        ));
    }
    all
}

/// Every peer that offers `cipher`.
fn others(algorithm: &'static str, kind: Kind, cipher: Cipher) -> impl Iterator<Item = Contender> {
    peer::offering(cipher, KEY)
        .into_iter()
        .map(move |(peer, work)| Contender {
            name: match cipher {
                Cipher::ChaCha20Poly1305 => format!("{peer} ChaCha20-Poly1305"),
                Cipher::Blake2b => format!("{peer} hash alone"),
                _ => peer.to_owned(),
            },
            algorithm,
            kind,
            work,
        })
}

/// A key that takes a whole batch in one call.
trait Batch {
    fn seal(
        &self,
        nonces: &[u8],
        aad: &[u8],
        texts: &mut [&mut [u8]],
        tags: &mut [LongTag],
        statuses: &mut [Status],
    );
    fn open(
        &self,
        nonces: &[u8],
        aad: &[u8],
        texts: &mut [&mut [u8]],
        tags: &[LongTag],
        statuses: &mut [Status],
    );
}

/// Messages handed over in one call: as many as a program would collect.
const AT_ONCE: usize = 64;

/// Calls a key once for every [`AT_ONCE`] messages. What is timed includes the lists made
/// for the call and a copy of every tag, because the harness keeps each tag behind its text.
struct AllAtOnce<K>(K);

impl<K: Batch> Work for AllAtOnce<K> {
    fn forward(&mut self, messages: &mut Messages) {
        let (nonce_len, parts) = (messages.shape().nonce_len.max(1), messages.parts());
        let mut tags = [LongTag::from([0; TAG_LEN]); AT_ONCE];
        let mut statuses = [Status::Done; AT_ONCE];
        let groups = parts.bytes.chunks_mut(parts.stride * AT_ONCE);
        for (group, nonces) in groups.zip(parts.nonces.chunks(nonce_len * AT_ONCE)) {
            let count = group.len() / parts.stride;
            let mut texts = Vec::with_capacity(AT_ONCE);
            let mut rooms = Vec::with_capacity(AT_ONCE);
            for message in group.chunks_exact_mut(parts.stride) {
                let (text, room) = message
                    .split_last_chunk_mut::<TAG_LEN>()
                    .expect("room for a tag");
                texts.push(text);
                rooms.push(room);
            }
            let (tags, statuses) = (&mut tags[..count], &mut statuses[..count]);
            self.0.seal(nonces, parts.aad, &mut texts, tags, statuses);
            for (room, tag) in rooms.into_iter().zip(tags) {
                room.copy_from_slice(tag.as_bytes());
            }
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        let (nonce_len, parts) = (messages.shape().nonce_len.max(1), messages.parts());
        let mut statuses = [Status::Done; AT_ONCE];
        let groups = parts.bytes.chunks_mut(parts.stride * AT_ONCE);
        for (group, nonces) in groups.zip(parts.nonces.chunks(nonce_len * AT_ONCE)) {
            let mut texts = Vec::with_capacity(AT_ONCE);
            let mut tags = Vec::with_capacity(AT_ONCE);
            for message in group.chunks_exact_mut(parts.stride) {
                let (text, tag) = message.split_last_chunk_mut::<TAG_LEN>().expect("a tag");
                texts.push(text);
                tags.push(LongTag::from(*tag));
            }
            let statuses = &mut statuses[..tags.len()];
            self.0.open(nonces, parts.aad, &mut texts, &tags, statuses);
        }
    }
}

macro_rules! key {
    ($key:ty, $nonce:expr, |$this:ident, $n:ident, $aad:ident, $in_out:ident| $seal:expr, |$tag:ident| $open:expr $(, $nonces:path)?) => {
        impl Aead for $key {
            #[inline(always)]
            fn seal(&mut self, nonce: &[u8], $aad: &[u8], message: &mut [u8]) {
                let ($in_out, room) = message
                    .split_last_chunk_mut::<TAG_LEN>()
                    .expect("room for a tag");
                let ($this, $n) = (&*self, $nonce(nonce));
                let tag = $seal.expect("within the limits");
                room.copy_from_slice(tag.as_bytes());
            }

            #[inline(always)]
            fn open(&mut self, nonce: &[u8], $aad: &[u8], message: &mut [u8]) -> bool {
                let ($in_out, tag) = message.split_last_chunk_mut::<TAG_LEN>().expect("a tag");
                let ($this, $n, $tag) = (&*self, $nonce(nonce), &LongTag::from(*tag));
                $open.is_ok()
            }
        }

        impl Batch for $key {
            fn seal(
                &self,
                _nonces: &[u8],
                aad: &[u8],
                texts: &mut [&mut [u8]],
                tags: &mut [LongTag],
                statuses: &mut [Status],
            ) {
                let (aad, text) = (BatchAad::Common(aad), BatchText::Slices(texts));
                self.seal_batch($($nonces(_nonces),)? aad, text, tags, statuses)
                    .expect("within the limits");
            }

            fn open(
                &self,
                _nonces: &[u8],
                aad: &[u8],
                texts: &mut [&mut [u8]],
                tags: &[LongTag],
                statuses: &mut [Status],
            ) {
                let (aad, text) = (BatchAad::Common(aad), BatchText::Slices(texts));
                self.open_batch($($nonces(_nonces),)? aad, text, tags, statuses)
                    .expect("messages that were sealed open");
            }
        }
    };
}

/// All nonces as arrays.
fn arrays<const LEN: usize>(nonces: &[u8]) -> &[[u8; LEN]] {
    nonces.as_chunks().0
}

/// A nonce as an array.
fn array<const LEN: usize>(nonce: &[u8]) -> [u8; LEN] {
    nonce.try_into().expect("a nonce of the algorithm's length")
}

key!(
    ChaCha20Blake2b,
    array::<8>,
    |key, nonce, aad, in_out| key.seal_in_place(&nonce, aad, in_out),
    |tag| key.open_in_place(&nonce, aad, in_out, tag),
    arrays
);
key!(
    XChaCha20Blake2b,
    array::<24>,
    |key, nonce, aad, in_out| key.seal_in_place(&nonce, aad, in_out),
    |tag| key.open_in_place(&nonce, aad, in_out, tag),
    arrays
);
key!(
    XChaCha20Blake2bSiv,
    |_| (),
    |key, _nonce, aad, in_out| key.seal_in_place(aad, in_out),
    |tag| key.open_in_place(aad, in_out, tag)
);
