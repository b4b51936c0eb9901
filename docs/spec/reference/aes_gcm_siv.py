"""AES-256-GCM-SIV, from RFC 8452 and FIPS 197."""
import struct


def xtime(a):
    return a << 1 ^ (0x11B if a & 0x80 else 0)


def make_sbox():
    """FIPS 197 section 5.1.1, by powers of the generator 3."""
    power, powers = 1, []
    for _ in range(255):
        powers.append(power)
        power ^= xtime(power)
    inverse = {a: powers[-i % 255] for i, a in enumerate(powers)}
    inverse[0] = 0
    box = []
    for a in range(256):
        b = inverse[a]
        turned = b | b << 8
        box.append(b ^ 0x63 ^ (turned >> 7 & 255) ^ (turned >> 6 & 255) ^ (turned >> 5 & 255) ^ (turned >> 4 & 255))
    return box


SBOX = make_sbox()
# SubBytes and MixColumns of a byte in the first row; the other rows turn the word.
COLUMN = [xtime(s) << 24 | s << 16 | s << 8 | s ^ xtime(s) for s in SBOX]
TURNED = [[(c >> 8 * row | c << 32 - 8 * row) & 0xFFFFFFFF for c in COLUMN] for row in range(4)]


def expand(key):
    """FIPS 197 section 5.2; the words of the round keys."""
    count = len(key) // 4
    words = list(struct.unpack(f">{count}I", key))
    rcon = 1
    while len(words) < 4 * (count + 7):
        word = words[-1]
        if len(words) % count == 0:
            word = (word << 8 | word >> 24) & 0xFFFFFFFF
        if len(words) % count in (0, 4) if count > 6 else len(words) % count == 0:
            word = int.from_bytes(bytes(SBOX[b] for b in word.to_bytes(4, "big")), "big")
        if len(words) % count == 0:
            word ^= rcon << 24
            rcon = xtime(rcon)
        words.append(words[-count] ^ word)
    return words


def encrypt(words, block):
    """FIPS 197 section 5.1."""
    t0, t1, t2, t3 = TURNED
    s = [a ^ b for a, b in zip(struct.unpack(">4I", block), words)]
    for i in range(4, len(words) - 4, 4):
        s = [t0[s[j] >> 24] ^ t1[s[(j + 1) & 3] >> 16 & 255] ^ t2[s[(j + 2) & 3] >> 8 & 255]
             ^ t3[s[(j + 3) & 3] & 255] ^ words[i + j] for j in range(4)]
    last = [SBOX[s[j] >> 24] << 24 | SBOX[s[(j + 1) & 3] >> 16 & 255] << 16
            | SBOX[s[(j + 2) & 3] >> 8 & 255] << 8 | SBOX[s[(j + 3) & 3] & 255] for j in range(4)]
    return struct.pack(">4I", *(a ^ b for a, b in zip(last, words[-4:])))


POLYNOMIAL = 1 << 128 | 1 << 127 | 1 << 126 | 1 << 121 | 1
INVERSE_OF_X_128 = 1 << 127 | 1 << 124 | 1 << 121 | 1 << 114 | 1


def multiply(a, b):
    """RFC 8452 section 3: in the field of POLYVAL, without its factor x^-128."""
    product = 0
    for bit in range(128):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(254, 127, -1):
        if product >> bit & 1:
            product ^= POLYNOMIAL << bit - 128
    return product


def polyval(h, message):
    """Section 3: the sum by Horner's rule, each product looked up byte by byte."""
    factor = multiply(int.from_bytes(h, "little"), INVERSE_OF_X_128)
    tables = []
    for _ in range(16):
        table = [0] * 256
        for bit in range(8):
            for low in range(1 << bit):
                table[1 << bit | low] = table[low] ^ factor
            factor = factor << 1 ^ (POLYNOMIAL if factor >> 127 else 0)
        tables.append(table)
    total = 0
    for at in range(0, len(message), 16):
        total ^= int.from_bytes(message[at:at + 16], "little")
        product = 0
        for table in tables:
            product ^= table[total & 255]
            total >>= 8
        total = product
    return total.to_bytes(16, "little")


def padded(data):
    return data + bytes(-len(data) % 16)


def derive(key, nonce):
    """Section 4: the keys of one nonce."""
    words = expand(key)
    halves = [encrypt(words, struct.pack("<I", i) + nonce)[:8] for i in range(2 + len(key) // 8)]
    return b"".join(halves[:2]), expand(b"".join(halves[2:]))


def tag_of(authentication_key, words, nonce, aad, plaintext):
    lengths = struct.pack("<QQ", 8 * len(aad), 8 * len(plaintext))
    s = polyval(authentication_key, padded(aad) + padded(plaintext) + lengths)
    s = bytes(a ^ b for a, b in zip(s, nonce + bytes(4)))
    return encrypt(words, s[:15] + bytes([s[15] & 0x7F]))


def counter_mode(words, tag, data):
    start, rest = struct.unpack("<I", tag[:4])[0], tag[4:15] + bytes([tag[15] | 0x80])
    blocks = (len(data) + 15) // 16
    keystream = b"".join(
        encrypt(words, struct.pack("<I", start + i & 0xFFFFFFFF) + rest) for i in range(blocks))
    return bytes(a ^ b for a, b in zip(data, keystream))


def seal(key, nonce, aad, plaintext):
    authentication_key, words = derive(key, nonce)
    tag = tag_of(authentication_key, words, nonce, aad, plaintext)
    return counter_mode(words, tag, plaintext) + tag


def open_(key, nonce, aad, sealed):
    """The plaintext, or None."""
    if len(sealed) < 16:
        return None
    ciphertext, tag = sealed[:-16], sealed[-16:]
    authentication_key, words = derive(key, nonce)
    plaintext = counter_mode(words, tag, ciphertext)
    right = tag_of(authentication_key, words, nonce, aad, plaintext) == tag
    return plaintext if right else None
