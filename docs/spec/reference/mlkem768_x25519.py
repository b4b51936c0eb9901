"""ML-KEM-768 (FIPS 203), X25519 (RFC 7748), and X-Wing, the KEM of both together.

Slow, not constant-time, and wipes nothing: it shows what the texts say.
"""
import hashlib

Q, N, K, ETA, DU, DV = 3329, 256, 3, 2, 10, 4
SHARE_LEN = 32


def bits_reversed(number):
    return int(f"{number:07b}"[::-1], 2)


ZETAS = [pow(17, bits_reversed(i), Q) for i in range(128)]
GAMMAS = [pow(17, 2 * bits_reversed(i) + 1, Q) for i in range(128)]


def ntt(f):
    """FIPS 203 algorithm 9."""
    f, i, length = list(f), 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                t = ZETAS[i] * f[j + length] % Q
                f[j + length], f[j] = (f[j] - t) % Q, (f[j] + t) % Q
            i += 1
        length //= 2
    return f


def inverse_ntt(f):
    """FIPS 203 algorithm 10."""
    f, i, length = list(f), 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                t = f[j]
                f[j], f[j + length] = (t + f[j + length]) % Q, ZETAS[i] * (f[j + length] - t) % Q
            i -= 1
        length *= 2
    return [x * 3303 % Q for x in f]


def multiply(f, g):
    """FIPS 203 algorithm 11, of two in the NTT domain."""
    out = []
    for i in range(128):
        (a, b), (c, d) = f[2 * i:2 * i + 2], g[2 * i:2 * i + 2]
        out += [(a * c + b * d * GAMMAS[i]) % Q, (a * d + b * c) % Q]
    return out


def add(f, g):
    return [(a + b) % Q for a, b in zip(f, g)]


def dot(left, right):
    out = [0] * N
    for f, g in zip(left, right):
        out = add(out, multiply(f, g))
    return out


def pack(values, bits):
    """FIPS 203 algorithm 5."""
    number = sum(value << bits * i for i, value in enumerate(values))
    return number.to_bytes(32 * bits, "little")


def unpack(data, bits):
    """FIPS 203 algorithm 6."""
    number = int.from_bytes(data, "little")
    return [number >> bits * i & (1 << bits) - 1 for i in range(N)]


def compress(f, bits):
    return [((x << bits) + Q // 2) // Q % (1 << bits) for x in f]


def decompress(f, bits):
    return [(x * Q + (1 << bits - 1)) >> bits for x in f]


def uniform(seed):
    """FIPS 203 algorithm 7."""
    stream, out = hashlib.shake_128(seed).digest(3 * 600), []
    for a, b, c in zip(*[iter(stream)] * 3):
        for value in (a + 256 * (b % 16), b // 16 + 16 * c):
            if value < Q and len(out) < N:
                out.append(value)
    assert len(out) == N
    return out


def binomial(secret, number):
    """FIPS 203 algorithm 8, of PRF's output."""
    stream = hashlib.shake_256(secret + bytes([number])).digest(64 * ETA)
    number = int.from_bytes(stream, "little")
    bit = lambda i: number >> i & 1
    return [(bit(4 * i) + bit(4 * i + 1) - bit(4 * i + 2) - bit(4 * i + 3)) % Q for i in range(N)]


def matrix(rho):
    return [[uniform(rho + bytes([j, i])) for j in range(K)] for i in range(K)]


def key_pair(d):
    """FIPS 203 algorithm 13: the public key, and the secret vector."""
    seeds = hashlib.sha3_512(d + bytes([K])).digest()
    rho, sigma = seeds[:32], seeds[32:]
    a = matrix(rho)
    s = [ntt(binomial(sigma, i)) for i in range(K)]
    e = [ntt(binomial(sigma, K + i)) for i in range(K)]
    t = [add(dot(a[i], s), e[i]) for i in range(K)]
    return b"".join(pack(f, 12) for f in t) + rho, s


def encrypt(public, message, randomness):
    """FIPS 203 algorithm 14."""
    t = [unpack(public[384 * i:384 * (i + 1)], 12) for i in range(K)]
    a = matrix(public[384 * K:])
    y = [ntt(binomial(randomness, i)) for i in range(K)]
    e1 = [binomial(randomness, K + i) for i in range(K)]
    e2 = binomial(randomness, 2 * K)
    u = [add(inverse_ntt(dot([a[j][i] for j in range(K)], y)), e1[i]) for i in range(K)]
    v = add(add(inverse_ntt(dot(t, y)), e2), decompress(unpack(message, 1), 1))
    return b"".join(pack(compress(f, DU), DU) for f in u) + pack(compress(v, DV), DV)


def encapsulate(public, message):
    """FIPS 203 algorithm 17: ciphertext and shared secret."""
    both = hashlib.sha3_512(message + hashlib.sha3_256(public).digest()).digest()
    return encrypt(public, message, both[32:]), both[:32]


def decapsulate(d, z, ciphertext):
    """FIPS 203 algorithm 18, from the seed of the key."""
    public, s = key_pair(d)
    u = [ntt(decompress(unpack(ciphertext[320 * i:320 * (i + 1)], DU), DU)) for i in range(K)]
    v = decompress(unpack(ciphertext[320 * K:], DV), DV)
    w = [(a - b) % Q for a, b in zip(v, inverse_ntt(dot(s, u)))]
    again, shared = encapsulate(public, pack(compress(w, 1), 1))
    return shared if again == ciphertext else hashlib.shake_256(z + ciphertext).digest(SHARE_LEN)


def x25519(scalar, point):
    """RFC 7748 section 5."""
    p = 2**255 - 19
    k = int.from_bytes(scalar, "little") & ~7 & (1 << 255) - 1 | 1 << 254
    x1 = int.from_bytes(point, "little") & (1 << 255) - 1
    x2, z2, x3, z3 = 1, 0, x1, 1
    for t in reversed(range(255)):
        if k >> t & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a, c * b, a * a, b * b
        x3, z3 = (da + cb)**2 % p, x1 * (da - cb)**2 % p
        x2, z2 = aa * bb % p, (aa - bb) * (aa + 121665 * (aa - bb)) % p
        if k >> t & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, -1, p) % p if z2 % p else 0).to_bytes(32, "little")


BASE = (9).to_bytes(32, "little")


def xwing_expand(seed):
    """The seeds of ML-KEM, and the scalar of X25519."""
    keys = hashlib.shake_256(seed).digest(96)
    return keys[:32], keys[32:64], keys[64:]


def xwing_public(seed):
    d, _, scalar = xwing_expand(seed)
    return key_pair(d)[0] + x25519(scalar, BASE)


def xwing_combine(mlkem, shared, share, public_share):
    return hashlib.sha3_256(mlkem + shared + share + public_share + b"\\.//^\\").digest()


def xwing_encapsulate(public, randomness):
    """The encapsulated key and the shared secret, from 64 bytes of randomness."""
    public_share, scalar = public[1184:], randomness[32:]
    ciphertext, mlkem = encapsulate(public[:1184], randomness[:32])
    share = x25519(scalar, BASE)
    secret = xwing_combine(mlkem, x25519(scalar, public_share), share, public_share)
    return ciphertext + share, secret


def xwing_decapsulate(seed, encapsulated, refuses_zero=True):
    d, z, scalar = xwing_expand(seed)
    ciphertext, share = encapsulated[:1088], encapsulated[1088:]
    shared = x25519(scalar, share)
    if refuses_zero and not any(shared):
        return None
    return xwing_combine(decapsulate(d, z, ciphertext), shared, share, x25519(scalar, BASE))
