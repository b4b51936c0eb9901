"""Argon2id, from RFC 9106: version 0x13, without a key and without associated data."""
import hashlib
import struct

MASK = (1 << 64) - 1


def le32(number):
    return struct.pack("<I", number)


def long_hash(size, data):
    """Section 3.3: H'."""
    if size <= 64:
        return hashlib.blake2b(le32(size) + data, digest_size=size).digest()
    v = hashlib.blake2b(le32(size) + data).digest()
    out = v[:32]
    while size - len(out) > 64:
        v = hashlib.blake2b(v).digest()
        out += v[:32]
    return out + hashlib.blake2b(v, digest_size=size - len(out)).digest()


def mix(v, a, b, c, d):
    """Section 3.6: GB."""
    for left, right, other, turn in ((a, b, d, 32), (c, d, b, 24), (a, b, d, 16), (c, d, b, 63)):
        product = 2 * (v[left] & 0xFFFFFFFF) * (v[right] & 0xFFFFFFFF)
        v[left] = v[left] + v[right] + product & MASK
        mixed = v[other] ^ v[left]
        v[other] = (mixed >> turn | mixed << 64 - turn) & MASK


def permute(words, places):
    v = [words[place] for place in places]
    for i in range(4):
        mix(v, i, 4 + i, 8 + i, 12 + i)
    for i in range(4):
        mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    for place, word in zip(places, v):
        words[place] = word


def compress(x, y):
    """Section 3.5: G, of blocks of 128 words."""
    r = [a ^ b for a, b in zip(x, y)]
    z = list(r)
    for row in range(8):
        permute(z, range(16 * row, 16 * row + 16))
    for column in range(8):
        permute(z, [16 * row + 2 * column + half for row in range(8) for half in (0, 1)])
    return [a ^ b for a, b in zip(r, z)]


def argon2id(passphrase, salt, memory, passes, lanes, size):
    """Section 3.2. `memory` is in KiB."""
    seed = b"".join(map(le32, (lanes, size, memory, passes, 0x13, 2)))
    for part in (passphrase, salt, b"", b""):
        seed += le32(len(part)) + part
    seed = hashlib.blake2b(seed).digest()
    columns = 4 * (memory // (4 * lanes)) // 4 * 4
    quarter = columns // 4
    first = lambda column, lane: struct.unpack("<128Q", long_hash(1024, seed + le32(column) + le32(lane)))
    zero = [0] * 128
    matrix = [[list(first(0, lane)), list(first(1, lane))] + [zero] * (columns - 2) for lane in range(lanes)]
    for number in range(passes):
        for part in range(4):
            for lane in range(lanes):
                # Section 3.4.1: the first half of the first pass does not look at the data.
                independent = number == 0 and part < 2
                addresses = []
                for index in range(quarter):
                    column = part * quarter + index
                    if independent and index % 128 == 0:
                        values = [number, lane, part, columns * lanes, passes, 2, index // 128 + 1]
                        addresses = compress(zero, compress(zero, values + [0] * 121))
                    if number == 0 and column < 2:
                        continue
                    previous = matrix[lane][column - 1]
                    pair = addresses[index % 128] if independent else previous[0]
                    j1, j2 = pair & 0xFFFFFFFF, pair >> 32
                    from_lane = lane if number == 0 and part == 0 else j2 % lanes
                    # Section 3.4.2: which blocks may be referred to.
                    done = part * quarter if number == 0 else 3 * quarter
                    if from_lane == lane:
                        size_of_area = done + index - 1
                    else:
                        size_of_area = done - (index == 0)
                    relative = size_of_area - 1 - (size_of_area * (j1 * j1 >> 32) >> 32)
                    start = 0 if number == 0 else (part + 1) * quarter
                    reference = matrix[from_lane][(start + relative) % columns]
                    new = compress(previous, reference)
                    if number > 0:
                        new = [a ^ b for a, b in zip(new, matrix[lane][column])]
                    matrix[lane][column] = new
    last = zero
    for lane in matrix:
        last = [a ^ b for a, b in zip(last, lane[-1])]
    return long_hash(size, struct.pack("<128Q", *last))
