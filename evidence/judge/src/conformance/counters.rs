//! Messages whose block counter wraps or carries: of AES-GCM-SIV beyond the two of RFC 8452
//! C.3, and of AES-SIV.

use super::Algorithm;
use sivka_oracle::lengths::painted;
use sivka_oracle::vectors::Case;
use sivka_oracle::{aes_siv, gcm_siv};

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

/// Counter starts and lengths of messages that are long enough for tables of the first rounds of
/// AES. The counter wraps within each. The bytes below the wrap, and the ends, take every place in
/// a stride.
fn longest() -> impl Iterator<Item = (u32, usize)> {
    (0..40).map(|i| (u32::MAX - 20 - 13 * i, 16_384 + 37 * i as usize))
}

/// Messages made so that their tag, which is the initial counter, starts the
/// counter where a test wants it.
pub(super) fn counters(algorithm: &Algorithm) -> Vec<Case> {
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
    let sealed = gcm_siv::seal(&key, &nonce, &aad, &plaintext);
    case(algorithm, start, &sealed, tag, [key, nonce, aad, plaintext])
}

/// A case that seals to `sealed`, whose tag starts the counter at `start`.
fn case(
    algorithm: &Algorithm,
    start: u32,
    sealed: &[u8],
    tag: [u8; 16],
    [key, nonce, aad, plaintext]: [Vec<u8>; 4],
) -> Case {
    let (ciphertext, made) = algorithm.split(sealed);
    assert_eq!(made, tag, "the construction missed its tag");
    Case {
        name: format!("counter starts at {start:#010x}, {} bytes", plaintext.len()),
        key,
        nonce,
        aad,
        plaintext,
        ciphertext: ciphertext.to_vec(),
        tag: tag.to_vec(),
    }
}

/// Where the low 32 bits of AES-SIV's counter start. RFC 5297 clears the highest of them,
/// so that they do not wrap here; their own bytes carry.
const AES_SIV_STARTS: [u32; 7] =
    [0x7fff_ffff, 0x7fff_ff80, 0xffff_ffff, 0x00ff_fffe, 0x0000_ffef, 0x0000_00f0, 0];

/// The lengths of AES-SIV's messages.
const AES_SIV_LENS: [usize; 5] = [17, 100, 16 * 20, 16 * (BLOCKS - 1) + 7, 5003];

/// Messages of AES-SIV that start the counter where a test wants it, with all other bits of
/// the tag set, those two among them that the counter does not have.
pub(super) fn of_aes_siv(algorithm: &Algorithm) -> Vec<Case> {
    let starts = AES_SIV_STARTS.into_iter();
    let both = starts.flat_map(|start| AES_SIV_LENS.map(|len| (start, len)));
    let cases = both.map(|(start, len)| {
        let (key, aad) = (painted(3, algorithm.key_len), painted(7, len % 21));
        let mut tag = [0xff; aes_siv::TAG_LEN];
        tag[12..].copy_from_slice(&start.to_be_bytes());
        let plaintext = aes_siv::plaintext_with_tag(&key, &[&aad], &painted(0, len), tag);
        let sealed = aes_siv::seal(&key, &[&aad], &plaintext);
        case(algorithm, start, &sealed, tag, [key, Vec::new(), aad, plaintext])
    });
    cases.collect()
}
