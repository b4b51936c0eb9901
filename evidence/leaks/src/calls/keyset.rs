//! Keysets: calls that read, write and use the keys of every type.
//!
//! Most ciphers of keysets are RustCrypto's. Their crates are watched together with our code around
//! them: the parsing, the comparisons, the segments of streams.

use super::{
    AAD, Call, Depth, ENDINGS, Ending, Of, SHORT_AAD, Watched, go_on, unless_ctgrind, watched,
};
use crate::secret::{Seed, array, publish, say_sealed};
use sivka::Aes256GcmSiv;
use sivka_keyset::{
    EncryptedKeyset, Error, KeyType, Keyset, OutputPrefix, Primitive, ReadOptions,
    SharedKeyEncryptionKey, Template,
};
use std::hint::black_box;
use std::io::{Read, Write};
use std::sync::Arc;
use zeroize::Zeroizing;

/// Every type of keys, how many bytes a key has, and the name of both here. Other lengths of
/// AES-GCM-SIV and of streams with HMAC take the same way through the code.
pub(crate) const TYPES: [(KeyType, usize, &str); 13] = [
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
];

/// Lengths of texts in bytes; the longer ones take too long for who looks at each instruction.
const LENS: [(usize, Depth); 5] = [
    (0, Depth::Brief),
    (37, Depth::Brief),
    (600, Depth::Brief),
    (9000, Depth::Searched),
    (70_000, Depth::Searched),
];

/// Of streams: within a segment of 4 KiB, and over several.
const STREAM_LENS: [(usize, Depth); 3] =
    [(100, Depth::Brief), (9000, Depth::Brief), (70_000, Depth::Searched)];

pub(crate) static ASSOCIATED: &[u8] = AAD.split_at(SHORT_AAD).0;

/// The operation on a keyset that another key may encrypt, and a text.
type Use = fn(Keyset, &Aes256GcmSiv) -> Result<(), Error>;

/// The operation on keysets of every type, the tools that watch it, and whether it works.
const USES: [(&str, Depth, bool, Use); 9] = [
    ("write in binary", Depth::Brief, true, |keyset, _| keyset.to_insecure_binary().map(drop)),
    ("write as JSON", Depth::Brief, true, |keyset, _| keyset.to_insecure_json().map(drop)),
    ("read in binary", Depth::Brief, true, |keyset, _| {
        let bytes = keyset.to_insecure_binary()?;
        Keyset::from_insecure_binary(&bytes, ReadOptions::default()).map(drop)
    }),
    ("read as JSON", JSON, true, |keyset, _| {
        let text = keyset.to_insecure_json()?;
        Keyset::from_insecure_json(text.as_bytes(), ReadOptions::default()).map(drop)
    }),
    // The result of decryption is secret to valgrind as a whole, its lengths too.
    ("encrypt and decrypt", JSON, true, |keyset, master| {
        let encrypted = encrypted(&keyset, master)?;
        encrypted.decrypt(master, ASSOCIATED).map(drop)
    }),
    ("encrypt, and decrypt with other associated data", Depth::Brief, false, |keyset, master| {
        encrypted(&keyset, master)?.decrypt(master, b"").map(drop)
    }),
    // A line end is the last byte of JSON.
    ("read in binary, cut off", Depth::Searched, false, |keyset, _| {
        let bytes = keyset.to_insecure_binary()?;
        Keyset::from_insecure_binary(&bytes[..bytes.len() - 2], ReadOptions::default()).map(drop)
    }),
    ("read as JSON, cut off", Depth::Searched, false, |keyset, _| {
        let text = keyset.to_insecure_json()?;
        let text = &text.as_bytes()[..text.len() - 2];
        Keyset::from_insecure_json(text, ReadOptions::default()).map(drop)
    }),
    // The first key moves if the vector has no capacity for the others.
    ("add keys", Depth::Searched, true, |mut keyset, master| {
        for _ in 0..4 {
            keyset.add(match keyset.primitive()? {
                Primitive::Aead => Template::AES256_GCM_SIV,
                Primitive::DeterministicAead => Template::AES256_SIV,
                _ => Template::AES256_GCM_HKDF_4KB,
            })?;
        }
        let json = keyset.encrypt(master, ASSOCIATED)?.to_json()?;
        let encrypted = EncryptedKeyset::from_json(json.as_bytes(), ReadOptions::default())?;
        encrypted.decrypt(master, ASSOCIATED).map(drop)
    }),
];

/// Calls that read JSON that is secret, or a decrypted keyset.
const JSON: Depth = unless_ctgrind(Depth::Brief);

fn encrypted(keyset: &Keyset, master: &Aes256GcmSiv) -> Result<EncryptedKeyset, Error> {
    let encrypted = keyset.encrypt(master, ASSOCIATED)?.to_binary()?;
    publish(encrypted.as_slice());
    EncryptedKeyset::from_binary(&encrypted, ReadOptions::default())
}

pub(super) fn add(calls: &mut Vec<Call>) {
    for (key_type, key_len, name) in TYPES {
        let mut push = |what: String, depth, prepare: Box<dyn Fn(Seed) -> Watched>| {
            let what = format!("keyset, {name}: {what}");
            calls.push(Call::new(what, Of::Keyset(name), prepare).at(depth));
        };
        // Its prefix is another's as well, so that two are tried.
        let keyset = move |key: &[u8]| {
            let keyset = Keyset::from_key(key_type, key, OutputPrefix::Tink, Some(0x0102_0304));
            keyset.expect("a key of that length")
        };
        for (what, key_len) in [("take a key", key_len), ("refuse a key", key_len - 1)] {
            let take = move |seed: Seed| {
                let key = seed.secrets().bytes(key_len);
                let call =
                    move || Keyset::from_key(key_type, &key, OutputPrefix::Tink, None).is_ok();
                watched(call, move |taken| {
                    go_on();
                    assert_eq!(taken, what == "take a key");
                })
            };
            push(what.to_owned(), Depth::Brief, Box::new(take));
        }
        for (what, depth, works, using) in USES {
            let prepare = move |seed: Seed| {
                let secrets = seed.secrets();
                let keyset = keyset(&secrets.bytes(key_len));
                let master = Aes256GcmSiv::new(array(&secrets.bytes(32)));
                let call = move || using(keyset, &master);
                watched(call, move |done| assert_eq!(done.is_ok(), works))
            };
            push(what.to_owned(), depth, Box::new(prepare));
        }
        let lens = match key_type.primitive() {
            Primitive::StreamingAead => &STREAM_LENS[..],
            _ => &LENS,
        };
        for ((len, depth), (ending, verb)) in
            lens.iter().flat_map(|len| ENDINGS.map(|ending| (*len, ending)))
        {
            let prepare = move |seed: Seed| {
                let secrets = seed.secrets();
                let (keyset, text) = (keyset(&secrets.bytes(key_len)), secrets.bytes(len));
                message(keyset, text, seed, ending)
            };
            push(format!("{verb} {len} B"), depth, Box::new(prepare));
        }
    }
    // The key of a message is decrypted too.
    let depth = unless_ctgrind(Depth::Brief);
    let name = "keyset, envelopes: seal and open";
    calls.push(Call::new(name, Of::Service, envelope).at(depth));
}

fn message(keyset: Keyset, text: Zeroizing<Vec<u8>>, seed: Seed, ending: Ending) -> Watched {
    if ending == Ending::Seal {
        let call = move || sealed(&keyset, &text);
        return watched(call, |sealed| say_sealed(&sealed.expect("sealed")));
    }
    let mut message = sealed(&keyset, &text).expect("sealed");
    say_sealed(&message);
    if ending == Ending::Forged {
        // The tag of AES-SIV is first, and its last byte is as good as any.
        let tag = match keyset.primitive() {
            Ok(Primitive::DeterministicAead) => 5,
            _ => message.len() - 16,
        };
        message[tag + seed.place(16)] ^= 0x40;
    }
    watched(
        move || opened(&keyset, &message),
        move |done| assert_eq!(done.is_err(), ending == Ending::Forged),
    )
}

/// A message or a stream. Of streams one more is given up.
fn sealed(keyset: &Keyset, text: &[u8]) -> Result<Vec<u8>, Error> {
    match keyset.primitive()? {
        Primitive::DeterministicAead => keyset.deterministic_aead()?.seal(text, ASSOCIATED),
        Primitive::StreamingAead => {
            let streams = keyset.streaming_aead()?;
            let mut given_up = streams.seal(Vec::new(), ASSOCIATED)?;
            given_up.write_all(&text[..text.len().min(5000)]).expect("memory takes all");
            drop(given_up);
            let mut writer = streams.seal(Vec::new(), ASSOCIATED)?;
            writer.write_all(text).expect("memory takes all");
            Ok(writer.finish().expect("memory takes all"))
        }
        _ => keyset.aead()?.seal(text, ASSOCIATED),
    }
}

fn opened(keyset: &Keyset, sealed: &[u8]) -> Result<(), Error> {
    match keyset.primitive()? {
        Primitive::DeterministicAead => {
            keyset.deterministic_aead()?.open(sealed, ASSOCIATED).map(drop)
        }
        Primitive::StreamingAead => {
            let streams = keyset.streaming_aead()?;
            let mut text = Zeroizing::new(Vec::with_capacity(sealed.len()));
            let mut given_up = streams.open(sealed, ASSOCIATED);
            let begun = given_up.read_exact(&mut [0; 4]);
            let mut reader = streams.open(sealed, ASSOCIATED);
            let done = begun.and_then(|()| reader.read_to_end(&mut text));
            // The copy of the text, which is the caller's, leaves it in registers.
            let zeros = vec![0; text.len()];
            text.copy_from_slice(black_box(&zeros));
            done.map(drop).map_err(|_| Error::Open)
        }
        _ => keyset.aead()?.open(sealed, ASSOCIATED).map(drop),
    }
}

/// Messages under keys that a service encrypts. A key of ours plays the service.
fn envelope(seed: Seed) -> Watched {
    let secrets = seed.secrets();
    let service: SharedKeyEncryptionKey = Arc::new(Aes256GcmSiv::new(array(&secrets.bytes(32))));
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
}
