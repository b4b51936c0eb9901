//! Keysets: what reads, writes and uses the keys of every type.
//!
//! Most ciphers of keysets are RustCrypto's, whose crates are watched with what is ours around
//! them: the parsing, the comparisons, the segments of streams.

use super::{AAD, Call, SHORT_AAD, Watched, watched};
use crate::secret::{Seed, publish};
use sivka::Aes256GcmSiv;
use sivka_keyset::{
    EncryptedKeyset, Error, KeyType, Keyset, KeysetAead, KeysetDeterministicAead,
    KeysetStreamingAead, OutputPrefix, Primitive, ReadOptions,
};
#[cfg(not(feature = "ctgrind"))]
use sivka_keyset::{SharedKeyEncryptionKey, Template};
use std::io::{Read, Write};

/// Every type of keys, how many bytes a key has, and the name of both here.
pub(crate) const TYPES: [(KeyType, usize, &str); 15] = [
    (KeyType::AesGcmSiv, 16, "AES-128-GCM-SIV"),
    (KeyType::AesGcmSiv, 32, "AES-256-GCM-SIV"),
    (KeyType::AesSiv, 64, "AES-SIV-512"),
    (KeyType::AesGcm, 16, "AES-128-GCM"),
    (KeyType::AesGcm, 32, "AES-256-GCM"),
    (KeyType::ChaCha20Poly1305, 32, "ChaCha20-Poly1305"),
    (KeyType::XChaCha20Poly1305, 32, "XChaCha20-Poly1305"),
    (KeyType::XAesGcm, 32, "XAES-256-GCM"),
    (KeyType::AesEax, 16, "AES-128-EAX"),
    (KeyType::AesEax, 32, "AES-256-EAX"),
    (KeyType::AesCtrHmac, 48, "AES-128-CTR-HMAC"),
    (KeyType::AesCtrHmac, 64, "AES-256-CTR-HMAC"),
    (KeyType::AesGcmHkdfStreaming, 32, "AES-256-GCM-HKDF"),
    (KeyType::AesCtrHmacStreaming, 16, "AES-128-CTR-HMAC-streams"),
    (KeyType::AesCtrHmacStreaming, 32, "AES-256-CTR-HMAC-streams"),
];

/// Of these the keys of another length take the same way through the code.
const LIKE_ANOTHER: [&str; 2] = ["AES-128-GCM-SIV", "AES-256-CTR-HMAC-streams"];

/// Lengths of texts in bytes.
const LENS: [usize; 3] = [0, 37, 600];

/// Of streams: within a segment of 4 KiB, and over several.
const STREAM_LENS: [usize; 2] = [100, 9000];

static ASSOCIATED: &[u8] = AAD.split_at(SHORT_AAD).0;

pub(super) fn add(calls: &mut Vec<Call>) {
    let types = TYPES.into_iter();
    for (key_type, key_len, name) in types.filter(|(.., name)| !LIKE_ANOTHER.contains(name)) {
        let of = Of {
            key_type,
            key_len,
            name,
        };
        of.add_forms(calls);
        if key_type.primitive() == Primitive::StreamingAead {
            STREAM_LENS
                .iter()
                .for_each(|len| of.add_streams(calls, *len));
        } else {
            LENS.iter().for_each(|len| of.add_messages(calls, *len));
        }
    }
    // The key of a message is decrypted too.
    #[cfg(not(feature = "ctgrind"))]
    add_envelopes(calls);
}

/// Keysets of one type of keys.
#[derive(Clone, Copy)]
struct Of {
    key_type: KeyType,
    key_len: usize,
    name: &'static str,
}

impl Of {
    /// A keyset with a key that has another's prefix before it, so that two are tried.
    fn keyset(self, seed: Seed) -> Keyset {
        let key = seed.secrets().bytes(self.key_len);
        let keyset = Keyset::from_key(self.key_type, &key, OutputPrefix::Tink, Some(0x0102_0304));
        keyset.expect("a key of that length")
    }

    fn push(self, calls: &mut Vec<Call>, verb: &str, prepare: impl Fn(Seed) -> Watched + 'static) {
        calls.push(Call::new(format!("keyset, {}: {verb}", self.name), prepare));
    }

    /// Reading and writing.
    fn add_forms(self, calls: &mut Vec<Call>) {
        self.push(calls, "take a key", move |seed| {
            let key = seed.secrets().bytes(self.key_len);
            let call =
                move || Keyset::from_key(self.key_type, &key, OutputPrefix::Tink, None).map(drop);
            watched(call, |done| assert!(done.is_ok()))
        });
        self.push(calls, "write in binary", move |seed| {
            let keyset = self.keyset(seed);
            let call = move || keyset.to_insecure_binary().map(drop);
            watched(call, |done| assert!(done.is_ok()))
        });
        self.push(calls, "write as JSON", move |seed| {
            let keyset = self.keyset(seed);
            let call = move || keyset.to_insecure_json().map(drop);
            watched(call, |done| assert!(done.is_ok()))
        });
        self.push(calls, "read in binary", move |seed| {
            let bytes = self.keyset(seed).to_insecure_binary().expect("written");
            let call =
                move || Keyset::from_insecure_binary(&bytes, ReadOptions::default()).map(drop);
            watched(call, |done| assert!(done.is_ok()))
        });
        // valgrind takes the search for the ends of strings for a look at the digits.
        #[cfg(not(feature = "ctgrind"))]
        self.push(calls, "read as JSON", move |seed| {
            let text = self.keyset(seed).to_insecure_json().expect("written");
            let call = move || {
                Keyset::from_insecure_json(text.as_bytes(), ReadOptions::default()).map(drop)
            };
            watched(call, |done| assert!(done.is_ok()))
        });
        // What decryption gives is secret to valgrind as a whole, its lengths too.
        #[cfg(not(feature = "ctgrind"))]
        self.add_encrypted(calls, true, "encrypt and decrypt");
        self.add_encrypted(
            calls,
            false,
            "encrypt, and decrypt with other associated data",
        );
    }

    fn add_encrypted(self, calls: &mut Vec<Call>, opens: bool, verb: &str) {
        self.push(calls, verb, move |seed| {
            let master = Aes256GcmSiv::new(&seed.secrets().array());
            let keyset = self.keyset(seed);
            let call = move || {
                let encrypted = keyset.encrypt(&master, ASSOCIATED)?.to_binary()?;
                publish(encrypted.as_slice());
                let options = ReadOptions::default();
                let encrypted = EncryptedKeyset::from_binary(&encrypted, options)?;
                let associated = if opens { ASSOCIATED } else { b"" };
                encrypted.decrypt(&master, associated).map(drop)
            };
            watched(call, move |done: Result<(), Error>| {
                assert_eq!(done.is_ok(), opens);
            })
        });
    }

    fn add_messages(self, calls: &mut Vec<Call>, len: usize) {
        self.push(calls, &format!("seal, {len} B"), move |seed| {
            let (keyset, text) = (self.keyset(seed), seed.secrets().bytes(len));
            let call = move || Ready::new(&keyset)?.seal(&text, ASSOCIATED);
            watched(call, |done| assert!(done.is_ok()))
        });
        for forged in [false, true] {
            let verb = if forged { "open, forged" } else { "open" };
            self.push(calls, &format!("{verb}, {len} B"), move |seed| {
                let (keyset, text) = (self.keyset(seed), seed.secrets().bytes(len));
                let ready = Ready::new(&keyset).expect("a keyset that seals");
                let mut sealed = ready.seal(&text, ASSOCIATED).expect("sealed");
                publish(sealed.as_slice());
                if forged {
                    // The tag of AES-SIV is first, and its last byte is as good as any.
                    let at = match self.key_type {
                        KeyType::AesSiv => 5 + seed.place(16),
                        _ => sealed.len() - 16 + seed.place(16),
                    };
                    sealed[at] ^= 0x40;
                }
                watched(
                    move || ready.open(&sealed, ASSOCIATED).map(drop),
                    move |done| assert_eq!(done.is_err(), forged),
                )
            });
        }
    }

    fn add_streams(self, calls: &mut Vec<Call>, len: usize) {
        self.push(calls, &format!("seal, {len} B"), move |seed| {
            let (keyset, text) = (self.keyset(seed), seed.secrets().bytes(len));
            let call = move || {
                let streams = keyset.streaming_aead()?;
                streamed(&streams, &text, ASSOCIATED)
            };
            watched(call, |done| assert!(done.is_ok()))
        });
        for forged in [false, true] {
            let verb = if forged { "open, forged" } else { "open" };
            self.push(calls, &format!("{verb}, {len} B"), move |seed| {
                let (keyset, text) = (self.keyset(seed), seed.secrets().bytes(len));
                let streams = keyset.streaming_aead().expect("a keyset for streams");
                let mut sealed = streamed(&streams, &text, ASSOCIATED).expect("sealed");
                publish(sealed.as_slice());
                if forged {
                    let at = sealed.len() - 16 + seed.place(16);
                    sealed[at] ^= 0x40;
                }
                let call = move || {
                    let mut opened = Vec::new();
                    let mut reader = streams.open(&sealed[..], ASSOCIATED);
                    reader.read_to_end(&mut opened).map(drop)
                };
                watched(call, move |done| assert_eq!(done.is_err(), forged))
            });
        }
    }
}

/// The keys of a keyset, ready for messages.
pub(crate) enum Ready {
    Aead(KeysetAead),
    Deterministic(KeysetDeterministicAead),
}

impl Ready {
    pub(crate) fn new(keyset: &Keyset) -> Result<Self, Error> {
        Ok(match keyset.primitive()? {
            Primitive::DeterministicAead => Self::Deterministic(keyset.deterministic_aead()?),
            _ => Self::Aead(keyset.aead()?),
        })
    }

    pub(crate) fn seal(&self, text: &[u8], associated: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::Aead(key) => key.seal(text, associated),
            Self::Deterministic(key) => key.seal(text, associated),
        }
    }

    pub(crate) fn open(&self, sealed: &[u8], associated: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::Aead(key) => key.open(sealed, associated),
            Self::Deterministic(key) => key.open(sealed, associated),
        }
    }
}

pub(crate) fn streamed(
    streams: &KeysetStreamingAead,
    text: &[u8],
    associated: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut writer = streams.seal(Vec::new(), associated)?;
    writer.write_all(text).expect("memory takes all");
    Ok(writer.finish().expect("memory takes all"))
}

/// Messages under keys that a service encrypts. A key of ours plays the service.
#[cfg(not(feature = "ctgrind"))]
fn add_envelopes(calls: &mut Vec<Call>) {
    calls.push(Call::new(
        "keyset, envelopes: seal and open".to_owned(),
        |seed| {
            let secrets = seed.secrets();
            let service: SharedKeyEncryptionKey =
                std::sync::Arc::new(Aes256GcmSiv::new(&secrets.array()));
            let text = secrets.bytes(37);
            let keyset = Keyset::from_kms_key("made-up://key", Some(Template::AES256_GCM_SIV));
            let keyset = keyset.expect("a URI");
            let call = move || {
                let aead = keyset.aead_with_kms(&|_| Some(service.clone()))?;
                let sealed = aead.seal(&text, ASSOCIATED)?;
                publish(sealed.as_slice());
                aead.open(&sealed, ASSOCIATED).map(drop)
            };
            watched(call, |done: Result<(), Error>| assert!(done.is_ok()))
        },
    ));
}
