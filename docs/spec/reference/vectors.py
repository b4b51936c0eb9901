#!/usr/bin/env python3
"""Writes vectors/file-v1 from docs/spec/file-format-v1.md alone, with the writer beside this file.

    python3 docs/spec/reference/vectors.py [--check]

What a reader must make of each file was decided by the text; no reader computed it. Random bytes
are SHA-512 of labels. With --check it compares the folder, and writes nothing.
"""
import pathlib
import sys

import header_vectors as header
from sivka_file import (
    CHUNK_LEN, SUITES, chunks_of, key_slot, make_payload, make_slot, nonce_of, passphrase_slot, payload_keys,
    payload_okm, prefix_of)
from vector_parts import (
    ANOTHER, ANOTHER_SALT, CHEAP, FILE_KEY, KEY, OTHERS, OURS, PASSPHRASE, PAYLOAD, SALT, USUAL, add, changed, copy,
    file, fixed, flipped, found, payload, salt, text)

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "vectors/file-v1"


def whole_files():
    for name, size, about in (
            ("empty", 0, "no plaintext: one empty chunk"), ("one_byte", 1, "one byte"),
            ("one_byte_less_than_a_chunk", CHUNK_LEN - 1, "the longest single chunk"),
            ("one_chunk", CHUNK_LEN, "a whole chunk, then an empty one"),
            ("three_chunks", 2 * CHUNK_LEN + 1000, "two whole chunks and a short one")):
        add(f"ok_{name}", "success", 2 * USUAL + payload(size), about, size)
    umlauts, composed, decomposed = "żółw, Ärger, 鍵", "z\u00f3\u0142w", "zo\u0301\u0142w"
    for name, set_, typed, cost, about in (
            ("", PASSPHRASE, PASSPHRASE, CHEAP, "a passphrase slot: 64 KiB, 1 pass, 1 lane"),
            ("_two_lanes", umlauts, umlauts, (96, 2, 2), "a passphrase that is not ASCII: 96 KiB, 2 passes, 2 lanes"),
            ("_least_memory", PASSPHRASE, PASSPHRASE, (32, 1, 4), "the least memory for four lanes: 32 KiB"),
            ("_16_passes", PASSPHRASE, PASSPHRASE, (8, 16, 1), "as many passes as the default limit allows"),
            ("_255_lanes", PASSPHRASE, PASSPHRASE, (2040, 1, 255), "the most lanes"),
            ("_decomposed", composed, decomposed, CHEAP, "a passphrase that was normalised when it was set, typed in another form"),
            ("_as_typed", decomposed, decomposed, CHEAP, "a passphrase that was not normalised when it was set, typed as it was then")):
        slot = passphrase_slot(set_.encode(), cost, salt(0))
        add(f"ok_passphrase{name}", "success", file(slot), about, 100, ("passphrase", typed))
    others = [key_slot(fixed(f"other key {i}"), salt(i)) for i in range(63)]
    unknown = b"\xff\0\x61" + bytes(97)
    sixteen = [*others[:7], passphrase_slot(PASSPHRASE.encode(), CHEAP, salt(7)), unknown, *others[9:15], key_slot(KEY, salt(15))]
    add("ok_sixteen_slots", "success", file(*sixteen, size=2048), "sixteen slots, of which the last opens, and no room", 100)
    add("ok_sixty_four_slots", "success", file(*others, OURS, size=8192), "64 slots, of which the last opens", 100)
    other_id = 1, b"\xaa" * 8 + salt(0), OURS[2]
    add("ok_key_id_is_a_hint", "success", file(other_id), "the slot's key id is not the key's: it is only a hint", 100)


def kinds():
    for kind, what in ((1, "a folder"), (2, "a compressed file"), (3, "a compressed folder")):
        add(f"ok_kind_{kind}", "success", file(OURS, kind=kind), f"the kind of {what}; the content is a text", 100, kind=kind)
    for kind in (4, 255):
        add(f"fail_kind_{kind}", "unknown-kind", file(OURS, kind=kind), f"the content is of kind {kind}", kind=kind)
    add("fail_kind_of_payload", "payload-mismatch", 2 * copy(OURS, kind=1) + PAYLOAD, "slot and header are right for kind 1, the payload for kind 0", kind=1)
    other = make_slot(prefix_of(), *OTHERS, FILE_KEY, 1)
    add("ok_kind_of_another_slot", "success", file(OURS, other), "slot 0 opens, slot 1 has another kind of content", 100)
    ours = make_slot(prefix_of(), *OURS, FILE_KEY, 1)
    add("fail_kind_of_one_slot", "payload-mismatch", file(ours, OTHERS), "slot 0 says kind 1, slot 1 and the payload have kind 0", kind=1)


def ends():
    head = 2 * USUAL
    for name, at in (("salt_begin", 0), ("salt", 23), ("commitment", 55)):
        add(f"fail_payload_{name}", "payload-mismatch", head + flipped(PAYLOAD, at), f"the payload's {name.split('_')[0]} has a flipped bit")
    add("fail_payload_of_another_file", "payload-mismatch", head + payload(file_key=ANOTHER), "another file's payload")
    add("fail_payload_of_another_salt", "payload-mismatch", head + payload(salt=ANOTHER_SALT), "the payload is right, but under another salt than the header's")
    add("fail_payload_salt_moved", "payload-mismatch", head + ANOTHER_SALT + PAYLOAD[24:], "another salt stands before the payload of the header's")
    add("fail_payload_mismatch_without_chunk", "payload-mismatch", head + flipped(PAYLOAD, 55)[:56], "the payload's commitment has a flipped bit, and no chunk follows")
    nine = payload(9)
    further = b"".join(make_payload(1, FILE_KEY, SALT, [text(9), b""]))
    for name, expect, tail, released, about in (
            ("no_payload", "truncated", b"", 0, "the file ends after the header"),
            ("payload_head_cut", "truncated", PAYLOAD[:55], 0, "the commitment's last byte is missing"),
            ("no_chunk", "truncated", PAYLOAD[:56], 0, "no chunk, not even an empty one"),
            ("last_chunk_missing", "truncated", payload(CHUNK_LEN)[:-16], CHUNK_LEN, "the empty last chunk is missing after a whole one"),
            ("tag_cut", "truncated", payload(0)[:-1], 0, "the only chunk's tag lacks a byte"),
            ("tag_cut_after_a_chunk", "truncated", payload(CHUNK_LEN)[:-1], CHUNK_LEN, "the last chunk's tag lacks a byte"),
            ("cut_in_last_chunk", "truncated", payload(CHUNK_LEN + 9)[:-1], CHUNK_LEN, "the last chunk lacks its last byte"),
            ("cut_in_first_chunk", "truncated", payload(CHUNK_LEN + 9)[:-26], 0, "the file ends within chunk 0 of two"),
            ("byte_appended", "truncated", nine + b"\0", 0, "a byte after the last chunk"),
            ("last_chunk_twice", "truncated", nine + nine[56:], 0, "the last chunk stands there twice"),
            ("chunk_after_last", "truncated", further, 0, "an empty chunk, rightly sealed with the next number, follows the last one"),
            ("extended_to_whole_chunk", "damaged", nine + bytes(CHUNK_LEN - 9), 0, "zeros after the last chunk make it as long as a whole one"),
            ("two_files", "truncated", nine + head + nine, 0, "two files one after the other"),
            ("context_of_v1_without_kind", "payload-mismatch", without_kind(), 0, "the payload's keys were derived without the kind")):
        add(f"fail_{name}", expect, head + tail, about, released)


def without_kind():
    """As section 6, but with an empty context."""
    okm = payload_okm(SUITES[1], FILE_KEY, SALT, b"")
    return SALT + okm[-32:] + SUITES[1].seal(okm[:32], okm[32:44], b"", text(100))


def chunks():
    three = make_payload(1, FILE_KEY, SALT, chunks_of(text(2 * CHUNK_LEN + 9)))
    head, a, b, c = three
    short = make_payload(1, FILE_KEY, SALT, [text(9), text(CHUNK_LEN)])
    from_one = [head, make_payload(1, FILE_KEY, SALT, [b"", text(9)])[2]]
    for name, expect, parts, released, about in (
            ("chunks_swapped", "damaged", (head, b, a, c), 0, "chunks 0 and 1 are swapped"),
            ("chunk_repeated", "damaged", (head, a, a, c), 1, "chunk 0 stands there twice"),
            ("first_chunk_removed", "damaged", (head, b, c), 0, "chunk 0 is missing"),
            ("inner_chunk_removed", "truncated", (head, a, c), 1, "chunk 1 of three is missing: its successor has the wrong number"),
            ("first_chunk", "damaged", (head, flipped(a, 0), b, c), 0, "chunk 0 has a flipped bit"),
            ("inner_chunk", "damaged", (head, a, flipped(b, CHUNK_LEN - 1, 0x80), c), 1, "chunk 1 has a flipped bit in its last byte of ciphertext"),
            ("inner_chunk_tag", "damaged", (head, a, flipped(b, CHUNK_LEN + 15), c), 1, "chunk 1 has a flipped bit in its tag"),
            ("last_chunk", "truncated", (head, a, b, flipped(c, 0)), 2, "the last chunk has a flipped bit"),
            ("short_chunk_inside", "damaged", short, 0, "a short chunk before a whole one"),
            ("numbered_from_one", "truncated", from_one, 0, "the only chunk is numbered 1")):
        add(f"fail_{name}", expect, 2 * USUAL + b"".join(parts), about, released * CHUNK_LEN)


def other_suites():
    for number, name in ((2, "xchacha20_blake2b"), (3, "kuznyechik_mgm")):
        suite = SUITES[number]
        # A salt for which suite 3 has a bit to clear in the base nonce.
        salts = (fixed(f"payload salt {i}", 24) for i in range(99))
        salt_ = next(salt for salt in salts if payload_okm(SUITES[3], FILE_KEY, salt, b"\0")[32] & 0x80)
        head = 2 * copy(OURS, suite=number, salt=salt_)
        sealed = lambda size: make_payload(number, FILE_KEY, salt_, chunks_of(text(size)))
        for what, size, about in (
                ("empty", 0, "no plaintext: one empty chunk"), ("one_chunk", CHUNK_LEN, "a whole chunk, then an empty one"),
                ("three_chunks", 2 * CHUNK_LEN + 1000, "two whole chunks and a short one")):
            add(f"ok_{name}_{what}", "success", head + b"".join(sealed(size)), about, size)
        first, a, b, c = sealed(2 * CHUNK_LEN + 9)
        for what, expect, parts, released, about in (
                ("inner_chunk", "damaged", (a, flipped(b, 0), c), 1, "chunk 1 has a flipped bit"),
                ("inner_chunk_tag", "damaged", (a, flipped(b, CHUNK_LEN + suite.tag_len - 1, 0x80), c), 1, "the last byte of chunk 1's tag has a flipped bit"),
                ("last_chunk", "truncated", (a, b, flipped(c, 9)), 2, "the last chunk's tag has a flipped bit"),
                ("chunks_swapped", "damaged", (b, a, c), 0, "chunks 0 and 1 are swapped"),
                ("last_chunk_missing", "truncated", (a, b), 2, "the last chunk is missing"),
                ("tag_cut", "truncated", (a, b, c[:suite.tag_len - 1]), 2, "the last chunk is one byte shorter than a tag")):
            add(f"fail_{name}_{what}", expect, head + first + b"".join(parts), about, released * CHUNK_LEN)
        one = 2 * changed(head[:1024], 15, 1)
        add(f"fail_{name}_called_suite_1", "header-damaged", one + first + a + b + c, "the header names suite 1 instead of the file's")
        first, a, b = sealed(CHUNK_LEN + 9)
        key, base, _ = payload_keys(suite, FILE_KEY, salt_, 0)
        if number == 2:
            wrong = suite.seal(key, flipped(base, 7), b"", text(CHUNK_LEN + 9)[CHUNK_LEN:])
            what, about = "number_in_front", "chunk 1's number is in the nonce's first 8 bytes, not in its last"
            add(f"fail_{name}_tag_of_16", "truncated", head + first + a + b[:25], "the last tag has 16 bytes of its 32, the length of the other suites' tags", CHUNK_LEN)
        else:
            wrong = suite.seal(key, nonce_of(base, 1), b"", text(CHUNK_LEN + 9)[CHUNK_LEN:])
            what, about = "no_chunk_aad", "the last chunk is sealed without the suite's chunk AAD"
        add(f"fail_{name}_{what}", "truncated", head + first + a + wrong, about, CHUNK_LEN)


def made():
    """All vectors by their names."""
    for part in (
            whole_files, kinds, header.beginnings, header.lengths, header.copies, header.slots, header.passphrases,
            header.people, ends, chunks, other_suites):
        part()
    return found


def differing(folder, vectors):
    """The names of files in a folder that are not these, or not there."""
    there = {path.name: path for path in folder.glob("*.vec")}
    return [name for name in there.keys() | vectors.keys()
            if name not in there or name not in vectors or there[name].read_bytes() != vectors[name]]


def main(words):
    if words not in ([], ["--check"]):
        sys.exit(__doc__)
    vectors = made()
    wrong = differing(FOLDER, vectors)
    if words:
        sys.exit(f"not as they are written: {' '.join(wrong)}" if wrong else None)
    for name in wrong:
        if name in vectors:
            (FOLDER / name).write_bytes(vectors[name])
        else:
            (FOLDER / name).unlink()
    opening = sum(name.startswith("ok_") for name in vectors)
    print(f"{opening} open, {len(vectors) - opening} fail")


if __name__ == "__main__":
    main(sys.argv[1:])
