//! ChaCha20-BLAKE2b, XChaCha20-BLAKE2b and XChaCha20-BLAKE2b-SIV, as version 2.0.1 of the C#
//! library of 2022 computes them. `H(key, n, m)` is BLAKE2b of `m` under `key` with `n` bytes of
//! output, and `framed(x, y)` is `x ‖ y ‖ LE32(|x|) ‖ LE32(|y|)`:
//!
//! ```text
//! Ke  = H(key, 32, framed("", Ce))
//! Km  = H(key, 64, framed(nonce, Cm))
//! tag = H(Km, tag_len, framed(aad, X))
//! ```
//!
//! `X` is the ciphertext, or for SIV the plaintext, and SIV's `nonce` in `Km` is empty.

pub(crate) mod batch;
mod mac;

use crate::kernel::blake2b::{BLOCK_LEN, Block, MAX_LEN as MAX_HASH_LEN, Run, State};
use crate::kernel::chacha20::{
    BLOCK_LEN as CIPHER_BLOCK_LEN, FourBlocks, KEY_LEN as CIPHER_KEY_LEN, Matrix, StreamNonce,
};
use crate::kernel::chacha20_blake2b::{Beside, ChaCha20Blake2b, Span};
use crate::tier::secret;
use mac::Input;

/// The C# library's lengths are signed 32-bit numbers: plaintext and AAD are at most
/// this many bytes each.
pub(crate) const MAX_LEN: u64 = (1 << 31) - 1;

/// A tag at its longest; shorter ones are other hashes, not its beginning.
pub(crate) type TagBytes = [u8; MAX_HASH_LEN];

/// The differences between the three: two context strings and a way to use the nonce.
pub trait Construction: 'static {
    /// The context of `Ke`.
    const ENCRYPTION: &'static [u8];
    /// The context of `Km`.
    const MAC: &'static [u8];
    /// The nonce that is given, in bytes; none for SIV, whose nonce is the beginning of the tag.
    type Nonce: AsRef<[u8]>;
    /// Whether it is SIV.
    const IS_SIV: bool = false;
    /// Whether the cipher is XChaCha20.
    const IS_EXTENDED: bool = true;
}

/// ChaCha20-BLAKE2b.
pub enum Short {}

impl Construction for Short {
    const ENCRYPTION: &'static [u8] = b"ChaCha20-BLAKE2b 07/12/2021 20:40 ChaCha20.Encrypt()";
    const MAC: &'static [u8] = b"ChaCha20-BLAKE2b 07/12/2021 20:41 BLAKE2b.KeyedHash()";
    type Nonce = [u8; 8];
    const IS_EXTENDED: bool = false;
}

/// XChaCha20-BLAKE2b.
pub enum Extended {}

impl Construction for Extended {
    const ENCRYPTION: &'static [u8] = b"XChaCha20-BLAKE2b 07/12/2021 20:48 XChaCha20.Encrypt()";
    const MAC: &'static [u8] = b"XChaCha20-BLAKE2b 07/12/2021 20:49 BLAKE2b.KeyedHash()";
    type Nonce = [u8; 24];
}

/// XChaCha20-BLAKE2b-SIV.
pub enum Siv {}

impl Construction for Siv {
    const ENCRYPTION: &'static [u8] = b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:51 XChaCha20.Encrypt()";
    const MAC: &'static [u8] = b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:52 BLAKE2b.KeyedHash()";
    type Nonce = [u8; 0];
    const IS_SIV: bool = true;
}

/// Bytes that are wiped when dropped.
struct Secret<const N: usize>([u8; N]);

impl<const N: usize> Drop for Secret<N> {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(&mut self.0);
    }
}

/// The part that depends on the key alone.
pub(crate) struct Subkeys {
    /// `Ke`.
    encryption: [u8; CIPHER_KEY_LEN],
    /// BLAKE2b after its key block: of the hash that makes `Km`, or for SIV, where `Km` is
    /// the same for every message, of the hash that makes the tag.
    mac: State,
}

impl Drop for Subkeys {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(&mut self.encryption);
    }
}

/// `framed`'s end. The lengths are at most [`MAX_LEN`].
#[inline(always)]
fn lengths(first: usize, second: usize) -> [u8; 8] {
    let mut out = [0; 8];
    out[..4].copy_from_slice(&(first as u32).to_le_bytes());
    out[4..].copy_from_slice(&(second as u32).to_le_bytes());
    out
}

/// BLAKE2b of `hash_len` bytes before its key block, and that block (RFC 7693 section 3.3).
#[inline(always)]
fn before_key(key: &[u8], hash_len: usize) -> (State, Secret<BLOCK_LEN>) {
    let mut block = Secret([0; BLOCK_LEN]);
    block.0[..key.len()].copy_from_slice(key);
    (State::keyed(key.len(), hash_len), block)
}

/// BLAKE2b of `hash_len` bytes after its key block.
#[inline(always)]
fn keyed<T: ChaCha20Blake2b>(t: T, key: &[u8], hash_len: usize) -> State {
    let (mut state, block) = before_key(key, hash_len);
    let blocks = core::slice::from_ref::<Block>(&block.0);
    t.compress(&mut state, Run { blocks, last_len: None });
    state
}

/// `framed(salt, context)`, which is always shorter than one block, and its length.
#[inline(always)]
fn derivation_block(salt: &[u8], context: &[u8]) -> (Block, u8) {
    let mut block = [0; BLOCK_LEN];
    let (context_at, lengths_at) = (salt.len(), salt.len() + context.len());
    block[..context_at].copy_from_slice(salt);
    block[context_at..lengths_at].copy_from_slice(context);
    block[lengths_at..lengths_at + 8].copy_from_slice(&lengths(salt.len(), context.len()));
    (block, lengths_at as u8 + 8)
}

/// The hash of `framed(salt, context)`.
#[inline(always)]
fn derive<T: ChaCha20Blake2b>(
    t: T,
    keyed: &State,
    salt: &[u8],
    context: &[u8],
) -> Secret<{ MAX_HASH_LEN }> {
    let (block, len) = derivation_block(salt, context);
    let mut state = keyed.clone();
    t.compress(&mut state, Run { blocks: &[block], last_len: Some(len) });
    Secret(state.output())
}

/// Key set-up, for tags of `tag_len` bytes.
#[inline(always)]
pub(crate) fn expand<T: ChaCha20Blake2b, C: Construction>(
    t: T,
    key: &[u8; 32],
    tag_len: usize,
) -> Subkeys {
    let hash = derive(t, &keyed(t, key, CIPHER_KEY_LEN), b"", C::ENCRYPTION);
    let mut encryption = [0; CIPHER_KEY_LEN];
    encryption.copy_from_slice(&hash.0[..CIPHER_KEY_LEN]);
    let mut mac = keyed(t, key, MAX_HASH_LEN);
    if C::IS_SIV {
        let km = derive(t, &mac, b"", C::MAC);
        mac = keyed(t, &km.0, tag_len);
    }
    Subkeys { encryption, mac }
}

/// The cipher's nonce, which is at the end.
#[inline(always)]
fn stream_nonce<C: Construction>(given: &C::Nonce, tag: &[u8]) -> StreamNonce {
    let mut nonce = [0; 24];
    let bytes = if C::IS_SIV { &tag[..24] } else { given.as_ref() };
    nonce[24 - bytes.len()..].copy_from_slice(bytes);
    nonce
}

/// The cipher's matrix under `Ke`: draft-irtf-cfrg-xchacha-03 section 2.3.
#[inline(always)]
fn matrix<T: ChaCha20Blake2b, C: Construction>(
    t: T,
    ke: &[u8; CIPHER_KEY_LEN],
    nonce: &StreamNonce,
) -> Matrix {
    let (mut first, mut last) = ([0; 16], [0; 8]);
    first.copy_from_slice(&nonce[..16]);
    last.copy_from_slice(&nonce[16..]);
    if !C::IS_EXTENDED {
        return Matrix::new(ke, &last);
    }
    let mut subkey = Secret([0; CIPHER_KEY_LEN]);
    t.hchacha20(ke, &first, &mut subkey.0);
    Matrix::new(&subkey.0, &last)
}

/// The tag's hash after its key block `Km`.
#[inline(always)]
fn mac_state<T: ChaCha20Blake2b, C: Construction>(
    t: T,
    keys: &Subkeys,
    nonce: &C::Nonce,
    tag_len: usize,
) -> State {
    if C::IS_SIV {
        return keys.mac.clone();
    }
    let km = derive(t, &keys.mac, nonce.as_ref(), C::MAC);
    keyed(t, &km.0, tag_len)
}

/// The kernels of a tier for a message of `len` bytes. If the hash does not run beside all of the
/// cipher, a long message is faster in as many blocks at a time as fill the vectors.
#[inline(always)]
fn beside_of_len<T: ChaCha20Blake2b>(len: usize) -> Option<Beside<T>> {
    T::BESIDE.filter(|_| len <= FourBlocks::LEN || T::GROUP_LEN == FourBlocks::LEN)
}

/// [`mac_state`], with the rounds of `keystream` beside its two hashes, which do not wait for each
/// other. It is made in its final memory: a copy would go through vectors that nobody wipes.
#[inline(always)]
fn mac_state_beside<T: ChaCha20Blake2b, C: Construction>(
    t: T,
    beside: &Beside<T>,
    keys: &Subkeys,
    nonce: &C::Nonce,
    tag_len: usize,
    keystream: &mut FourBlocks,
) -> State {
    let (block, len) = derivation_block(nonce.as_ref(), C::MAC);
    let mut km = keys.mac.clone();
    (beside.absorb)(t, &mut km, &block, Some(len), keystream);
    let (mut state, block) = before_key(&Secret(km.output()).0, tag_len);
    (beside.absorb)(t, &mut state, &block.0, None, keystream);
    state
}

/// Absorbs what `input` can take from the part of the message that is there.
#[inline(always)]
fn absorb<T: ChaCha20Blake2b>(
    t: T,
    state: &mut State,
    input: &mut Input,
    aad: &[u8],
    available: &[u8],
) {
    let mut scratch = [[0; BLOCK_LEN]; 2];
    while let Some(piece) = input.next(aad, available, &mut scratch) {
        let (run, _) = piece.split(piece.blocks(), aad, available, &scratch);
        t.compress(state, run);
    }
    secret::wipe(scratch.as_flattened_mut());
}

/// The hash of a message that is there.
#[inline(always)]
fn tag_of<T: ChaCha20Blake2b>(t: T, mut state: State, aad: &[u8], message: &[u8]) -> TagBytes {
    let mut input = Input::new(aad, message.len());
    absorb(t, &mut state, &mut input, aad, message);
    state.output()
}

/// XORs the keystream into `in_out` and hashes the result: sealing with a nonce, and opening with
/// SIV. The first bytes of `in_out` have been through the cipher already.
#[inline(always)]
fn xor_then_hash<T: ChaCha20Blake2b>(
    t: T,
    mut state: State,
    matrix: &Matrix,
    aad: &[u8],
    in_out: &mut [u8],
    done: usize,
) -> TagBytes {
    let mut input = Input::new(aad, in_out.len());
    let hash_at = input.whole_blocks_from();
    // The cipher leads by a group, or by two if the first hash block that holds no AAD begins
    // later than the message.
    let groups_ahead = if hash_at == 0 { 1 } else { 2 };
    let xor_at = in_out.len().min(groups_ahead * T::GROUP_LEN);
    xor_from(t, matrix, done, &mut in_out[..xor_at]);
    let groups = (in_out.len() - xor_at)
        .div_ceil(T::GROUP_LEN)
        .min(in_out.len().saturating_sub(hash_at) / T::GROUP_LEN);
    if groups > 0 {
        absorb(t, &mut state, &mut input, aad, &in_out[..hash_at]);
        t.absorb_and_xor(&mut state, matrix, in_out, Span { hash_at, xor_at, groups });
        input.skip(groups * T::GROUP_LEN);
    }
    xor_from(t, matrix, xor_at + groups * T::GROUP_LEN, in_out);
    absorb(t, &mut state, &mut input, aad, in_out);
    state.output()
}

/// XORs the keystream into the bytes after the first `done` ones: whole blocks.
#[inline(always)]
fn xor_from<T: ChaCha20Blake2b>(t: T, matrix: &Matrix, done: usize, in_out: &mut [u8]) {
    if let Some(rest @ [_, ..]) = in_out.get_mut(done..) {
        t.chacha20_xor(matrix, (done / CIPHER_BLOCK_LEN) as u64, rest);
    }
}

/// How many bytes of a message of `len` bytes go through the cipher while it is hashed.
#[inline(always)]
fn grouped_len<T: ChaCha20Blake2b>(aad: &[u8], len: usize) -> usize {
    let hash_at = Input::new(aad, len).whole_blocks_from();
    len.saturating_sub(hash_at) / T::GROUP_LEN * T::GROUP_LEN
}

/// Absorbs `in_out`, and XORs the keystream into the first [`grouped_len`] bytes afterwards.
#[inline(always)]
fn hash_then_xor_groups<T: ChaCha20Blake2b>(
    t: T,
    mut state: State,
    matrix: &Matrix,
    aad: &[u8],
    in_out: &mut [u8],
) -> TagBytes {
    let mut input = Input::new(aad, in_out.len());
    let hash_at = input.whole_blocks_from();
    let grouped = grouped_len::<T>(aad, in_out.len());
    if grouped > 0 {
        absorb(t, &mut state, &mut input, aad, &in_out[..hash_at]);
        t.absorb_and_xor(
            &mut state,
            matrix,
            in_out,
            Span { hash_at, xor_at: 0, groups: grouped / T::GROUP_LEN },
        );
        input.skip(grouped);
    }
    absorb(t, &mut state, &mut input, aad, in_out);
    state.output()
}

/// Writes the beginning of the hash that is the tag: two to four whole blocks.
#[inline(always)]
pub(crate) fn write_tag(tag: &mut [u8], hash: &TagBytes) {
    let (places, rest) = tag.as_chunks_mut::<16>();
    debug_assert!(rest.is_empty());
    for (place, made) in places.iter_mut().zip(hash.as_chunks().0) {
        *place = *made;
    }
}

/// Whether the hash begins with the expected tag, in a time that depends on the tag's
/// length only.
#[inline(always)]
fn verify(hash: &TagBytes, expected: &[u8]) -> bool {
    secret::equal_blocks(&hash[..expected.len()], expected)
}

/// Encrypts `in_out` and returns its tag in the first `tag_len` bytes. The caller has
/// checked the lengths; `tag_len` is that of the key.
#[inline(always)]
pub(crate) fn seal<T: ChaCha20Blake2b, C: Construction>(
    t: T,
    keys: &Subkeys,
    tag_len: usize,
    nonce: &C::Nonce,
    aad: &[u8],
    in_out: &mut [u8],
) -> TagBytes {
    if C::IS_SIV || in_out.is_empty() {
        let state = mac_state::<T, C>(t, keys, nonce, tag_len);
        let tag = tag_of(t, state, aad, in_out);
        if !in_out.is_empty() {
            let matrix = matrix::<T, C>(t, &keys.encryption, &stream_nonce::<C>(nonce, &tag));
            t.chacha20_xor(&matrix, 0, in_out);
        }
        return tag;
    }
    let matrix = matrix::<T, C>(t, &keys.encryption, &stream_nonce::<C>(nonce, &[]));
    let Some(beside) = beside_of_len::<T>(in_out.len()) else {
        let state = mac_state::<T, C>(t, keys, nonce, tag_len);
        return xor_then_hash(t, state, &matrix, aad, in_out, 0);
    };
    let mut keystream = FourBlocks::new(&matrix, 0);
    let state = mac_state_beside::<T, C>(t, &beside, keys, nonce, tag_len, &mut keystream);
    let done = in_out.len().min(FourBlocks::LEN);
    (beside.xor)(t, &keystream, &matrix, 0, &mut in_out[..done]);
    if done == in_out.len() {
        tag_of(t, state, aad, in_out)
    } else {
        xor_then_hash(t, state, &matrix, aad, in_out, done)
    }
}

/// Decrypts `in_out` and says whether its tag, of the key's length, is right; if not,
/// `in_out` is zeros. The caller has checked the lengths.
#[inline(always)]
#[must_use]
pub(crate) fn open<T: ChaCha20Blake2b, C: Construction>(
    t: T,
    keys: &Subkeys,
    nonce: &C::Nonce,
    aad: &[u8],
    in_out: &mut [u8],
    expected: &[u8],
) -> bool {
    let tag_len = expected.len();
    if in_out.is_empty() {
        let state = mac_state::<T, C>(t, keys, nonce, tag_len);
        return verify(&tag_of(t, state, aad, in_out), expected);
    }
    let matrix = matrix::<T, C>(t, &keys.encryption, &stream_nonce::<C>(nonce, expected));
    if C::IS_SIV {
        // One pass, the plaintext hashed as it appears.
        let hash = xor_then_hash(t, keys.mac.clone(), &matrix, aad, in_out, 0);
        return verify_or_wipe(&hash, expected, in_out);
    }
    // The bytes after the groups wait for the tag. Their first keystream is made beside the hashes
    // that make the MAC key.
    let mut done =
        if in_out.len() <= FourBlocks::LEN { 0 } else { grouped_len::<T>(aad, in_out.len()) };
    let counter = (done / CIPHER_BLOCK_LEN) as u64;
    let beside = beside_of_len::<T>(in_out.len());
    let mut keystream = FourBlocks::new(&matrix, counter);
    let state = match &beside {
        Some(beside) => mac_state_beside::<T, C>(t, beside, keys, nonce, tag_len, &mut keystream),
        None => mac_state::<T, C>(t, keys, nonce, tag_len),
    };
    let hash = if done == 0 {
        tag_of(t, state, aad, in_out)
    } else {
        hash_then_xor_groups(t, state, &matrix, aad, in_out)
    };
    if !verify_or_wipe(&hash, expected, in_out) {
        return false;
    }
    if let Some(beside) = beside {
        let end = in_out.len().min(done + FourBlocks::LEN);
        (beside.xor)(t, &keystream, &matrix, counter, &mut in_out[done..end]);
        done = end;
    }
    xor_from(t, &matrix, done, in_out);
    true
}

/// [`verify`] of a text, which is wiped if not.
#[inline(always)]
fn verify_or_wipe(hash: &TagBytes, expected: &[u8], text: &mut [u8]) -> bool {
    let authentic = verify(hash, expected);
    if !authentic {
        secret::wipe(text);
    }
    authentic
}
