"""The attack that a slot's commitment is for: a wrapped key that is authentic under two keys.

AES-GCM-SIV commits to nothing. Two linear equations in the first two blocks of ciphertext, one
for each key, give both keys one tag.
"""
import struct

from aes_gcm_siv import INVERSE_OF_X_128, SBOX, counter_mode, derive, encrypt, multiply, padded, polyval

UNBOXED = {after: before for before, after in enumerate(SBOX)}


def decrypt(words, block):
    """FIPS 197 section 5.3, byte by byte."""
    keys = [struct.pack(">4I", *words[at:at + 4]) for at in range(0, len(words), 4)]
    times = lambda a, b: (a if b & 1 else 0) ^ (times(a << 1 ^ (0x11B if a & 0x80 else 0), b >> 1) if b > 1 else 0)
    state = bytes(a ^ b for a, b in zip(block, keys[-1]))
    for key in reversed(keys[:-1]):
        state = bytes(UNBOXED[state[(i - 4 * (i % 4)) % 16]] ^ key[i] for i in range(16))
        if key != keys[0]:
            state = bytes(
                times(state[at], 14) ^ times(state[at - at % 4 + (at + 1) % 4], 11)
                ^ times(state[at - at % 4 + (at + 2) % 4], 13) ^ times(state[at - at % 4 + (at + 3) % 4], 9)
                for at in range(16))
    assert encrypt(words, state) == block
    return state


def inverse(a):
    result = 1
    for _ in range(127):
        a = multiply(a, a)
        result = multiply(result, a)
    return result


def number(block):
    return int.from_bytes(block, "little")


def equation(key, tag, aad, last):
    """The factors of two blocks of ciphertext and the sum, for which a key gives this tag; or
    None. `last` is the rest of the ciphertext, at most one block."""
    authentication_key, words = derive(key, bytes(12))
    total = number(decrypt(words, tag))
    if total >> 127:
        return None
    stream = counter_mode(words, tag, bytes(32) + last)
    lengths = struct.pack("<QQ", 8 * len(aad), 8 * len(stream))
    total ^= number(polyval(authentication_key, padded(aad) + padded(stream) + lengths))
    h = multiply(number(authentication_key), INVERSE_OF_X_128)
    cube = multiply(h, multiply(h, h))
    return multiply(cube, h), cube, total


def wrapped_twice(keys, aad, kind):
    """33 bytes of ciphertext and a tag that open under both keys, with the zero nonce. Under the
    second one, the last byte of plaintext is this kind."""
    for attempt in range(256):
        tag = bytes([attempt]) * 16
        last = counter_mode(derive(keys[1], bytes(12))[1], tag, bytes(32) + bytes([kind]))[32:]
        rows = [equation(key, tag, aad, last) for key in keys]
        if None not in rows:
            (a, b, r), (c, d, s) = rows
            determinant = inverse(multiply(a, d) ^ multiply(b, c))
            first = multiply(multiply(r, d) ^ multiply(b, s), determinant)
            second = multiply(multiply(a, s) ^ multiply(r, c), determinant)
            return first.to_bytes(16, "little") + second.to_bytes(16, "little") + last + tag
    raise AssertionError("one tag in four will do")
