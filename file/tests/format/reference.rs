//! A second, plain reading of `docs/spec/file-format-v1.md`: slow, obvious, made from
//! the text and from the oracle, sharing no code with the crate. The vectors are
//! written with it.

use argon2::{Algorithm, Argon2, Params, Version};
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha512};
use sivka_oracle::{chacha20_blake2b, gcm_siv, mgm};

/// Section 4.1.
pub(crate) const MAGIC: [u8; 8] = [0x93, 0x53, 0x49, 0x56, 0x4b, 0x41, 0x0d, 0x0a];
/// Section 4.
pub(crate) const HEADER_LEN: usize = 2048;
/// Section 5.
pub(crate) const SLOT_LEN: usize = 125;
/// Section 6.
pub(crate) const CHUNK_LEN: usize = 16384;

/// Bytes that look random and are the same in every run: SHA-512 of a label.
pub(crate) fn fixed<const N: usize>(label: &str) -> [u8; N] {
    let hash = Sha512::digest(format!("sivka file-v1 vectors: {label}"));
    std::array::from_fn(|i| hash[i])
}

/// HKDF-Expand-SHA-512. HMAC pads a short key with zeros, so padding a short PRK by
/// hand gives the same result, and the crate takes it.
pub(crate) fn expand(prk: &[u8], info: &[u8], len: usize) -> Vec<u8> {
    let mut padded = [0; 64];
    padded[..prk.len()].copy_from_slice(prk);
    let mut okm = vec![0; len];
    let hkdf = Hkdf::<Sha512>::from_prk(&padded).expect("64 bytes are enough");
    hkdf.expand(info, &mut okm).expect("short");
    okm
}

/// Sections 4.1: magic, version, suite.
pub(crate) fn prefix(version: u32, suite: u32) -> [u8; 16] {
    let mut prefix = [0; 16];
    prefix[..8].copy_from_slice(&MAGIC);
    prefix[8..12].copy_from_slice(&version.to_be_bytes());
    prefix[12..].copy_from_slice(&suite.to_be_bytes());
    prefix
}

/// What a slot is made of. Every field can be made wrong.
#[derive(Clone)]
pub(crate) struct Slot {
    pub(crate) kind: u8,
    pub(crate) parameters: [u8; 12],
    pub(crate) salt: [u8; 32],
    pub(crate) secret: [u8; 32],
    pub(crate) file_key: [u8; 32],
}

impl Slot {
    /// Section 5.2: a key file's slot.
    pub(crate) fn key_file(key: [u8; 32], salt: [u8; 32], file_key: [u8; 32]) -> Self {
        let mut parameters = [0; 12];
        parameters[..8].copy_from_slice(&key_id(&key));
        Self {
            kind: 1,
            parameters,
            salt,
            secret: key,
            file_key,
        }
    }

    /// Section 5.3: a passphrase's slot. The cost is memory in KiB, passes and lanes.
    pub(crate) fn passphrase(
        passphrase: &str,
        cost: [u32; 3],
        salt: [u8; 32],
        file_key: [u8; 32],
    ) -> Self {
        let mut slot = Self::passphrase_cost_only(cost, salt, file_key);
        slot.secret = argon2id(passphrase, cost, &salt);
        slot
    }

    /// A passphrase's slot that nobody paid for: its secret is zero.
    pub(crate) fn passphrase_cost_only(cost: [u32; 3], salt: [u8; 32], file_key: [u8; 32]) -> Self {
        let mut parameters = [0; 12];
        for (i, number) in cost.iter().enumerate() {
            parameters[4 * i..4 * i + 4].copy_from_slice(&number.to_be_bytes());
        }
        Self {
            kind: 2,
            parameters,
            salt,
            secret: [0; 32],
            file_key,
        }
    }

    /// Section 5.1.
    pub(crate) fn encode(&self, prefix: &[u8; 16]) -> [u8; SLOT_LEN] {
        let (wrapping_key, commitment) = wrapping_key(self.kind, &self.salt, &self.secret);
        let mut slot = vec![self.kind];
        slot.extend(self.parameters);
        slot.extend(self.salt);
        slot.extend(commitment);
        let aad = [&prefix[..], &slot].concat();
        slot.extend(gcm_siv::seal(&wrapping_key, &[0; 12], &aad, &self.file_key));
        slot.try_into().expect("125 bytes")
    }
}

/// Section 5.1: wrapping key and commitment.
pub(crate) fn wrapping_key(kind: u8, salt: &[u8; 32], secret: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let (_, hkdf) = Hkdf::<Sha512>::extract(Some(salt), secret);
    let mut okm = vec![0; 64];
    let info = [&b"sivka.file.v1 slot"[..], &[kind]].concat();
    hkdf.expand(&info, &mut okm).expect("short");
    (okm[..32].to_vec(), okm[32..].to_vec())
}

/// Section 5.3.
pub(crate) fn argon2id(
    passphrase: &str,
    [memory, passes, lanes]: [u32; 3],
    salt: &[u8; 32],
) -> [u8; 32] {
    let params = Params::new(memory, passes, lanes, Some(32)).expect("valid cost");
    let mut secret = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.as_bytes(), salt, &mut secret)
        .expect("valid cost");
    secret
}

/// Section 8.2.
pub(crate) fn key_id(key: &[u8; 32]) -> [u8; 8] {
    expand(key, b"sivka.key.v1 id", 8).try_into().expect("8")
}

/// Section 4.2: prefix, slots, zeros, MAC.
pub(crate) fn header(prefix: &[u8; 16], slots: &[[u8; SLOT_LEN]], file_key: &[u8; 32]) -> Vec<u8> {
    let mut header = prefix.to_vec();
    header.extend(slots.concat());
    header.resize(HEADER_LEN - 32, 0);
    let mac = header_mac(&header, file_key);
    header.extend(mac);
    header
}

/// Section 4.3.
pub(crate) fn header_mac(before: &[u8], file_key: &[u8; 32]) -> Vec<u8> {
    let key = expand(file_key, b"sivka.file.v1 header mac", 64);
    let mut mac = Hmac::<Sha512>::new_from_slice(&key).expect("any length");
    mac.update(before);
    mac.finalize().into_bytes()[..32].to_vec()
}

/// A row of section 3, with its AEAD from the oracle.
pub(crate) struct Suite {
    aead: &'static str,
    nonce_len: usize,
    pub(crate) tag_len: usize,
    chunk_aad: &'static [u8],
    /// Makes ciphertext ‖ tag.
    pub(crate) seal: Aead<Vec<u8>>,
    /// Takes ciphertext ‖ tag.
    open: Aead<Option<Vec<u8>>>,
}

/// Key, nonce, AAD, text.
type Aead<T> = fn(&[u8], &[u8], &[u8], &[u8]) -> T;

/// Section 3.
const SUITES: [Suite; 3] = [
    Suite {
        aead: "AEAD_AES_256_GCM_SIV",
        nonce_len: 12,
        tag_len: 16,
        chunk_aad: b"",
        seal: gcm_siv::seal,
        open: gcm_siv::open,
    },
    Suite {
        aead: "private.sivka.AEAD_XCHACHA20_BLAKE2B_32",
        nonce_len: 24,
        tag_len: 32,
        chunk_aad: b"",
        seal: |key, nonce, aad, plaintext| {
            let (key, nonce) = (array(key), array(nonce));
            chacha20_blake2b::xchacha20_blake2b_seal(&key, &nonce, aad, plaintext, 32)
        },
        open: |key, nonce, aad, sealed| {
            let (key, nonce) = (array(key), array(nonce));
            chacha20_blake2b::xchacha20_blake2b_open(&key, &nonce, aad, sealed, 32)
        },
    },
    Suite {
        aead: "private.sivka.AEAD_KUZNYECHIK_MGM",
        nonce_len: 16,
        tag_len: 16,
        chunk_aad: b"sivka.file.v1 chunk",
        seal: |key, nonce, aad, plaintext| {
            mgm::seal(&array(key), &array(nonce), aad, plaintext).expect("an AAD")
        },
        open: |key, nonce, aad, sealed| mgm::open(&array(key), &array(nonce), aad, sealed),
    },
];

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("a key or nonce of this length")
}

/// The suite of a number, if there is one.
pub(crate) fn suite(number: u32) -> Option<&'static Suite> {
    SUITES.get(usize::try_from(number).ok()?.checked_sub(1)?)
}

/// Section 6: key ‖ base nonce ‖ commitment, as they are derived.
pub(crate) fn payload_okm(number: u32, file_key: &[u8; 32], salt: &[u8; 24]) -> Vec<u8> {
    let suite = suite(number).expect("a known suite");
    let info = [
        b"c2sp.org/chunked-encryption@v1+",
        suite.aead.as_bytes(),
        &[0],
        salt,
    ];
    expand(file_key, &info.concat(), 64 + suite.nonce_len)
}

/// Section 6: key, base nonce and commitment.
pub(crate) fn payload_keys(
    number: u32,
    file_key: &[u8; 32],
    salt: &[u8; 24],
) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let suite = suite(number).expect("a known suite");
    let okm = payload_okm(number, file_key, salt);
    let (key, rest) = okm.split_at(32);
    let (base, commitment) = rest.split_at(suite.nonce_len);
    let mut base = base.to_vec();
    if number == 3 {
        base[0] &= 0x7f;
    }
    (key.to_vec(), base, commitment.to_vec())
}

/// Base nonce XOR the chunk's number, as a big-endian integer of the same length.
pub(crate) fn nonce(base: &[u8], chunk: u64) -> Vec<u8> {
    let mut nonce = base.to_vec();
    let low = base.len() - 8;
    for (byte, number) in nonce[low..].iter_mut().zip(chunk.to_be_bytes()) {
        *byte ^= number;
    }
    nonce
}

/// A payload in pieces, so that a vector can put them together wrongly.
#[derive(Clone)]
pub(crate) struct Payload {
    pub(crate) head: Vec<u8>,
    pub(crate) chunks: Vec<Vec<u8>>,
}

impl Payload {
    /// Seals `texts` as chunks 0, 1, …, whatever their lengths.
    pub(crate) fn of_chunks(
        suite: u32,
        file_key: &[u8; 32],
        salt: &[u8; 24],
        texts: &[&[u8]],
    ) -> Self {
        Self::of_numbered(suite, file_key, salt, (0..).zip(texts.iter().copied()))
    }

    /// Seals each text with its own number.
    pub(crate) fn of_numbered<'a>(
        number: u32,
        file_key: &[u8; 32],
        salt: &[u8; 24],
        texts: impl Iterator<Item = (u64, &'a [u8])>,
    ) -> Self {
        let suite = suite(number).expect("a known suite");
        let (key, base, commitment) = payload_keys(number, file_key, salt);
        Self {
            head: [&salt[..], &commitment].concat(),
            chunks: texts
                .map(|(chunk, text)| {
                    (suite.seal)(&key, &nonce(&base, chunk), suite.chunk_aad, text)
                })
                .collect(),
        }
    }

    /// Seals a plaintext as section 6 says: the last chunk is short, and may be empty.
    pub(crate) fn new(suite: u32, file_key: &[u8; 32], salt: &[u8; 24], plaintext: &[u8]) -> Self {
        let mut texts: Vec<&[u8]> = plaintext.chunks(CHUNK_LEN).collect();
        if plaintext.len().is_multiple_of(CHUNK_LEN) {
            texts.push(&[]);
        }
        Self::of_chunks(suite, file_key, salt, &texts)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        [&self.head[..], &self.chunks.concat()].concat()
    }
}

/// What opens a file.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    File([u8; 32]),
    Passphrase(String),
}

/// Reads a whole file, or nothing. Section by section, in the specification's order.
pub(crate) fn read(file: &[u8], key: &Key) -> Option<Vec<u8>> {
    let header = file.get(..HEADER_LEN)?;
    let prefix: [u8; 16] = header[..16].try_into().ok()?;
    let number = u32::from_be_bytes(header[12..16].try_into().ok()?);
    let suite = suite(number)?;
    if prefix != self::prefix(1, number) {
        return None;
    }
    let slots: Vec<&[u8]> = header[16..HEADER_LEN - 32].chunks(SLOT_LEN).collect();
    let used = slots.iter().take_while(|slot| slot[0] != 0).count();
    if used == 0
        || slots[used..]
            .iter()
            .any(|slot| slot.iter().any(|b| *b != 0))
    {
        return None;
    }
    let file_key = slots[..used]
        .iter()
        .find_map(|slot| open_slot(&prefix, slot, key))?;
    if header_mac(&header[..HEADER_LEN - 32], &file_key) != header[HEADER_LEN - 32..] {
        return None;
    }

    let salt: [u8; 24] = file.get(HEADER_LEN..HEADER_LEN + 24)?.try_into().ok()?;
    let (chunk_key, base, commitment) = payload_keys(number, &file_key, &salt);
    if file.get(HEADER_LEN + 24..HEADER_LEN + 56)? != commitment {
        return None;
    }
    let mut rest = &file[HEADER_LEN + 56..];
    let mut plaintext = Vec::new();
    for chunk in 0.. {
        let sealed = &rest[..rest.len().min(CHUNK_LEN + suite.tag_len)];
        let nonce = nonce(&base, chunk);
        let text = (suite.open)(&chunk_key, &nonce, suite.chunk_aad, sealed)?;
        plaintext.extend(&text);
        rest = &rest[sealed.len()..];
        if text.len() < CHUNK_LEN {
            break;
        }
    }
    rest.is_empty().then_some(plaintext)
}

fn open_slot(prefix: &[u8; 16], slot: &[u8], key: &Key) -> Option<[u8; 32]> {
    let salt: [u8; 32] = slot[13..45].try_into().ok()?;
    let number = |at: usize| {
        slot[at..at + 4]
            .iter()
            .fold(0, |n, b| n << 8 | u32::from(*b))
    };
    let secret = match (slot[0], key) {
        (1, Key::File(key)) => *key,
        (2, Key::Passphrase(passphrase)) => {
            argon2id(passphrase, [number(1), number(5), number(9)], &salt)
        }
        _ => return None,
    };
    let (wrapping_key, commitment) = wrapping_key(slot[0], &salt, &secret);
    if slot[45..77] != commitment {
        return None;
    }
    let aad = [&prefix[..], &slot[..77]].concat();
    let file_key = gcm_siv::open(&wrapping_key, &[0; 12], &aad, &slot[77..])?;
    file_key.try_into().ok()
}
