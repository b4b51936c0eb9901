"""A judge of the archives in sealed folders, from docs/spec/folder-v1.md alone."""
import re

from tables import must

FIELDS = dict(name=(0, 100), mode=(100, 108), uid=(108, 116), gid=(116, 124), size=(124, 136), mtime=(136, 148),
              checksum=(148, 156), type=(156, 157), link=(157, 257), magic=(257, 265), owner=(265, 297),
              group=(297, 329), major=(329, 337), minor=(337, 345), prefix=(345, 500), mark=(500, 508), rest=(508, 512))
FOLDER, FILE, SYMLINK, HARD_LINK = b"5", b"0", b"2", b"1"
BODY_MAX = 1 << 20
ATTRIBUTE = b"SCHILY.xattr."


def is_zero(data):
    return not any(data)


def checksum(block):
    return b"%06o\0 " % sum(block[:148] + b" " * 8 + block[156:])


class Header:
    """Section "Blocks": a header of 512 bytes."""

    def __init__(self, block):
        field = lambda name: block[slice(*FIELDS[name])]
        must(field("magic") == b"ustar\x0000", "another magic or version")
        for name in ("mode", "uid", "gid", "size", "mtime"):
            must(re.fullmatch(rb"[0-7]+\0", field(name)), f"{name} is no number")
        must(field("checksum") == checksum(block), "another checksum")
        for name in ("owner", "group", "prefix", "rest"):
            must(is_zero(field(name)), f"{name} is not empty")
        for name in ("major", "minor"):
            must(is_zero(field(name)) or field(name) == b"0000000\0", f"{name} is not zero")
        text = {}
        for name in ("name", "link"):
            text[name], _, unused = field(name).partition(b"\0")
            must(is_zero(unused), f"bytes follow the {name}")
        self.type, self.mark, self.name, self.link = field("type"), field("mark"), text["name"], text["link"]
        self.mode, self.uid, self.gid, self.size, seconds = (
            int(field(name)[:-1], 8) for name in ("mode", "uid", "gid", "size", "mtime"))
        self.mode &= 0o7777
        self.mtime = seconds, 0
        self.attributes = {}


def records_of(body):
    """Section "Records": the pairs of a body."""
    while body:
        length = re.match(rb"[1-9][0-9]*(?= )", body)
        must(length and len(length[0]) < 8, "no length of a record")
        record, body = body[:int(length[0])], body[int(length[0]):]
        must(len(record) == int(length[0]) and record.endswith(b"\n"), "a record has another length")
        key, equals, value = record[len(length[0]) + 1:-1].partition(b"=")
        must(equals and b"\0" not in key, "a record without a key")
        yield key, value


def number(value, limit):
    found = re.fullmatch(rb"0*([0-9]{1,19})", value)
    must(found and int(found[1]) < limit, "no number of a record")
    return int(found[1])


def time_of(value):
    """Whole seconds, downwards, and nanoseconds."""
    found = re.fullmatch(rb"(-?)([0-9]+)(?:\.([0-9]{1,9}))?", value)
    must(found, "no time")
    total = int(found[2]) * 10**9 + int((found[3] or b"0").ljust(9, b"0"))
    return divmod(-total if found[1] else total, 10**9)


def apply(header, records):
    """Section "Records": what they say of the entry after them."""
    for key, value in records:
        if key in (b"path", b"linkpath"):
            must(value and b"\0" not in value, "no name in a record")
            setattr(header, "name" if key == b"path" else "link", value)
        elif key == b"size":
            header.size = number(value, 1 << 63)
        elif key in (b"uid", b"gid"):
            setattr(header, key.decode(), number(value, 2**32 - 1))
        elif key == b"mtime":
            header.mtime = time_of(value)
        else:
            must(key.startswith(ATTRIBUTE) and len(key) > len(ATTRIBUTE), "another key")
            header.attributes[key[len(ATTRIBUTE):]] = value


class Order:
    """Section "Order and names": the folders that a reader is in, each with its last name."""

    def __init__(self):
        self.open, self.targets = [], {}

    def add(self, header):
        is_folder, name = header.type == FOLDER, header.name
        if not self.open:
            must(is_folder and name == b"./", "the first entry is not ./")
            self.open.append([[], b""])
            return
        must(name.endswith(b"/") == is_folder, "a slash at the end")
        parts = name[:-1].split(b"/") if is_folder else name.split(b"/")
        must(not {b"", b".", b".."} & set(parts), "a part of a name")
        while self.open and self.open[-1][0] != parts[:-1]:
            self.open.pop()
        must(self.open, "in no open folder")
        must(parts[-1] > self.open[-1][1], "the order of names")
        self.open[-1][1] = parts[-1]
        if is_folder:
            self.open.append([parts, b""])
        if header.type == HARD_LINK:
            must(header.link in self.targets, "a hard link to no file before it")
            self.targets[name] = self.targets[header.link]
        if header.type in (FILE, SYMLINK):
            self.targets[name] = header.type


def check_type(header):
    """The table of types."""
    must(header.type in (FOLDER, FILE, SYMLINK, HARD_LINK), "another type")
    must(header.type == FILE or header.size == 0, "a size")
    has_link = header.type in (SYMLINK, HARD_LINK)
    must(bool(header.link) == has_link, "a link")
    must(not (header.attributes and has_link), "attributes of a link")


def lost_of(records):
    """Section "Files that were lost": the names, if these records are such a list."""
    if [key for key, _ in records or ()] != [b"SIVKA.lost"]:
        return None
    *names, end = records[0][1].split(b"\0")
    must(names and all(names) and not end, "no list of names")
    return names


def judge(archive):
    """The headers of all entries with their contents, and the names of lost files; or Malformed."""
    entries, lost, order, at, records, first, mark = [], [], Order(), 0, None, None, None

    def take(size):
        nonlocal at
        whole = size + -size % 512
        must(at + whole <= len(archive), "the archive ends")
        data, unused = archive[at:at + size], archive[at + size:at + whole]
        must(is_zero(unused), "a content is not filled up with zeros")
        at += whole
        return data

    while not is_zero(block := take(512)):
        header = Header(block)
        must(header.mark == (mark := mark or header.mark), "a header of another archive")
        if header.type == b"x":
            must(records is None, "records before records")
            must(header.size <= BODY_MAX, "records of more than 1 MiB")
            records = list(records_of(take(header.size)))
            continue
        names = lost_of(records) if entries else None
        if names:
            must(block == first, "lost files that are not ahead of ./")
            lost += names
        else:
            must(not lost, "an entry after the lost files")
            apply(header, records or ())
            check_type(header)
            order.add(header)
            first = first or block
            entries.append((header, take(header.size)))
        records = None
    must(entries, "no entry")
    must(records is None, "records before the end")
    must(len(archive) - at >= 512 and is_zero(archive[at:]), "the end")
    must(all(order.targets.get(name) == FILE for name in lost), "a lost file that is none")
    return entries, lost


def block(type_, name, length=0, link=b"", **fields):
    """A header, some of whose fields are given as bytes."""
    octal = lambda value, width: b"%0*o\0" % (width - 1, value)
    mode = {"5": 0o755, "2": 0o777}.get(type_, 0o644)
    usual = dict(name=name, mode=octal(mode, 8), uid=octal(0, 8), gid=octal(0, 8), size=octal(length, 12),
                 mtime=octal(0, 12), checksum=b" " * 8, type=type_.encode(), link=link, magic=b"ustar\x0000")
    data = bytearray(512)
    for field, value in {**usual, **fields}.items():
        start, end = FIELDS[field]
        assert len(value) <= end - start
        data[start:start + len(value)] = value
    if "checksum" not in fields:
        data[148:156] = checksum(data)
    return bytes(data)


def padded(data):
    return data + bytes(-len(data) % 512)


def record(key, value):
    size = len(key) + len(value) + 3
    while len(b"%d %s=%s\n" % (size, key, value)) != size:
        size += 1
    return b"%d %s=%s\n" % (size, key, value)
