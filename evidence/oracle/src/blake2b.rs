//! BLAKE2b, written from RFC 7693 word for word.

/// Section 2.6: the initialisation vector.
pub const IV: [u64; 8] = [
    0x6A09_E667_F3BC_C908,
    0xBB67_AE85_84CA_A73B,
    0x3C6E_F372_FE94_F82B,
    0xA54F_F53A_5F1D_36F1,
    0x510E_527F_ADE6_82D1,
    0x9B05_688C_2B3E_6C1F,
    0x1F83_D9AB_FB41_BD6B,
    0x5BE0_CD19_137E_2179,
];

/// Section 2.7: the message schedule. Rounds 10 and 11 use rows 0 and 1 again.
const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// Section 3.1: the mixing function G.
fn g(v: &mut [u64; 16], a: usize, b: usize, c: usize, d: usize, x: u64, y: u64) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}

/// Section 3.2: the compression function F; `t` is the offset counter.
///
/// # Panics
///
/// Never: a block's words have eight bytes each.
pub fn compress(h: &mut [u64; 8], block: &[u8; 128], t: u128, last: bool) {
    let m: Vec<u64> = block
        .chunks(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("chunks of 8")))
        .collect();
    let mut v = [0; 16];
    v[..8].copy_from_slice(h);
    v[8..].copy_from_slice(&IV);
    v[12] ^= t as u64;
    v[13] ^= (t >> 64) as u64;
    if last {
        v[14] = !v[14];
    }
    for round in 0..12 {
        let s = &SIGMA[round % 10];
        g(&mut v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
        g(&mut v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
        g(&mut v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
        g(&mut v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
        g(&mut v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
        g(&mut v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
        g(&mut v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
        g(&mut v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for i in 0..8 {
        h[i] ^= v[i] ^ v[i + 8];
    }
}

/// Section 3.3: `BLAKE2b(data, key)` with `hash_len` bytes of output.
///
/// # Panics
///
/// Panics if `key` is longer than 64 bytes or `hash_len` is not within 1 to 64:
/// the oracle is for tests, whose inputs are their own.
#[must_use]
pub fn keyed_hash(key: &[u8], hash_len: usize, data: &[u8]) -> Vec<u8> {
    assert!(key.len() <= 64 && (1..=64).contains(&hash_len));
    let mut h = IV;
    h[0] ^= 0x0101_0000 ^ ((key.len() as u64) << 8) ^ hash_len as u64;
    let mut input = Vec::new();
    if !key.is_empty() {
        input.extend_from_slice(key);
        input.resize(128, 0);
    }
    input.extend_from_slice(data);
    let len = input.len();
    // An empty input is still one block of zeros.
    let blocks = len.div_ceil(128).max(1);
    input.resize(blocks * 128, 0);
    for (i, block) in input.chunks(128).enumerate() {
        let last = i + 1 == blocks;
        let t = if last { len } else { (i + 1) * 128 };
        let block = block.try_into().expect("chunks of 128");
        compress(&mut h, block, t as u128, last);
    }
    let bytes: Vec<u8> = h.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes[..hash_len].to_vec()
}
