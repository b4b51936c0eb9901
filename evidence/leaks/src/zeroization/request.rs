//! What a process is asked to do before it is looked at.

/// An algorithm, what is done, with how many bytes, and a key that nobody has seen before.
pub(super) struct Request {
    pub(super) algorithm: String,
    pub(super) act: Act,
    /// The length of the text in bytes; of a batch, of its longest.
    pub(super) len: usize,
    key: [u8; MAX_KEY_LEN],
    key_len: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Act {
    SetUp,
    Seal,
    Open,
    Forged,
    Batch,
    BatchForged,
    /// Tries to make a key of a byte too few.
    Refused,
    /// Seals, and panics with the key in hand.
    Panic,
    /// Seals, opens, and frees nothing: a control, for the key must be found.
    Kept,
    /// Seals a file for a key file, and opens it.
    KeyFile(Ending),
    /// The same for a passphrase.
    Passphrase(Ending),
    /// The same for the public key of an identity of X25519.
    X25519(Ending),
    /// Of ML-KEM-768 with X25519.
    PostQuantum(Ending),
    /// Writes and reads a keyset with the key, and seals and opens with it.
    Keyset,
    /// Reads keysets with the key that are damaged, and decrypts with a wrong one.
    KeysetRefused,
}

/// How it ends with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Opened,
    /// The last byte was changed.
    Forged,
    /// Another key file or passphrase is tried, which is [`wrong`].
    Wrong,
    /// The key file or identity is damaged, or the passphrase is no text: no file is made.
    Refused,
}

impl Act {
    pub(super) const ALL: [(Self, &str); 27] = [
        (Self::SetUp, "set-up"),
        (Self::Seal, "seal"),
        (Self::Open, "open"),
        (Self::Forged, "forged"),
        (Self::Batch, "batch"),
        (Self::BatchForged, "batch-forged"),
        (Self::Refused, "refused"),
        (Self::Panic, "panic"),
        (Self::Kept, "kept"),
        (Self::KeyFile(Ending::Opened), "key-file"),
        (Self::KeyFile(Ending::Forged), "key-file-forged"),
        (Self::KeyFile(Ending::Wrong), "key-file-wrong"),
        (Self::KeyFile(Ending::Refused), "key-file-refused"),
        (Self::Passphrase(Ending::Opened), "passphrase"),
        (Self::Passphrase(Ending::Forged), "passphrase-forged"),
        (Self::Passphrase(Ending::Wrong), "passphrase-wrong"),
        (Self::Passphrase(Ending::Refused), "passphrase-refused"),
        (Self::X25519(Ending::Opened), "x25519"),
        (Self::X25519(Ending::Forged), "x25519-forged"),
        (Self::X25519(Ending::Wrong), "x25519-wrong"),
        (Self::X25519(Ending::Refused), "x25519-refused"),
        (Self::PostQuantum(Ending::Opened), "post-quantum"),
        (Self::PostQuantum(Ending::Forged), "post-quantum-forged"),
        (Self::PostQuantum(Ending::Wrong), "post-quantum-wrong"),
        (Self::PostQuantum(Ending::Refused), "post-quantum-refused"),
        (Self::Keyset, "keyset"),
        (Self::KeysetRefused, "keyset-refused"),
    ];

    pub(super) fn name(self) -> &'static str {
        let row = Self::ALL.iter().find(|(act, _)| *act == self);
        row.map_or("", |(_, name)| name)
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        let row = Self::ALL.iter().find(|(_, known)| *known == name);
        row.map(|(act, _)| *act)
    }
}

/// A request as it is written: words, padded with spaces, and the key, padded with what is
/// none of it.
pub(super) const WORDS_LEN: usize = 96;
pub(super) const REQUEST_LEN: usize = WORDS_LEN + MAX_KEY_LEN;
/// AES-SIV-512 has the longest keys.
const MAX_KEY_LEN: usize = 64;

impl Request {
    /// With the key of this number.
    pub(super) fn new(algorithm: &str, key_len: usize, act: Act, len: usize, number: u64) -> Self {
        Self {
            algorithm: algorithm.to_owned(),
            act,
            len,
            key: made_up(number),
            key_len,
        }
    }

    pub(super) fn key(&self) -> &[u8] {
        &self.key[..self.key_len]
    }

    /// The key as letters.
    pub(super) fn passphrase(&self) -> Vec<u8> {
        let mut letters = self.key().to_vec();
        to_letters(&mut letters);
        letters
    }

    /// A call that overwrites nothing: what is left of it goes with the key.
    pub(super) fn is_short(&self) -> bool {
        let is_batch = matches!(self.act, Act::Batch | Act::BatchForged);
        !is_batch && self.act != Act::SetUp && self.len < 64 << 10
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let Self {
            algorithm,
            act,
            len,
            key_len,
            ..
        } = self;
        let words = format!("{algorithm} {} {len} {key_len}", act.name());
        let mut bytes = words.into_bytes();
        bytes.resize(WORDS_LEN, b' ');
        bytes.extend_from_slice(&self.key);
        bytes
    }
}

/// Makes another key of one, or another passphrase, where it is.
pub(super) fn wrong(secret: &mut [u8]) {
    for byte in secret {
        *byte ^= 1;
    }
}

/// Makes a passphrase of a key, where it is.
pub(super) fn to_letters(key: &mut [u8]) {
    for byte in key {
        *byte = b'?' + (*byte & 63);
    }
}

/// SplitMix64: bytes that are nowhere else.
fn made_up(number: u64) -> [u8; MAX_KEY_LEN] {
    let mut state = number.wrapping_mul(0xd129_8fb1_4a5e_93c7);
    let words: [[u8; 8]; MAX_KEY_LEN / 8] = std::array::from_fn(|_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)).to_le_bytes()
    });
    let mut key = [0; MAX_KEY_LEN];
    key.copy_from_slice(words.as_flattened());
    key
}

/// The AAD of every message.
pub(super) const AAD: &[u8] = b"associated data of 33 bytes, long";

/// What the text of every stream repeats.
pub(super) const STREAM_TEXT: &[u8; 32] = b"What a stream's buffers have had";

/// Every byte of a nonce is its message's number, from one on, which every algorithm allows.
pub(super) fn nonce_of(message: usize, len: usize) -> Vec<u8> {
    vec![message as u8 + 1; len]
}

/// The lengths of a batch's texts: of one length where a tier can take them side by side, and
/// of many.
pub(super) fn batch_lens(len: usize) -> Vec<usize> {
    match len {
        0..=64 => vec![len; 17],
        _ => (0..19).map(|i| len * (i + 1) / 19).collect(),
    }
}
