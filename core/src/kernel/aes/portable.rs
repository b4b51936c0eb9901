//! AES without tables: bitsliced, constant-time on any CPU.
//!
//! Eight planes hold one bit of every byte each. A `u64` of a plane carries four
//! blocks; bit `16·row + 4·column + block` belongs to byte `row + 4·column` of
//! that block, so ShiftRows turns nibbles inside 16-bit lanes and MixColumns
//! turns lanes. A plane is `W` such words, which the compiler keeps in vector
//! registers where the target has them.
//!
//! The S-box is the 113-gate circuit of Boyar and Peralta ("A depth-16 circuit
//! for the AES S-box", 2011, figure with 113 gates); its symbols are kept. The
//! four inversions at its end are folded into the round keys.

use super::Aes;
use crate::kernel::Block;
use crate::tier::Portable;
use core::ops::{BitAnd, BitXor, BitXorAssign};
use zeroize::Zeroize;

mod sbox;

/// `W` words that the same gates work on.
#[derive(Clone, Copy)]
struct Word<const W: usize>([u64; W]);

impl<const W: usize> Word<W> {
    #[inline(always)]
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }
}

impl<const W: usize> BitXor for Word<W> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl<const W: usize> BitXorAssign for Word<W> {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl<const W: usize> BitAnd for Word<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

/// `4·W` blocks; plane `b` holds bit `b` of every byte.
type Planes<const W: usize> = [Word<W>; 8];

/// The planes of one round key, the same in all four blocks of a word.
type RoundKey = [u64; 8];

pub(crate) struct RoundKeys<const ROUND_KEYS: usize>([RoundKey; ROUND_KEYS]);

impl<const ROUND_KEYS: usize> Drop for RoundKeys<ROUND_KEYS> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

macro_rules! impl_aes {
    ($key_len:literal, $round_keys:literal) => {
        impl Aes<$key_len> for Portable {
            type RoundKeys = RoundKeys<$round_keys>;

            fn expand(self, key: &[u8; $key_len]) -> Self::RoundKeys {
                expand(key)
            }

            fn encrypt_blocks<const N: usize>(
                self,
                keys: &Self::RoundKeys,
                blocks: &mut [Block; N],
            ) {
                for group in blocks.chunks_mut(8) {
                    if group.len() > 4 {
                        encrypt_up_to::<2, $round_keys>(keys, group);
                    } else {
                        encrypt_up_to::<1, $round_keys>(keys, group);
                    }
                }
            }

            fn ctr32_xor(self, keys: &Self::RoundKeys, counter: &Block, in_out: &mut [u8]) {
                ctr32_xor(keys, counter, in_out);
            }
        }
    };
}
impl_aes!(16, 11);
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
        *planes = slice::<1>(&[block; 4]).map(|plane| plane.0[0]);
        block.zeroize();
        if i > 0 {
            for inverted in sbox::INVERTED {
                planes[inverted] = !planes[inverted];
            }
        }
    }
    words.as_flattened_mut().as_flattened_mut().zeroize();
    keys
}

fn sub_word(word: [u8; 4]) -> [u8; 4] {
    let mut block = [0; 16];
    block[..4].copy_from_slice(&word);
    let mut planes = slice::<1>(&[block, [0; 16], [0; 16], [0; 16]]);
    sbox::substitute(&mut planes);
    for inverted in sbox::INVERTED {
        planes[inverted] = planes[inverted].map(|word| !word);
    }
    let mut out = [[0; 16]; 4];
    unslice(planes, &mut out);
    [out[0][0], out[0][1], out[0][2], out[0][3]]
}

/// Swaps the bits of `a` selected by `mask << shift` with those of `b` selected by `mask`.
#[inline(always)]
fn swap_move<const W: usize>(planes: &mut Planes<W>, i: usize, j: usize, mask: u64, shift: u32) {
    let t = Word(core::array::from_fn(|w| {
        ((planes[i].0[w] >> shift) ^ planes[j].0[w]) & mask
    }));
    planes[j] ^= t;
    planes[i] ^= t.map(|word| word << shift);
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
    let mut planes = [Word([0; W]); 8];
    for (i, block) in blocks.iter().enumerate() {
        let (columns, _) = block.as_chunks::<4>();
        let column = |c: usize| spread(u32::from_le_bytes(columns[c]));
        planes[i % 4].0[i / 4] = column(0) | column(2) << 8;
        planes[i % 4 + 4].0[i / 4] = column(1) | column(3) << 8;
    }
    transpose(&mut planes);
    planes
}

/// Planes to blocks; planes beyond `blocks` are dropped.
#[inline(always)]
fn unslice<const W: usize>(mut planes: Planes<W>, blocks: &mut [Block]) {
    transpose(&mut planes);
    for (i, block) in blocks.iter_mut().enumerate() {
        let even = planes[i % 4].0[i / 4];
        let odd = planes[i % 4 + 4].0[i / 4];
        let (columns, _) = block.as_chunks_mut::<4>();
        columns[0] = gather(even).to_le_bytes();
        columns[1] = gather(odd).to_le_bytes();
        columns[2] = gather(even >> 8).to_le_bytes();
        columns[3] = gather(odd >> 8).to_le_bytes();
    }
}

#[inline(always)]
fn add_round_key<const W: usize>(planes: &mut Planes<W>, key: &RoundKey) {
    for (plane, key) in planes.iter_mut().zip(key) {
        *plane = plane.map(|word| word ^ key);
    }
}

/// Row `r`, the 16-bit lane `r`, turns right by `r` columns of four bits.
#[inline(always)]
fn shift_rows<const W: usize>(planes: &mut Planes<W>) {
    for plane in planes {
        *plane = plane.map(|x| {
            (x & 0x0000_0000_0000_ffff)
                | ((x & 0x0000_0000_fff0_0000) >> 4)
                | ((x & 0x0000_0000_000f_0000) << 12)
                | ((x & 0x0000_ff00_0000_0000) >> 8)
                | ((x & 0x0000_00ff_0000_0000) << 8)
                | ((x & 0xf000_0000_0000_0000) >> 12)
                | ((x & 0x0fff_0000_0000_0000) << 4)
        });
    }
}

/// Row `r` becomes `2·(a[r] + a[r+1]) + a[r+1] + a[r+2] + a[r+3]`.
#[inline(always)]
fn mix_columns<const W: usize>(planes: &mut Planes<W>) {
    let a = *planes;
    let next = a.map(|plane| plane.map(|x| x.rotate_right(16)));
    let sum: Planes<W> = core::array::from_fn(|i| a[i] ^ next[i]);
    for i in 0..8 {
        let doubled = match i {
            0 => sum[7],
            1 | 3 | 4 => sum[i - 1] ^ sum[7],
            _ => sum[i - 1],
        };
        planes[i] = doubled ^ next[i] ^ sum[i].map(|x| x.rotate_right(32));
    }
}

#[inline(always)]
fn encrypt<const W: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    planes: &mut Planes<W>,
) {
    add_round_key(planes, &keys.0[0]);
    for key in &keys.0[1..ROUND_KEYS - 1] {
        sbox::substitute(planes);
        shift_rows(planes);
        mix_columns(planes);
        add_round_key(planes, key);
    }
    sbox::substitute(planes);
    shift_rows(planes);
    add_round_key(planes, &keys.0[ROUND_KEYS - 1]);
}

fn encrypt_up_to<const W: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    blocks: &mut [Block],
) {
    let mut planes = slice::<W>(blocks);
    encrypt(keys, &mut planes);
    unslice(planes, blocks);
}

/// Blocks in flight of the keystream.
const STRIDE: usize = 8;

fn ctr32_xor<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counter: &Block,
    in_out: &mut [u8],
) {
    let mut next = u32::from_le_bytes([counter[0], counter[1], counter[2], counter[3]]);
    let mut keystream = [*counter; STRIDE];
    for piece in in_out.chunks_mut(STRIDE * 16) {
        for block in &mut keystream {
            *block = *counter;
            block[..4].copy_from_slice(&next.to_le_bytes());
            next = next.wrapping_add(1);
        }
        encrypt_up_to::<{ STRIDE / 4 }, ROUND_KEYS>(keys, &mut keystream);
        for (byte, key) in piece.iter_mut().zip(keystream.as_flattened()) {
            *byte ^= key;
        }
    }
    keystream.as_flattened_mut().zeroize();
}
