//! AES as FIPS 197 writes it: a state of bytes, the S-box computed from its
//! definition, each transformation a function of its own.

/// The sixteen bytes of the state, column after column (FIPS 197 section 3.4):
/// row `r` of column `c` is byte `r + 4 * c`.
pub type Block = [u8; 16];

/// Section 4.3, `xtime`: multiplication by x modulo x^8 + x^4 + x^3 + x + 1.
const fn xtime(a: u8) -> u8 {
    (a << 1) ^ (if a & 0x80 == 0 { 0 } else { 0x1b })
}

/// Section 4.2: multiplication in GF(2^8).
const fn multiply(a: u8, b: u8) -> u8 {
    let mut product = 0;
    let mut a_times_x_to_i = a;
    let mut i = 0;
    while i < 8 {
        if b >> i & 1 == 1 {
            product ^= a_times_x_to_i;
        }
        a_times_x_to_i = xtime(a_times_x_to_i);
        i += 1;
    }
    product
}

/// Section 5.1.1: the multiplicative inverse, then the affine transformation.
const fn s_box_entry(a: u8) -> u8 {
    // Zero has no inverse and maps to itself.
    let mut inverse = 0;
    let mut candidate = 0;
    while candidate < 255 {
        candidate += 1;
        if multiply(a, candidate) == 1 {
            inverse = candidate;
        }
    }
    inverse
        ^ inverse.rotate_left(1)
        ^ inverse.rotate_left(2)
        ^ inverse.rotate_left(3)
        ^ inverse.rotate_left(4)
        ^ 0x63
}

static S_BOX: [u8; 256] = {
    let mut table = [0; 256];
    let mut a = 0;
    while a < 256 {
        table[a] = s_box_entry(a as u8);
        a += 1;
    }
    table
};

/// Section 5.3.2: the S-box the other way round.
static INVERSE_S_BOX: [u8; 256] = {
    let mut table = [0; 256];
    let mut a = 0;
    while a < 256 {
        table[s_box_entry(a as u8) as usize] = a as u8;
        a += 1;
    }
    table
};

fn sub_bytes(state: Block) -> Block {
    state.map(|byte| S_BOX[usize::from(byte)])
}

fn inverse_sub_bytes(state: Block) -> Block {
    state.map(|byte| INVERSE_S_BOX[usize::from(byte)])
}

/// Section 5.1.2: row `r` moves `r` columns to the left.
fn shift_rows(state: Block) -> Block {
    core::array::from_fn(|i| state[i % 4 + 4 * ((i / 4 + i % 4) % 4)])
}

/// Section 5.3.1: row `r` moves `r` columns to the right.
fn inverse_shift_rows(state: Block) -> Block {
    core::array::from_fn(|i| state[i % 4 + 4 * ((i / 4 + 4 - i % 4) % 4)])
}

/// Each column times the circulant matrix whose first row is `row`.
fn multiply_columns(state: Block, row: [u8; 4]) -> Block {
    core::array::from_fn(|i| {
        let (r, c) = (i % 4, i / 4);
        (0..4).fold(0, |sum, k| sum ^ multiply(state[k + 4 * c], row[(k + 4 - r) % 4]))
    })
}

/// Section 5.1.3. By `xtime` alone, because the conformance tests spend their time here.
fn mix_columns(state: Block) -> Block {
    core::array::from_fn(|i| {
        let (r, column) = (i % 4, &state[i / 4 * 4..][..4]);
        let (a, b) = (column[r], column[(r + 1) % 4]);
        xtime(a) ^ xtime(b) ^ b ^ column[(r + 2) % 4] ^ column[(r + 3) % 4]
    })
}

/// Section 5.3.3.
fn inverse_mix_columns(state: Block) -> Block {
    multiply_columns(state, [0x0e, 0x0b, 0x0d, 0x09])
}

/// Section 5.1.4.
fn add_round_key(state: Block, round_key: &Block) -> Block {
    core::array::from_fn(|i| state[i] ^ round_key[i])
}

/// AES under one key of 16, 24 or 32 bytes.
pub struct Aes {
    round_keys: Vec<Block>,
}

impl Aes {
    /// Section 5.2: the key expansion.
    ///
    /// # Panics
    ///
    /// If the key is not 16, 24 or 32 bytes long.
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        assert!(matches!(key.len(), 16 | 24 | 32), "an AES key of {} bytes", key.len());
        let key_words = key.len() / 4;
        let rounds = key_words + 6;
        let mut words: Vec<[u8; 4]> =
            key.chunks(4).map(|word| core::array::from_fn(|i| word[i])).collect();
        let mut round_constant = 1;
        for i in key_words..4 * (rounds + 1) {
            let mut word = words[i - 1];
            if i % key_words == 0 {
                word.rotate_left(1);
                word = word.map(|byte| S_BOX[usize::from(byte)]);
                word[0] ^= round_constant;
                round_constant = xtime(round_constant);
            } else if key_words > 6 && i % key_words == 4 {
                word = word.map(|byte| S_BOX[usize::from(byte)]);
            }
            words.push(core::array::from_fn(|b| word[b] ^ words[i - key_words][b]));
        }
        let round_keys =
            words.chunks(4).map(|words| core::array::from_fn(|i| words[i / 4][i % 4])).collect();
        Self { round_keys }
    }

    /// The round keys in the order of encryption.
    #[must_use]
    pub fn round_keys(&self) -> &[Block] {
        &self.round_keys
    }

    /// Section 5.1: the cipher.
    #[must_use]
    pub fn encrypt_block(&self, block: Block) -> Block {
        let last = self.round_keys.len() - 1;
        let mut state = add_round_key(block, &self.round_keys[0]);
        for round_key in &self.round_keys[1..last] {
            state = add_round_key(mix_columns(shift_rows(sub_bytes(state))), round_key);
        }
        add_round_key(shift_rows(sub_bytes(state)), &self.round_keys[last])
    }

    /// Section 5.3: the inverse cipher.
    #[must_use]
    pub fn decrypt_block(&self, block: Block) -> Block {
        let last = self.round_keys.len() - 1;
        let mut state = add_round_key(block, &self.round_keys[last]);
        for round_key in self.round_keys[1..last].iter().rev() {
            state = add_round_key(inverse_sub_bytes(inverse_shift_rows(state)), round_key);
            state = inverse_mix_columns(state);
        }
        add_round_key(inverse_sub_bytes(inverse_shift_rows(state)), &self.round_keys[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::hex;

    fn block(text: &str) -> Block {
        hex(text).unwrap().try_into().unwrap()
    }

    /// FIPS 197 appendix C, the example vectors of the three key sizes.
    #[test]
    fn fips_197_appendix_c() {
        let key: Vec<u8> = (0..32).collect();
        let plaintext = block("00112233445566778899aabbccddeeff");
        for (key_len, ciphertext) in [
            (16, "69c4e0d86a7b0430d8cdb78070b4c55a"),
            (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
            (32, "8ea2b7ca516745bfeafc49904b496089"),
        ] {
            let aes = Aes::new(&key[..key_len]);
            assert_eq!(aes.encrypt_block(plaintext), block(ciphertext), "{key_len}");
            assert_eq!(aes.decrypt_block(block(ciphertext)), plaintext, "{key_len}");
        }
    }

    /// FIPS 197 appendix A: the last round key of the examples of key expansion.
    #[test]
    fn fips_197_appendix_a() {
        let aes = Aes::new(&hex("2b7e151628aed2a6abf7158809cf4f3c").unwrap());
        assert_eq!(aes.round_keys()[10], block("d014f9a8c9ee2589e13f0cc8b6630ca6"));
        let key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
        let aes = Aes::new(&hex(key).unwrap());
        assert_eq!(aes.round_keys()[14], block("fe4890d1e6188d0b046df344706c631e"));
    }

    /// The fast `mix_columns` is the matrix of section 5.1.3.
    #[test]
    fn mix_columns_is_its_matrix() {
        for i in 0..=255_u8 {
            let state = core::array::from_fn(|b| i.wrapping_mul(b as u8 | 1).wrapping_add(b as u8));
            assert_eq!(mix_columns(state), multiply_columns(state, [2, 3, 1, 1]));
            assert_eq!(inverse_mix_columns(mix_columns(state)), state);
        }
    }
}
