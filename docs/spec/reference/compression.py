#!/usr/bin/env python3
"""Writes vectors/compression-v1/contents.json from docs/spec/compression-v1.md and RFC 8878 alone.

    python3 docs/spec/reference/compression.py [--check]

The frames have raw blocks, blocks of one byte, and blocks of literals without sequences: no more
of Zstandard is needed to show each rule. Which contents are malformed was decided by the text,
and the judge here agrees. With --check it writes nothing.
"""
import functools
import hashlib
import sys

from tables import Table, hex_of, must

MIB, BLOCK_MAX = 1 << 20, 1 << 17
FRAME, SKIPPABLE, SEEKABLE = bytes.fromhex("28b52ffd"), bytes.fromhex("5e2a4d18"), bytes.fromhex("b1ea928f")
HEAD, HEAD_SIZE = bytes.fromhex("5d2a4d1810000000"), 24
RAW, ONE_BYTE, COMPRESSED = 0, 1, 2
PRIMES = 11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261
MASK = (1 << 64) - 1


def turned(x, bits):
    return (x << bits | x >> 64 - bits) & MASK


def mixed(lane, word):
    return turned(lane + word * PRIMES[1] & MASK, 31) * PRIMES[0] & MASK


@functools.cache
def xxh64(data):
    """XXH64 with the seed 0 (RFC 8878 section 3.1.1 and the specification of xxHash)."""
    p1, p2, p3, p4, p5 = PRIMES
    lanes, at = [p1 + p2 & MASK, p2, 0, -p1 & MASK], 0
    word = lambda at, size: int.from_bytes(data[at:at + size], "little")
    total = p5
    if len(data) >= 32:
        for at in range(0, len(data) - 31, 32):
            lanes = [mixed(lane, word(at + 8 * i, 8)) for i, lane in enumerate(lanes)]
        at += 32
        total = sum(turned(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            total = ((total ^ mixed(0, lane)) * p1 + p4) & MASK
    total = total + len(data) & MASK
    for at in range(at, len(data) - 7, 8):
        total = turned(total ^ mixed(0, word(at, 8)), 27) * p1 + p4 & MASK
    at = len(data) & ~7
    if len(data) & 4:
        total = turned(total ^ word(at, 4) * p1 & MASK, 23) * p2 + p3 & MASK
        at += 4
    for byte in data[at:]:
        total = turned(total ^ byte * p5 & MASK, 11) * p1 & MASK
    total = (total ^ total >> 33) * p2 & MASK
    total = (total ^ total >> 29) * p3 & MASK
    return total ^ total >> 32


def le(number, size):
    return number.to_bytes(size, "little")


def raw(text, size=None):
    return RAW, text if size is None else text[:1], len(text), text


def one_byte(byte, size):
    return ONE_BYTE, byte, size, byte * size


def literals(text):
    """RFC 8878 section 3.1.1.3: raw literals of at most 31 bytes, and no sequences."""
    body = bytes([len(text) << 3]) + text + b"\0"
    return COMPRESSED, body, len(body), text


def blocks_of(text):
    """Blocks of at most 128 KiB, of one byte where it is one."""
    parts = [text[at:at + BLOCK_MAX] for at in range(0, len(text), BLOCK_MAX)] or [b""]
    return [one_byte(part[:1], len(part)) if len(set(part)) == 1 else raw(part) for part in parts]


class Frame:
    """RFC 8878 section 3.1.1, behind a head; `window` is its descriptor, None for a single segment."""

    def __init__(self, text, blocks=None, place=0, window=None, width=8, size=None, checksum=None, dictionary=b"", flags=0):
        blocks = blocks_of(text) if blocks is None else blocks
        self.text = text
        size = len(text) if size is None else size
        flags |= {0: 0, 1: 0, 2: 1, 4: 2, 8: 3}[width] << 6 | (window is None) << 5 | 4 * (checksum != b"")
        flags |= {0: 0, 1: 1, 2: 2, 4: 3}[len(dictionary)]
        data = FRAME + bytes([flags]) + (b"" if window is None else bytes([window])) + dictionary
        data += le(size - 256 * (width == 2), width) if width else b""
        for i, (kind, body, length, _) in enumerate(blocks):
            data += le((i + 1 == len(blocks)) | kind << 1 | length << 3, 3) + body
        self.data = head(place) + data + (le(xxh64(text) & 0xFFFFFFFF, 4) if checksum is None else checksum)


def head(place, mark=b"the mark"):
    return HEAD + mark + le(place, 8)


def table_of(entries, count=None, descriptor=0, magic=SEEKABLE, length=None):
    body = b"".join(le(packed, 4) + le(plain, 4) for packed, plain in entries)
    body += le(len(entries) if count is None else count, 4) + bytes([descriptor]) + magic
    return SKIPPABLE + le(len(body) if length is None else length, 4) + body


def content(*frames, **more):
    table = table_of([(len(frame.data), len(frame.text)) for frame in frames], **more)
    data, place = b"", 0
    for frame in frames:
        data += head(place) + frame.data[HEAD_SIZE:]
        place += len(frame.text)
    return data + table


def size_of_header(data):
    """The frame's header: where blocks begin, the content's size, and whether all is as it must be."""
    must(len(data) >= 5, "the content ends")
    flags = data[4]
    must(not flags & 8, "a reserved bit")
    must(flags & 4, "no checksum")
    must(not flags & 3, "a dictionary")
    is_single, width = flags >> 5 & 1, (flags >> 5 & 1, 2, 4, 8)[flags >> 6]
    must(width, "no content size")
    start = 6 - is_single
    must(len(data) >= start + width, "the content ends")
    size = int.from_bytes(data[start:start + width], "little") + 256 * (width == 2)
    must(size <= 8 * MIB, "a content size over 8 MiB")
    window = size if is_single else (8 + (data[5] & 7)) << 7 + (data[5] >> 3)
    must(window <= 8 * MIB, "a window over 8 MiB")
    return start + width, size, min(window, BLOCK_MAX)


def open_frame(data):
    """The length of the head and frame, and its content."""
    data = data[HEAD_SIZE:]
    must(data.startswith(FRAME), "no frame behind a head")
    at, size, block_max = size_of_header(data)
    text, is_last = b"", False
    while not is_last:
        must(len(data) >= at + 3, "the content ends")
        head = int.from_bytes(data[at:at + 3], "little")
        is_last, kind, length, at = head & 1, head >> 1 & 3, head >> 3, at + 3
        stored = 1 if kind == ONE_BYTE else length
        must(kind != 3 and length <= block_max and len(data) >= at + stored, "a block")
        body, at = data[at:at + stored], at + stored
        if kind == COMPRESSED:
            must(body[:1] == bytes([len(body) - 2 << 3]) and body.endswith(b"\0"), "not only literals")
            body = body[1:-1]
        text += body * length if kind == ONE_BYTE else body
        must(len(text) <= size, "more content than the frame states")
    must(len(text) == size, "less content than the frame states")
    must(data[at:at + 4] == le(xxh64(text) & 0xFFFFFFFF, 4), "a checksum")
    return HEAD_SIZE + at + 4, text


def judge(data):
    """The plain content; or Malformed."""
    entries, plain, rest = [], b"", data
    while rest.startswith(HEAD):
        must(rest[16:HEAD_SIZE] == le(len(plain), 8), "a head of another place")
        length, text = open_frame(rest)
        entries.append((length, len(text)))
        plain, rest = plain + text, rest[length:]
    must(rest == table_of(entries), "no seek table of these frames")
    for i, (_, size) in enumerate(entries):
        is_last, first = i + 1 == len(entries), entries[0][1]
        must(0 < size <= first if is_last else size == first >= MIB, "the size of a frame")
    return plain


def text(size, seed=b""):
    return hashlib.shake_128(b"compression-v1" + seed).digest(size)


def add_good():
    zeros, ones = bytes(MIB), b"1" * MIB
    some = text(100)
    first = Frame(zeros)
    good["nothing"] = content()
    for size in (1, 100, 255, 256, 257, 1000):
        good[f"{size} bytes"] = content(Frame(text(size)))
    for size in (1, 2, 3, 8):
        good[f"a frame of {size} MiB"] = content(Frame(bytes(size * MIB)))
        good[f"two frames of {size} MiB and a byte"] = content(Frame(bytes(size * MIB)), Frame(b"1" * size * MIB), Frame(b"2"))
    good["frames of 1 MiB and a part of 1 MiB less a byte"] = content(first, Frame(ones), Frame(ones[1:]))
    good["ten frames of 1 MiB"] = content(*[Frame(b"%d" % i * MIB) for i in range(10)])
    for width in (1, 2, 4, 8):
        plain = text(300 if width == 2 else 100)
        good[f"a size of {width} bytes"] = content(Frame(plain, width=width))
    for window in (0, 0x50, 0x68):
        good[f"the window descriptor {window:#x}"] = content(Frame(some, window=window))
    good["another mark"] = content(Frame(some)).replace(b"the mark", bytes(8))
    good["blocks of each kind"] = content(Frame(some + bytes(9) + some[:31], [raw(some), one_byte(b"\0", 9), literals(some[:31])]))
    good["an empty block at the end"] = content(Frame(some, [raw(some), raw(b"")]))
    good["empty blocks between others"] = content(Frame(some, [raw(b""), raw(some[:1]), one_byte(b"x", 0), raw(some[1:])]))
    good["a block for each byte"] = content(Frame(some, [raw(some[i:i + 1]) for i in range(100)]))


def add_bad_frames():
    some, zeros = text(100), bytes(MIB)
    whole = content(Frame(some))
    for name, data in (("no head", Frame(some).data[HEAD_SIZE:]), ("a head twice", head(0) + Frame(some).data)):
        bad[f"{name} before a frame"] = data + table_of([(len(data), 100)])
    for at, name in ((0, "magic"), (4, "length"), (16, "place"), (23, "place")):
        bad[f"another byte {at}, of the {name} of a head"] = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:]
    two = Frame(zeros), Frame(b"1" * MIB, place=MIB)
    entries = [(len(frame.data), MIB) for frame in two]
    for place in (0, MIB - 1, 2 * MIB, MASK):
        bad[f"a second frame of 1 MiB at {place}"] = two[0].data + head(place) + two[1].data[HEAD_SIZE:] + table_of(entries)
    bad["a head before the table"] = two[0].data + head(MIB) + table_of(entries[:1])
    bad["frames in another order"] = two[1].data + two[0].data + table_of(entries[::-1])
    bad["a frame without its size"] = content(Frame(some, window=0x50, width=0))
    for size in (8 * MIB + 1, 1 << 32, MASK):
        bad[f"a frame that states {size} bytes"] = content(Frame(some, size=size))
    bad["a frame of 9 MiB"] = content(Frame(bytes(9 * MIB)))
    for size in (99, 101, 0):
        bad[f"a frame that states {size} bytes and has 100"] = content(Frame(some, size=size))
    bad["a frame that states 1 MiB and has 8 MiB"] = content(Frame(bytes(8 * MIB), size=MIB))
    bad["no checksum"] = content(Frame(some, checksum=b""))
    bad["another checksum"] = content(Frame(some, checksum=bytes(4)))
    bad["another byte in a frame"] = whole.replace(some[50:60], some[50:59] + b"!")
    for window in (0x69, 0x70, 0xFF):
        bad[f"a window descriptor {window:#x}"] = content(Frame(some, window=window))
    for number, width in ((7, 1), (7, 2), (7, 4), (0, 1), (0, 2), (0, 4)):
        bad[f"a dictionary's number {number} of {width} bytes"] = content(Frame(some, dictionary=le(number, width)))
    bad["a reserved bit"] = content(Frame(some, flags=8))
    bad["a reserved block"] = content(Frame(some, [(3, some, 100, some)]))
    bad["a block over 128 KiB"] = content(Frame(zeros, [one_byte(b"\0", MIB)]))
    bad["no last block"] = content(Frame(some, [raw(some)])).replace(le(1 | 100 << 3, 3) + some, le(100 << 3, 3) + some)
    bad["a frame of Zstandard 0.7"] = whole[:HEAD_SIZE] + b"\x27" + whole[HEAD_SIZE + 1:]


def add_bad_tables():
    some, zeros, ones = Frame(text(100)), Frame(bytes(MIB)), Frame(b"1" * MIB, place=MIB)
    whole, two = content(some), content(zeros, ones)
    bad["no bytes"] = b""
    bad["no seek table"] = some.data
    bad["a byte after the table"] = whole + b"\0"
    bad["a frame after the table"] = whole + some.data
    bad["the table twice"] = whole + table_of([(len(some.data), 100)])
    bad["the table first"] = table_of([(len(some.data), 100)]) + some.data
    for cut in (1, 9, 17, len(whole) - len(some.data)):
        bad[f"{cut} bytes less at the end"] = whole[:-cut]
    bad["another skippable frame before the table"] = some.data + SKIPPABLE + le(4, 4) + b"note" + table_of([(len(some.data), 100)])
    for at, name in ((0, "magic"), (4, "length")):
        table = bytearray(table_of([(len(some.data), 100)]))
        table[at] ^= 1
        bad[f"another {name} of the table"] = some.data + bytes(table)
    for descriptor in (1, 0x80):
        bad[f"the descriptor {descriptor}"] = content(some, descriptor=descriptor)
    bad["another magic at the end"] = content(some, magic=b"\xb1\xea\x92\x8e")
    bad["a table that says a length over its own"] = content(some, length=MASK & 0xFFFFFFFF)
    for count in (0, 2, 0xFFFFFFFF):
        bad[f"a table of one frame that says {count}"] = content(some, count=count)
    for name, entries in (
            ("no frame", []), ("one frame of two", [(len(zeros.data), MIB)]),
            ("three frames of two", [(len(zeros.data), MIB), (len(ones.data), MIB), (len(ones.data), MIB)]),
            ("another compressed length", [(len(zeros.data) + 1, MIB), (len(ones.data) - 1, MIB)]),
            ("another length of the content", [(len(zeros.data), MIB + 1), (len(ones.data), MIB - 1)]),
            ("a last length that is shorter", [(len(zeros.data), MIB), (len(ones.data), MIB - 1)]),
            ("an empty frame more", [(len(zeros.data), MIB), (len(ones.data), MIB), (0, 0)])):
        bad[f"a table of {name}"] = zeros.data + ones.data + table_of(entries)
    bad["a byte between frames and table"] = zeros.data + b"\0" + table_of([(len(zeros.data), MIB)])
    bad["a byte between frames"] = zeros.data + b"\0" + ones.data + two[len(zeros.data + ones.data):]
    bad["a frame that is cut"] = two[:HEAD_SIZE + 60] + two[len(zeros.data + ones.data):]
    bad["a short frame first"] = content(some, zeros)
    bad["a short frame within"] = content(zeros, some, ones)
    bad["two short frames"] = content(some, some)
    bad["a last frame that has more than the first"] = content(zeros, Frame(bytes(2 * MIB)))
    bad["a second frame that has more than the first"] = content(zeros, Frame(bytes(2 * MIB)), ones)


def found_in(data):
    plain = judge(data)
    return {"length": len(plain), "sha256": hashlib.sha256(plain).hexdigest()}


TABLE = Table("compression-v1/contents.json", "docs/spec/compression-v1.md", ("content", "plain"), hex_of, found_in)
good, bad = TABLE.good, TABLE.bad
for part in (add_good, add_bad_frames, add_bad_tables):
    part()

if __name__ == "__main__":
    TABLE.main(sys.argv[1:])
