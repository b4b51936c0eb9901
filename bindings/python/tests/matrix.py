"""Answers one line on standard output for each on standard input, for the test that
seals in each language and opens in each other. Its commands are in the usage below.

seal <algorithm> <key> <nonce> <aad> <text>
open <algorithm> <key> <nonce> <aad> <sealed>
seal-file <suite> <key file> <input> <output>
open-file <key file> <input> <output>
keyset-new <template>
keyset-rotate <template> <keyset>
keyset-to-binary <keyset>
keyset-from-binary <binary>
keyset-encrypt <master> <aad> <keyset>
keyset-decrypt <master> <aad> <encrypted>
keyset-seal <keyset> <aad> <text>
keyset-open <keyset> <aad> <sealed>

seal-list, seal-contiguous, seal-column <algorithm> <offset bits> <first bit> <length> ...
open-list, open-contiguous, open-column, which ffi/tests/matrix.rs explains

Keysets are JSON, in the clear but for what is encrypted, and so are answers that are
keysets. Bytes are hexadecimal and the empty string is "-"; the nonce "auto" is drawn by the
library and stands before the ciphertext.
"""

from __future__ import annotations

import itertools
import sys
from typing import Any, Literal

import sivka


def unhex(word: str) -> bytes:
    return b"" if word == "-" else bytes.fromhex(word)


def to_hex(data: bytes | None) -> str:
    return "forged" if data is None else data.hex() or "-"


Aead = (
    sivka.AESGCMSIV
    | sivka.ChaCha20BLAKE2b
    | sivka.XChaCha20BLAKE2b
    | sivka.XChaCha20BLAKE2bSIV
    | sivka.AESSIV
    | sivka.KuznyechikMGM
)


def make_key(name: str, key: bytes) -> Aead:
    """The key of an algorithm by its name in the C interface."""
    name, _, tag_length = name.lower().partition("-tag")
    tag = {"tag_length": int(tag_length)} if tag_length else {}
    made: Aead
    match name:
        case "aes-128-gcm-siv" | "aes-256-gcm-siv":
            made = sivka.AESGCMSIV(key)
        case "chacha20-blake2b":
            made = sivka.ChaCha20BLAKE2b(key, **tag)
        case "xchacha20-blake2b":
            made = sivka.XChaCha20BLAKE2b(key, **tag)
        case "xchacha20-blake2b-siv":
            made = sivka.XChaCha20BLAKE2bSIV(key, **tag)
        case "aes-siv-256" | "aes-siv-384" | "aes-siv-512":
            made = sivka.AESSIV(key)
        case "kuznyechik-mgm":
            made = sivka.KuznyechikMGM(key)
        case _:
            raise ValueError(f"unknown algorithm {name}")
    return made


def seal(algorithm: str, key: str, nonce: str, aad: str, text: str) -> str:
    made = make_key(algorithm, unhex(key))
    if nonce == "auto":
        if isinstance(made, sivka.ChaCha20BLAKE2b):
            raise ValueError("ChaCha20-BLAKE2b draws no nonces")
        return to_hex(made.seal(unhex(text), unhex(aad)))
    if isinstance(made, sivka.DeterministicAead):
        return to_hex(made.encrypt(unhex(text), unhex(aad)))
    return to_hex(made.encrypt(unhex(nonce), unhex(text), unhex(aad)))


def open_(algorithm: str, key: str, nonce: str, aad: str, sealed: str) -> str:
    made = make_key(algorithm, unhex(key))
    try:
        if nonce == "auto":
            if isinstance(made, sivka.ChaCha20BLAKE2b):
                raise ValueError("ChaCha20-BLAKE2b draws no nonces")
            return to_hex(made.open(unhex(sealed), unhex(aad)))
        if isinstance(made, sivka.DeterministicAead):
            return to_hex(made.decrypt(unhex(sealed), unhex(aad)))
        return to_hex(made.decrypt(unhex(nonce), unhex(sealed), unhex(aad)))
    except sivka.InvalidTag:
        return "forged"


def split(data: bytes, offsets: memoryview[int]) -> list[bytes]:
    return [data[start:end] for start, end in itertools.pairwise(offsets)]


def nonce_argument(key: object, nonces: bytes) -> list[bytes]:
    return [] if isinstance(key, sivka.DeterministicAead) else [nonces]


def many(command: str, words: list[str], parts: list[bytes]) -> list[bytes]:
    """What many messages seal or open to."""
    name, bits, first_bit = words
    key, nonces, aad, aad_ends, data, ends, more = parts
    made: Any = make_key(name, key)
    kind: Literal["i", "q"] = "i" if bits == "32" else "q"
    offsets = memoryview(ends).cast(kind)
    aad_offsets = memoryview(aad_ends).cast(kind) if aad_ends else None
    given = nonce_argument(made, nonces)
    whole = {"associated_data": aad, "associated_data_offsets": aad_offsets}
    sealing, form = command.startswith("seal"), command.partition("-")[2]
    if form == "column":
        run = made.seal_column if sealing else made.open_column
        return list(run(data, offsets, **whole, validity=more or None, first_bit=int(first_bit)))
    if form == "contiguous" and sealing:
        return list(made.encrypt_batch_contiguous(*given, data, offsets, **whole))
    if form == "contiguous":
        return list(made.decrypt_batch_contiguous(*given, data, more, offsets, **whole))
    aads = split(aad, aad_offsets) if aad_offsets else aad
    if sealing:
        return [b"".join(made.encrypt_batch(*given, split(data, offsets), aads))]
    opened = made.decrypt_batch(*given, split(data, offsets), aads)
    return [b"".join(filter(None, opened)), bytes(one is not None for one in opened)]


def seal_file(suite: str, key_file: str, path: str, out: str) -> str:
    sivka.seal_file(path, out, key=key_file, suite=suite)
    return "done"


def open_file(key_file: str, path: str, out: str) -> str:
    try:
        sivka.open_file_into(path, out, key=key_file)
    except sivka.FileError:
        return "forged"
    return "done"


def keyset(command: str, first: str, *words: str) -> str:
    """An answer that is bytes."""
    read = sivka.Keyset.from_insecure
    if command == "keyset-new":
        return to_hex(sivka.Keyset.generate(first).to_insecure("json"))
    if command == "keyset-rotate":
        changed = read(unhex(words[0]), "json")
        changed.rotate(first)
        return to_hex(changed.to_insecure("json"))
    if command == "keyset-from-binary":
        return to_hex(read(unhex(first), "binary").to_insecure("json"))
    keys = read(unhex(first), "json")
    if command == "keyset-to-binary":
        return to_hex(keys.to_insecure("binary"))
    aad, data = map(unhex, words)
    deterministic = keys.info.purpose == "deterministic AEAD"
    match command:
        case "keyset-encrypt":
            return to_hex(read(data, "json").encrypt("json", keys, aad))
        case "keyset-decrypt":
            return to_hex(sivka.Keyset.decrypt(data, "json", keys, aad).to_insecure("json"))
        case "keyset-seal":
            return to_hex((keys.seal_deterministically if deterministic else keys.seal)(data, aad))
        case "keyset-open":
            return to_hex((keys.open_deterministically if deterministic else keys.open)(data, aad))
    raise ValueError(f"unknown command {command}")


def answer(line: str) -> str:
    command, *words = line.split()
    match command:
        case "seal":
            return seal(*words)
        case "open":
            return open_(*words)
        case "seal-file":
            return seal_file(*words)
        case "open-file":
            return open_file(*words)
    if command.startswith("keyset-"):
        try:
            return keyset(command, *words)
        except sivka.InvalidTag:
            return "forged"
    raise ValueError(f"unknown command {command}")


def main() -> None:
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while line := source.readline().decode():
        command, *words = line.split()
        if command.endswith(("-list", "-contiguous", "-column")):
            parts = [source.read(int(length)) for length in words[3:]]
            found = many(command, words[:3], parts)
            sink.write(" ".join(str(len(part)) for part in found).encode() + b"\n")
            sink.writelines(found)
        else:
            sink.write(answer(line).encode())
        sink.write(b"\n")
        sink.flush()


if __name__ == "__main__":
    main()
