//! Files that fail in their payload.

use super::*;

pub(crate) fn payload_heads(list: &mut List) {
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
    let other = Payload::new(
        1,
        &fixed("another file key"),
        &payload_salt(),
        &plaintext(100),
    );
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

pub(crate) fn ends(list: &mut List) {
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
    let further = Payload::of_chunks(1, &file_key(), &payload_salt(), &[&plaintext(9), b""]);
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

pub(crate) fn chunks(list: &mut List) {
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
    let short_inside = Payload::of_chunks(1, &file_key(), &payload_salt(), &texts);
    list.add(
        "fail_short_chunk_inside",
        "damaged",
        0,
        about,
        join(&short_inside),
    );
    let about = "the only chunk is numbered 1";
    let text = plaintext(9);
    let from_one = Payload::of_numbered(
        1,
        &file_key(),
        &payload_salt(),
        [(1, &text[..])].into_iter(),
    );
    list.add(
        "fail_numbered_from_one",
        "damaged-end",
        0,
        about,
        join(&from_one),
    );
}
