"""Kuznyechik-MGM, from RFC 9058 and RFC 7801."""

# RFC 7801 section 4.1.1.
PI = (
    252, 238, 221, 17, 207, 110, 49, 22, 251, 196, 250, 218, 35, 197, 4, 77,
    233, 119, 240, 219, 147, 46, 153, 186, 23, 54, 241, 187, 20, 205, 95, 193,
    249, 24, 101, 90, 226, 92, 239, 33, 129, 28, 60, 66, 139, 1, 142, 79,
    5, 132, 2, 174, 227, 106, 143, 160, 6, 11, 237, 152, 127, 212, 211, 31,
    235, 52, 44, 81, 234, 200, 72, 171, 242, 42, 104, 162, 253, 58, 206, 204,
    181, 112, 14, 86, 8, 12, 118, 18, 191, 114, 19, 71, 156, 183, 93, 135,
    21, 161, 150, 41, 16, 123, 154, 199, 243, 145, 120, 111, 157, 158, 178, 177,
    50, 117, 25, 61, 255, 53, 138, 126, 109, 84, 198, 128, 195, 189, 13, 87,
    223, 245, 36, 169, 62, 168, 67, 201, 215, 121, 214, 246, 124, 34, 185, 3,
    224, 15, 236, 222, 122, 148, 176, 188, 220, 232, 40, 80, 78, 51, 10, 74,
    167, 151, 96, 115, 30, 0, 98, 68, 26, 184, 56, 130, 100, 159, 38, 65,
    173, 69, 70, 146, 39, 94, 85, 47, 140, 163, 165, 125, 105, 213, 149, 59,
    7, 88, 179, 64, 134, 172, 29, 247, 48, 55, 107, 228, 136, 217, 231, 137,
    225, 27, 131, 73, 76, 63, 248, 254, 141, 83, 170, 144, 202, 216, 133, 97,
    32, 113, 103, 164, 45, 43, 9, 91, 203, 155, 37, 208, 190, 229, 108, 82,
    89, 166, 116, 210, 230, 244, 180, 192, 209, 102, 175, 194, 57, 75, 99, 182,
)
# Section 4.1.2: of a_15, a_14, ..., a_0.
COEFFICIENTS = (148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1)
LAST_64_BITS = (1 << 64) - 1


def multiply_bytes(a, b):
    """Modulo x^8 + x^7 + x^6 + x + 1."""
    product = 0
    for bit in range(8):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(14, 7, -1):
        if product >> bit & 1:
            product ^= 0x1C3 << bit - 8
    return product


def linear(block):
    """Section 4.2: L is sixteen times R."""
    a = list(block)
    for _ in range(16):
        first = 0
        for coefficient, byte in zip(COEFFICIENTS, a):
            first ^= multiply_bytes(coefficient, byte)
        a = [first] + a[:15]
    return int.from_bytes(bytes(a), "big")


def make_tables():
    """L is linear: what each byte at each place adds to L(S(block)), as numbers."""
    tables = []
    for place in range(16):
        bits = [linear(bytes(1 << bit if i == place else 0 for i in range(16))) for bit in range(8)]
        table = []
        for byte in range(256):
            total = 0
            for bit in range(8):
                if PI[byte] >> bit & 1:
                    total ^= bits[bit]
            table.append(total)
        tables.append(table)
    return tables


TABLES = make_tables()


def ls(block):
    total = 0
    for table, byte in zip(TABLES, block.to_bytes(16, "big")):
        total ^= table[byte]
    return total


def expand(key):
    """Section 4.3."""
    a1, a0 = int.from_bytes(key[:16], "big"), int.from_bytes(key[16:], "big")
    keys = [a1, a0]
    for i in range(1, 33):
        constant = linear(i.to_bytes(16, "big"))
        a1, a0 = ls(a1 ^ constant) ^ a0, a1
        if i % 8 == 0:
            keys += [a1, a0]
    return keys


def encrypt(keys, block):
    """Section 4.4.1."""
    for key in keys[:9]:
        block = ls(block ^ key)
    return block ^ keys[9]


def multiply(a, b):
    """RFC 9058 section 3: modulo x^128 + x^7 + x^2 + x + 1."""
    product = 0
    for bit in range(128):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(254, 127, -1):
        if product >> bit & 1:
            product ^= (1 << 128 | 0x87) << bit - 128
    return product


def blocks(data):
    return [int.from_bytes(data[at:at + 16].ljust(16, b"\0"), "big") for at in range(0, len(data), 16)]


def keystream(keys, nonce, data):
    y = encrypt(keys, int.from_bytes(nonce, "big"))
    left, right = y >> 64 << 64, y & LAST_64_BITS
    count = (len(data) + 15) // 16
    stream = b"".join(
        encrypt(keys, left | right + i & LAST_64_BITS).to_bytes(16, "big") for i in range(count))
    return bytes(a ^ b for a, b in zip(data, stream))


def tag_of(keys, nonce, aad, ciphertext):
    z = encrypt(keys, 1 << 127 | int.from_bytes(nonce, "big"))
    left, right = z >> 64, z & LAST_64_BITS
    total = 0
    lengths = 8 * len(aad) << 64 | 8 * len(ciphertext)
    for i, block in enumerate(blocks(aad) + blocks(ciphertext) + [lengths]):
        h = encrypt(keys, (left + i & LAST_64_BITS) << 64 | right)
        total ^= multiply(h, block)
    return encrypt(keys, total).to_bytes(16, "big")


def seal(key, nonce, aad, plaintext):
    assert nonce[0] < 0x80 and (aad or plaintext)
    keys = expand(key)
    ciphertext = keystream(keys, nonce, plaintext)
    return ciphertext + tag_of(keys, nonce, aad, ciphertext)


def open_(key, nonce, aad, sealed):
    """The plaintext, or None."""
    if len(sealed) < 16:
        return None
    ciphertext, tag = sealed[:-16], sealed[-16:]
    keys = expand(key)
    right = tag_of(keys, nonce, aad, ciphertext) == tag
    return keystream(keys, nonce, ciphertext) if right else None
