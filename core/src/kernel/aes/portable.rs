//! AES without tables: bitsliced, constant-time on any CPU.
//!
//! Eight planes hold one bit of every byte each. A `u64` of a plane has four blocks. Bit `16·row +
//! 4·column + block` belongs to byte `row + 4·column` of that block. So ShiftRows turns nibbles
//! inside 16-bit lanes, and MixColumns turns lanes.
//!
//! The gates work on the eight words of four blocks. The compiler makes vectors of a loop over `W`
//! such quartets, so `W` is large for long texts.
//!
//! The S-box is the 113-gate circuit of Boyar and Peralta ("A depth-16 circuit
//! for the AES S-box", 2011, figure with 113 gates); its symbols are kept. The
//! four inversions at its end are folded into the round keys.

use super::Aes;
use crate::kernel::Block;
use crate::tier::{Portable, secret};

mod sbox;

/// Four blocks; word `b` holds bit `b` of every byte.
type Quartet = [u64; 8];

/// `W` quartets, plane by plane.
type Planes<const W: usize> = [[u64; W]; 8];

/// The planes of one round key, the same in all four blocks.
type RoundKey = Quartet;

pub(crate) struct RoundKeys<const ROUND_KEYS: usize>([RoundKey; ROUND_KEYS]);

impl<const ROUND_KEYS: usize> Default for RoundKeys<ROUND_KEYS> {
    #[inline(always)]
    fn default() -> Self {
        Self([[0; 8]; ROUND_KEYS])
    }
}

impl<const ROUND_KEYS: usize> Drop for RoundKeys<ROUND_KEYS> {
    fn drop(&mut self) {
        self.0.as_flattened_mut().fill(0);
        secret::keep_stores(&mut self.0);
    }
}

macro_rules! impl_aes {
    ($key_len:literal, $round_keys:literal) => {
        impl Aes<$key_len> for Portable {
            type RoundKeys = RoundKeys<$round_keys>;

            fn expand(self, key: &[u8; $key_len]) -> Self::RoundKeys {
                expand(key)
            }
        }
    };
}
impl_aes!(16, 11);
impl_aes!(24, 13);
impl_aes!(32, 15);

/// FIPS 197 section 5.2, with `KEY_LEN / 4` for Nk.
fn expand<const KEY_LEN: usize, const ROUND_KEYS: usize>(
    key: &[u8; KEY_LEN],
) -> RoundKeys<ROUND_KEYS> {
    let mut words = [[[0_u8; 4]; 4]; ROUND_KEYS];
    let flat = words.as_flattened_mut();
    let nk = KEY_LEN / 4;
    for (word, bytes) in flat.iter_mut().zip(key.as_chunks::<4>().0) {
        *word = *bytes;
    }
    let mut rcon = 1_u8;
    for i in nk..flat.len() {
        let mut temp = flat[i - 1];
        if i % nk == 0 {
            temp.rotate_left(1);
            temp = sub_word(temp);
            temp[0] ^= rcon;
            // Public: the round constant depends on nothing but the index.
            rcon = (rcon << 1) ^ ((rcon >> 7) * 0x1b);
        } else if nk > 6 && i % nk == 4 {
            temp = sub_word(temp);
        }
        flat[i] = core::array::from_fn(|j| flat[i - nk][j] ^ temp[j]);
    }
    let mut keys = RoundKeys([[0; 8]; ROUND_KEYS]);
    for (i, (planes, words)) in keys.0.iter_mut().zip(&words).enumerate() {
        let mut block: Block = [0; 16];
        block.copy_from_slice(words.as_flattened());
        *planes = slice::<1>(&[block; 4]).map(|[word]| word);
        secret::wipe(&mut block);
        if i > 0 {
            for inverted in sbox::INVERTED {
                planes[inverted] = !planes[inverted];
            }
        }
    }
    secret::wipe(words.as_flattened_mut().as_flattened_mut());
    keys
}

fn sub_word(word: [u8; 4]) -> [u8; 4] {
    let mut block = [0; 16];
    block[..4].copy_from_slice(&word);
    let mut substituted = sbox::substitute(slice::<1>(&[block]).map(|[word]| word));
    for inverted in sbox::INVERTED {
        substituted[inverted] = !substituted[inverted];
    }
    let mut out = [[0; 16]];
    unslice(substituted.map(|word| [word]), &mut out);
    [out[0][0], out[0][1], out[0][2], out[0][3]]
}

/// Swaps the bits of word `i` selected by `mask << shift` with those of word `j`
/// selected by `mask`.
// A loop over an index into all planes is the form that becomes vector code.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn swap_move<const W: usize>(planes: &mut Planes<W>, i: usize, j: usize, mask: u64, shift: u32) {
    for w in 0..W {
        let t = ((planes[i][w] >> shift) ^ planes[j][w]) & mask;
        planes[j][w] ^= t;
        planes[i][w] ^= t << shift;
    }
}

/// Transposes every 8 × 8 bit matrix made of the same byte of the eight words. An involution.
#[inline(always)]
fn transpose<const W: usize>(planes: &mut Planes<W>) {
    for i in [0, 2, 4, 6] {
        swap_move(planes, i, i + 1, 0x5555_5555_5555_5555, 1);
    }
    for i in [0, 1, 4, 5] {
        swap_move(planes, i, i + 2, 0x3333_3333_3333_3333, 2);
    }
    for i in [0, 1, 2, 3] {
        swap_move(planes, i, i + 4, 0x0f0f_0f0f_0f0f_0f0f, 4);
    }
}

/// Puts byte `i` of each column at byte `2·i`.
#[inline(always)]
fn spread(column: u32) -> u64 {
    let x = u64::from(column);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// The inverse of [`spread`].
#[inline(always)]
fn gather(x: u64) -> u32 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}

/// Blocks to planes; missing blocks count as zero.
#[inline(always)]
fn slice<const W: usize>(blocks: &[Block]) -> Planes<W> {
    let mut planes = [[0; W]; 8];
    for (i, block) in blocks.iter().enumerate() {
        let (columns, _) = block.as_chunks::<4>();
        let column = |c: usize| spread(u32::from_le_bytes(columns[c]));
        planes[i % 4][i / 4] = column(0) | column(2) << 8;
        planes[i % 4 + 4][i / 4] = column(1) | column(3) << 8;
    }
    transpose(&mut planes);
    planes
}

/// Planes to blocks; planes beyond `blocks` are dropped.
#[inline(always)]
fn unslice<const W: usize>(mut planes: Planes<W>, blocks: &mut [Block]) {
    transpose(&mut planes);
    for (i, block) in blocks.iter_mut().enumerate() {
        let even = planes[i % 4][i / 4];
        let odd = planes[i % 4 + 4][i / 4];
        let (columns, _) = block.as_chunks_mut::<4>();
        columns[0] = gather(even).to_le_bytes();
        columns[1] = gather(odd).to_le_bytes();
        columns[2] = gather(even >> 8).to_le_bytes();
        columns[3] = gather(odd >> 8).to_le_bytes();
    }
}

#[inline(always)]
fn add_round_key(quartet: Quartet, key: &RoundKey) -> Quartet {
    core::array::from_fn(|b| quartet[b] ^ key[b])
}

/// Row `r`, the 16-bit lane `r`, turns right by `r` columns of four bits.
#[inline(always)]
fn shift_rows(quartet: Quartet) -> Quartet {
    quartet.map(|x| {
        (x & 0x0000_0000_0000_ffff)
            | ((x & 0x0000_0000_fff0_0000) >> 4)
            | ((x & 0x0000_0000_000f_0000) << 12)
            | ((x & 0x0000_ff00_0000_0000) >> 8)
            | ((x & 0x0000_00ff_0000_0000) << 8)
            | ((x & 0xf000_0000_0000_0000) >> 12)
            | ((x & 0x0fff_0000_0000_0000) << 4)
    })
}

/// Row `r` becomes `2·(a[r] + a[r+1]) + a[r+1] + a[r+2] + a[r+3]`.
#[inline(always)]
fn mix_columns(a: Quartet) -> Quartet {
    let next = a.map(|x| x.rotate_right(16));
    let sum: Quartet = core::array::from_fn(|b| a[b] ^ next[b]);
    core::array::from_fn(|b| {
        let doubled = match b {
            0 => sum[7],
            1 | 3 | 4 => sum[b - 1] ^ sum[7],
            _ => sum[b - 1],
        };
        doubled ^ next[b] ^ sum[b].rotate_right(32)
    })
}

/// Applies `step` to every quartet: the loop that becomes vector code.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn each<const W: usize>(planes: &mut Planes<W>, step: impl Fn(Quartet) -> Quartet) {
    for w in 0..W {
        let out = step(core::array::from_fn(|b| planes[b][w]));
        for b in 0..8 {
            planes[b][w] = out[b];
        }
    }
}

#[inline(always)]
fn encrypt<const W: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    planes: &mut Planes<W>,
) {
    each(planes, |quartet| add_round_key(quartet, &keys.0[0]));
    for key in &keys.0[1..ROUND_KEYS - 1] {
        each(planes, |quartet| {
            add_round_key(mix_columns(shift_rows(sbox::substitute(quartet))), key)
        });
    }
    let last = &keys.0[ROUND_KEYS - 1];
    each(planes, |quartet| add_round_key(shift_rows(sbox::substitute(quartet)), last));
}

pub(in crate::kernel) fn encrypt_up_to<const W: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    blocks: &mut [Block],
) {
    let mut planes = slice::<W>(blocks);
    encrypt(keys, &mut planes);
    unslice(planes, blocks);
}
