//! AES-GCM-SIV as RFC 8452 section 4 writes it.

use crate::aes::{Aes, Block};
use crate::polyval::{dot, inverse, polyval};

/// The length of a nonce in bytes.
pub const NONCE_LEN: usize = 12;
/// The length of a tag in bytes.
pub const TAG_LEN: usize = 16;

/// The two keys of one message.
pub struct MessageKeys {
    /// H of POLYVAL.
    pub authentication: Block,
    /// The AES key, as long as the key-generating key.
    pub encryption: Vec<u8>,
}

/// `derive_keys(key_generating_key, nonce)`.
#[must_use]
pub fn derive_keys(key: &[u8], nonce: &[u8]) -> MessageKeys {
    let aes = Aes::new(key);
    let half_block = |counter: u32| {
        let mut input = [0; 16];
        input[..4].copy_from_slice(&counter.to_le_bytes());
        input[4..].copy_from_slice(nonce);
        aes.encrypt_block(input)[..8].to_vec()
    };
    let authentication = [half_block(0), half_block(1)].concat();
    let last_counter = if key.len() == 32 { 5 } else { 3 };
    MessageKeys {
        authentication: core::array::from_fn(|i| authentication[i]),
        encryption: (2..=last_counter).flat_map(half_block).collect(),
    }
}

/// The blocks that POLYVAL hashes: the AAD and the plaintext, each padded with
/// zeros, and the block of their lengths in bits.
fn hashed_blocks(aad: &[u8], plaintext: &[u8]) -> Vec<u128> {
    let mut blocks = Vec::new();
    for chunk in aad.chunks(16).chain(plaintext.chunks(16)) {
        let mut block = [0; 16];
        block[..chunk.len()].copy_from_slice(chunk);
        blocks.push(u128::from_le_bytes(block));
    }
    blocks.push((aad.len() as u128 * 8) | ((plaintext.len() as u128 * 8) << 64));
    blocks
}

fn tag(keys: &MessageKeys, nonce: &[u8], aad: &[u8], plaintext: &[u8]) -> Block {
    let h = u128::from_le_bytes(keys.authentication);
    let mut s_s = polyval(h, &hashed_blocks(aad, plaintext)).to_le_bytes();
    for i in 0..NONCE_LEN {
        s_s[i] ^= nonce[i];
    }
    s_s[15] &= 0x7f;
    Aes::new(&keys.encryption).encrypt_block(s_s)
}

/// `AES_CTR`: the first four bytes of the block are a little-endian counter
/// that wraps.
#[must_use]
pub fn aes_ctr(keys: &MessageKeys, tag: &Block, input: &[u8]) -> Vec<u8> {
    let aes = Aes::new(&keys.encryption);
    let mut block = *tag;
    block[15] |= 0x80;
    let mut output = Vec::new();
    for chunk in input.chunks(16) {
        let keystream = aes.encrypt_block(block);
        output.extend(chunk.iter().zip(keystream).map(|(byte, key)| byte ^ key));
        let counter = u32::from_le_bytes([block[0], block[1], block[2], block[3]]);
        block[..4].copy_from_slice(&counter.wrapping_add(1).to_le_bytes());
    }
    output
}

/// `encrypt`: ciphertext ‖ tag.
#[must_use]
pub fn seal(key: &[u8], nonce: &[u8], aad: &[u8], plaintext: &[u8]) -> Vec<u8> {
    let keys = derive_keys(key, nonce);
    let tag = tag(&keys, nonce, aad, plaintext);
    let mut sealed = aes_ctr(&keys, &tag, plaintext);
    sealed.extend(tag);
    sealed
}

/// `decrypt`: the plaintext, or `None` for FAIL.
#[must_use]
pub fn open(key: &[u8], nonce: &[u8], aad: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (ciphertext, expected) = sealed.split_last_chunk::<TAG_LEN>()?;
    let keys = derive_keys(key, nonce);
    let plaintext = aes_ctr(&keys, expected, ciphertext);
    (tag(&keys, nonce, aad, &plaintext) == *expected).then_some(plaintext)
}

/// A plaintext whose tag is the given one: `plaintext` with its first sixteen
/// bytes replaced. `None` if no plaintext has that tag under this key and nonce
/// (one tag in two), or if `plaintext` is shorter than a block.
///
/// Appendix C.3 is made in this way. It is how a test starts the block counter
/// anywhere it wants: the tag is the initial counter.
#[must_use]
pub fn plaintext_with_tag(
    key: &[u8],
    nonce: &[u8],
    aad: &[u8],
    plaintext: &[u8],
    tag: Block,
) -> Option<Vec<u8>> {
    let keys = derive_keys(key, nonce);
    let mut s_s = Aes::new(&keys.encryption).decrypt_block(tag);
    if s_s[15] & 0x80 != 0 || plaintext.len() < 16 {
        return None;
    }
    for i in 0..NONCE_LEN {
        s_s[i] ^= nonce[i];
    }
    let h = u128::from_le_bytes(keys.authentication);
    let h_inverse = inverse(h);
    let blocks = hashed_blocks(aad, plaintext);
    let free = aad.len().div_ceil(16);
    let before = polyval(h, &blocks[..free]);
    // Walk back from the result: S_{j-1} = S_j * H^-1 + X_j.
    let after = blocks[free + 1..]
        .iter()
        .rev()
        .fold(u128::from_le_bytes(s_s), |s_j, block| dot(s_j, h_inverse) ^ block);
    let mut plaintext = plaintext.to_vec();
    plaintext[..16].copy_from_slice(&(dot(after, h_inverse) ^ before).to_le_bytes());
    Some(plaintext)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::hex;

    /// RFC 8452 appendix C.2, an intermediate value: the last case's keys.
    #[test]
    fn derived_keys_of_appendix_c_2() {
        let key = hex("3c535de192eaed3822a2fbbe2ca9dfc88255e14a661b8aa82cc54236093bbc23").unwrap();
        let keys = derive_keys(&key, &hex("688089e55540db1872504e1c").unwrap());
        assert_eq!(keys.authentication[..], hex("cb8c3aa3f8dbaeb4b28a3e86ff6625f8").unwrap());
        let encryption = "02426ce1aa3ab31313b0848469a1b5fc6c9af9602600b195b04ad407026bc06d";
        assert_eq!(keys.encryption, hex(encryption).unwrap());
    }
}
