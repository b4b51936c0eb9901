//! AES-SIV, RFC 5297, on CMAC of RFC 4493.

pub(crate) mod batch;

use crate::kernel::Block;
use crate::kernel::aes_siv::AesSiv;
use crate::tier::erased::Scratch;
use crate::tier::secret;

/// The plaintext and each string of associated data are at most this many bytes: the bounds
/// of RFC 5297 section 2.6 bind nobody, and these are AES-GCM-SIV's.
pub(crate) const MAX_LEN: u64 = 1 << 36;

/// Section 2.6: S2V takes 127 strings; the last is the plaintext.
pub(crate) const MAX_STRINGS: usize = 126;

/// RFC 4493 section 2.3: the subkeys for a last block that is whole, and for one that is not.
/// Blocks that are doubled are big-endian numbers.
struct LastBlocks([u128; 2]);

/// The state of a key: both of its halves ready for use, and the subkeys of CMAC.
pub(crate) struct Subkeys<RoundKeys> {
    /// K1, the first half: S2V.
    mac: RoundKeys,
    /// K2, the second half: CTR.
    ctr: RoundKeys,
    last_blocks: LastBlocks,
    /// CMAC(<zero>), with which S2V begins.
    zero: u128,
}

impl<RoundKeys> Subkeys<RoundKeys> {
    /// `key` is K1 ‖ K2; each half has `HALF` bytes.
    #[inline(always)]
    pub(crate) fn expand<T, const HALF: usize>(t: T, [k1, k2]: [&[u8; HALF]; 2]) -> Self
    where
        T: AesSiv<HALF, RoundKeys = RoundKeys>,
    {
        let (mac, ctr) = (t.expand(k1), t.expand(k2));
        let mut blocks = Scratch::<1>::new();
        t.cbc_mac(&mac, &mut blocks[0], &[[0; 16]]);
        let whole = dbl(u128::from_be_bytes(blocks[0]));
        let mut keys = Self { mac, ctr, last_blocks: LastBlocks([whole, dbl(whole)]), zero: 0 };
        keys.zero = keys.cmac::<T, HALF>(t, &[0; 16]);
        keys
    }

    /// RFC 4493 section 2.4.
    #[inline(always)]
    fn cmac<T, const HALF: usize>(&self, t: T, message: &[u8]) -> u128
    where
        T: AesSiv<HALF, RoundKeys = RoundKeys>,
    {
        let last_starts = message.len().saturating_sub(1) / 16 * 16;
        let (whole, last) = message.split_at(last_starts);
        let mut state = Scratch::<1>::new();
        t.cbc_mac(&self.mac, &mut state[0], whole.as_chunks().0);
        t.cbc_mac(&self.mac, &mut state[0], &[self.last_blocks.of_string(last)]);
        u128::from_be_bytes(state[0])
    }

    /// RFC 5297 section 2.4: D after every string but the last.
    #[inline(always)]
    fn sum<T, const HALF: usize>(&self, t: T, strings: &[&[u8]]) -> u128
    where
        T: AesSiv<HALF, RoundKeys = RoundKeys>,
    {
        strings.iter().fold(self.zero, |d, string| dbl(d) ^ self.cmac::<T, HALF>(t, string))
    }
}

impl LastBlocks {
    /// The last 16 bytes of a CMAC or fewer as its last block.
    #[inline(always)]
    fn of_string(&self, last: &[u8]) -> Block {
        let subkey = self.0[usize::from(last.len() < 16)];
        (padded(last) ^ subkey).to_be_bytes()
    }

    /// The last one or two blocks of the CMAC of T, to which D is joined. `end` follows the first
    /// [`head_len`] bytes of the last string.
    #[inline(always)]
    fn of_text(&self, d: u128, end: &[u8], blocks: &mut [Block; 2]) -> usize {
        let Some(cut) = end.len().checked_sub(16) else {
            blocks[0] = (dbl(d) ^ padded(end) ^ self.0[0]).to_be_bytes();
            return 1;
        };
        // xorend: D lies across two blocks.
        let (first, second) = end.split_at(16);
        let first = padded(first) ^ d >> (8 * cut);
        if cut == 0 {
            blocks[0] = (first ^ self.0[0]).to_be_bytes();
            return 1;
        }
        let second = padded(second) ^ d << (128 - 8 * cut) ^ self.0[1];
        *blocks = [first.to_be_bytes(), second.to_be_bytes()];
        2
    }
}

/// RFC 5297 section 2.3, `dbl`: multiplication by x in GF(2^128).
#[inline(always)]
fn dbl(x: u128) -> u128 {
    x << 1 ^ (0_u128.wrapping_sub(x >> 127) & 0x87)
}

/// Section 2.1, `pad`, for at most 16 bytes; a full block stays unchanged.
#[inline(always)]
fn padded(bytes: &[u8]) -> u128 {
    if let Ok(block) = <&Block>::try_from(bytes) {
        return u128::from_be_bytes(*block);
    }
    // In whole words that may overlap: to copy a few bytes is a call.
    let len = bytes.len();
    let word = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let first = u128::from(u64::from_be_bytes(*first)) << 64;
            first | u128::from(u64::from_be_bytes(*last)) << (8 * (16 - len))
        }
        _ => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => {
                let first = u128::from(u32::from_be_bytes(*first)) << 96;
                first | u128::from(u32::from_be_bytes(*last)) << (8 * (16 - len))
            }
            _ => bytes
                .iter()
                .zip((0..16).rev())
                .fold(0, |word, (byte, place)| word | u128::from(*byte) << (8 * place)),
        },
    };
    word | 0x80 << (8 * (15 - len))
}

/// How many bytes of a plaintext are in whole blocks that D does not touch.
#[inline(always)]
const fn head_len(plaintext_len: usize) -> usize {
    plaintext_len.saturating_sub(16) / 16 * 16
}

/// Section 2.5: the counter starts at V with two of its bits clear, so that the low 32 and
/// the low 64 bits can be added to with little or no carry. It is as public as the tag is.
#[inline(always)]
fn initial_counter(tag: &Block) -> u128 {
    const KEPT: u128 = !(1 << 63 | 1 << 31);
    secret::public(u128::from_be_bytes(*tag) & KEPT)
}

/// Section 2.6: encrypts `from` to `in_out`, or `in_out` in place if there is no `from`, and
/// writes the tag. The caller has checked the lengths and the number of strings; `from` is
/// as long as `in_out`.
#[inline(always)]
pub(crate) fn seal<T: AesSiv<HALF>, const HALF: usize>(
    t: T,
    keys: &Subkeys<T::RoundKeys>,
    associated_data: &[&[u8]],
    from: Option<&[u8]>,
    in_out: &mut [u8],
    tag_out: &mut Block,
) {
    let plaintext = from.unwrap_or(in_out);
    let (head, end) = plaintext.split_at(head_len(plaintext.len()));
    // The sums of the associated data and the chain over the plaintext wait for each other
    // only here at the end, so a CPU that looks ahead works on both.
    let d = keys.sum::<T, HALF>(t, associated_data);
    let mut blocks = Scratch::<3>::new();
    let [state, end_blocks @ ..] = &mut *blocks;
    t.cbc_mac(&keys.mac, state, head.as_chunks().0);
    let count = keys.last_blocks.of_text(d, end, end_blocks);
    t.cbc_mac(&keys.mac, state, &end_blocks[..count]);
    let counter = initial_counter(state).to_be_bytes();
    t.ctr_xor(&keys.ctr, &counter, from, in_out);
    *tag_out = *state;
}

/// Section 2.7: decrypts `from` to `in_out`, or `in_out` in place if there is no `from`, and
/// says whether its tag is right; if not, `in_out` is zeros. The caller has checked the
/// lengths and the number of strings; `from` is as long as `in_out`.
#[inline(always)]
#[must_use]
pub(crate) fn open<T: AesSiv<HALF>, const HALF: usize>(
    t: T,
    keys: &Subkeys<T::RoundKeys>,
    associated_data: &[&[u8]],
    from: Option<&[u8]>,
    in_out: &mut [u8],
    expected: &Block,
) -> bool {
    let head_len = head_len(in_out.len());
    let (head_from, end_from) = match from.map(|from| from.split_at(head_len)) {
        Some((head, end)) => (Some(head.as_chunks().0), Some(end)),
        None => (None, None),
    };
    let (head, end) = in_out.split_at_mut(head_len);
    let counter = initial_counter(expected);
    let end_counter = counter.wrapping_add(head_len as u128 / 16).to_be_bytes();

    let d = keys.sum::<T, HALF>(t, associated_data);
    t.ctr_xor(&keys.ctr, &end_counter, end_from, end);
    let mut blocks = Scratch::<3>::new();
    let [state, end_blocks @ ..] = &mut *blocks;
    t.ctr_xor_and_cbc_mac(
        &keys.ctr,
        &counter.to_be_bytes(),
        head_from,
        head.as_chunks_mut().0,
        &keys.mac,
        state,
    );
    let count = keys.last_blocks.of_text(d, end, end_blocks);
    t.cbc_mac(&keys.mac, state, &end_blocks[..count]);
    // With the tag as it came, not with the counter, which lacks two bits.
    let authentic = secret::equal(state, expected);
    if !authentic {
        secret::wipe(in_out);
    }
    authentic
}
