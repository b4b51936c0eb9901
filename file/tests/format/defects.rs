//! Every vector of `vectors/file-v1`, made with the reference writer.

// Named, because the example that writes the vectors includes this file by its path.
#[path = "defects/header.rs"]
mod header;
#[path = "defects/payload.rs"]
mod payload;
#[path = "defects/recipients.rs"]
mod recipients;
#[path = "defects/suites.rs"]
mod suites;

use super::hpke::Kem;
use super::reference::{
    CHUNK_LEN, HEADER_LEN, Key, PREFIX_LEN, Payload, SLOT_LEN, Slot, fixed, header, header_mac,
    prefix, prefix_of,
};
use super::two_keys;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// One file, and what a reader must make of it.
pub(crate) struct Vector {
    /// The file's name without its ending.
    pub(crate) name: String,
    /// `success`, or the name of the error.
    pub(crate) expect: &'static str,
    /// What was released: all of it, or the authentic chunks before the failure.
    pub(crate) released: Vec<u8>,
    /// The key to open it with.
    pub(crate) key: Key,
    /// What is special about it.
    pub(crate) about: &'static str,
    /// The file.
    pub(crate) file: Vec<u8>,
}

impl Vector {
    /// Text head, empty line, file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut head = format!("expect: {}\npayload: ", self.expect);
        for byte in Sha256::digest(&self.released) {
            write!(head, "{byte:02x}").expect("a string takes it");
        }
        match &self.key {
            Key::File(key) => {
                head.push_str("\nkey: ");
                for byte in key {
                    write!(head, "{byte:02x}").expect("a string takes it");
                }
            }
            Key::Passphrase(passphrase) => {
                head.push_str("\npassphrase: ");
                head.push_str(passphrase);
            }
            Key::Identity(kem, secret) => {
                head.push_str("\nidentity: ");
                head.push_str(&identity_text(*kem, secret));
            }
        }
        head.push_str("\nabout: ");
        head.push_str(self.about);
        head.push_str("\n\n");
        [head.as_bytes(), &self.file].concat()
    }
}

/// An identity as age writes it.
pub(crate) fn identity_text(kem: Kem, secret: &[u8; 32]) -> String {
    let name = match kem {
        Kem::X25519 => "age-secret-key-",
        Kem::MlKem768X25519 => "age-secret-key-pq-",
    };
    let name = bech32::Hrp::parse(name).expect("a name");
    let text = bech32::encode::<bech32::Bech32>(name, secret);
    text.expect("a short text").to_uppercase()
}

const CHEAP: [u32; 3] = [64, 1, 1];
const PASSPHRASE: &str = "correct horse battery staple";

fn key() -> [u8; 32] {
    fixed("key")
}

fn file_key() -> [u8; 32] {
    fixed("file key")
}

fn salt(slot: usize) -> [u8; 32] {
    fixed(&format!("slot {slot}"))
}

fn payload_salt() -> [u8; 24] {
    fixed("payload salt")
}

/// Plaintext whose every chunk differs.
pub(crate) fn plaintext(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn key_slot() -> Slot {
    Slot::key_file(key(), salt(0), file_key())
}

fn passphrase_slot() -> Slot {
    Slot::passphrase(PASSPHRASE, CHEAP, salt(0), file_key())
}

fn header_of(slots: &[Slot]) -> Vec<u8> {
    let prefix = prefix(1, 1);
    let slots: Vec<_> = slots.iter().map(|slot| slot.encode(&prefix)).collect();
    header(&prefix, &slots, &file_key())
}

fn payload_of(len: usize) -> Payload {
    Payload::new(1, &file_key(), &payload_salt(), &plaintext(len))
}

fn file_of(slots: &[Slot], len: usize) -> Vec<u8> {
    [header_of(slots), payload_of(len).to_bytes()].concat()
}

/// Collects vectors that share a key.
struct List(Vec<Vector>);

impl List {
    fn add(
        &mut self,
        name: &str,
        expect: &'static str,
        released: usize,
        about: &'static str,
        file: Vec<u8>,
    ) {
        self.add_for(Key::File(key()), name, expect, released, about, file);
    }

    fn add_for(
        &mut self,
        key: Key,
        name: &str,
        expect: &'static str,
        released: usize,
        about: &'static str,
        file: Vec<u8>,
    ) {
        self.0.push(Vector {
            name: name.to_owned(),
            expect,
            released: plaintext(released),
            key,
            about,
            file,
        });
    }
}

/// Every vector, in no particular order.
pub(crate) fn all() -> Vec<Vector> {
    let mut list = List(Vec::new());
    whole_files(&mut list);
    header::beginnings(&mut list);
    header::slots(&mut list);
    header::passphrases(&mut list);
    header::headers(&mut list);
    header::lengths(&mut list);
    recipients::recipients(&mut list);
    payload::payload_heads(&mut list);
    payload::ends(&mut list);
    payload::chunks(&mut list);
    suites::other_suites(&mut list);
    list.0
}

fn whole_files(list: &mut List) {
    let lengths = [
        ("ok_empty", 0, "no plaintext: one empty chunk"),
        ("ok_one_byte", 1, "one byte"),
        (
            "ok_one_byte_less_than_a_chunk",
            CHUNK_LEN - 1,
            "the longest single chunk",
        ),
        (
            "ok_one_chunk",
            CHUNK_LEN,
            "a whole chunk, then an empty one",
        ),
        (
            "ok_three_chunks",
            2 * CHUNK_LEN + 1000,
            "two whole chunks and a short one",
        ),
    ];
    for (name, len, about) in lengths {
        list.add(name, "success", len, about, file_of(&[key_slot()], len));
    }
    let passphrase = |passphrase: &str| Key::Passphrase(passphrase.to_owned());
    list.add_for(
        passphrase(PASSPHRASE),
        "ok_passphrase",
        "success",
        100,
        "a passphrase slot: 64 KiB, 1 pass, 1 lane",
        file_of(&[passphrase_slot()], 100),
    );
    let umlauts = "żółw, Ärger, 鍵";
    list.add_for(
        passphrase(umlauts),
        "ok_passphrase_two_lanes",
        "success",
        100,
        "a passphrase that is not ASCII: 96 KiB, 2 passes, 2 lanes",
        file_of(
            &[Slot::passphrase(umlauts, [96, 2, 2], salt(0), file_key())],
            100,
        ),
    );
    // The second letter of each is a letter and its mark, as macOS types it.
    let composed = "z\u{f3}\u{142}w";
    let decomposed = "zo\u{301}\u{142}w";
    for (name, set, about) in [
        (
            "ok_passphrase_decomposed",
            composed,
            "a passphrase that was normalised when it was set, typed in another form",
        ),
        (
            "ok_passphrase_as_typed",
            decomposed,
            "a passphrase that was not normalised when it was set, typed as it was then",
        ),
    ] {
        let slot = Slot::passphrase(set, CHEAP, salt(0), file_key());
        let file = file_of(&[slot], 100);
        list.add_for(passphrase(decomposed), name, "success", 100, about, file);
    }
    let mut sixteen: Vec<Slot> = (0..15)
        .map(|i| Slot::key_file(fixed(&format!("other key {i}")), salt(i), file_key()))
        .collect();
    sixteen[7] = Slot::passphrase(PASSPHRASE, CHEAP, salt(7), file_key());
    sixteen.push(Slot::key_file(key(), salt(15), file_key()));
    let about = "sixteen slots, of which the last opens";
    list.add(
        "ok_sixteen_slots",
        "success",
        100,
        about,
        file_of(&sixteen, 100),
    );
    let mut other_id = key_slot();
    other_id.parameters[..8].fill(0xaa);
    let about = "the slot's key id is not the key's: it is only a hint";
    list.add(
        "ok_key_id_is_a_hint",
        "success",
        100,
        about,
        file_of(&[other_id], 100),
    );
}
