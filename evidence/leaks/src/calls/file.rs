//! The file format: every kind of key, slots, payloads.

use super::{Call, Depth, Of, Watched, go_on, unless_ctgrind, watched};
use crate::secret::{Secrets, Seed, array, publish, say_sealed};
use sivka_file::{
    Argon2Cost, Error, Identity, KeyFile, Lock, OpenOptions, Passphrase, Reader, SealOptions,
    Suite, Unlock, Writer, change_slots_in,
};
use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use zeroize::Zeroizing;

/// Plaintexts of one chunk, of two that are whole and an end, and so much that there is work for
/// other threads.
const LENS: [usize; 3] = [100, 2 * 16384 + 50, 2_000_000];

/// The keys of a file. 32 secret bytes make each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    KeyFile,
    Passphrase,
    X25519,
    PostQuantum,
}

impl Kind {
    /// SHA-512 alone takes a million instructions, and a curve as many, none of which depends on
    /// the tier. An identity is read letter by letter. The passphrase decides the memory accesses
    /// of Argon2id (ADR 8). ML-KEM-768 draws its public matrix by rejection from a seed (FIPS 203,
    /// algorithm 7) that depends on the identity. Other secrets take another number of steps, which
    /// the public key reveals to everybody.
    fn depth(self) -> Depth {
        match self {
            Self::KeyFile => Depth::Usual,
            Self::X25519 => unless_ctgrind(Depth::Full),
            Self::Passphrase | Self::PostQuantum => Depth::Searched,
        }
    }
}

const KINDS: [Kind; 4] = [Kind::KeyFile, Kind::Passphrase, Kind::X25519, Kind::PostQuantum];

/// A key of any kind.
enum Key {
    File(KeyFile),
    Passphrase(Passphrase),
    Identity(Identity),
}

/// A cost far below what anybody should use.
const CHEAP: Argon2Cost = Argon2Cost { memory_kib: 64, passes: 1, lanes: 1 };

impl Key {
    fn new(kind: Kind, secrets: &Secrets) -> Self {
        let secret = secrets.bytes(32);
        match kind {
            Kind::KeyFile => {
                Self::File(KeyFile::from_bytes(array(&secret), "name").expect("a good name"))
            }
            Kind::Passphrase => {
                let letters = letters(&secret).to_vec();
                Self::Passphrase(Passphrase::new(String::from_utf8(letters).expect("letters")))
            }
            Kind::X25519 | Kind::PostQuantum => {
                let parsed = Identity::parse_list(&identity_text(kind, &secret));
                Self::Identity(parsed.ok().and_then(|mut all| all.pop()).expect("an identity"))
            }
        }
    }

    fn lock(&self, cost: Argon2Cost) -> Lock<'_> {
        match self {
            Self::File(key) => Lock::KeyFile(key),
            Self::Passphrase(passphrase) => Lock::Passphrase(passphrase, cost),
            Self::Identity(identity) => Lock::Recipient(identity.recipient()),
        }
    }

    fn unlock(&self) -> [Unlock<'_>; 1] {
        [match self {
            Self::File(key) => Unlock::KeyFile(key),
            Self::Passphrase(passphrase) => Unlock::Passphrase(passphrase),
            Self::Identity(identity) => Unlock::Identity(identity),
        }]
    }

    fn seal(&self, suite: Suite, text: &[u8]) -> Result<Vec<u8>, Error> {
        let options = SealOptions { suite, ..SealOptions::default() };
        let mut writer = Writer::new(Vec::new(), &[self.lock(CHEAP)], &options)?;
        writer.write_all(text)?;
        writer.finish()
    }

    fn open(&self, file: &[u8]) -> Result<(), Error> {
        let mut reader = Reader::new(file, &self.unlock(), &OpenOptions::default())?;
        let mut text = Zeroizing::new(Vec::with_capacity(file.len()));
        Ok(reader.read_to_end(&mut text).map(drop)?)
    }

    fn read_part(&self, file: &[u8]) -> Result<(), Error> {
        let file = Cursor::new(file);
        let mut reader = Reader::new(file, &self.unlock(), &OpenOptions::default())?;
        reader.seek(SeekFrom::Start(30))?;
        Ok(reader.read_exact(&mut [0; 40])?)
    }

    /// Adds a slot for another key, which then removes that of this one.
    fn change_slots(&self, file: &[u8], other: &Self) -> Result<(), Error> {
        let (mut file, options) = (Cursor::new(file.to_vec()), OpenOptions::default());
        let (keys, lock) = (self.unlock(), other.lock(CHEAP));
        let index =
            change_slots_in(&mut file, &keys, &options, Cursor::flush, |slots| slots.add(&lock))?;
        publish(file.get_ref().as_slice());
        file.set_position(0);
        let keys = other.unlock();
        change_slots_in(&mut file, &keys, &options, Cursor::flush, |slots| slots.remove(index - 1))
    }
}

/// A passphrase of 32 bytes.
pub(crate) fn letters(secret: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(secret.iter().map(|byte| b'?' + (byte & 63)).collect())
}

/// The operation on a file, by its key and another one; and whether that works.
type Use = fn(&Key, &Key, &[u8]) -> Result<(), Error>;

const USES: [(&str, Use, bool); 4] = [
    ("open", |key, _, file| key.open(file), true),
    ("read a part", |key, _, file| key.read_part(file), true),
    (
        "open, damaged",
        |key, _, file| {
            let mut file = file.to_vec();
            *file.last_mut().expect("a file has bytes") ^= 0x40;
            key.open(&file)
        },
        false,
    ),
    ("open with a wrong key", |_, other, file| other.open(file), false),
];

const SLOTS: (&str, Use, bool) =
    ("add and remove a slot", |key, other, file| key.change_slots(file, other), true);

pub(super) fn add(calls: &mut Vec<Call>) {
    calls.push(Call::new("key file: make and id", Of::File(Kind::KeyFile), |seed| {
        let key = seed.secrets().bytes(32);
        let call = move || KeyFile::from_bytes(array(&key), "name").map(|key| key.id());
        watched(call, |made| assert!(made.is_ok()))
    }));
    for (verb, damaged) in [("parse", false), ("parse, damaged", true)] {
        for kind in KINDS {
            let name = format!("{kind:?}: write and {verb}");
            let prepare = move |seed| parse(kind, damaged, seed);
            let depth = match kind {
                Kind::KeyFile if !damaged => unless_ctgrind(Depth::Brief),
                _ => Depth::Searched,
            };
            calls.push(Call::new(name, Of::File(kind), prepare).at(depth));
        }
    }
    for (suite, kind) in Suite::ALL.iter().flat_map(|suite| KINDS.map(|kind| (*suite, kind))) {
        for len in LENS {
            let depth = match len {
                2_000_000 => Depth::Searched,
                _ => kind.depth(),
            };
            let push =
                |calls: &mut Vec<Call>, verb: &str, prepare: Box<dyn Fn(Seed) -> Watched>| {
                    let name = format!("file, {suite}, {kind:?}: {verb}, {len} B");
                    calls.push(Call::new(name, Of::File(kind), prepare).at(depth));
                };
            let seal = move |seed: Seed| {
                let secrets = seed.secrets();
                let [key, _] = [(); 2].map(|()| Key::new(kind, &secrets));
                let text = secrets.bytes(len);
                let call = move || key.seal(suite, &text);
                watched(call, |done| say_sealed(&done.expect("sealed")))
            };
            push(calls, "seal", Box::new(seal));
            // A header has no space for another slot of this kind.
            let has_room = kind != Kind::PostQuantum;
            let slots = (has_room && len == LENS[0]).then_some(SLOTS);
            for (verb, using, works) in USES.into_iter().chain(slots) {
                let prepare = move |seed: Seed| {
                    let secrets = seed.secrets();
                    let [key, other] = [(); 2].map(|()| Key::new(kind, &secrets));
                    let sealed = key.seal(suite, &secrets.bytes(len)).expect("sealed");
                    say_sealed(&sealed);
                    watched(
                        move || using(&key, &other, &sealed),
                        move |done| assert_eq!(done.is_ok(), works),
                    )
                };
                push(calls, verb, Box::new(prepare));
            }
        }
    }
}

/// Reads a key's text, or one with another last letter. The passphrase is text; a cost that is too
/// low makes no file.
fn parse(kind: Kind, damaged: bool, seed: Seed) -> Watched {
    let secrets = seed.secrets();
    let key = Key::new(kind, &secrets);
    let call = move || match &key {
        Key::File(key) => KeyFile::parse(&given(key.to_text(), ["0", "1"], damaged)).is_ok(),
        Key::Identity(identity) => {
            Identity::parse_list(&given(identity.to_text(), ["Q", "P"], damaged)).is_ok()
        }
        Key::Passphrase(_) => {
            let cost = Argon2Cost { memory_kib: if damaged { 1 } else { 64 }, ..CHEAP };
            Writer::new(Vec::new(), &[key.lock(cost)], &SealOptions::default()).is_ok()
        }
    };
    watched(call, move |done| {
        go_on();
        assert_ne!(done, damaged);
    })
}

/// A text, with the first of these as its last letter or, where it is that, with the second.
fn given(mut text: Zeroizing<String>, letters: [&str; 2], damaged: bool) -> Zeroizing<String> {
    let last = text.trim_end().len() - 1;
    if damaged {
        let other = letters[usize::from(text[last..].starts_with(letters[0]))];
        text.replace_range(last..=last, other);
    }
    text
}

/// An identity as age writes it: Bech32 (BIP 173) in upper case.
pub(crate) fn identity_text(kind: Kind, seed: &[u8]) -> Zeroizing<String> {
    const DIGITS: &[u8; 32] = b"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
    let name = match kind {
        Kind::PostQuantum => "AGE-SECRET-KEY-PQ-",
        _ => "AGE-SECRET-KEY-",
    };
    let values = (0..8 * seed.len()).step_by(5).map(|at| {
        let bit = |at: usize| seed.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
        (at..at + 5).fold(0, |value, at| value << 1 | bit(at))
    });
    let values: Zeroizing<Vec<u8>> = Zeroizing::new(values.collect());
    let lower = || name.bytes().map(|letter| letter.to_ascii_lowercase());
    let high = lower().map(|letter| letter >> 5);
    let before = high.chain([0]).chain(lower().map(|letter| letter & 31));
    let sum = checksum(before.chain(values.iter().copied()).chain([0; 6])) ^ 1;
    let mut text = Zeroizing::new(String::with_capacity(128));
    text.push_str(name);
    text.push('1');
    let end = (0..6).map(|at| (sum >> (25 - 5 * at)) as u8 & 31);
    for value in values.iter().copied().chain(end) {
        text.push(char::from(DIGITS[usize::from(value)]));
    }
    text
}

fn checksum(values: impl Iterator<Item = u8>) -> u32 {
    const ROWS: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    values.fold(1, |sum, value| {
        let shifted = (sum & 0x1ff_ffff) << 5 ^ u32::from(value);
        let bit = |at: usize| sum >> (25 + at) & 1;
        (0..5).fold(shifted, |sum, at| sum ^ (ROWS[at] * bit(at)))
    })
}
