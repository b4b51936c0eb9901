"""age's keys (C2SP's age specification), and HPKE (RFC 9180) as slots use it: base mode, and
exports alone."""
import hmac

import mlkem768_x25519 as kems

X25519, MLKEM768_X25519 = 0x0020, 0x647A
NAMES = {"age-secret-key-": X25519, "age-secret-key-pq-": MLKEM768_X25519,
         "age": X25519, "age1pq": MLKEM768_X25519}
DIGITS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def checksum(values):
    """BIP 173."""
    sum_ = 1
    for value in values:
        top, sum_ = sum_ >> 25, (sum_ & 0x1FFFFFF) << 5 ^ value
        for i, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            sum_ ^= generator if top >> i & 1 else 0
    return sum_


def expanded(name):
    return [ord(x) >> 5 for x in name] + [0] + [ord(x) & 31 for x in name]


def regroup(values, before, after, pads):
    number, bits, out = 0, 0, []
    for value in values:
        number, bits = number << before | value, bits + before
        while bits >= after:
            bits -= after
            out.append(number >> bits & (1 << after) - 1)
    if pads and bits:
        out.append(number << after - bits & (1 << after) - 1)
    elif not pads and (bits >= before or number & (1 << bits) - 1):
        raise ValueError("not Bech32")
    return out


def encode(name, data):
    values = regroup(data, 8, 5, True)
    rest = checksum(expanded(name) + values + [0] * 6) ^ 1
    values += [rest >> 5 * (5 - i) & 31 for i in range(6)]
    return name + "1" + "".join(DIGITS[value] for value in values)


def decode(text):
    """The KEM and the key of a recipient or an identity."""
    if text not in (text.lower(), text.upper()):
        raise ValueError("both cases")
    name, _, digits = text.lower().rpartition("1")
    values = [DIGITS.index(digit) for digit in digits]
    if checksum(expanded(name) + values) != 1:
        raise ValueError("another checksum")
    return NAMES[name], bytes(regroup(values[:-6], 5, 8, False))


def mac(bits, key, message):
    return hmac.new(key, message, f"sha{bits}").digest()


def extract(bits, suite, salt, label, ikm):
    """RFC 9180 section 4: LabeledExtract."""
    return mac(bits, salt, b"HPKE-v1" + suite + label + ikm)


def expand(bits, suite, prk, label, info, size):
    """RFC 9180 section 4: LabeledExpand, of at most one block."""
    return mac(bits, prk, size.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info + b"\1")[:size]


def dhkem_secret(shared, share, public):
    """RFC 9180 section 4.1."""
    suite = b"KEM" + X25519.to_bytes(2, "big")
    prk = extract(256, suite, b"", b"eae_prk", shared)
    return expand(256, suite, prk, b"shared_secret", share + public, 32)


def public_of(kem, identity):
    return kems.x25519(identity, kems.BASE) if kem == X25519 else kems.xwing_public(identity)


def encapsulate(kem, public, randomness):
    """The encapsulated key and the shared secret, from 64 random bytes."""
    if kem == MLKEM768_X25519:
        return kems.xwing_encapsulate(public, randomness)
    share = kems.x25519(randomness[:32], kems.BASE)
    return share, dhkem_secret(kems.x25519(randomness[:32], public), share, public)


def decapsulate(kem, identity, encapsulated, refuses_zero=True):
    """The shared secret, or None if X25519's part of it is zero."""
    if kem == MLKEM768_X25519:
        return kems.xwing_decapsulate(identity, encapsulated, refuses_zero)
    shared = kems.x25519(identity, encapsulated)
    if refuses_zero and not any(shared):
        return None
    return dhkem_secret(shared, encapsulated, public_of(kem, identity))


def export(kem, secret, info):
    """RFC 9180 sections 5.1 and 5.3: 64 bytes, for an empty context."""
    suite = b"HPKE" + kem.to_bytes(2, "big") + b"\0\3\xff\xff"
    context = b"\0" + extract(512, suite, b"", b"psk_id_hash", b"")
    context += extract(512, suite, b"", b"info_hash", info)
    secret = extract(512, suite, secret, b"secret", b"")
    exporter = expand(512, suite, secret, b"exp", context, 64)
    return expand(512, suite, exporter, b"sec", b"", 64)
