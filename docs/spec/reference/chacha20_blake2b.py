"""The ChaCha20-BLAKE2b family, from docs/spec/chacha20-blake2b.md alone."""
import hashlib
import struct

CONTEXTS = {
    "ChaCha20-BLAKE2b": (b"ChaCha20-BLAKE2b 07/12/2021 20:40 ChaCha20.Encrypt()",
                         b"ChaCha20-BLAKE2b 07/12/2021 20:41 BLAKE2b.KeyedHash()"),
    "XChaCha20-BLAKE2b": (b"XChaCha20-BLAKE2b 07/12/2021 20:48 XChaCha20.Encrypt()",
                          b"XChaCha20-BLAKE2b 07/12/2021 20:49 BLAKE2b.KeyedHash()"),
    "XChaCha20-BLAKE2b-SIV": (b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:51 XChaCha20.Encrypt()",
                              b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:52 BLAKE2b.KeyedHash()"),
}
COLUMNS_AND_DIAGONALS = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)
MASK = 0xFFFFFFFF


def twenty_rounds(state):
    """RFC 8439 section 2.3, without the addition at the end."""
    x = list(state)
    for _ in range(10):
        for a, b, c, d in COLUMNS_AND_DIAGONALS:
            for left, right, other, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[left] = (x[left] + x[right]) & MASK
                mixed = x[other] ^ x[left]
                x[other] = (mixed << turn | mixed >> (32 - turn)) & MASK
    return x


def matrix(key, last_16_bytes):
    return struct.unpack("<16I", b"expand 32-byte k" + key + last_16_bytes)


def chacha20(key, nonce, data, first=0):
    """Section 3: a counter of 64 bits, from zero if nobody says otherwise, then a nonce of 64 bits."""
    out = bytearray()
    for counter in range((len(data) + 63) // 64):
        start = matrix(key, struct.pack("<Q", first + counter) + nonce)
        words = [(a + b) & MASK for a, b in zip(start, twenty_rounds(start))]
        keystream = struct.pack("<16I", *words)
        out += bytes(a ^ b for a, b in zip(data[64 * counter:], keystream))
    return bytes(out)


def hchacha20(key, nonce):
    words = twenty_rounds(matrix(key, nonce))
    return struct.pack("<8I", *words[:4], *words[12:])


def xchacha20(key, nonce, data):
    """Section 3: HChaCha20, then ChaCha20."""
    return chacha20(hchacha20(key, nonce[:16]), nonce[16:], data)


def keyed_hash(key, size, message):
    return hashlib.blake2b(message, key=key, digest_size=size).digest()


def framed(first, second):
    return first + second + struct.pack("<II", len(first), len(second))


def keys(name, key, nonce):
    """Section 4: Ke and Km."""
    encryption, mac = CONTEXTS[name]
    salt = b"" if name.endswith("SIV") else nonce
    return keyed_hash(key, 32, framed(b"", encryption)), keyed_hash(key, 64, framed(salt, mac))


def seal(name, key, nonce, aad, plaintext, tag_len=32):
    ke, km = keys(name, key, nonce)
    if name.endswith("SIV"):
        tag = keyed_hash(km, tag_len, framed(aad, plaintext))
        return xchacha20(ke, tag[:24], plaintext) + tag
    cipher = xchacha20 if name.startswith("X") else chacha20
    ciphertext = cipher(ke, nonce, plaintext)
    return ciphertext + keyed_hash(km, tag_len, framed(aad, ciphertext))


def open_(name, key, nonce, aad, sealed, tag_len=32):
    """The plaintext, or None."""
    if len(sealed) < tag_len:
        return None
    ciphertext, tag = sealed[:-tag_len], sealed[-tag_len:]
    ke, km = keys(name, key, nonce)
    if name.endswith("SIV"):
        plaintext = xchacha20(ke, tag[:24], ciphertext)
        right = keyed_hash(km, tag_len, framed(aad, plaintext)) == tag
        return plaintext if right else None
    if keyed_hash(km, tag_len, framed(aad, ciphertext)) != tag:
        return None
    cipher = xchacha20 if name.startswith("X") else chacha20
    return cipher(ke, nonce, ciphertext)
