//! Suites 2 and 3: whole files, and failures where a suite's own nonce, tag or chunk
//! AAD counts.

use super::super::reference::{nonce, payload_keys, payload_okm, suite};
use super::*;

/// The vectors' names of suites 2 and 3.
const NAMES: [(u32, &str); 2] = [(2, "xchacha20_blake2b"), (3, "kuznyechik_mgm")];

/// A payload salt for which suite 3 has a bit to clear in the base nonce.
fn salt_with_a_bit_to_clear() -> [u8; 24] {
    (0..)
        .map(|i| fixed(&format!("payload salt {i}")))
        .find(|salt| payload_okm(3, &file_key(), salt)[32] & 0x80 != 0)
        .expect("every second one")
}

fn payload(number: u32, len: usize) -> Payload {
    let salt = salt_with_a_bit_to_clear();
    Payload::new(number, &file_key(), &salt, &plaintext(len))
}

fn join(number: u32, payload: &Payload) -> Vec<u8> {
    let prefix = prefix(1, number);
    let header = header(&prefix, &[key_slot().encode(&prefix)], &file_key());
    [header, payload.to_bytes()].concat()
}

pub(crate) fn other_suites(list: &mut List) {
    for (number, name) in NAMES {
        whole_files(list, number, name);
        broken_files(list, number, name);
    }
    of_suite_2(list);
    of_suite_3(list);
}

fn whole_files(list: &mut List, number: u32, name: &str) {
    let mut ok = |what: &str, len: usize, about| {
        let name = format!("ok_{name}_{what}");
        let file = join(number, &payload(number, len));
        list.add(&name, "success", len, about, file);
    };
    ok("empty", 0, "no plaintext: one empty chunk");
    ok("one_chunk", CHUNK_LEN, "a whole chunk, then an empty one");
    let about = "two whole chunks and a short one";
    ok("three_chunks", 2 * CHUNK_LEN + 1000, about);
}

fn broken_files(list: &mut List, number: u32, name: &str) {
    let tag_len = suite(number).expect("a known suite").tag_len;
    let three = payload(number, 2 * CHUNK_LEN + 9);
    let mut fail = |what: &str, expect, released, about, change: &dyn Fn(&mut Payload)| {
        let mut payload = three.clone();
        change(&mut payload);
        let name = format!("fail_{name}_{what}");
        list.add(&name, expect, released, about, join(number, &payload));
    };
    let about = "chunk 1 has a flipped bit";
    fail("inner_chunk", "damaged", CHUNK_LEN, about, &|p| {
        p.chunks[1][0] ^= 1;
    });
    let about = "the last byte of chunk 1's tag has a flipped bit";
    fail("inner_chunk_tag", "damaged", CHUNK_LEN, about, &|p| {
        p.chunks[1][CHUNK_LEN + tag_len - 1] ^= 0x80;
    });
    let about = "the last chunk's tag has a flipped bit";
    fail("last_chunk", "damaged-end", 2 * CHUNK_LEN, about, &|p| {
        p.chunks[2][9] ^= 1;
    });
    let about = "chunks 0 and 1 are swapped";
    fail("chunks_swapped", "damaged", 0, about, &|p| {
        p.chunks.swap(0, 1);
    });
    let about = "the last chunk is missing";
    fail(
        "last_chunk_missing",
        "truncated",
        2 * CHUNK_LEN,
        about,
        &|p| drop(p.chunks.pop()),
    );
    let about = "the last chunk is one byte shorter than a tag";
    fail("tag_cut", "truncated", 2 * CHUNK_LEN, about, &|p| {
        p.chunks[2].truncate(tag_len - 1);
    });

    let mut file = join(number, &three);
    file[..PREFIX_LEN].copy_from_slice(&prefix(1, 1));
    let about = "the header names suite 1 instead of the file's";
    let name = format!("fail_{name}_called_suite_1");
    list.add(&name, "header-damaged", 0, about, file);
}

/// A chunk that an AEAD of the suite sealed, but with another nonce or AAD.
fn sealed_as(number: u32, nonce_of: impl Fn(&[u8]) -> Vec<u8>, aad: &[u8], text: &[u8]) -> Vec<u8> {
    let (key, base, _) = payload_keys(number, &file_key(), &salt_with_a_bit_to_clear());
    let suite = suite(number).expect("a known suite");
    (suite.seal)(&key, &nonce_of(&base), aad, text)
}

fn of_suite_2(list: &mut List) {
    let mut payload = payload(2, CHUNK_LEN + 9);
    payload.chunks[1].truncate(9 + 16);
    let about = "the last tag has 16 bytes of its 32, the length of the other suites' tags";
    let name = "fail_xchacha20_blake2b_tag_of_16";
    list.add(name, "truncated", CHUNK_LEN, about, join(2, &payload));

    let number_in_front = |base: &[u8]| {
        let mut nonce = base.to_vec();
        nonce[7] ^= 1;
        nonce
    };
    let text = &plaintext(CHUNK_LEN + 9)[CHUNK_LEN..];
    payload.chunks[1] = sealed_as(2, number_in_front, b"", text);
    let about = "chunk 1's number is in the nonce's first 8 bytes, not in its last";
    let name = "fail_xchacha20_blake2b_number_in_front";
    list.add(name, "damaged-end", CHUNK_LEN, about, join(2, &payload));
}

fn of_suite_3(list: &mut List) {
    let mut payload = payload(3, CHUNK_LEN + 9);
    let text = &plaintext(CHUNK_LEN + 9)[CHUNK_LEN..];
    payload.chunks[1] = sealed_as(3, |base| nonce(base, 1), b"", text);
    let about = "the last chunk is sealed without the suite's chunk AAD";
    let name = "fail_kuznyechik_mgm_no_chunk_aad";
    list.add(name, "damaged-end", CHUNK_LEN, about, join(3, &payload));
}
