#!/usr/bin/env python3
"""Writes vectors/folder-v1/archives.json from docs/spec/folder-v1.md alone.

    python3 docs/spec/reference/folder_vectors.py [--check]

Which archives are malformed was decided by the text. The judge beside this file agrees, and
Python's tarfile reads the same from the others. With --check it writes nothing.
"""
import hashlib
import io
import sys
import tarfile

from folder import BODY_MAX, block, judge, padded, record
from tables import Malformed, Table, hex_of

ROOT, END = block("5", b"./"), bytes(1024)


def file(name=b"a", text=b"text", **more):
    return block("0", name, len(text), **more) + padded(text)


def folder(name, **more):
    return block("5", name + b"/", **more)


def link(name=b"l", target=b"a", **more):
    return block("2", name, link=target, **more)


def hard(name, target, **more):
    return block("1", name, link=target, **more)


def body(type_, data, **more):
    return block(type_, b"records", len(data), **more) + padded(data)


def ahead(*pairs, **more):
    return body("x", b"".join(record(key, value) for key, value in pairs), **more)


def lost(*names, **more):
    return ahead((b"SIVKA.lost", b"".join(name + b"\0" for name in names)), **more) + ROOT


def accept(name, *entries):
    good[name] = ROOT + b"".join(entries) + END


def refuse(name, *entries):
    bad[name] = ROOT + b"".join(entries) + END


def add_blocks():
    accept("only the folder")
    accept("each type", file(), folder(b"b"), file(b"b/f"), hard(b"c", b"b/f"), link(b"d", b"b"))
    for size in (0, 1, 511, 512, 513, 1024):
        accept(f"a file of {size}", file(text=b"x" * size), file(b"b"))
    for size in (1024, 1025, 1536, 10240):
        good[f"an end of {size}"] = ROOT + file() + bytes(size)
    for size in (0, 1, 511, 512, 1000, 1023):
        bad[f"an end of {size}"] = ROOT + file() + bytes(size)
    bad["nothing"], bad["zeros"] = b"", END
    bad["the folder alone, and no end"] = ROOT
    bad["a byte after the end"] = ROOT + END + b"x"
    bad["a byte in the end"] = ROOT + bytes(700) + b"x" + bytes(1023)
    bad["an entry after a block of zeros"] = ROOT + bytes(512) + file() + END
    bad["an entry after the end"] = ROOT + END + file() + END
    bad["a header that is cut"] = ROOT + file()[:300]
    bad["a content that is cut"] = ROOT + file(text=b"x" * 1024)[:-512]
    bad["a content without what fills it up"] = ROOT + file()[:516]
    bad["a content longer than the archive"] = ROOT + block("0", b"a", 8**11 - 1) + END
    for size in (2**33, 2**62, 2**63 - 1):
        bad[f"a content of {size}"] = ROOT + ahead((b"size", b"%d" % size)) + file() + END
    refuse("a content that is not filled up with zeros", file()[:-1] + b"x")
    refuse("records that are not filled up with zeros", ahead((b"uid", b"7"))[:-1] + b"x", file())


def add_headers():
    for magic in (b"ustar  \0", b"ustar\0" + b"01", bytes(8), b"ustar\0\0\0", b"USTAR\x0000"):
        refuse(f"a file with the magic {magic!r}"[:-1] + "'", file(magic=magic))
        refuse(f"records with the magic {magic!r}", ahead((b"uid", b"7"), magic=magic), file())
    for name, value in (("of zero", b"000000\0 "), ("of spaces", b" " * 8), ("of another block", b"004664\0 ")):
        refuse(f"a checksum {name}", file(checksum=value))
    whole = block("0", "é".encode(), 4)
    spaces = whole[:148] + b" " * 8 + whole[156:]
    signed = sum(byte - 256 if byte > 127 else byte for byte in spaces)
    refuse("a checksum of signed bytes", file("é".encode(), checksum=b"%06o\0 " % signed))
    for name, form in (
            ("seven digits and a zero", b"%07o\0"), ("six digits, a space and a zero", b"%06o \0"), ("six digits and two zeros", b"%06o\0\0"),
            ("six digits and two spaces", b"%06o  "), ("spaces ahead", b"%6o\0 "), ("eight digits", b"%08o")):
        refuse(f"a checksum of {name}", file("é".encode(), checksum=form % sum(spaces)))
    odd = {"a space ahead": b" %s\0", "a space at its end": b"%s \0", "two zeros at its end": b"%s\0\0",
           "no zero": b"00%s", "an eight": b"%s8\0", "a sign": b"+%s\0", "a zero within": b"\0%s\0"}
    for field, width in (("mode", 8), ("uid", 8), ("gid", 8), ("size", 12), ("mtime", 12)):
        for what, form in odd.items():
            refuse(f"{field}: {what}", file(**{field: form % b"4".zfill(width - 2)}))
        refuse(f"{field}: nothing", file(text=b"", **{field: bytes(width)}))
        refuse(f"{field}: binary", file(**{field: b"\x80" + b"4".rjust(width - 1, b"\0")}))
        refuse(f"{field}: no number, of records", ahead((b"uid", b"7"), **{field: b"x" * width}), file())
    accept("the highest mode, owner, group and time", file(mode=b"7777777\0", uid=b"7777777\0", gid=b"7777777\0", mtime=b"7" * 11 + b"\0"))
    accept("device numbers of zero", file(major=b"0000000\0", minor=b"0000000\0"))
    for field in ("owner", "group", "prefix", "rest"):
        refuse(f"{field} is not empty", file(**{field: b"x"}))
        refuse(f"{field} is not empty, after a zero", file(**{field: b"\0x"}))
    for field in ("major", "minor"):
        refuse(f"a {field} number that is not zero", file(**{field: b"0000001\0"}))
    refuse("bytes after a name", file(b"a\0b"))
    refuse("bytes after a target", link(target=b"a\0b"))
    for type_ in "346789AgxKLSVX":
        refuse(f"type {type_}", block(type_, b"b"))
    refuse("a type of zero", file(type=b"\0"))
    for type_, name, target in (("5", b"b/", b""), ("2", b"b", b"a"), ("1", b"b", b"a")):
        refuse(f"a size of type {type_}", file(), block(type_, name, 4, link=target) + padded(b"text"))
        refuse(f"a size of type {type_} in a record", file(), ahead((b"size", b"4")), block(type_, name, link=target) + padded(b"text"))
    refuse("a file with a target", file(link=b"b"))
    refuse("a folder with a target", folder(b"a", link=b"b"))
    refuse("a file with a target in a record", ahead((b"linkpath", b"b")), file())
    refuse("a symbolic link to nothing", link(target=b""))


def add_names():
    for name in (b"..", b".", b"/a", b"./a", b"a//b", b"a/../b", b"a/./b", b"a/.", b"../a", b"a/..", b""):
        refuse(f"the name {name.decode()!r}", folder(b"a"), file(name))
        if name:
            refuse(f"the name {name.decode()!r} in a record", folder(b"a"), ahead((b"path", name)), file(b"a/z"))
    for name in (b"a//", b"./a/", b"/", b"../", b"a/../"):
        refuse(f"the folder {name.decode()!r}", block("5", name))
    refuse("a file with a slash at its end", file(b"a/"))
    for name in (b"a", b"ab"):
        refuse(f"the folder {name.decode()!r} without a slash", block("5", name))
    refuse("a symbolic link with a slash at its end", link(b"l/"))
    refuse("a hard link with a slash at its end", file(), hard(b"b/", b"a"))
    for what, first in (("a file", file()), ("another folder", folder(b"a")), ("'.'", block("5", b".")), ("a symbolic link './'", block("2", b"./", link=b"a")), ("records and the end", ahead((b"uid", b"7")))):
        bad[f"{what} first"] = first + END
    refuse("./ twice", ROOT)
    good["records before ./"] = ahead((b"uid", b"7"), (b"SCHILY.xattr.user.a", b"b")) + ROOT + END
    refuse("a name twice", file(), file())
    refuse("a file and a folder of one name", file(), folder(b"a"))
    refuse("a folder and a file of one name", folder(b"a"), file())
    refuse("a folder twice", folder(b"a"), folder(b"a"))
    refuse("names in another order", file(b"b"), file(b"a"))
    refuse("names in the order of paths", file(b"a!"), folder(b"a"))
    accept("names in the order of bytes", folder(b"a"), file(b"a/b"), file(b"a!"), file(b"a.b"), file(b"ab"), file("é".encode()), file(b"\xff"))
    accept("two names that differ by case", file(b"A"), file(b"a"))
    refuse("names of signed bytes in another order", file(b"\xff"), file(b"a"))
    refuse("a folder that comes back", folder(b"a"), file(b"b"), file(b"a/b"))
    refuse("a folder that is left for one in it", folder(b"a"), folder(b"a/b"), file(b"a/c"), file(b"a/b/d"))
    refuse("a file in no folder", file(b"a/b"))
    refuse("a file in a file", file(), file(b"a/b"))
    refuse("a file in a symbolic link", folder(b"b"), link(b"c", b"b"), file(b"c/d"))
    refuse("a file below a folder that is not there", folder(b"a"), file(b"a/b/c"))
    deep = [b"/".join([b"d"] * depth) for depth in range(1, 41)]
    accept("forty folders in each other", *[folder(name) for name in deep], file(b"e"))
    accept("forty empty files", *[file(b"%02d" % i, b"") for i in range(40)])
    accept("one long among empty files", *[file(b"%02d" % i, b"x" * (5000 if i == 7 else 0)) for i in range(12)])
    accept("folders and files in turn", *[part for i in range(6) for part in (folder(b"%d" % i), file(b"%d/a" % i))])
    for size in (99, 100):
        accept(f"a name of {size}", file(b"n" * size))
        accept(f"a target of {size}", link(target=b"t" * size))
        accept(f"a folder's name of {size} with its slash", folder(b"n" * (size - 1)))


def add_links():
    accept("hard links to a file and to a symbolic link", file(), link(b"b"), hard(b"c", b"a"), hard(b"d", b"b"), hard(b"e", b"a"))
    accept("symbolic links that lead outside", link(b"a", b"../b"), link(b"b", b"/etc"), link(b"c", b"d/../../e"), link(b"d", b"d"), link(b"e", b"."))
    refuse("a hard link to nothing", hard(b"a", b"b"))
    refuse("a hard link without a target", file(), hard(b"b", b""))
    refuse("a hard link to a later file", hard(b"a", b"b"), file(b"b"))
    refuse("a hard link to a folder", folder(b"a"), hard(b"b", b"a"))
    refuse("a hard link to a folder with its slash", folder(b"a"), hard(b"b", b"a/"))
    refuse("a hard link to ./", hard(b"b", b"./"))
    refuse("a hard link to itself", hard(b"a", b"a"))
    for target in (b"./a", b"/a", b"b/../a", b"a/"):
        refuse(f"a hard link to {target.decode()!r}", file(), folder(b"b"), hard(b"c", target))


def add_records():
    accept("a name of 101 in a record", ahead((b"path", b"n" * 101)), file())
    accept("a name of 250 that is not ASCII", ahead((b"path", "é".encode() * 125)), file())
    accept("a name that is not UTF-8", ahead((b"path", b"\xff\xfe")), file())
    accept("names with a line feed and a space", ahead((b"path", b"a\nb c")), file(), ahead((b"linkpath", b" \n= ")), link())
    accept("a target of 300 in a record", ahead((b"linkpath", b"t/" * 150)), link())
    accept("a hard link's target in a record", ahead((b"path", b"n" * 101)), file(), ahead((b"linkpath", b"n" * 101)), hard(b"o", b"no"))
    accept("a folder's name in a record", ahead((b"path", b"n" * 120 + b"/")), folder(b"a"))
    accept("a size in a record", ahead((b"size", b"4")), block("0", b"a") + padded(b"text"), file(b"b"))
    accept("a size of 36 digits in a record", ahead((b"size", b"4".rjust(36, b"0"))), block("0", b"a") + padded(b"text"), file(b"b"))
    accept("a size in a record, and another in the header", ahead((b"size", b"4")), block("0", b"a", 512) + padded(b"text"), file(b"b"))
    accept("the highest owner and group", ahead((b"uid", b"4294967294"), (b"gid", b"4294967294")), file())
    for text in (b"0", b"1.5", b"-1.5", b"-1", b"1.000000001", b"-0.000000001", b"8589934592", b"4102444800.120000000"):
        accept(f"the time {text.decode()}", ahead((b"mtime", text)), file())
    accept("a key twice", ahead((b"uid", b"7"), (b"uid", b"8"), (b"path", b"b"), (b"path", b"c")), file())
    accept("attributes of a file and a folder", ahead((b"SCHILY.xattr.user.b", b"\0\n=\xff"), (b"SCHILY.xattr.user.a", b"")), file(), ahead((b"SCHILY.xattr.system.posix_acl_default", b"\2\0")), folder(b"b"))
    accept("an attribute twice", ahead((b"SCHILY.xattr.user.a", b"b"), (b"SCHILY.xattr.user.a", b"c")), file())
    accept("records with a mode, an owner and a time", ahead((b"uid", b"7"), mode=b"0000000\0", gid=b"0000777\0", mtime=b"7" * 11 + b"\0"), file())
    accept("records of no bytes", body("x", b""), file())
    filled = lambda size: record(b"SCHILY.xattr.user.a", b"v" * size)
    room = BODY_MAX - len(filled(10**6)) + 10**6
    accept("records of 1 MiB", body("x", filled(room)), file())
    refuse("records of 1 MiB and one more", body("x", filled(room + 1)), file())
    refuse("records of 8 GiB", block("x", b"records", 8**11 - 1), file())
    refuse("records twice", ahead((b"uid", b"7")), ahead((b"gid", b"7")), file())
    refuse("records before the end", file(), ahead((b"uid", b"7")))
    refuse("records before lost files", file(), ahead((b"uid", b"7")), lost(b"a"))
    bad["records that are cut"] = ROOT + ahead((b"uid", b"7"))[:520]
    for key in (b"atime", b"ctime", b"comment", b"uname", b"GNU.sparse.major", b"LIBARCHIVE.xattr.user.a", b"SCHILY.xattr.", b"SCHILY.xattr.user.a\0b", b"SCHILY.acl.access", b"SIVKA.lost", b"Path", b"", b"ui\0d", b"hdrcharset"):
        refuse(f"the key {key.decode()!r}", ahead((key, b"a\0" if key == b"SIVKA.lost" else b"7")), file())
    values = {
        b"path": (b"", b"a\0", b"\0"), b"linkpath": (b"", b"a\0b"), b"size": (b"", b"-4", b"+4", b"4 ", b"0x4", b"4.0", b"9223372036854775808", b"18446744073709551620"),
        b"uid": (b"", b"-1", b"7.5", b"4294967295", b"4294967296", b"18446744073709551617"), b"gid": (b"", b" 7", b"4294967295"),
        b"mtime": (b"", b"-", b".5", b"1.", b"1.0000000001", b"+1", b"1e3", b"--1", b"1.5.5", b" 1", b"nan")}
    for key, texts in values.items():
        for text in texts:
            entry = link() if key == b"linkpath" else file()
            refuse(f"the record {key.decode()}={text.decode()!r}", ahead((key, text)), entry)
    refuse("a malformed value before a good one", ahead((b"uid", b"x"), (b"uid", b"7")), file())
    for name, data in (
            ("no length", b" uid=7\n"), ("a length of zero", b"0 uid=7\n"), ("a length that is too low", b"7 uid=7\n"),
            ("a length that is too high", b"9 uid=7\n"), ("a length after a zero", b"08 uid=7\n"), ("a length with a sign", b"+8 uid=7\n"),
            ("a length of 2^64 and 8", b"18446744073709551624 uid=7\n"), ("no space", b"7uid=7\n"), ("a tab", b"8\tuid=7\n"), ("no equals sign", b"8 uid 7\n"),
            ("an attribute and no equals sign", b"27 SCHILY.xattr.user.abcd\n"), ("no line feed", b"8 uid=7 "), ("only a length", b"8"), ("a space ahead", b" 9 uid=7\n"), ("zeros at the end", b"8 uid=7\n\0\0"), ("a line feed at the end", b"8 uid=7\n\n")):
        refuse(f"records with {name}", body("x", data), file())
    for type_, entry in (("2", link(b"b")), ("1", hard(b"b", b"a"))):
        refuse(f"an attribute of type {type_}", file(), ahead((b"SCHILY.xattr.user.a", b"b")), entry)


def add_marks():
    mark = {"mark": b"of it\0\xff\1"}
    root, uid = block("5", b"./", **mark), (b"uid", b"7")
    good["a mark"] = root + ahead(uid, **mark) + file(**mark) + lost(b"a", **mark)[:-512] + root + END
    bad["no mark of the folder"], bad["no mark of others"] = ROOT + file(**mark) + END, root + file() + END
    for what, other in (("another mark", mark), ("another last byte of the mark", {"mark": bytes(7) + b"x"})):
        refuse(f"{what}, of an entry", file(), link(**other))
        refuse(f"{what}, of records", ahead(uid, **other), file())
        refuse(f"{what}, of an entry with records", ahead(uid), file(**other))
        refuse(f"{what}, of the list of lost files", file(), lost(b"a", **other))
        refuse(f"{what}, of ./ with the list of lost files", file(), lost(b"a")[:-512], block("5", b"./", **other))


def add_lost():
    accept("a lost file", file(), lost(b"a"))
    good["a lost file where ./ has records"] = ahead((b"uid", b"7")) + ROOT + file() + lost(b"a") + END
    accept("lost files in two entries", file(), folder(b"b"), file(b"b/c"), file(b"d"), lost(b"d", b"b/c"), lost(b"a"))
    accept("a lost file by its other name", file(), hard(b"b", b"a"), lost(b"b"), lost(b"a"))
    refuse("lost files before the last entry", file(), lost(b"a"), file(b"b"))
    refuse("records after lost files", file(), lost(b"a"), ahead((b"uid", b"7")))
    refuse("./ after lost files", file(), lost(b"a"), ROOT)
    bad["lost files first"] = lost(b"a") + file() + END
    for what, entry in (
            ("another mode of ./", block("5", b"./", mode=b"0000700\0")), ("another time of ./", block("5", b"./", mtime=b"00000000001\0")),
            ("a folder", folder(b"b")), ("a file", file(b"b")), ("the end", b""), ("zeros", bytes(512))):
        refuse(f"lost files ahead of {what}", file(), lost(b"a")[:-512], entry)
    for what, name in (
            ("that is none", b"b"), ("that is a folder", b"d"), ("that is a folder with its slash", b"d/"), ("that is a symbolic link", b"l"),
            ("that is another name of a symbolic link", b"m"), ("that is ./", b"./"), ("by another path", b"./a")):
        refuse(f"a lost file {what}", file(), folder(b"d"), link(), hard(b"m", b"l"), lost(name))
    for what, *pairs in (
            ("of no name", (b"SIVKA.lost", b"")), ("of an empty name", (b"SIVKA.lost", b"\0")), ("without a zero", (b"SIVKA.lost", b"a")), ("without the last zero", (b"SIVKA.lost", b"a\0a")),
            ("with an empty name", (b"SIVKA.lost", b"a\0\0")), ("of no record",), ("of two records", *2 * [(b"SIVKA.lost", b"a\0")]),
            ("with another record", (b"SIVKA.lost", b"a\0"), (b"uid", b"7")), ("with another key", (b"SIVKA.Lost", b"a\0")), ("with a path", (b"path", b"./"))):
        refuse(f"a list of lost files {what}", file(), ahead(*pairs), ROOT)


def add_tarfile():
    """What Python's tarfile writes."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT, encoding="utf-8") as tar:
        for name, type_, fields in (
                ("./", b"5", {"mode": 0o755}), ("é", b"0", {"size": 5, "mtime": 1.5}),
                ("ü" * 60, b"2", {"linkname": "ö" * 60}), ("ü" * 61, b"5", {"uid": 3000000, "mtime": -1}),
                ("ü" * 61 + "/z", b"1", {"linkname": "é"})):
            info = tarfile.TarInfo(name)
            info.type = type_
            for field, value in fields.items():
                setattr(info, field, value)
            tar.addfile(info, io.BytesIO(b"tar's"))
    good["what Python's tarfile writes"] = made.getvalue()


def lines_of(archive):
    """What a reader finds, as README.md beside the table says."""
    entries, lost_names = judge(archive)
    if not tarfile_agrees(archive, entries, lost_names):
        raise Malformed("tarfile reads another thing")
    lines = []
    for header, content in entries:
        digest = hashlib.sha256(content).hexdigest()[:16] if header.type == b"0" else "-"
        fields = header.type.decode(), f"{header.mode:o}", header.uid, header.gid, *header.mtime, header.size, digest
        texts = [header.name] + [b"> " + header.link] * bool(header.link)
        texts += [key + b"=" + (value if len(value) < 999 else b"%d bytes" % len(value))
                  for key, value in sorted(header.attributes.items())]
        lines.append(" ".join([*map(str, fields), *(text.decode("latin-1") for text in texts)]))
    return lines + [f"lost {name.decode('latin-1')}" for name in lost_names]


def tarfile_agrees(archive, entries, lost_names):
    """Whether tarfile finds the same entries."""
    raw = lambda name: name.encode("utf-8", "surrogateescape")
    ours = [(header.type, header.name.rstrip(b"/"), header.link, header.mode, header.uid, header.gid, header.size,
             content, round(header.mtime[0] + header.mtime[1] / 10**9, 6)) for header, content in entries]
    theirs = []
    with tarfile.open(fileobj=io.BytesIO(archive), encoding="utf-8") as tar:
        for info in tar:
            content = tar.extractfile(info).read() if info.type == b"0" else b""
            theirs.append((info.type, raw(info.name), raw(info.linkname), info.mode & 0o7777, info.uid, info.gid,
                           info.size, content, round(info.mtime, 6)))
    lists = {entry[:2] for entry in theirs[len(ours):]}
    return theirs[:len(ours)] == ours and lists == ({(b"5", b".")} if lost_names else set())


def pieces(archive):
    """As README.md beside the table says; `./` and `a` stand for whole entries."""
    for name, entry in (("./", ROOT), ("a", file())):
        before, is_there, after = archive.partition(entry)
        if is_there:
            return [*pieces(before), name, *pieces(after)]
    return hex_of(archive)


TABLE = Table("folder-v1/archives.json", "docs/spec/folder-v1.md", ("archive", "entries"), pieces, lines_of)
TABLE.head["pieces"] = {"./": hex_of(ROOT), "a": hex_of(file())}
good, bad = TABLE.good, TABLE.bad
for part in (add_blocks, add_headers, add_names, add_links, add_records, add_marks, add_lost, add_tarfile):
    part()

if __name__ == "__main__":
    TABLE.main(sys.argv[1:])
