#!/usr/bin/env python3
"""Writes `archives.json` from docs/spec/folder-v1.md and Python's standard library alone.

    python3 vectors/folder-v1/make.py > vectors/folder-v1/archives.json

README.md beside this file has the form. Each verdict was decided by a sentence of the
specification, and no reader computed it.
"""
import json
import re

MODE, OWNER, GROUP, SIZE, TIME, CHECKSUM, KIND, MAGIC = 100, 108, 116, 124, 136, 148, 156, 257
TEXTS, DEVICES, ACCESSED, PARTS, HAS_MORE, LENGTH = 265, 329, 345, 386, 482, 483
USTAR = b"ustar\x0000"


def octal(value: int, width: int = 12) -> bytes:
    return b"%0*o\x00" % (width - 1, value)


def binary(value: int, width: int = 12, first: int = 0x80) -> bytes:
    return bytes([first]) + value.to_bytes(width - 1, "big")


def padded(text: bytes) -> bytes:
    return text + bytes(-len(text) % 512)


def summed(block: bytes, form: bytes = b"%06o\x00 ", signed: bool = False) -> bytes:
    block = block[:CHECKSUM] + b" " * 8 + block[KIND:]
    total = sum(byte - 256 if signed and byte > 127 else byte for byte in block)
    return block[:CHECKSUM] + form % total + block[KIND:]


def header(kind: str, name: bytes, size: int = 0, link: bytes = b"", fields=(), **checksum) -> bytes:
    """A header with some fields changed: pairs of place and bytes."""
    block = bytearray(512)
    usual = [(0, name), (MODE, octal(0o755 if kind == "5" else 0o644, 8)), (OWNER, octal(0, 8)), (GROUP, octal(0, 8))]
    usual += [(SIZE, octal(size)), (TIME, octal(0)), (KIND, kind.encode()), (157, link)]
    usual += [(MAGIC, USTAR if kind in "gx" else b"ustar  \x00")]
    for at, value in [*usual, *fields]:
        block[at : at + len(value)] = value
    return summed(bytes(block), **checksum)


def file(name: bytes = b"a", text: bytes = b"text", **more) -> bytes:
    more.setdefault("size", len(text))
    return header("0", name, **more) + padded(text)


def folder(name: bytes, **more) -> bytes:
    return header("5", name + b"/", **more)


def link(name: bytes, to: bytes, **more) -> bytes:
    return header("2", name, link=to, **more)


def hard(name: bytes, to: bytes, **more) -> bytes:
    return header("1", name, link=to, **more)


def ahead(kind: str, text: bytes, **more) -> bytes:
    """What goes ahead of an entry: a long name (L), a long target (K), or records (x)."""
    more.setdefault("size", len(text))
    return header(kind, b"" if kind == "x" else b"././@LongLink", **more) + padded(text)


def record(key: bytes, value: bytes = b"") -> bytes:
    size = len(key) + len(value) + 3
    while len(str(size)) + len(key) + len(value) + 3 != size:
        size = len(str(size)) + len(key) + len(value) + 3
    return b"%d %s=%s\n" % (size, key, value)


def comment(text: bytes) -> bytes:
    return header("g", b"pax_global_header", len(text), form=b"%07o\x00") + padded(text)


def place(offset, size) -> bytes:
    return b"".join(number if isinstance(number, bytes) else octal(number) for number in (offset, size))


def sparse(*parts, stored: bytes = b"", length=None, name: bytes = b"a", more: bytes = b"", fields=(), **others) -> bytes:
    """A file with holes, of parts in the header and blocks with more."""
    length = sum(parts[-1]) if length is None else length
    length = length if isinstance(length, bytes) else octal(length)
    places = b"".join(place(*part) for part in parts)
    usual = [(PARTS, places), (HAS_MORE, bytes([more != b""])), (LENGTH, length)]
    others.setdefault("size", len(stored))
    return header("S", name, fields=[*usual, *fields], **others) + more + padded(stored)


def more(*parts, last: int = 0) -> bytes:
    """A block with more parts."""
    places = b"".join(place(*part) for part in parts)
    return places + bytes(504 - len(places)) + bytes([last]) + bytes(7)


MARK = comment(b"35 comment=sivka folder, version 1\n")
VOID = comment(b"35 comment=the file before is void\n")
ROOT = folder(b".")
END = bytes(1024)
A = file()
DATA = b"d" * 512
TIMED = record(b"mtime", b"1.5")


class Parts:
    """Blocks with parts from one number to another, and an empty one at the end."""

    def __init__(self, first: int, last: int, end: int = 0):
        self.piece = f"parts {first} {last} {end}"


def many(count: int, end: int = 0):
    """A file of so many parts of 512, one in 1024, and a part at its end."""
    first = [(1024 * i, 512) for i in range(4)]
    head = sparse(*first, length=end or 1024 * count - 512, size=512 * count, fields=[(HAS_MORE, b"\x01")])
    return [head, Parts(4, count, end), b"d" * (512 * count)]


accepted, refused = {}, {}
accepted["nothing"] = b""
accepted["a file"] = A
accepted["each kind"] = file(b"a") + folder(b"b") + file(b"b/f") + hard(b"c", b"b/f") + link(b"d", b"b") + sparse((0, 512), (1024, 0), stored=DATA, name=b"e")
accepted["pipes and devices"] = b"".join(header(kind, b"a" + kind.encode()) for kind in "346")

# Mark and void.
refused["a second mark"] = A + MARK
refused["a mark of a newer version within"] = A + comment(b"35 comment=sivka folder, version 2\n")
accepted["a void file"] = A + VOID
accepted["a void file and its second reading"] = A + VOID + A
accepted["a void file with holes"] = sparse((512, 512), (2048, 0), stored=DATA) + VOID + A
accepted["a void file before another one"] = A + VOID + file(b"b")
refused["an earlier name after a void file"] = A + VOID + file(b"A")
refused["void at first"] = VOID
refused["void twice"] = A + VOID + VOID
refused["void after a folder"] = folder(b"a") + VOID
refused["void after a symbolic link"] = link(b"a", b"b") + VOID
refused["void after a hard link"] = A + hard(b"b", b"a") + VOID
refused["void after a pipe"] = header("6", b"a") + VOID
refused["a hard link to a void file"] = A + VOID + hard(b"b", b"a")
refused["records before void"] = A + ahead("x", TIMED) + VOID
refused["a long name before void"] = A + ahead("L", b"b\x00") + VOID
refused["another name in a void header"] = A + summed(b"P" + VOID[1:512]) + VOID[512:]
refused["another checksum of the same sum in void"] = A + summed(VOID[:512]) + VOID[512:]
refused["another text of void"] = A + VOID[:530] + b"T" + VOID[531:]
for at in (547, 700, 1023):
    refused[f"byte {at} of void is not zero"] = A + VOID[:at] + b"x" + VOID[at + 1 :]
refused["half a void file at the end"] = A + VOID[:512]

# The end. Here the archive is given as a whole.
whole_accepted, whole_refused = {}, {}
for size in (0, 512, 1024, 1536, 10240):
    whole_accepted[f"an end of {size}"] = MARK + ROOT + A + bytes(size)
for size in (1, 511, 513, 1000, 1025, 1100):
    whole_refused[f"an end of {size}"] = MARK + ROOT + A + bytes(size)
whole_refused["a mark alone"] = MARK
whole_refused["a mark and zeros"] = MARK + END
whole_refused["a byte after the end"] = MARK + ROOT + A + END + b"x" + bytes(511)
whole_refused["a byte in the end"] = MARK + ROOT + A + bytes(700) + b"x" + bytes(323)
whole_refused["an entry after the end"] = MARK + ROOT + END + A + END
whole_refused["a content that is cut"] = MARK + ROOT + file(text=b"x" * 1024)[:-512]
whole_refused["a content without what fills it up"] = MARK + ROOT + A[:516]
whole_refused["a content longer than the archive"] = MARK + ROOT + header("0", b"a", fields=[(SIZE, binary(2**63 - 1))])
whole_refused["a header that is cut"] = MARK + ROOT + A[:300]
for kind, text in (("L", b"b\x00"), ("K", b"b\x00"), ("x", TIMED)):
    refused[f"{kind} before the end"] = A + ahead(kind, text)
    whole_refused[f"{kind} at the end"] = MARK + ROOT + A + ahead(kind, text)

# Names and their order.
for name in (b"..", b".", b"/a", b"./a", b"a//b", b"a/../b", b"a/.", b"../a", b""):
    refused[f"the name {name.decode()!r}"] = folder(b"a") + file(name)
    refused[f"the long name {name.decode()!r}"] = folder(b"a") + ahead("L", name + b"\x00") + file(b"a/z")
refused["a file with a slash at its end"] = file(b"a/")
refused["a folder without a slash"] = header("5", b"a")
refused["a folder that is a slash"] = header("5", b"/")
whole_refused["./ with two slashes first"] = MARK + folder(b"./") + END
whole_refused["another folder first"] = MARK + folder(b"a") + END
whole_refused["a file first"] = MARK + A + END
refused["./ twice"] = ROOT
refused["a name twice"] = A + A
refused["a file and a folder of one name"] = A + folder(b"a")
refused["names in another order"] = file(b"b") + file(b"a")
refused["a folder that comes back"] = folder(b"a") + file(b"b") + file(b"a/b")
refused["a file in no folder"] = file(b"a/b")
refused["a file in a file"] = A + file(b"a/b")
accepted["order by bytes"] = folder(b"a") + file(b"a/b") + file(b"a!") + file("é".encode())
refused["order by paths"] = file(b"a!") + folder(b"a") + file(b"a/b")

# Links.
accepted["a hard link to a symbolic link"] = link(b"a", b"b") + hard(b"c", b"a")
accepted["a symbolic link outside"] = link(b"a", b"../b") + link(b"b", b"/etc") + link(b"c", b"d/../e")
refused["a hard link to a link that leads outside"] = link(b"a", b"../b") + hard(b"c", b"a")
refused["a hard link that makes a link lead outside"] = folder(b"a") + link(b"a/a", b"../b") + hard(b"c", b"a/a")
refused["a hard link to nothing"] = hard(b"a", b"b")
refused["a hard link to a later file"] = hard(b"a", b"b") + file(b"b")
refused["a hard link to a folder"] = folder(b"a") + hard(b"b", b"a")
refused["a hard link to itself"] = hard(b"a", b"a")
refused["a hard link by another path"] = A + hard(b"b", b"./a")
refused["a symbolic link to nothing"] = link(b"a", b"")

# Headers.
for kind in "7ADMNVX9":
    refused[f"kind {kind}"] = header(kind, b"a")
refused["kind zero"] = file(fields=[(KIND, b"\x00")])
for magic in (USTAR, b"ustar   ", bytes(8), b"ustar  0"):
    refused[f"a file with the magic {magic.decode()!r}"] = file(fields=[(MAGIC, magic)])
refused["records with GNU's magic"] = ahead("x", TIMED, fields=[(MAGIC, b"ustar  \x00")]) + A
refused["a long name with another magic"] = ahead("L", b"a\x00", fields=[(MAGIC, USTAR)]) + A
accepted["a checksum of seven digits and a zero"] = file(form=b"%07o\x00")
refused["a checksum of eight digits"] = file(form=b"%08o")
refused["a checksum of spaces and digits"] = file(form=b"%6o\x00 ")
refused["a checksum of six digits and two zeros"] = file(form=b"%06o\x00\x00")
refused["a checksum of six digits and two spaces"] = file(form=b"%06o  ")
refused["a checksum with a sign"] = file(form=b"+%05o\x00 ")
refused["a signed checksum"] = file("é".encode(), signed=True)
refused["a signed checksum of a long name"] = ahead("L", b"a\x00", fields=[(TEXTS, b"\xff")], signed=True) + A
refused["a wrong checksum"] = A[:CHECKSUM] + b"0000000\x00" + A[KIND:]
refused["a wrong checksum of records"] = ahead("x", TIMED)[:CHECKSUM] + b"0000000\x00" + ahead("x", TIMED)[KIND:] + A

# Numbers.
odd = {"spaces ahead": b" %s\x00", "a space at its end": b"%s \x00", "two zeros at its end": b"%s\x00\x00", "no zero": b"00%s", "an eight": b"%s8\x00", "a sign": b"+%s\x00"}
for at, what, width in ((MODE, "mode", 8), (GROUP, "group", 8), (TIME, "time", 12), (SIZE, "size", 12)):
    for how, form in odd.items():
        refused[f"a {what} with {how}"] = file(fields=[(at, form % (b"4".zfill(width - 2)))])
    refused[f"a {what} of nothing"] = file(text=b"", fields=[(at, bytes(width))])
refused["a binary mode"] = file(fields=[(MODE, binary(0o644, 8))])
accepted["a mode of all bits"] = file(fields=[(MODE, b"7777777\x00")])
accepted["a mode with the kind of file"] = file(fields=[(MODE, b"0100644\x00")])
for at, what, width in ((OWNER, "owner", 8), (GROUP, "group", 8), (SIZE, "size", 12), (TIME, "time", 12)):
    accepted[f"a binary {what}"] = file(fields=[(at, binary(4, width))])
    refused[f"a binary {what} with 81"] = file(fields=[(at, binary(4, width, 0x81))])
    refused[f"a negative binary {what}"] = file(fields=[(at, b"\xff" * width)])
for at, what in ((OWNER, "owner"), (GROUP, "group")):
    accepted[f"an {what} of 2^32 - 2"] = file(fields=[(at, binary(2**32 - 2, 8))])
    refused[f"an {what} of 2^32 - 1"] = file(fields=[(at, binary(2**32 - 1, 8))])
    refused[f"an {what} of 2^32"] = file(fields=[(at, binary(2**32, 8))])
accepted["a time of 2^63 - 1"] = file(fields=[(TIME, binary(2**63 - 1))])
for bits in (63, 64):
    refused[f"a time of 2^{bits}"] = file(fields=[(TIME, binary(2**bits))])
    refused[f"a size of 2^{bits} and 4"] = file(fields=[(SIZE, binary(2**bits + 4))])
for kind in "1256":
    name = b"b/" if kind == "5" else b"b"
    refused[f"a size of kind {kind}"] = A + header(kind, name, 1, b"a" if kind in "12" else b"") + padded(b"x")
# What nobody needs.
accepted["texts of owner and group"] = file(fields=[(TEXTS, b"\xff" * 64)])
accepted["numbers of devices that are none"] = header("3", b"a", fields=[(DEVICES, b"\xff" * 16)]) + header("4", b"b", fields=[(DEVICES, b"no, no\x00")])
accepted["numbers of devices of a file"] = file(fields=[(DEVICES, b"\xffx" * 8)])
accepted["times of access and change that are none"] = file(fields=[(ACCESSED, b"prefix/of/a/name" * 2)])
accepted["all that follows them"] = file(fields=[(369, b"\xff" * 143)])
accepted["a target of a file and of a folder"] = file(link=b"../x") + folder(b"b", link=b"../x")
accepted["something after the zero of a name"] = file(b"a\x00b")
accepted["something where a content is filled up"] = header("0", b"a", 4) + b"text" + b"x" * 508
accepted["something where a long name is filled up"] = ahead("L", b"a\x00")[:514] + b"x" * 510 + A
for kind, text in (("L", b"a\x00"), ("K", b"b\x00"), ("x", TIMED)):
    for at, what, width in ((MODE, "mode", 8), (OWNER, "owner", 8), (GROUP, "group", 8), (TIME, "time", 12), (DEVICES, "device", 8)):
        for digits in (b"\xff" * width, bytes(width), b" 12" + bytes(width - 3)):
            accepted[f"{kind} with the {what} {digits.hex()}"] = ahead(kind, text, fields=[(at, digits)]) + link(b"a", b"b")
    accepted[f"{kind} with another name and a target"] = ahead(kind, text, fields=[(0, b"other"), (157, b"target")]) + link(b"a", b"b")
    refused[f"{kind} with a binary size"] = ahead(kind, text, fields=[(SIZE, binary(len(text)))]) + link(b"a", b"b")
    refused[f"{kind} with a size of spaces"] = ahead(kind, text, fields=[(SIZE, b"%11o\x00" % len(text))]) + link(b"a", b"b")

# Long names, and records.
for kind, what in (("L", "name"), ("K", "target")):
    accepted[f"a short long {what}"] = ahead(kind, b"a\x00") + link(b"a", b"b")
    for text in (b"", b"\x00", b"a", b"a\x00\x00", b"a\x00b\x00", b"\x00a\x00"):
        refused[f"a long {what} of {text.hex() or 'nothing'}"] = ahead(kind, text) + link(b"a", b"b")
    refused[f"two long {what}s"] = ahead(kind, b"a\x00") * 2 + link(b"a", b"b")
refused["an empty long target of a file"] = ahead("K", b"") + A
accepted["all three ahead"] = ahead("K", b"b\x00") + ahead("x", TIMED) + ahead("L", b"a\x00") + link(b"q", b"q")
refused["two of records"] = ahead("x", TIMED) * 2 + A
accepted["long names of 768 KiB"] = ahead("L", b"a\x00") + ahead("K", b"k" * 786431 + b"\x00") + A
refused["long names of more"] = ahead("L", b"a\x00") + ahead("K", b"k" * 786432 + b"\x00") + A
for kind, what in (("L", "name"), ("K", "target")):
    accepted[f"a long {what} of 768 KiB alone"] = ahead(kind, b"k" * 786432 + b"\x00") + header("6", b"a")
    refused[f"a long {what} of more alone"] = ahead(kind, b"k" * 786433 + b"\x00") + header("6", b"a")
accepted["no record"] = ahead("x", b"") + A
accepted["records that are unknown"] = ahead("x", record(b"comment", b"x") + record(b"VENDOR.key", b"\xff")) + A
value = b"v" * (524_800 - len(record(b"user.a", b"v" * 524_000)) + 524_000)
accepted["records of 524,800"] = ahead("x", record(b"user.a", value)) + A
refused["records of 524,801"] = ahead("x", record(b"user.a", value + b"v")) + A
for text in (b"12 mtime=1\n", b"011 mtime=1\n", b"+11 mtime=1\n", b"10 mtime=1\n", b"9 mtime1\n", b"5 =1\n", b"11 a\x00time=1\n", b"13 other=1\n2\n", b"11 mtime=1x", b" 11 mtime=1\n", b"11  mtim=1\n11 mtim=1"):
    refused[f"the records {text.decode()!r}"] = ahead("x", text) + A
refused["a record twice"] = ahead("x", record(b"other", b"1") + record(b"other", b"2")) + A
for key in ("path", "linkpath", "size", "uid", "gid", "uname", "gname", "atime", "ctime", "GNU.sparse.major"):
    refused[f"a record {key}"] = ahead("x", record(key.encode(), b"1")) + A
for time in (b"-9223372036854775807.999999999", b"0", b"-1.5", b"1.", b"1.0123456789", b"9223372036854775807"):
    accepted[f"the time {time.decode()}"] = ahead("x", record(b"mtime", time)) + A
for time in (b"", b".5", b"+1", b"1e3", b" 1", b"1.-5", b"--1", b"9223372036854775808", b"-9223372036854775808", b"\xff"):
    refused[f"the time {time.decode(errors='replace')!r}"] = ahead("x", record(b"mtime", time)) + A

# Attributes.
well = {b"SCHILY.xattr.user.a": [b"", b"\x00\xff"], b"SCHILY.xattr.user.%zz": [b"x"], b"LIBARCHIVE.xattr.user.a%0a%FF": [b"", b"YQ", b"YWI"]}
well.update({b"SCHILY.acl.access": [b"user::rw-,user:1000:r--,group::r--,group:4294967295:---,mask::rwx,other::r--"], b"SCHILY.acl.default": [b"other::---"]})
ill = {b"SCHILY.xattr.": [b"x"], b"LIBARCHIVE.xattr.": [b"YQ"], b"LIBARCHIVE.xattr.a%0": [b"YQ"], b"LIBARCHIVE.xattr.a%": [b"YQ"], b"LIBARCHIVE.xattr.a%00": [b"YQ"]}
ill.update({b"LIBARCHIVE.xattr.a": [b"YQ==", b"Y", b"YR", b"?", b"Y\rQ", b"YQ "], b"LIBARCHIVE.xattr.a%0x": [b"YQ"]})
lists = (b"", b"user", b"user::rw", b"user::rwxr", b"user::wr-", b"owner::rwx", b"user:-1:rwx", b"user:+1:rwx", b"user:a:rwx", b"mask:1:rwx", b"user::rwx,", b"user::rwx:1", b"user:4294967296:rwx")
ill[b"SCHILY.acl.access"] = list(lists)
for verdicts, records in ((accepted, well), (refused, ill)):
    for key, values in records.items():
        for value in values:
            verdicts[f"{key.decode()} of {value.hex() or 'nothing'}"] = ahead("x", record(key, value)) + A
for name, records in {
    "in both forms": record(b"SCHILY.xattr.user.a", b"x") + record(b"LIBARCHIVE.xattr.user.a", b"eA"),
    "with a name escaped in two ways": record(b"LIBARCHIVE.xattr.user.a", b"eA") + record(b"LIBARCHIVE.xattr.user.%61", b"eA"),
    "with = in both forms": record(b"LIBARCHIVE.xattr.user.%3d", b"eA") + record(b"SCHILY.xattr.user.%3D", b"x"),
    "as a list and by its name": record(b"SCHILY.acl.access", b"other::---") + record(b"SCHILY.xattr.system.posix_acl_access", b"x"),
    "as a default list and by its name": record(b"SCHILY.acl.default", b"other::---") + record(b"LIBARCHIVE.xattr.system.posix_acl_default", b"eA"),
}.items():
    refused[f"an attribute {name}"] = ahead("x", records) + A
accepted["two attributes of similar names"] = ahead("x", record(b"SCHILY.xattr.user.a%61", b"x") + record(b"LIBARCHIVE.xattr.user.a%61", b"eA")) + A
for form, value in ((b"SCHILY.xattr.", b"x"), (b"LIBARCHIVE.xattr.", b"eA"), (b"SCHILY.acl.access", b"other::---")):
    verdicts = accepted if form == b"SCHILY.acl.access" else refused
    verdicts[f"{form.decode()} and a byte that is not UTF-8"] = ahead("x", record(form + b"\xff", value)) + A
for name in (b"a", b"trusted.a", b"user.a\tb", "user.é".encode(), b" "):
    accepted[f"an attribute called {name.decode()!r}"] = ahead("x", record(b"SCHILY.xattr." + name, b"x")) + A
accepted["an attribute called by other bytes"] = ahead("x", record(b"LIBARCHIVE.xattr.%0A%FF%01", b"eA")) + A

ATTRIBUTE, LIST = ahead("x", record(b"SCHILY.xattr.user.a", b"x")), ahead("x", record(b"SCHILY.acl.access", b"other::---"))
OTHER = bytes.fromhex("02000000 20000000 ffffffff")  # What Linux has for that list.
for kind in (b"access", b"default"):
    for what, value, escaped in (("a malformed list", b"x", b"eA"), ("a list of Linux", OTHER, b"AgAAACAAAAD/////")):
        for key in (b"SCHILY.xattr.system.posix_acl_" + kind, b"LIBARCHIVE.xattr.system.posix_acl_" + kind, b"LIBARCHIVE.xattr.system%2Eposix_acl_" + kind):
            refused[f"{what} as {key.decode()}"] = ahead("x", record(key, escaped if key[0] == ord("L") else value)) + A
for what, before in {"an attribute": ATTRIBUTE, "a list": LIST}.items():
    accepted[f"{what} of a folder"] = before + folder(b"a")
    accepted[f"{what} of a file with holes"] = before + sparse((1000, 0))
    refused[f"{what} of a symbolic link"] = before + link(b"a", b"b")
    refused[f"{what} of a hard link"] = A + before + hard(b"b", b"a")
    for kind in "346":
        refused[f"{what} of kind {kind}"] = before + header(kind, b"a")
for what, before in {"a time": ahead("x", TIMED), "another record": ahead("x", record(b"comment", b"x"))}.items():
    accepted[f"{what} of links and a pipe"] = A + before + hard(b"b", b"a") + before + link(b"c", b"d") + before + header("6", b"d")

# Files with holes.
accepted["a hole alone"] = sparse((1000, 0))
accepted["an odd part at the end"] = sparse((512, 5), stored=b"x" * 5)
accepted["an odd part before a hole"] = sparse((512, 5), (2048, 0), stored=b"x" * 5)
accepted["a part at an odd place"] = sparse((7, 512), (1024, 0), stored=DATA)
accepted["parts that touch"] = sparse((0, 512), (512, 512), (2048, 0), stored=DATA * 2)
accepted["an empty part at the end of data"] = sparse((0, 512), (512, 0), stored=DATA)
accepted["binary numbers of parts"] = sparse((binary(512), binary(512)), length=binary(1024), stored=DATA, fields=[(SIZE, binary(512))])
accepted["a hole of 2^34"] = sparse((binary(2**34), 512), length=binary(2**34 + 512), stored=DATA)
accepted["a hard link to a file with holes"] = sparse((1000, 0)) + hard(b"b", b"a")
block = [(1024 * i, 512) for i in range(60)]
accepted["four parts and no more"] = sparse(*block[:4], stored=DATA * 4)
accepted["a fifth part"] = sparse(*block[:4], stored=DATA * 5, length=4608, more=more(block[4]))
accepted["a block of 21 more"] = sparse(*block[:4], stored=DATA * 25, length=25088, more=more(*block[4:25]))
accepted["two blocks of more"] = sparse(*block[:4], stored=DATA * 26, length=26112, more=more(*block[4:25], last=1) + more(block[25]))
accepted["the end in a block of its own"] = sparse(*block[:4], stored=DATA * 4, length=9000, more=more((9000, 0)))
accepted["more parts, and something after them"] = sparse(*block[:4], stored=DATA * 5, length=4608, more=more(block[4])[:505] + b"x" * 7)
accepted["8,192 parts"] = many(8192)
accepted["8,192 parts and an end"] = many(8192, 1024 * 8192)
refused["8,193 parts"] = many(8193)
refused["8,193 parts and an end"] = many(8193, 1024 * 8193)
refused["no parts"] = sparse(length=0)
refused["no parts of a hole"] = sparse(length=1000)
refused["an odd part in the middle"] = sparse((0, 5), (1024, 512), stored=b"x" * 517)
refused["an empty part at first"] = sparse((0, 0), (0, 512), stored=DATA)
refused["an empty part in the middle"] = sparse((0, 512), (600, 0), (1024, 512), stored=DATA * 2)
refused["two ends"] = sparse((0, 512), (1024, 0), (1024, 0), stored=DATA)
refused["a hole at the end without a part"] = sparse((0, 512), stored=DATA, length=1024)
refused["an end before that of the file"] = sparse((0, 512), (1000, 0), length=1024, stored=DATA)
refused["an end after that of the file"] = sparse((0, 512), (1025, 0), length=1024, stored=DATA)
refused["a part beyond the file"] = sparse((512, 512), length=1000, stored=DATA)
refused["parts that overlap"] = sparse((0, 512), (511, 512), stored=DATA * 2)
refused["parts in another order"] = sparse((1024, 512), (0, 512), length=1536, stored=DATA * 2)
refused["more stored than in parts"] = sparse((0, 512), stored=DATA + b"x")
refused["a block more stored than in parts"] = sparse((0, 512), stored=DATA * 2)
refused["less stored than in parts"] = sparse((0, 512), stored=DATA[1:])
refused["an empty place between parts"] = sparse((0, 512), (bytes(12), bytes(12)), (1024, 512), stored=DATA * 2, length=1536)
refused["an empty place at first"] = sparse((bytes(12), bytes(12)), (0, 512), stored=DATA, length=512)
refused["half a place"] = sparse((0, 512), (512, bytes(12)), stored=DATA, length=512)
refused["the other half of a place"] = sparse((0, 512), (bytes(12), 512), stored=DATA, length=512)
refused["fewer than four parts, and more"] = sparse(*block[:3], stored=DATA * 4, length=3584, more=more(block[3]))
refused["an empty block of more"] = sparse(*block[:4], stored=DATA * 4, length=3584, more=more())
refused["a block of more that is not full"] = sparse(*block[:4], stored=DATA * 6, length=5632, more=more(block[4], last=1) + more(block[5]))
for flag in (2, 0x31, 0xFF):
    refused[f"{flag:02x} for more parts"] = sparse(*block[:4], stored=DATA * 5, length=4608, more=more(block[4]), fields=[(HAS_MORE, bytes([flag]))])
    refused[f"{flag:02x} for no more parts"] = sparse(*block[:4], stored=DATA * 4, fields=[(HAS_MORE, bytes([flag]))])
    refused[f"{flag:02x} for still more parts"] = sparse(*block[:4], stored=DATA * 5, length=4608, more=more(block[4], last=flag))
for what, digits in {"spaces": b"       1000\x00", "no zero": b"000000001000", "a space": b"0000001000 \x00", "81": binary(512, first=0x81), "2^63": binary(2**63), "2^64 and 512": binary(2**64 + 512)}.items():
    refused[f"a place of a part with {what}"] = sparse((digits, 512), stored=DATA, length=1024)
    refused[f"a size of a part with {what}"] = sparse((512, digits), stored=DATA, length=1024)
    refused[f"a length with {what}"] = sparse((0, 512), stored=DATA, length=digits)
refused["parts that end after 2^64"] = sparse((binary(2**63 - 1), binary(2**63 - 1)), length=binary(2**63 - 2), fields=[(SIZE, binary(2**63 - 1))])
refused["a part that ends at 2^63"] = sparse((binary(2**63 - 512), 512), length=binary(2**63), stored=DATA)


def pieces(archive) -> list[str]:
    """Bytes in hexadecimal digits, where runs of one byte are short."""
    found = []
    for part in archive if isinstance(archive, list) else [archive]:
        if isinstance(part, Parts):
            found.append(part.piece)
            continue
        for run in re.finditer(rb"(?s)(.)\1{15,}|((?!(.)\3{15}).)+", part):
            same = run[1] is not None
            found.append(f"{run[1].hex()} * {len(run[0])}" if same else run[0].hex())
    return found


cases = []
for key, verdict, archives in (("entries", "accepted", accepted), ("entries", "refused", refused), ("archive", "accepted", whole_accepted), ("archive", "refused", whole_refused)):
    cases += [{"name": name, "verdict": verdict, key: pieces(archive)} for name, archive in archives.items()]
assert len({case["name"] for case in cases}) == len(cases)
table = {"source": "docs/spec/folder-v1.md", "begin": pieces(MARK + ROOT), "end": pieces(END), "case_count": len(cases)}
lines = ",\n".join(json.dumps(case) for case in cases)
print(json.dumps(table)[:-1] + ', "cases": [\n' + lines + "\n]}")
