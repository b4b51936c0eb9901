//! AES-GCM-SIV as the suite sees it.

use sivka::{Aes128GcmSiv, Aes256GcmSiv, Error, Tag, Tier};
use sivka_oracle::gcm_siv;
use sivka_oracle::lengths::painted;
use sivka_oracle::suite::{Algorithm, Failure, Message, Subject, Suite};
use sivka_oracle::vectors::{self, Case};

const RFC_8452: &str = include_str!("../../../vectors/aes-gcm-siv/rfc8452.json");
const COUNTER_WRAP: &str = include_str!("../../../vectors/aes-gcm-siv/rfc8452-counter-wrap.json");

pub(crate) const fn algorithm(name: &'static str, key_len: usize) -> Algorithm {
    Algorithm {
        name,
        key_len,
        nonce_len: gcm_siv::NONCE_LEN,
        tag_len: gcm_siv::TAG_LEN,
        seal: |key, message| gcm_siv::seal(key, &message.nonce, &message.aad, &message.plaintext),
        refuses: |_| false,
    }
}

/// The RFC's cases, the messages of [`counters`] and the grid of lengths.
pub(crate) fn suite(algorithm: &Algorithm) -> Suite {
    Suite::new(*algorithm, cases(algorithm.name), counters(algorithm))
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Open => Failure::Open,
        _ => Failure::Misuse,
    }
}

/// A key, in a type of this crate so that it can be a [`Subject`].
struct OneKey<K>(K);

macro_rules! subject {
    ($key:ident, $subject:ident) => {
        pub(crate) fn $subject(key: &[u8], tier: Tier) -> Box<dyn Subject> {
            Box::new(OneKey($key::with_tier(
                key.try_into().expect("a key of KEY_LEN bytes"),
                tier,
            )))
        }

        impl Subject for OneKey<$key> {
            fn tier_name(&self) -> &str {
                self.0.tier_name()
            }

            fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
                self.0.seal(plaintext, aad).map_err(failure)
            }

            fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
                self.0.open(sealed, aad).map_err(failure)
            }

            fn seal_with_nonce(
                &self,
                nonce: &[u8],
                plaintext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Failure> {
                let nonce = nonce.try_into().expect("a nonce of NONCE_LEN bytes");
                self.0
                    .seal_with_nonce(nonce, plaintext, aad)
                    .map_err(failure)
            }

            fn open_with_nonce(
                &self,
                nonce: &[u8],
                ciphertext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Failure> {
                let nonce = nonce.try_into().expect("a nonce of NONCE_LEN bytes");
                self.0
                    .open_with_nonce(nonce, ciphertext, aad)
                    .map_err(failure)
            }

            fn seal_in_place(
                &self,
                nonce: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
            ) -> Result<Vec<u8>, Failure> {
                let tag = self.0.seal_in_place(
                    nonce.try_into().expect("a nonce of NONCE_LEN bytes"),
                    aad,
                    in_out,
                );
                tag.map(|tag| tag.as_bytes().to_vec()).map_err(failure)
            }

            fn open_in_place(
                &self,
                nonce: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), Failure> {
                let tag =
                    Tag::from(<[u8; Tag::LEN]>::try_from(tag).expect("a tag of TAG_LEN bytes"));
                self.0
                    .open_in_place(
                        nonce.try_into().expect("a nonce of NONCE_LEN bytes"),
                        aad,
                        in_out,
                        &tag,
                    )
                    .map_err(failure)
            }
        }
    };
}

subject!(Aes128GcmSiv, subject_128);
subject!(Aes256GcmSiv, subject_256);

/// The cases of both RFC files for this algorithm.
fn cases(algorithm: &str) -> Vec<Case> {
    let groups = [RFC_8452, COUNTER_WRAP]
        .into_iter()
        .flat_map(|text| vectors::read(text).expect("a well-formed vector file"));
    groups
        .filter(|group| group.algorithm == algorithm)
        .flat_map(|group| group.cases)
        .collect()
}

/// The blocks of the long messages of [`counters`]: twice the widest stride of
/// any tier and a ragged end.
const BLOCKS: usize = 2 * 64 + 5;

/// Where the 32-bit block counter starts in the long messages: so that it wraps
/// before every one of their blocks, then around the carries within it.
fn counter_starts() -> impl Iterator<Item = u32> {
    let wraps = (0..BLOCKS as u32).map(|blocks_before| u32::MAX - blocks_before);
    wraps.chain([0, 0xfe, 0xfffe, 0x00ff_fffe, 0x7fff_fffe, 0x7fff_ff00])
}

/// The lengths of messages whose counter wraps after the first block or never.
const SHORT: [usize; 9] = [16, 17, 31, 32, 33, 48, 64, 65, 129];

/// The counter starts and lengths of messages that are long enough for kernels to look the
/// first rounds of AES up: the counter wraps within each, the bytes below the wrap take
/// every place in a stride, and so do the ends.
fn longest() -> impl Iterator<Item = (u32, usize)> {
    (0..LONGEST as u32).map(|i| (u32::MAX - 20 - 13 * i, 16_384 + 37 * i as usize))
}

const LONGEST: usize = 40;

/// How many messages [`counters`] makes.
pub(crate) const CONSTRUCTED: usize = BLOCKS + 6 + SHORT.len() + LONGEST;

/// Messages made so that their tag, which is the initial counter, starts the
/// counter where a test wants it; beyond the two that RFC 8452 C.3 has.
fn counters(algorithm: &Algorithm) -> Vec<Case> {
    let long = counter_starts().map(|start| (start, 16 * (BLOCKS - 1) + 7));
    let short = SHORT.into_iter().map(|len| (u32::MAX, len));
    long.chain(short)
        .chain(longest())
        .map(|(start, len)| starting_at(algorithm, start, len))
        .collect()
}

fn starting_at(algorithm: &Algorithm, start: u32, len: usize) -> Case {
    let key = painted(3, algorithm.key_len);
    let nonce = painted(5, algorithm.nonce_len);
    let aad = painted(7, len % 21);
    // One tag in two cannot be had; both values of its top bit occur.
    let (tag, plaintext) = (0..=255_u8)
        .find_map(|variation| {
            let mut tag = [variation.wrapping_mul(0x35) ^ start as u8; 16];
            tag[..4].copy_from_slice(&start.to_le_bytes());
            let template = painted(0, len);
            let plaintext = gcm_siv::plaintext_with_tag(&key, &nonce, &aad, &template, tag)?;
            Some((tag, plaintext))
        })
        .expect("a tag that can be had");
    let message = Message {
        nonce,
        aad,
        plaintext,
    };
    let mut ciphertext = (algorithm.seal)(&key, &message);
    assert_eq!(
        ciphertext.split_off(len),
        tag,
        "the construction missed its tag"
    );
    let name = format!("counter starts at {start:#010x}, {len} bytes");
    let Message {
        nonce,
        aad,
        plaintext,
    } = message;
    Case {
        name,
        key,
        nonce,
        aad,
        plaintext,
        ciphertext,
        tag: tag.to_vec(),
    }
}
