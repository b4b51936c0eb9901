#!/usr/bin/env python3
"""Writes vectors/file-v1 from docs/spec/file-format-v1.md alone, with the writer beside this file.

    python3 docs/spec/reference/vectors.py [--check]

What a reader must make of each file was decided by the text; no reader computed it. Random bytes
are SHA-512 of labels. With --check it compares the folder, and writes nothing.
"""
import hashlib
import pathlib
import sys

import recipients
from aes_gcm_siv import open_
from collision import wrapped_twice
from sivka_file import (
    CHUNK_LEN, KEMS, SUITES, chunks_of, header_mac, key_slot, make_copy, make_payload, make_slot, nonce_of,
    passphrase_slot, payload_keys, payload_okm, prefix_of, recipient_slot, wrapping)

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "vectors/file-v1"
CHEAP = 64, 1, 1
# An error after the header was found; `truncated` may be both.
AFTER = ("success", "unknown-kind", "payload-mismatch", "truncated", "damaged")
found = {}


def fixed(label, size=32):
    return hashlib.sha512(b"sivka file-v1 vectors: " + label.encode()).digest()[:size]


def text(size):
    """Each chunk of it differs."""
    return bytes(i % 251 for i in range(size))


KEY, FILE_KEY, SALT, ANOTHER = fixed("key"), fixed("file key"), fixed("payload salt", 24), fixed("another file key")
BY_KEY = "key", KEY.hex()
PASSPHRASE = "correct horse battery staple"
BY_PASSPHRASE = "passphrase", PASSPHRASE


def salt(number):
    return fixed(f"slot {number}")


def add(name, expect, file, about, released=0, by=BY_KEY, kind=0, copies="equal"):
    """One vector. `released` is the length of the plaintext; `copies` is None without a header."""
    assert f"{name}.vec" not in found and name.startswith("ok_" if expect == "success" else "fail_"), name
    lines = [("expect", expect), ("payload", hashlib.sha256(text(released)).hexdigest()), by]
    if copies and expect in AFTER:
        lines += [("kind", str(kind)), ("copies", copies)]
    head = "".join(f"{label}: {value}\n" for label, value in (*lines, ("about", about)))
    found[f"{name}.vec"] = head.encode() + b"\n" + file


def payload(size=100, suite=1, kind=0, file_key=FILE_KEY):
    return b"".join(make_payload(suite, file_key, SALT, chunks_of(text(size)), kind))


OURS, OTHERS = key_slot(KEY, salt(0)), key_slot(fixed("another key"), salt(1))
BY_WORDS = passphrase_slot(PASSPHRASE.encode(), CHEAP, salt(0))


def copy(*slots, size=1024, suite=1, kind=0, file_key=FILE_KEY, counter=0):
    """A copy with these slots, which are parts or bytes."""
    prefix = prefix_of(suite, size)
    slots = [slot if isinstance(slot, bytes) else make_slot(prefix, *slot, file_key, kind) for slot in slots]
    return make_copy(prefix, slots, file_key, counter)


def changed(data, at, *new):
    data = bytearray(data)
    data[at:at + len(new)] = bytes(new)
    return bytes(data)


def flipped(data, at, bit=1):
    return changed(data, at, data[at] ^ bit)


def file(*slots, **more):
    return 2 * copy(*slots, **more) + payload(kind=more.get("kind", 0), suite=more.get("suite", 1))


USUAL = copy(OURS)
PAYLOAD = payload()


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
            ("_decomposed", composed, decomposed, CHEAP, "a passphrase that was normalised when it was set, typed in another form"),
            ("_as_typed", decomposed, decomposed, CHEAP, "a passphrase that was not normalised when it was set, typed as it was then")):
        slot = passphrase_slot(set_.encode(), cost, salt(0))
        add(f"ok_passphrase{name}", "success", file(slot), about, 100, ("passphrase", typed))
    others = [key_slot(fixed(f"other key {i}"), salt(i)) for i in range(63)]
    sixteen = [*others[:7], passphrase_slot(PASSPHRASE.encode(), CHEAP, salt(7)), *others[8:15], key_slot(KEY, salt(15))]
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


def beginnings():
    whole = 2 * USUAL + PAYLOAD
    for name, size, expect, about in (
            ("empty_file", 0, "not-sivka", "no bytes at all"), ("magic_cut", 7, "not-sivka", "seven bytes of the magic"),
            ("only_magic", 8, "truncated", "the file ends after the magic"),
            ("header_len_cut", 19, "truncated", "the file ends in the length of a copy"),
            ("only_prefix", 20, "truncated", "the file ends after the prefix"),
            ("header_cut", 1023, "truncated", "the first copy's last byte is missing, and all after it")):
        add(f"fail_{name}", expect, whole[:size], about, copies=None)
    add("fail_long_header_cut", "truncated", copy(OURS, size=4096)[:4095], "a copy of 4,096 bytes lacks its last one", copies=None)
    add("fail_version_2_cut", "truncated", changed(whole, 11, 2)[:12], "version 2, and nothing after it", copies=None)
    for name, at, value, expect, about in (
            ("magic_wrong", 7, 13, "not-sivka", "the magic's last byte is wrong"),
            ("version_0", 11, 0, "unknown-version", "version 0"), ("version_2", 11, 2, "unknown-version", "version 2"),
            ("suite_0", 15, 0, "unknown-suite", "suite 0"), ("suite_high", 12, 255, "unknown-suite", "suite 0xff000001")):
        add(f"fail_{name}", expect, 2 * changed(USUAL, at, value) + PAYLOAD, about)
    for first, second, name, expect in (
            ((11, 2), (7, 13), "version_2_magic", "unknown-version"), ((7, 13), (11, 2), "magic_version_2", "not-sivka"),
            ((15, 9), (11, 2), "suite_9_version_2", "unknown-suite"), ((18, 0), (7, 13), "len_0_magic", "header-damaged")):
        both = changed(USUAL, *first) + changed(USUAL, *second)
        add(f"fail_prefixes_{name}", expect, both + PAYLOAD, "neither prefix is valid, and the first decides the error")


def lengths():
    for size in (2048, 65536):
        add(f"ok_header_of_{size}", "success", file(OURS, size=size), f"copies of {size:,} bytes", 100)
    for size in (512, 1023, 1025, 1536, 66560):
        add(f"fail_header_of_{size}", "header-damaged", file(OURS, size=size), f"copies of {size:,} bytes, all else right")
    for name, size, about in (
            ("of_0", 0, "the prefixes say a copy of no bytes, all else is right"),
            ("of_16_mib", 1024 + (1 << 24), "the prefixes say 2^24 bytes more than a copy has, all else is right")):
        prefix = prefix_of(1, size)
        before = (prefix + bytes(8) + make_slot(prefix, *OURS, FILE_KEY)).ljust(992, b"\0")
        add(f"fail_header_{name}", "header-damaged", 2 * (before + header_mac(FILE_KEY, before)) + PAYLOAD, about)
    add("fail_header_len_changed", "header-damaged", 2 * changed(USUAL, 18, 8) + PAYLOAD, "the prefixes say 2,048 bytes, and a copy has 1,024")


def copies():
    """Section 4.4: one copy is damaged, or the copies differ."""
    damaged = {
        "magic": flipped(USUAL, 7), "version": changed(USUAL, 11, 2), "suite": changed(USUAL, 15, 0),
        "another_suite": changed(USUAL, 15, 2), "len_of_2048": changed(USUAL, 18, 8), "len_of_1025": changed(USUAL, 19, 1),
        "len_of_65536": changed(USUAL, 17, 1, 0), "counter": flipped(USUAL, 27), "counter_high": flipped(USUAL, 20, 0x80),
        "slot_kind": changed(USUAL, 28, 255), "slot_len": flipped(USUAL, 30), "salt": flipped(USUAL, 39),
        "commitment": flipped(USUAL, 71), "wrapped_key": flipped(USUAL, 103), "room": flipped(USUAL, 900),
        "mac": flipped(USUAL, 1023), "zeros": bytes(1024), "ones": b"\xff" * 1024}
    for what, broken in damaged.items():
        add(f"ok_first_copy_{what}", "success", broken + USUAL + PAYLOAD, f"the first copy is damaged: {what}", 100, copies="differ")
        add(f"ok_second_copy_{what}", "success", USUAL + broken + PAYLOAD, f"the second copy is damaged: {what}", 100, copies="differ")
    for size in (2048, 4096, 65536):
        whole = copy(OURS, size=size)
        add(f"ok_first_copy_of_{size}_zeros", "success", bytes(size) + whole + PAYLOAD, f"the first copy of {size:,} bytes is zero", 100, copies="differ")
    for low, high in ((0, 1), (1, 1 << 63), (255, 256), (0, 2**64 - 1)):
        pair = copy(OURS, counter=low), copy(OURS, kind=1, counter=high)
        for where, both in ("second", pair), ("first", pair[::-1]):
            add(f"ok_counter_{high}_{where}", "success", b"".join(both) + payload(kind=1),
                f"the {where} copy is newer, its counter {high} and not {low}; only its kind is the payload's", 100, kind=1, copies="differ")
    pair = copy(OURS, kind=1, counter=7) + copy(OURS, counter=7)
    add("ok_counters_equal", "success", pair + payload(kind=1), "copies differ, and not their counters: the first is the header", 100, kind=1, copies="differ")
    add("ok_counter_7", "success", file(OURS, counter=7), "slots were changed seven times", 100)
    both, alone = copy(OTHERS, OURS), copy(OTHERS, counter=1)
    add("ok_slot_removed_from_newer_copy", "success", both + alone + PAYLOAD, "the key's slot is only in the older copy, the first", 100, copies="differ")
    add("ok_slot_added_to_newer_copy", "success", copy(OTHERS) + copy(OTHERS, OURS, counter=1) + PAYLOAD, "the key's slot is only in the newer copy, the second", 100, copies="differ")
    newer = flipped(copy(OURS, kind=1, counter=1), 1023)
    add("ok_newer_copy_torn", "success", USUAL + newer + PAYLOAD, "the newer copy's MAC is wrong: the older is the header", 100, copies="differ")
    add("ok_older_copy_torn", "success", flipped(USUAL, 1023) + copy(OURS, counter=1) + PAYLOAD, "the older copy's MAC is wrong", 100, copies="differ")
    add("fail_first_copy_of_another_file", "payload-mismatch", copy(OURS, file_key=ANOTHER) + USUAL + PAYLOAD, "the first copy is right, but another file's: it is the header", copies="differ")
    hidden_prefixes()
    copies_that_fail()


def hidden_prefixes():
    """A slot of an unknown kind has a valid prefix at byte 1024 of a copy of 2048."""
    inner = (prefix_of() + b"\xff" * 8).ljust(900, b"\1")
    slot = b"\xff" + (1024 - 155 + len(inner)).to_bytes(2, "big") + bytes(1024 - 155) + inner
    whole = copy(OURS, slot, size=2048)
    assert whole.index(prefix_of(), 1) == 1024
    add("ok_prefix_in_slot", "success", 2 * whole + PAYLOAD, "a valid prefix is in a slot at byte 1024; the second copy is at 2048", 100)
    add("ok_prefix_in_slot_of_only_copy", "success", whole + bytes(2048) + PAYLOAD, "a malformed copy with the highest counter is in a slot at byte 1024; the second copy is zero", 100, copies="differ")
    add("fail_prefix_in_slot_of_damaged_copy", "header-damaged", flipped(whole, 2047) + flipped(whole, 0) + PAYLOAD, "the first copy's MAC is wrong, a malformed copy is in its slot at byte 1024, the second copy's magic is wrong")
    add("fail_prefix_in_slot_first", "header-damaged", flipped(whole, 0) + whole + PAYLOAD, "the first copy's magic is wrong, and a malformed copy in its slot at byte 1024 comes before the second copy")


def copies_that_fail():
    add("fail_copies_zeros", "not-sivka", bytes(2048) + PAYLOAD, "both copies are zero")
    add("fail_copies_mac", "header-damaged", flipped(USUAL, 1023) + flipped(USUAL, 1000) + PAYLOAD, "the first copy's MAC is wrong, and the second's")
    add("fail_copies_zeros_and_mac", "header-damaged", bytes(1024) + flipped(USUAL, 1023) + PAYLOAD, "the first copy is zero, and the second's MAC is wrong")
    unknown = 255, *OURS[1:]
    worst_first = [
        ("cost-too-high", copy(costing(100 << 20, 3, 4))), ("unknown-slot", copy(unknown)),
        ("no-slot-opens", copy(OTHERS)), ("header-damaged", flipped(copy(BY_WORDS), 1023))]
    for i, (expect, bad) in enumerate(worst_first):
        for other, worse in worst_first[i + 1:]:
            for where, both in ("first", bad + worse), ("second", worse + bad):
                name = f"fail_copies_{expect}_{where}_{other}".replace("-", "_")
                add(name, expect, both + PAYLOAD, f"the {where} copy fails with {expect}, the other one with {other}", by=BY_PASSPHRASE)
    long = payload(3000)
    add("fail_one_copy", "payload-mismatch", USUAL + long, "only one copy stands before the payload", copies="differ")
    for name, size in (("one_copy_only", 1024), ("second_prefix_cut", 1044 - 1), ("second_copy_cut", 2047)):
        add(f"fail_{name}", "truncated", (2 * USUAL)[:size], f"the file ends after {size:,} bytes", copies="differ")
    add("fail_zeros_and_second_copy_cut", "truncated", bytes(1024) + USUAL[:-1], "the first copy is zero, the second lacks its last byte", copies=None)


def slots():
    at = 28
    whole = 2 * USUAL + PAYLOAD
    for name, place, expect, about in (
            ("slot_key_id", 3, "header-damaged", "the key id has a flipped bit: the wrapping binds it"),
            ("slot_salt", 11, "no-slot-opens", "the slot's salt has a flipped bit: another wrapping key"),
            ("slot_commitment", 43, "no-slot-opens", "the slot's commitment has a flipped bit"),
            ("slot_wrapped_key", 75, "header-damaged", "the wrapped key has a flipped bit"),
            ("slot_wrapped_kind", 107, "header-damaged", "the wrapped kind has a flipped bit"),
            ("slot_tag", 123, "header-damaged", "the wrapped key's tag has a flipped bit")):
        add(f"fail_{name}", expect, 2 * flipped(USUAL, at + place) + PAYLOAD, about)
    add("fail_slot_kind", "unknown-slot", file((255, *OURS[1:])), "slot 0 is of kind 255")
    longer = 255, OURS[1] + b"\7", OURS[2]
    add("ok_unknown_slot_before", "success", file(longer, OURS), "slot 1 opens, slot 0 is of kind 255 and another length", 100)
    add("ok_unknown_slot_after", "success", file(OURS, b"\xff\0\0"), "slot 0 opens, slot 1 is of kind 255 and has only its head", 100)
    add("ok_unknown_slot_of_kind_5", "success", file(b"\5\0\1\0", OURS), "slot 1 opens, slot 0 is of kind 5 with a body of one zero", 100)
    add("fail_unknown_slot_changed", "header-damaged", 2 * flipped(copy(OURS, longer), at + 124 + 50) + PAYLOAD, "slot 0 opens, slot 1 is of kind 255, and a bit of it was flipped")
    add("fail_wrong_key", "no-slot-opens", file(OTHERS), "the only slot is another key's")
    add("fail_wrong_key_right_id", "no-slot-opens", file((1, OURS[1], OTHERS[2])), "another key's slot with this key's id")
    add("fail_key_for_passphrase_slot", "no-slot-opens", file(BY_WORDS), "a key file for a passphrase slot")
    ours = make_slot(prefix_of(), *OURS, FILE_KEY)
    room = 1024 - at - 32 - len(ours)
    for name, about, slots in (
            ("no_slot", "every slot is empty", ()), ("slot_after_room", "three zeros are between two slots", (ours, bytes(3), OTHERS)),
            ("no_slot_at_first", "a zero is before the only slot", (b"\0", ours)),
            ("room_not_zero", "a byte of the room after the slots is not zero", (ours, bytes(99), b"\1")),
            ("slot_head_cut", "the room's last two bytes are a slot's kind and half of its length", (ours, bytes(room - 2), b"\t\0")),
            ("slot_only_kind", "slot 1 is one byte, the last before the MAC", (ours, b"\xff" + (room - 4).to_bytes(2, "big") + bytes(room - 4), b"\t")),
            ("slot_too_long", "slot 1 is longer than what is left of the copy", (ours, b"\xff\x08\0")),
            ("slot_in_mac", "slot 1 ends with the first byte of the MAC", (ours, b"\xff" + (room - 2).to_bytes(2, "big"))),
            ("sixty_five_slots", "65 slots, of which the first opens", (ours, *[b"\xff\0\1\1"] * 64))):
        add(f"fail_{name}", "header-damaged", file(*slots), about)
    for kind, size in ((1, 120), (1, 122), (2, 121), (2, 124), (3, 112), (3, 114), (4, 113), (4, 1200), (4, 1202)):
        slot = bytes([kind]) + size.to_bytes(2, "big") + b"\7" * size
        add(f"fail_slot_kind_{kind}_of_{size}", "header-damaged", file(ours, slot, size=2048), "slot 1 has a length that its kind does not have")
    old = make_slot(prefix_of(), *OURS, FILE_KEY)[3:-49] + fixed("old", 48)
    add("fail_slot_of_48_bytes", "header-damaged", file(b"\1\0\x78" + old), "the wrapped key of the only slot has 48 bytes, and no kind")
    macs(ours)


def macs(ours):
    """Both copies have a MAC that is another header's."""
    two = copy(OURS, OTHERS)
    foreign = make_slot(prefix_of(), *OURS, ANOTHER)
    for name, bad, about in (
            ("header_mac", flipped(two, 1023, 0x80), "the MAC has a flipped bit"),
            ("other_slot", flipped(two, 28 + 124 + 123, 0x80), "slot 0 opens, slot 1 has a flipped bit"),
            ("counter_changed", flipped(two, 27), "the counter was raised, and the MAC is the old one"),
            ("slot_removed", copy(OURS)[:-32] + two[-32:], "slot 1 was removed, and the MAC is the old one"),
            ("slots_swapped", copy(OTHERS, OURS)[:-32] + two[-32:], "slots 0 and 1 are swapped, and the MAC is the old one"),
            ("slot_of_another_file", copy(foreign)[:-32] + two[-32:], "slot 0 is this key's slot of another file, with another file key"),
            ("header_mac_of_another_key", USUAL[:-32] + header_mac(ANOTHER, USUAL[:-32]), "the MAC is right under another file key")):
        add(f"fail_{name}", "header-damaged", 2 * bad + PAYLOAD, about)


def costing(*cost):
    """A passphrase's slot that nobody paid for: its secret is zero."""
    return 2, b"".join(number.to_bytes(4, "big") for number in cost) + salt(0), wrapping(2, salt(0), bytes(32))


def passphrases():
    fail = lambda name, expect, file, about, by=BY_PASSPHRASE: add(f"fail_{name}", expect, file, about, by=by)
    fail("wrong_passphrase", "no-slot-opens", file(passphrase_slot(b"incorrect horse", CHEAP, salt(0))), "the only slot is another passphrase's")
    fail("passphrase_for_key_slot", "no-slot-opens", file(OURS), "a passphrase for a key-file slot")
    fail("argon2_cost_changed", "no-slot-opens", 2 * changed(copy(BY_WORDS), 34, 65) + PAYLOAD, "the slot's memory was changed from 64 to 65 KiB: another secret")
    for name, expect, cost, about in (
            ("100_gib", "cost-too-high", (100 << 20, 3, 4), "the slot asks for 100 GiB"),
            ("endless", "cost-too-high", (64, 2**32 - 1, 1), "the slot asks for 2^32 - 1 passes"),
            ("no_passes", "header-damaged", (64, 0, 1), "no passes"), ("no_lanes", "header-damaged", (64, 1, 0), "no lanes"),
            ("256_lanes", "header-damaged", (4096, 1, 256), "256 lanes, one more than the format allows"),
            ("little_memory", "header-damaged", (31, 1, 4), "less than 8 KiB a lane"),
            ("lanes_wrap", "header-damaged", (64, 1, 1 << 29), "2^29 lanes, of which eight times wraps to 0")):
        fail(f"argon2_{name}", expect, file(costing(*cost)), about)
    decomposed = passphrase_slot("zo\u0301\u0142w".encode(), CHEAP, salt(0))
    fail("passphrase_decomposed", "no-slot-opens", file(decomposed), "the slot's passphrase was not normalised when it was set, and is typed so now", ("passphrase", "z\u00f3\u0142w"))
    both = [passphrase_slot(words, CHEAP, fixed("two passphrases")) for words in (b"another passphrase", PASSPHRASE.encode())]
    slot = make_slot(prefix_of(), *both[0], bytes(32))[:-49]
    aad, keys = prefix_of() + slot, [parts[2][0] for parts in both]
    wrapped = wrapped_twice(keys, aad, 0)
    first, second = [open_(key, bytes(12), aad, wrapped) for key in keys]
    assert first[:32] != second[:32] and second[32] == 0
    fail("second_passphrase", "no-slot-opens", 2 * copy(slot + wrapped, file_key=second[:32]) + payload(file_key=second[:32]),
         "the wrapped key is authentic under this passphrase too, but the slot commits to another; MAC and payload are right for this one")


def people():
    secrets = {3: fixed("identity X25519"), 4: fixed("identity MlKem768X25519")}
    encoded = lambda name, secret: ("identity", recipients.encode(name, secret).upper())
    by = {3: encoded("age-secret-key-", secrets[3]), 4: encoded("age-secret-key-pq-", secrets[4])}
    slot = lambda kind, secret, number=0: recipient_slot(
        KEMS[kind], recipients.public_of(KEMS[kind], secret), fixed(f"encapsulation {number}", 64))
    mixed = OURS, slot(3, secrets[3], 1), slot(4, secrets[4], 2), BY_WORDS
    for kind, name in ((3, "x25519"), (4, "mlkem768_x25519")):
        ours, size = slot(kind, secrets[kind]), 1024 * (kind - 2)
        whole, end = copy(ours, size=size), 28 + 3 + len(ours[1])
        add(f"ok_{name}", "success", 2 * whole + PAYLOAD, "one recipient", 100, by[kind])
        add(f"ok_{name}_among_others", "success", file(*mixed, size=2048), "a slot of each kind, of which the one for this identity opens", 100, by[kind])
        for what, at, expect, about in (
                ("encapsulated", 31, "no-slot-opens", "the encapsulated key has a flipped bit"),
                ("encapsulated_end", end - 1, "no-slot-opens", "the encapsulated key's last byte has a flipped bit"),
                ("commitment", end + 31, "no-slot-opens", "the slot's commitment has a flipped bit"),
                ("wrapped_key", end + 32, "header-damaged", "the wrapped key has a flipped bit")):
            add(f"fail_{name}_{what}", expect, 2 * flipped(whole, at) + PAYLOAD, about, by=by[kind])
        other = slot(kind, fixed("another identity"))
        add(f"fail_{name}_wrong_identity", "no-slot-opens", file(other, size=size), "the only slot is another recipient's", by=by[kind])
        add(f"fail_{name}_for_key_slot", "no-slot-opens", file(OURS), "an identity for a key-file slot", by=by[kind])
        # RFC 7748 section 6.1: with this point every secret of X25519 is zero. All else is right.
        low = ours[1][:-32] + bytes(32)
        secret = recipients.decapsulate(KEMS[kind], secrets[kind], low, refuses_zero=False)
        keys = recipients.export(KEMS[kind], secret, b"sivka.file.v1 slot" + bytes([kind]))
        low_order = kind, low, (keys[:32], keys[32:])
        add(f"fail_{name}_low_order", "no-slot-opens", file(low_order, size=size), "X25519's part of the encapsulated key is a point of low order", by=by[kind])
    twenty = [slot(4, fixed(f"other identity {i}"), i) for i in range(19)] + [slot(4, secrets[4], 19)]
    add("ok_twenty_recipients", "success", file(*twenty, size=24576), "20 post-quantum recipients, of whom the last opens", 100, by[4])
    add("fail_x25519_for_mlkem768", "no-slot-opens", file(slot(4, secrets[4]), size=2048), "an identity of X25519 with the seed of the recipient's post-quantum one", by=encoded("age-secret-key-", secrets[4]))


def ends():
    head = 2 * USUAL
    for name, at in (("salt", 23), ("commitment", 55)):
        add(f"fail_payload_{name}", "payload-mismatch", head + flipped(PAYLOAD, at), f"the payload's {name} has a flipped bit")
    add("fail_payload_of_another_file", "payload-mismatch", head + payload(file_key=ANOTHER), "another file's payload")
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
        head = 2 * copy(OURS, suite=number)
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
        one = 2 * changed(copy(OURS, suite=number), 15, 1)
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
    for part in (whole_files, kinds, beginnings, lengths, copies, slots, passphrases, people, ends, chunks, other_suites):
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
