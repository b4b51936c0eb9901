//! AES-SIV as RFC 5297 section 2 writes it, with CMAC from RFC 4493.

use crate::aes::{Aes, Block};

/// The length of the tag in bytes, which comes before the ciphertext.
pub const TAG_LEN: usize = 16;

fn xor(a: Block, b: Block) -> Block {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// Section 2.3: multiplication by x in GF(2^128), the first byte being the highest.
fn dbl(block: Block) -> Block {
    let mut doubled = [0; 16];
    for i in 0..16 {
        let carried = if i < 15 { block[i + 1] >> 7 } else { 0 };
        doubled[i] = block[i] << 1 | carried;
    }
    if block[0] & 0x80 != 0 {
        doubled[15] ^= 0x87;
    }
    doubled
}

/// `pad`: a one bit, then zeros.
fn pad(bytes: &[u8]) -> Block {
    let mut block = [0; 16];
    block[..bytes.len()].copy_from_slice(bytes);
    block[bytes.len()] = 0x80;
    block
}

/// The blocks that CMAC chains over: the last is masked with one of the two subkeys.
fn masked_blocks(aes: &Aes, message: &[u8]) -> Vec<Block> {
    let k1 = dbl(aes.encrypt_block([0; 16]));
    let k2 = dbl(k1);
    let last_starts = message.len().saturating_sub(1) / 16 * 16;
    let (whole, last) = message.split_at(last_starts);
    let mut blocks: Vec<Block> =
        whole.chunks(16).map(|chunk| core::array::from_fn(|i| chunk[i])).collect();
    blocks.push(match last.try_into() {
        Ok(last) => xor(last, k1),
        Err(_) => xor(pad(last), k2),
    });
    blocks
}

/// AES-CMAC, RFC 4493.
#[must_use]
pub fn cmac(key: &[u8], message: &[u8]) -> Block {
    let aes = Aes::new(key);
    let blocks = masked_blocks(&aes, message);
    blocks.iter().fold([0; 16], |state, block| aes.encrypt_block(xor(state, *block)))
}

/// D of section 2.4 after every string but the last.
fn sum(key: &[u8], strings: &[&[u8]]) -> Block {
    let zero = cmac(key, &[0; 16]);
    strings.iter().fold(zero, |d, string| xor(dbl(d), cmac(key, string)))
}

/// T of section 2.4: the last string and D together.
fn joined(d: Block, last: &[u8]) -> Vec<u8> {
    if let Some(start) = last.len().checked_sub(16) {
        let mut t = last.to_vec();
        t[start..].iter_mut().zip(d).for_each(|(t, d)| *t ^= d);
        t
    } else {
        xor(dbl(d), pad(last)).to_vec()
    }
}

/// S2V, section 2.4.
#[must_use]
pub fn s2v(key: &[u8], strings: &[&[u8]]) -> Block {
    match strings.split_last() {
        None => {
            let mut one = [0; 16];
            one[15] = 1;
            cmac(key, &one)
        }
        Some((last, others)) => cmac(key, &joined(sum(key, others), last)),
    }
}

/// Section 2.5: CTR under K2, which starts at the tag with two of its bits cleared, and counts
/// in all of its 128 bits.
#[must_use]
pub fn ctr(k2: &[u8], tag: &Block, input: &[u8]) -> Vec<u8> {
    let aes = Aes::new(k2);
    let mut q = *tag;
    q[8] &= 0x7f;
    q[12] &= 0x7f;
    let mut output = Vec::new();
    for (i, chunk) in (0_u128..).zip(input.chunks(16)) {
        let counter = u128::from_be_bytes(q).wrapping_add(i);
        let keystream = aes.encrypt_block(counter.to_be_bytes());
        output.extend(chunk.iter().zip(keystream).map(|(byte, key)| byte ^ key));
    }
    output
}

/// Section 2.6: tag ‖ ciphertext.
#[must_use]
pub fn seal(key: &[u8], associated_data: &[&[u8]], plaintext: &[u8]) -> Vec<u8> {
    let (k1, k2) = key.split_at(key.len() / 2);
    let tag = s2v(k1, &[associated_data, &[plaintext]].concat());
    [&tag[..], &ctr(k2, &tag, plaintext)].concat()
}

/// A plaintext whose tag is the given one: `plaintext`, of 16 bytes or more, with other bytes
/// in its first and in its last sixteen. It is how a test starts the counter where it wants.
///
/// # Panics
///
/// If `plaintext` is shorter.
#[must_use]
pub fn plaintext_with_tag(
    key: &[u8],
    associated_data: &[&[u8]],
    plaintext: &[u8],
    tag: Block,
) -> Vec<u8> {
    let k1 = &key[..key.len() / 2];
    let aes = Aes::new(k1);
    // Walk back from the result: the encrypted block, less the value added there.
    let blocks = masked_blocks(&aes, plaintext);
    let after_first =
        blocks[1..].iter().rev().fold(tag, |state, block| xor(aes.decrypt_block(state), *block));
    let mut first = aes.decrypt_block(after_first);
    if blocks.len() == 1 {
        first = xor(first, dbl(aes.encrypt_block([0; 16])));
    }
    let mut t = plaintext.to_vec();
    t[..16].copy_from_slice(&first);
    joined(sum(k1, associated_data), &t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{hex, read_lists};

    fn block(text: &str) -> Block {
        hex(text).unwrap().try_into().unwrap()
    }

    /// RFC 4493 section 4.
    #[test]
    fn cmac_of_rfc_4493() {
        let key = hex("2b7e151628aed2a6abf7158809cf4f3c").unwrap();
        let message = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
                       30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
        let message = hex(message).unwrap();
        for (len, mac) in [
            (0, "bb1d6929e95937287fa37d129b756746"),
            (16, "070a16b46b4d4144f79bdd9dd04a287c"),
            (40, "dfa66747de9ae63030ca32611497c827"),
            (64, "51f0bebf7e3b9d92fc49741779363cfe"),
        ] {
            assert_eq!(cmac(&key, &message[..len]), block(mac), "{len}");
        }
    }

    /// S2V of no string at all, which encryption never asks for.
    #[test]
    fn s2v_of_nothing() {
        let key = hex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0").unwrap();
        assert_eq!(s2v(&key, &[]), block("949f99cbcc3eb5da6d3c45d0f59aa9c7"));
    }

    /// Those with one string are among the conformance tests.
    #[test]
    fn vectors_with_lists() {
        let text = include_str!("../../../vectors/aes-siv/lists.json");
        for case in read_lists(text).unwrap() {
            let list: Vec<&[u8]> = case.associated_data.iter().map(Vec::as_slice).collect();
            let sealed = seal(&case.key, &list, &case.plaintext);
            assert_eq!(sealed, [case.tag, case.ciphertext].concat(), "{}", case.name);
        }
    }
}
