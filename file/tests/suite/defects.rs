//! Every vector of `vectors/file-v1`, made with the reference writer.

use super::reference::{
    CHUNK_LEN, HEADER_LEN, Key, Payload, SLOT_LEN, Slot, fixed, header, header_mac, prefix,
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
        }
        head.push_str("\nabout: ");
        head.push_str(self.about);
        head.push_str("\n\n");
        [head.as_bytes(), &self.file].concat()
    }
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
    Payload::new(&file_key(), &payload_salt(), &plaintext(len))
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
    beginnings(&mut list);
    slots(&mut list);
    passphrases(&mut list);
    headers(&mut list);
    payload_heads(&mut list);
    ends(&mut list);
    chunks(&mut list);
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

fn beginnings(list: &mut List) {
    let file = file_of(&[key_slot()], 100);
    let changed = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        file
    };
    list.add(
        "fail_empty_file",
        "not-sivka",
        0,
        "no bytes at all",
        Vec::new(),
    );
    list.add(
        "fail_magic_cut",
        "not-sivka",
        0,
        "seven bytes of the magic",
        file[..7].to_vec(),
    );
    list.add(
        "fail_magic_wrong",
        "not-sivka",
        0,
        "the magic's last byte is wrong",
        changed(7, b'\r'),
    );
    list.add(
        "fail_only_magic",
        "truncated",
        0,
        "the file ends after the magic",
        file[..8].to_vec(),
    );
    list.add(
        "fail_version_0",
        "unknown-version",
        0,
        "version 0",
        changed(11, 0),
    );
    list.add(
        "fail_version_2",
        "unknown-version",
        0,
        "version 2",
        changed(11, 2),
    );
    let about = "version 2, and nothing after it";
    list.add(
        "fail_version_2_cut",
        "unknown-version",
        0,
        about,
        changed(11, 2)[..12].to_vec(),
    );
    list.add(
        "fail_suite_0",
        "unknown-suite",
        0,
        "suite 0",
        changed(15, 0),
    );
    list.add(
        "fail_suite_high",
        "unknown-suite",
        0,
        "suite 0xff000001",
        changed(12, 0xff),
    );
    let about = "the header's last byte is missing";
    list.add(
        "fail_header_cut",
        "truncated",
        0,
        about,
        file[..HEADER_LEN - 1].to_vec(),
    );
}

fn slots(list: &mut List) {
    let file = file_of(&[key_slot()], 100);
    let flipped = |at: usize| {
        let mut file = file.clone();
        file[at] ^= 1;
        file
    };
    // Offsets of section 4.2 and 5.1: the first slot begins at 16.
    let about = "the slot's salt has a flipped bit: another wrapping key";
    list.add(
        "fail_slot_salt",
        "no-slot-opens",
        0,
        about,
        flipped(16 + 13),
    );
    let about = "the slot's commitment has a flipped bit";
    list.add(
        "fail_slot_commitment",
        "no-slot-opens",
        0,
        about,
        flipped(16 + 45),
    );
    let about = "the wrapped key has a flipped bit";
    list.add(
        "fail_slot_wrapped_key",
        "header-damaged",
        0,
        about,
        flipped(16 + 77),
    );
    let about = "the wrapped key's tag has a flipped bit";
    list.add(
        "fail_slot_tag",
        "header-damaged",
        0,
        about,
        flipped(16 + 124),
    );
    let about = "the key id has a flipped bit: the wrapping binds it";
    list.add(
        "fail_slot_key_id",
        "header-damaged",
        0,
        about,
        flipped(16 + 1),
    );

    let mut reserved = key_slot();
    reserved.parameters[11] = 1;
    let about = "the key-file slot's zero bytes are not zero";
    list.add(
        "fail_slot_padding",
        "header-damaged",
        0,
        about,
        file_of(&[reserved], 100),
    );
    let mut unknown = key_slot();
    unknown.kind = 255;
    let about = "slot 0 is of kind 255";
    list.add(
        "fail_slot_kind",
        "unknown-slot",
        0,
        about,
        file_of(&[unknown.clone()], 100),
    );
    let about = "slot 0 opens, slot 1 is of kind 255";
    let file = file_of(&[key_slot(), unknown], 100);
    list.add(
        "fail_slot_kind_in_another_slot",
        "unknown-slot",
        0,
        about,
        file,
    );

    let other = Slot::key_file(fixed("another key"), salt(0), file_key());
    let about = "the only slot is another key's";
    list.add(
        "fail_wrong_key",
        "no-slot-opens",
        0,
        about,
        file_of(std::slice::from_ref(&other), 100),
    );
    let mut pretender = other;
    pretender.parameters = key_slot().parameters;
    let about = "another key's slot with this key's id";
    list.add(
        "fail_wrong_key_right_id",
        "no-slot-opens",
        0,
        about,
        file_of(&[pretender], 100),
    );
    let about = "a key file for a passphrase slot";
    list.add(
        "fail_key_for_passphrase_slot",
        "no-slot-opens",
        0,
        about,
        file_of(&[passphrase_slot()], 100),
    );
}

fn passphrases(list: &mut List) {
    let mut add = |name, expect, about, file| {
        let key = Key::Passphrase(PASSPHRASE.to_owned());
        list.add_for(key, name, expect, 0, about, file);
    };
    let about = "the only slot is another passphrase's";
    let other = Slot::passphrase("incorrect horse", CHEAP, salt(0), file_key());
    add(
        "fail_wrong_passphrase",
        "no-slot-opens",
        about,
        file_of(&[other], 100),
    );
    let about = "a passphrase for a key-file slot";
    add(
        "fail_passphrase_for_key_slot",
        "no-slot-opens",
        about,
        file_of(&[key_slot()], 100),
    );
    let about = "the slot's memory was changed from 64 to 65 KiB: another secret";
    let mut file = file_of(&[passphrase_slot()], 100);
    file[16 + 4] = 65;
    add("fail_argon2_cost_changed", "no-slot-opens", about, file);

    let about = "the wrapped key is authentic under this passphrase too, but the slot commits \
                 to another; MAC and payload are right for this one";
    let file = two_keys::file(
        ["another passphrase", PASSPHRASE],
        PASSPHRASE,
        &plaintext(100),
    );
    add("fail_second_passphrase", "no-slot-opens", about, file);

    let asking = |cost| {
        file_of(
            &[Slot::passphrase_cost_only(cost, salt(0), file_key())],
            100,
        )
    };
    let about = "the slot asks for 100 GiB";
    add(
        "fail_argon2_100_gib",
        "cost-too-high",
        about,
        asking([100 << 20, 3, 4]),
    );
    let about = "the slot asks for 2^32 - 1 passes";
    add(
        "fail_argon2_endless",
        "cost-too-high",
        about,
        asking([64, u32::MAX, 1]),
    );
    let about = "no passes";
    add(
        "fail_argon2_no_passes",
        "header-damaged",
        about,
        asking([64, 0, 1]),
    );
    add(
        "fail_argon2_no_lanes",
        "header-damaged",
        "no lanes",
        asking([64, 1, 0]),
    );
    let about = "256 lanes, one more than the format allows";
    add(
        "fail_argon2_256_lanes",
        "header-damaged",
        about,
        asking([4096, 1, 256]),
    );
    let about = "less than 8 KiB a lane";
    add(
        "fail_argon2_little_memory",
        "header-damaged",
        about,
        asking([31, 1, 4]),
    );
    let about = "2^29 lanes, of which eight times wraps to 0";
    add(
        "fail_argon2_lanes_wrap",
        "header-damaged",
        about,
        asking([64, 1, 1 << 29]),
    );
}

fn headers(list: &mut List) {
    let payload = payload_of(100).to_bytes();
    let prefix = prefix(1, 1);
    let first = key_slot().encode(&prefix);
    let second = Slot::key_file(fixed("another key"), salt(1), file_key()).encode(&prefix);
    let empty = [0; SLOT_LEN];
    let mut add = |name, about, header: Vec<u8>| {
        list.add(
            name,
            "header-damaged",
            0,
            about,
            [header, payload.clone()].concat(),
        );
    };
    add(
        "fail_no_slot",
        "every slot is empty",
        header(&prefix, &[], &file_key()),
    );
    let gap = header(&prefix, &[first, empty, second], &file_key());
    add(
        "fail_slot_after_empty_slot",
        "slots 0 and 2 are used, slot 1 is empty",
        gap,
    );
    let leading = header(&prefix, &[empty, first], &file_key());
    add(
        "fail_slot_0_empty",
        "slot 1 is used, slot 0 is empty",
        leading,
    );
    let mut dirty = empty;
    dirty[SLOT_LEN - 1] = 1;
    let dirty = header(&prefix, &[first, dirty], &file_key());
    add(
        "fail_empty_slot_not_zero",
        "an empty slot's last byte is not zero",
        dirty,
    );

    let whole = header(&prefix, &[first, second], &file_key());
    let flipped = |at: usize| {
        let mut header = whole.clone();
        header[at] ^= 0x80;
        header
    };
    add(
        "fail_header_mac",
        "the header's MAC has a flipped bit",
        flipped(HEADER_LEN - 1),
    );
    add(
        "fail_other_slot",
        "slot 0 opens, slot 1 has a flipped bit",
        flipped(16 + SLOT_LEN + 124),
    );
    let resealed = |slots: &[[u8; SLOT_LEN]], old: &[u8]| {
        let mut header = header(&prefix, slots, &file_key());
        header[HEADER_LEN - 32..].copy_from_slice(&old[HEADER_LEN - 32..]);
        header
    };
    add(
        "fail_slot_removed",
        "slot 1 was emptied, and the MAC is the old one",
        resealed(&[first], &whole),
    );
    add(
        "fail_slots_swapped",
        "slots 0 and 1 are swapped, and the MAC is the old one",
        resealed(&[second, first], &whole),
    );
    let about = "slot 0 is this key's slot of another file, with another file key";
    let foreign = Slot::key_file(key(), salt(0), fixed("another file key")).encode(&prefix);
    add(
        "fail_slot_of_another_file",
        about,
        resealed(&[foreign], &whole),
    );
    let mut foreign_mac = header(&prefix, &[first], &file_key());
    let mac = header_mac(&foreign_mac[..HEADER_LEN - 32], &fixed("another file key"));
    foreign_mac[HEADER_LEN - 32..].copy_from_slice(&mac);
    add(
        "fail_header_mac_of_another_key",
        "the MAC is right under another file key",
        foreign_mac,
    );
}

fn payload_heads(list: &mut List) {
    let file = file_of(&[key_slot()], 100);
    let flipped = |at: usize| {
        let mut file = file.clone();
        file[at] ^= 1;
        file
    };
    let about = "the payload's salt has a flipped bit";
    list.add(
        "fail_payload_salt",
        "payload-mismatch",
        0,
        about,
        flipped(HEADER_LEN + 23),
    );
    let about = "the payload's commitment has a flipped bit";
    list.add(
        "fail_payload_commitment",
        "payload-mismatch",
        0,
        about,
        flipped(HEADER_LEN + 55),
    );
    let other = Payload::new(&fixed("another file key"), &payload_salt(), &plaintext(100));
    let about = "another file's payload";
    let file_of_two = [header_of(&[key_slot()]), other.to_bytes()].concat();
    list.add(
        "fail_payload_of_another_file",
        "payload-mismatch",
        0,
        about,
        file_of_two,
    );
    let about = "the file ends after the header";
    list.add(
        "fail_no_payload",
        "truncated",
        0,
        about,
        file[..HEADER_LEN].to_vec(),
    );
    let about = "the commitment's last byte is missing";
    list.add(
        "fail_payload_head_cut",
        "truncated",
        0,
        about,
        file[..HEADER_LEN + 55].to_vec(),
    );
}

fn ends(list: &mut List) {
    let head = header_of(&[key_slot()]);
    let join = |payload: Vec<u8>| [head.clone(), payload].concat();
    let cut = |len: usize, by: usize| {
        let payload = payload_of(len).to_bytes();
        join(payload[..payload.len() - by].to_vec())
    };
    let extend = |len: usize, bytes: &[u8]| join([&payload_of(len).to_bytes()[..], bytes].concat());

    list.add(
        "fail_no_chunk",
        "truncated",
        0,
        "no chunk, not even an empty one",
        cut(0, 16),
    );
    let about = "the empty last chunk is missing after a whole one";
    list.add(
        "fail_last_chunk_missing",
        "truncated",
        CHUNK_LEN,
        about,
        cut(CHUNK_LEN, 16),
    );
    let about = "the only chunk's tag lacks a byte";
    list.add("fail_tag_cut", "truncated", 0, about, cut(0, 1));
    let about = "the last chunk's tag lacks a byte";
    list.add(
        "fail_tag_cut_after_a_chunk",
        "truncated",
        CHUNK_LEN,
        about,
        cut(CHUNK_LEN, 1),
    );
    let about = "the last chunk lacks its last byte";
    list.add(
        "fail_cut_in_last_chunk",
        "damaged-end",
        CHUNK_LEN,
        about,
        cut(CHUNK_LEN + 9, 1),
    );
    let about = "the file ends within chunk 0 of two";
    list.add(
        "fail_cut_in_first_chunk",
        "damaged-end",
        0,
        about,
        cut(CHUNK_LEN + 9, 9 + 16 + 1),
    );
    list.add(
        "fail_byte_appended",
        "damaged-end",
        0,
        "a byte after the last chunk",
        extend(9, &[0]),
    );
    let again = payload_of(9).chunks.concat();
    let about = "the last chunk stands there twice";
    list.add(
        "fail_last_chunk_twice",
        "damaged-end",
        0,
        about,
        extend(9, &again),
    );
    let about = "an empty chunk, rightly sealed with the next number, follows the last one";
    let further = Payload::of_chunks(&file_key(), &payload_salt(), &[&plaintext(9), b""]);
    list.add(
        "fail_chunk_after_last",
        "damaged-end",
        0,
        about,
        join(further.to_bytes()),
    );
    let about = "zeros after the last chunk make it as long as a whole one";
    let zeros = vec![0; CHUNK_LEN - 9];
    list.add(
        "fail_extended_to_whole_chunk",
        "damaged",
        0,
        about,
        extend(9, &zeros),
    );
    let about = "two files one after the other";
    let two = [file_of(&[key_slot()], 9), file_of(&[key_slot()], 9)].concat();
    list.add("fail_two_files", "damaged-end", 0, about, two);
}

fn chunks(list: &mut List) {
    let head = header_of(&[key_slot()]);
    let join = |payload: &Payload| [head.clone(), payload.to_bytes()].concat();
    // Chunk 0, chunk 1 and nine bytes.
    let three = payload_of(2 * CHUNK_LEN + 9);
    let changed = |change: &dyn Fn(&mut Payload)| {
        let mut payload = three.clone();
        change(&mut payload);
        join(&payload)
    };
    let about = "chunks 0 and 1 are swapped";
    list.add(
        "fail_chunks_swapped",
        "damaged",
        0,
        about,
        changed(&|p| p.chunks.swap(0, 1)),
    );
    let about = "chunk 0 stands there twice";
    list.add(
        "fail_chunk_repeated",
        "damaged",
        CHUNK_LEN,
        about,
        changed(&|p| p.chunks[1] = p.chunks[0].clone()),
    );
    let about = "chunk 0 is missing";
    list.add(
        "fail_first_chunk_removed",
        "damaged",
        0,
        about,
        changed(&|p| drop(p.chunks.remove(0))),
    );
    let about = "chunk 1 of three is missing: its successor has the wrong number";
    list.add(
        "fail_inner_chunk_removed",
        "damaged-end",
        CHUNK_LEN,
        about,
        changed(&|p| drop(p.chunks.remove(1))),
    );
    let about = "chunk 0 has a flipped bit";
    list.add(
        "fail_first_chunk",
        "damaged",
        0,
        about,
        changed(&|p| p.chunks[0][0] ^= 1),
    );
    let about = "chunk 1 has a flipped bit in its last byte of ciphertext";
    list.add(
        "fail_inner_chunk",
        "damaged",
        CHUNK_LEN,
        about,
        changed(&|p| p.chunks[1][CHUNK_LEN - 1] ^= 0x80),
    );
    let about = "chunk 1 has a flipped bit in its tag";
    list.add(
        "fail_inner_chunk_tag",
        "damaged",
        CHUNK_LEN,
        about,
        changed(&|p| p.chunks[1][CHUNK_LEN + 15] ^= 1),
    );
    let about = "the last chunk has a flipped bit";
    list.add(
        "fail_last_chunk",
        "damaged-end",
        2 * CHUNK_LEN,
        about,
        changed(&|p| p.chunks[2][0] ^= 1),
    );
    let about = "a short chunk before a whole one";
    let texts: [&[u8]; 2] = [&plaintext(9), &plaintext(CHUNK_LEN)];
    let short_inside = Payload::of_chunks(&file_key(), &payload_salt(), &texts);
    list.add(
        "fail_short_chunk_inside",
        "damaged",
        0,
        about,
        join(&short_inside),
    );
    let about = "the only chunk is numbered 1";
    let text = plaintext(9);
    let from_one = Payload::of_numbered(&file_key(), &payload_salt(), [(1, &text[..])].into_iter());
    list.add(
        "fail_numbered_from_one",
        "damaged-end",
        0,
        about,
        join(&from_one),
    );
}
