//! A second, plain reading of `docs/spec/file-format-v1.md`: slow, obvious, made from
//! the text and from the oracle, sharing no code with the crate. The vectors are
//! written with it.

use super::hpke::Kem;
use argon2::{Algorithm, Argon2, Params, Version};
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha512};
use sivka_oracle::{chacha20_blake2b, gcm_siv, mgm};
use unicode_normalization::UnicodeNormalization;

/// Section 4.1.
pub(crate) const MAGIC: [u8; 8] = [0x93, 0x53, 0x49, 0x56, 0x4b, 0x41, 0x0d, 0x0a];
/// Section 4: the least, and what a writer uses if it is enough.
pub(crate) const HEADER_LEN: usize = 2048;
/// Section 4.1.
pub(crate) const PREFIX_LEN: usize = 20;
/// Section 5.2: bytes of a key file's slot.
pub(crate) const SLOT_LEN: usize = 123;
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

/// Section 4.1: magic, version, suite and length.
pub(crate) fn prefix(version: u32, suite: u32) -> [u8; PREFIX_LEN] {
    prefix_of(version, suite, HEADER_LEN)
}

/// As [`prefix`], of a header of another length.
pub(crate) fn prefix_of(version: u32, suite: u32, len: usize) -> [u8; PREFIX_LEN] {
    let mut prefix = [0; PREFIX_LEN];
    prefix[..8].copy_from_slice(&MAGIC);
    prefix[8..12].copy_from_slice(&version.to_be_bytes());
    prefix[12..16].copy_from_slice(&suite.to_be_bytes());
    prefix[16..].copy_from_slice(&u32::try_from(len).expect("short").to_be_bytes());
    prefix
}

/// What a slot is made of. Every field can be made wrong.
#[derive(Clone)]
pub(crate) struct Slot {
    pub(crate) kind: u8,
    /// What is before the commitment.
    pub(crate) parameters: Vec<u8>,
    /// Wrapping key and commitment.
    pub(crate) keys: (Vec<u8>, Vec<u8>),
    pub(crate) file_key: [u8; 32],
}

impl Slot {
    /// Section 5.2: a key file's slot.
    pub(crate) fn key_file(key: [u8; 32], salt: [u8; 32], file_key: [u8; 32]) -> Self {
        Self {
            kind: 1,
            parameters: [&key_id(&key)[..], &salt].concat(),
            keys: wrapping_key(1, &salt, &key),
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
        slot.keys = wrapping_key(2, &salt, &argon2id(passphrase, cost, &salt));
        slot
    }

    /// A passphrase's slot that nobody paid for: its secret is zero.
    pub(crate) fn passphrase_cost_only(cost: [u32; 3], salt: [u8; 32], file_key: [u8; 32]) -> Self {
        Self {
            kind: 2,
            parameters: [&cost.map(u32::to_be_bytes).concat()[..], &salt].concat(),
            keys: wrapping_key(2, &salt, &[0; 32]),
            file_key,
        }
    }

    /// Section 5.4: a slot that is sealed to a public key.
    pub(crate) fn recipient(
        kem: Kem,
        public: &[u8],
        random: &[u8; 64],
        file_key: [u8; 32],
    ) -> Self {
        let kind = kind_of(kem);
        let (encapsulated, secret) = kem.encapsulate(public, random);
        Self {
            kind,
            parameters: encapsulated,
            keys: exported(kem, &secret),
            file_key,
        }
    }

    /// Section 5.1.
    pub(crate) fn encode(&self, prefix: &[u8; PREFIX_LEN]) -> Vec<u8> {
        let (wrapping_key, commitment) = &self.keys;
        let len = u16::try_from(self.parameters.len() + 80).expect("short");
        let mut slot = vec![self.kind];
        slot.extend(len.to_be_bytes());
        slot.extend(&self.parameters);
        slot.extend(commitment);
        let aad = [&prefix[..], &slot].concat();
        slot.extend(gcm_siv::seal(wrapping_key, &[0; 12], &aad, &self.file_key));
        slot
    }
}

/// The kind of a KEM's slots.
pub(crate) fn kind_of(kem: Kem) -> u8 {
    match kem {
        Kem::X25519 => 3,
        Kem::MlKem768X25519 => 4,
    }
}

/// Section 5.4: wrapping key and commitment.
pub(crate) fn exported(kem: Kem, secret: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let info = [&b"sivka.file.v1 slot"[..], &[kind_of(kem)]].concat();
    let keys = kem.export(secret, &info);
    (keys[..32].to_vec(), keys[32..].to_vec())
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
pub(crate) fn header(prefix: &[u8; PREFIX_LEN], slots: &[Vec<u8>], file_key: &[u8; 32]) -> Vec<u8> {
    let len = number(prefix, 16) as usize;
    let mut header = prefix.to_vec();
    header.extend(slots.concat());
    header.resize(len - 32, 0);
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
    Identity(Kem, [u8; 32]),
}

/// Reads a whole file, or nothing. Section by section, in the specification's order.
pub(crate) fn read(file: &[u8], key: &Key) -> Option<Vec<u8>> {
    let prefix: [u8; PREFIX_LEN] = file.get(..PREFIX_LEN)?.try_into().ok()?;
    let (suite_number, len) = (number(&prefix, 12), number(&prefix, 16) as usize);
    let suite = suite(suite_number)?;
    if prefix != prefix_of(1, suite_number, len) || !(2048..=65536).contains(&len) {
        return None;
    }
    let header = file.get(..len)?;
    let slots = slots(&header[PREFIX_LEN..len - 32])?;
    let file_key = forms(key).iter().find_map(|form| {
        let mut slots = slots.iter();
        slots.find_map(|slot| open_slot(&prefix, slot, form))
    })?;
    if header_mac(&header[..len - 32], &file_key) != header[len - 32..] {
        return None;
    }

    let salt: [u8; 24] = file.get(len..len + 24)?.try_into().ok()?;
    let (chunk_key, base, commitment) = payload_keys(suite_number, &file_key, &salt);
    if file.get(len + 24..len + 56)? != commitment {
        return None;
    }
    let mut rest = &file[len + 56..];
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

/// Section 4.2: the slots, if they are well formed.
fn slots(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut slots = Vec::new();
    while bytes.iter().any(|byte| *byte != 0) {
        let len = usize::from(u16::from_be_bytes([*bytes.get(1)?, *bytes.get(2)?]));
        let (slot, rest) = bytes.split_at_checked(3 + len)?;
        let known = match slot[0] {
            0 => return None,
            1 => len == 120,
            2 => len == 124,
            3 => len == 112,
            4 => len == 1200,
            _ => true,
        };
        if !known {
            return None;
        }
        slots.push(slot);
        bytes = rest;
    }
    (1..=64).contains(&slots.len()).then_some(slots)
}

fn number(bytes: &[u8], at: usize) -> u32 {
    let four = bytes[at..at + 4].iter();
    four.fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// Section 5.3: a passphrase normalised, and as it was typed.
fn forms(key: &Key) -> Vec<Key> {
    match key {
        Key::Passphrase(typed) => {
            let normalised = typed.nfc().collect();
            vec![Key::Passphrase(normalised), key.clone()]
        }
        key => vec![key.clone()],
    }
}

fn open_slot(prefix: &[u8; PREFIX_LEN], slot: &[u8], key: &Key) -> Option<[u8; 32]> {
    let end = slot.len().checked_sub(80)?;
    let parameters = slot.get(3..end)?;
    let (wrapping_key, commitment) = match (slot[0], key) {
        (1, Key::File(key)) => wrapping_key(1, &array(&parameters[8..]), key),
        (2, Key::Passphrase(passphrase)) => {
            let cost = [0, 4, 8].map(|at| number(parameters, at));
            let salt = array(&parameters[12..]);
            wrapping_key(2, &salt, &argon2id(passphrase, cost, &salt))
        }
        (3 | 4, Key::Identity(kem, secret))
            if slot[0] == kind_of(*kem) && !Kem::is_zero(parameters) =>
        {
            exported(*kem, &kem.decapsulate(secret, parameters))
        }
        _ => return None,
    };
    let (before, wrapped) = slot.split_at(slot.len() - 48);
    if before[end..] != commitment {
        return None;
    }
    let aad = [&prefix[..], before].concat();
    let file_key = gcm_siv::open(&wrapping_key, &[0; 12], &aad, wrapped)?;
    file_key.try_into().ok()
}
