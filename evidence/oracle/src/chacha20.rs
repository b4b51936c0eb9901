//! ChaCha20 with a 64-bit nonce and a 64-bit block counter, as in Bernstein's
//! "ChaCha, a variant of Salsa20" (2008), and HChaCha20 and XChaCha20 of
//! draft-irtf-cfrg-xchacha-03.

/// "expand 32-byte k" as four little-endian words.
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

fn quarter_round(x: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    x[a] = x[a].wrapping_add(x[b]);
    x[d] = (x[d] ^ x[a]).rotate_left(16);
    x[c] = x[c].wrapping_add(x[d]);
    x[b] = (x[b] ^ x[c]).rotate_left(12);
    x[a] = x[a].wrapping_add(x[b]);
    x[d] = (x[d] ^ x[a]).rotate_left(8);
    x[c] = x[c].wrapping_add(x[d]);
    x[b] = (x[b] ^ x[c]).rotate_left(7);
}

fn twenty_rounds(x: &mut [u32; 16]) {
    for _ in 0..10 {
        quarter_round(x, 0, 4, 8, 12);
        quarter_round(x, 1, 5, 9, 13);
        quarter_round(x, 2, 6, 10, 14);
        quarter_round(x, 3, 7, 11, 15);
        quarter_round(x, 0, 5, 10, 15);
        quarter_round(x, 1, 6, 11, 12);
        quarter_round(x, 2, 7, 8, 13);
        quarter_round(x, 3, 4, 9, 14);
    }
}

/// The constants, the key, then sixteen bytes of counter and nonce.
fn matrix(key: &[u8; 32], last_row: &[u8; 16]) -> [u32; 16] {
    let mut x = [0; 16];
    x[..4].copy_from_slice(&CONSTANTS);
    for (word, bytes) in x[4..].iter_mut().zip(key.chunks(4).chain(last_row.chunks(4))) {
        *word = u32::from_le_bytes(bytes.try_into().expect("chunks of 4"));
    }
    x
}

/// One block of keystream.
#[must_use]
pub fn block(key: &[u8; 32], nonce: &[u8; 8], counter: u64) -> [u8; 64] {
    let mut last_row = [0; 16];
    last_row[..8].copy_from_slice(&counter.to_le_bytes());
    last_row[8..].copy_from_slice(nonce);
    let start = matrix(key, &last_row);
    let mut x = start;
    twenty_rounds(&mut x);
    let mut out = [0; 64];
    for i in 0..16 {
        out[4 * i..4 * i + 4].copy_from_slice(&x[i].wrapping_add(start[i]).to_le_bytes());
    }
    out
}

/// XORs the keystream that starts at block `counter` into `data`.
pub fn xor(key: &[u8; 32], nonce: &[u8; 8], counter: u64, data: &mut [u8]) {
    for (i, chunk) in (0..).zip(data.chunks_mut(64)) {
        let keystream = block(key, nonce, counter.wrapping_add(i));
        for (byte, k) in chunk.iter_mut().zip(keystream) {
            *byte ^= k;
        }
    }
}

/// HChaCha20 (the draft, section 2.2): the first and last rows after twenty rounds.
#[must_use]
pub fn hchacha20(key: &[u8; 32], nonce: &[u8; 16]) -> [u8; 32] {
    let mut x = matrix(key, nonce);
    twenty_rounds(&mut x);
    let mut out = [0; 32];
    for (bytes, word) in out.chunks_mut(4).zip(x[..4].iter().chain(&x[12..])) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    out
}

/// XChaCha20 with a 64-bit counter from zero.
///
/// # Panics
///
/// Never: the halves of a 24-byte nonce have 16 and 8 bytes.
pub fn xchacha20_xor(key: &[u8; 32], nonce: &[u8; 24], data: &mut [u8]) {
    let subkey = hchacha20(key, nonce[..16].try_into().expect("16 bytes"));
    xor(&subkey, nonce[16..].try_into().expect("8 bytes"), 0, data);
}
