"""The messages of accumulated vectors, from docs/spec/accumulated-vectors.md alone."""
import hashlib
import itertools

MESSAGES = 100_000
BOUNDARIES = (1, 8, 12, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 256, 257)
# Key and nonce in bytes.
LENS = {"AES-128-GCM-SIV": (16, 12), "AES-256-GCM-SIV": (32, 12)}
for family, nonce_len in (("ChaCha20-BLAKE2b", 8), ("XChaCha20-BLAKE2b", 24), ("XChaCha20-BLAKE2b-SIV", 0)):
    LENS |= {family + tag: (32, nonce_len) for tag in ("", "-Tag48", "-Tag64")}
LENS |= {"Kuznyechik-MGM": (32, 16), "AES-SIV-256": (32, 0), "AES-SIV-384": (48, 0), "AES-SIV-512": (64, 0)}


class Stream:
    """Section 1."""

    def __init__(self, algorithm):
        self.hash = hashlib.shake_128(b"Sivka accumulated vectors 1: " + algorithm.encode())
        self.read, self.place = b"", 0

    def bytes(self, count):
        if self.place + count > len(self.read):
            self.read = self.hash.digest(2 * (self.place + count) + 1_000_000)
        self.place += count
        return self.read[self.place - count:self.place]

    def number(self, below):
        return int.from_bytes(self.bytes(4), "little") * below >> 32

    def boundary(self):
        return BOUNDARIES[self.number(20)]

    def length(self):
        k = self.number(64)
        if k == 0:
            return self.number(2001)
        return self.boundary() if k <= 7 else 0 if k <= 11 else self.number(81)

    def lengths(self, count):
        """Section 2."""
        pattern = self.number(10)
        if pattern == 0:
            return [self.length()] * count
        if pattern in (1, 2):
            out, filled = [], pattern == 1
            while len(out) < count:
                run = 1 + self.number(65)
                out += [self.length() if filled else 0] * run
                filled = pattern == 1 or not filled
            return out[:count]
        if pattern == 5:
            out = [self.length()] * count
            place = self.number(count)
            out[place] = self.length()
            return out
        if pattern == 6:
            return [0] * count
        if pattern == 7:
            return [self.boundary() for _ in range(count)]
        if pattern == 8:
            two = self.length(), self.length()
            return [two[self.number(2)] for _ in range(count)]
        out = [self.length() for _ in range(count)]
        return sorted(out, reverse=pattern == 4) if pattern in (3, 4) else out


def batches(algorithm):
    """Section 3: key, nonces, AADs and texts of each batch."""
    stream, left = Stream(algorithm), MESSAGES
    key_len, nonce_len = LENS[algorithm]
    while left:
        most = (8, 100, 100, 100, 100, 400, 400, 2200)[stream.number(8)]
        count = min(1 + stream.number(most), left)
        left -= count
        key = stream.bytes(key_len)
        pattern = stream.number(4)
        if pattern > 1:
            nonces = [stream.bytes(nonce_len) for _ in range(count)]
        else:
            first = int.from_bytes(stream.bytes(nonce_len), "little")
            nonces = [(first + pattern * i) % 256 ** nonce_len for i in range(count)]
            nonces = [nonce.to_bytes(nonce_len, "little") for nonce in nonces]
        same = stream.number(4) == 0
        aad_lens = [stream.length()] * count if same else stream.lengths(count)
        text_lens = stream.lengths(count)
        if algorithm == "Kuznyechik-MGM":
            nonces = [bytes([nonce[0] & 0x7F]) + nonce[1:] for nonce in nonces]
            text_lens = [text or (not aad) for text, aad in zip(text_lens, aad_lens)]
        aads = [stream.bytes(aad_lens[0])] * count if same else [stream.bytes(n) for n in aad_lens]
        yield key, nonces, aads, [stream.bytes(n) for n in text_lens]


def le32(numbers):
    return b"".join(number.to_bytes(4, "little") for number in numbers)


def inputs(key, nonces, aads, texts):
    """Section 4: what is hashed of a batch that is drawn."""
    lens = [len(texts), *map(len, aads), *map(len, texts)]
    return b"".join((le32(lens[:1]), key, *nonces, le32(lens[1:]), *aads, *texts))


def row(algorithm, seal=None, most=None):
    """What the file says of an algorithm after all batches or these: their count, that of the
    messages, and both hashes; the second is nothing's if nothing seals."""
    drawn, sealed, messages, number = hashlib.shake_128(), hashlib.shake_128(), 0, 0
    for number, batch in enumerate(itertools.islice(batches(algorithm), most), 1):
        key, nonces, aads, texts = batch
        drawn.update(inputs(*batch))
        messages += len(texts)
        for message in zip(nonces, aads, texts) if seal else ():
            sealed.update(seal(key, *message))
    return [number, messages, drawn.hexdigest(32), sealed.hexdigest(32)]
