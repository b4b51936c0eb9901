"""Vectors that fail before the payload, or have damaged copies, or slots of other keys."""
import recipients
from aes_gcm_siv import open_
from collision import wrapped_twice
from sivka_file import KEMS, header_mac, make_slot, passphrase_slot, prefix_of, recipient_slot, wrapping
from vector_parts import (
    ANOTHER, ANOTHER_SALT, BY_PASSPHRASE, BY_WORDS, CHEAP, FILE_KEY, OTHERS, OURS, PASSPHRASE, PAYLOAD, SALT, USUAL,
    add, changed, copy, file, fixed, flipped, payload, salt)


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
        before = (prefix + bytes(8) + SALT + make_slot(prefix, *OURS, FILE_KEY)).ljust(992, b"\0")
        add(f"fail_header_{name}", "header-damaged", 2 * (before + header_mac(FILE_KEY, before)) + PAYLOAD, about)
    add("fail_header_len_changed", "header-damaged", 2 * changed(USUAL, 18, 8) + PAYLOAD, "the prefixes say 2,048 bytes, and a copy has 1,024")


def copies():
    """Section 4.4: one copy is damaged, or the copies differ."""
    damaged = {
        "magic": flipped(USUAL, 7), "version": changed(USUAL, 11, 2), "suite": changed(USUAL, 15, 0),
        "another_suite": changed(USUAL, 15, 2), "len_of_2048": changed(USUAL, 18, 8), "len_of_1025": changed(USUAL, 19, 1),
        "len_of_65536": changed(USUAL, 17, 1, 0), "counter": flipped(USUAL, 27), "counter_high": flipped(USUAL, 20, 0x80),
        "payload_salt": flipped(USUAL, 28), "payload_salt_end": flipped(USUAL, 51), "slot_kind": changed(USUAL, 52, 255),
        "slot_len": flipped(USUAL, 54), "salt": flipped(USUAL, 63), "commitment": flipped(USUAL, 95), "wrapped_key": flipped(USUAL, 127), "room": flipped(USUAL, 900),
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
    pair = copy(OURS, kind=1, counter=7) + copy(BY_WORDS, OURS, counter=7)
    add("ok_counters_equal", "success", pair + payload(kind=1), "copies differ, and not their counters: the first is the header", 100, kind=1, copies="differ")
    add("ok_counter_7", "success", file(OURS, counter=7), "slots were changed seven times", 100)
    both, alone = copy(OTHERS, OURS), copy(OTHERS, counter=1)
    add("ok_slot_removed_from_newer_copy", "success", both + alone + PAYLOAD, "the key's slot is only in the older copy, the first", 100, copies="differ")
    add("ok_slot_added_to_newer_copy", "success", copy(OTHERS) + copy(OTHERS, OURS, counter=1) + PAYLOAD, "the key's slot is only in the newer copy, the second", 100, copies="differ")
    newer = flipped(copy(OURS, kind=1, counter=1), 1023)
    add("ok_newer_copy_torn", "success", USUAL + newer + PAYLOAD, "the newer copy's MAC is wrong: the older is the header", 100, copies="differ")
    add("ok_older_copy_torn", "success", flipped(USUAL, 1023) + copy(OURS, counter=1) + PAYLOAD, "the older copy's MAC is wrong", 100, copies="differ")
    add("fail_first_copy_of_another_file", "payload-mismatch", copy(OURS, file_key=ANOTHER) + USUAL + PAYLOAD, "the first copy is right, but another file's: it is the header", copies="differ")
    other = copy(OURS, salt=ANOTHER_SALT)
    forged = copy(OURS, salt=ANOTHER_SALT, counter=1)[:-32] + USUAL[-32:]
    add("ok_newer_copy_salt_forged", "success", USUAL + forged + PAYLOAD, "the newer copy has another salt, and the other copy's MAC: the older is the header", 100, copies="differ")
    add("ok_newer_copy_of_another_salt", "success", other + copy(OURS, counter=1) + PAYLOAD, "copies have two salts, each with a right MAC: the newer one's is the payload's", 100, copies="differ")
    add("fail_newer_copy_of_another_salt", "payload-mismatch", USUAL + copy(OURS, salt=ANOTHER_SALT, counter=1) + PAYLOAD, "copies have two salts, each with a right MAC: the older one's is the payload's", copies="differ")
    add("fail_header_of_another_salt", "payload-mismatch", 2 * other + PAYLOAD, "the header is right, but has another salt than the payload")
    hidden_prefixes()
    copies_that_fail()




def hidden_prefixes():
    """A slot of an unknown kind has a valid prefix at byte 1024 of a copy of 2048."""
    inner = (prefix_of() + b"\xff" * 8).ljust(900, b"\1")
    slot = b"\xff" + (1024 - 179 + len(inner)).to_bytes(2, "big") + bytes(1024 - 179) + inner
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
    at = 52
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
    ours = make_slot(prefix_of(), *OURS, FILE_KEY)
    room = 1024 - at - 32 - len(ours)
    last = b"\xff" + (room - 6).to_bytes(2, "big") + bytes(room - 6) + b"\xff\0\0"
    add("ok_slot_head_at_end", "success", file(ours, last), "slot 0 opens, slot 2 has only its head, which ends before the MAC", 100)
    add("ok_slot_damaged_before", "success", file(flipped(ours, 75), ours), "slot 0 does not unwrap, slot 1 opens", 100)
    add("fail_slot_damaged_and_unknown", "header-damaged", file(longer, flipped(ours, 75)), "slot 0 is of kind 255, slot 1 does not unwrap")
    add("fail_unknown_slot_changed", "header-damaged", 2 * flipped(copy(OURS, longer), at + 124 + 50) + PAYLOAD, "slot 0 opens, slot 1 is of kind 255, and a bit of it was flipped")
    add("fail_wrong_key", "no-slot-opens", file(OTHERS), "the only slot is another key's")
    add("fail_wrong_key_right_id", "no-slot-opens", file((1, OURS[1], OTHERS[2])), "another key's slot with this key's id")
    add("fail_key_for_passphrase_slot", "no-slot-opens", file(BY_WORDS), "a key file for a passphrase slot")
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
            ("other_slot", flipped(two, 52 + 124 + 123, 0x80), "slot 0 opens, slot 1 has a flipped bit"),
            ("header_salt_changed", flipped(two, 28), "the salt has a flipped bit, and the MAC is the old one"),
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
    fail("argon2_cost_changed", "no-slot-opens", 2 * changed(copy(BY_WORDS), 58, 65) + PAYLOAD, "the slot's memory was changed from 64 to 65 KiB: another secret")
    for name, expect, cost, about in (
            ("100_gib", "cost-too-high", (100 << 20, 3, 4), "the slot asks for 100 GiB"),
            ("endless", "cost-too-high", (64, 2**32 - 1, 1), "the slot asks for 2^32 - 1 passes"),
            ("1_kib_over_limit", "cost-too-high", (1048577, 1, 1), "the slot asks for 1 KiB more than the default limit"),
            ("17_passes", "cost-too-high", (64, 17, 1), "the slot asks for one pass more than the default limit"),
            ("no_passes", "header-damaged", (64, 0, 1), "no passes"), ("no_lanes", "header-damaged", (64, 1, 0), "no lanes"),
            ("256_lanes", "header-damaged", (4096, 1, 256), "256 lanes, one more than the format allows"),
            ("little_memory", "header-damaged", (31, 1, 4), "less than 8 KiB a lane"),
            ("lanes_wrap", "header-damaged", (64, 1, 1 << 29), "2^29 lanes, of which eight times wraps to 0")):
        fail(f"argon2_{name}", expect, file(costing(*cost)), about)
    costly, damaged = [make_slot(prefix_of(), *slot, FILE_KEY) for slot in (costing(64, 17, 1), BY_WORDS)]
    add("ok_argon2_costly_before", "success", file(costly, damaged), "slot 0 asks for 17 passes, slot 1 opens", 100, BY_PASSPHRASE)
    damaged = flipped(damaged, 80)
    fail("argon2_costly_before_damaged", "cost-too-high", file(costly, damaged), "slot 0 asks for 17 passes, slot 1 does not unwrap")
    fail("argon2_damaged_before_costly", "header-damaged", file(damaged, costly), "slot 0 does not unwrap, slot 1 asks for 17 passes")
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
        whole, end = copy(ours, size=size), 52 + 3 + len(ours[1])
        add(f"ok_{name}", "success", 2 * whole + PAYLOAD, "one recipient", 100, by[kind])
        add(f"ok_{name}_among_others", "success", file(*mixed, size=2048), "a slot of each kind, of which the one for this identity opens", 100, by[kind])
        for what, at, expect, about in (
                ("encapsulated", 55, "no-slot-opens", "the encapsulated key has a flipped bit"),
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
