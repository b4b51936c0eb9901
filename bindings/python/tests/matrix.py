"""Answers one line on standard output for each on standard input, for the test that seals in
each language and opens in each other, and plays every vector: ffi/tests/matrix.rs, which says
what the lines are.
"""

from __future__ import annotations

import gc
import io
import itertools
import sys
import threading
from typing import Any, Literal

import sivka
from sivka import _native


def unhex(word: str) -> bytes:
    return b"" if word == "-" else bytes.fromhex(word)


def to_hex(data: bytes | bytearray) -> str:
    return data.hex() or "-"


Aead = (
    sivka.AESGCMSIV
    | sivka.ChaCha20BLAKE2b
    | sivka.XChaCha20BLAKE2b
    | sivka.XChaCha20BLAKE2bSIV
    | sivka.AESSIV
    | sivka.KuznyechikMGM
)


def key_of(name: str, word: str) -> Any:
    """The key, or the one that a key file gives columns."""
    if not word.startswith("column:"):
        return make_key(name, unhex(word))
    classes: dict[str, Any] = {
        "AES-256-GCM-SIV": sivka.AESGCMSIV,
        "XChaCha20-BLAKE2b-SIV": sivka.XChaCha20BLAKE2bSIV,
    }
    return classes[name].for_columns(unhex(word.removeprefix("column:")))


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


def nonce_argument(key: object, nonces: bytes) -> list[bytes]:
    return [] if isinstance(key, sivka.DeterministicAead) else [nonces]


def seal(form: str, algorithm: str, key: str, nonce: str, aad: str, text: str) -> str:
    made = key_of(algorithm, key)
    data, associated_data = unhex(text), unhex(aad)
    given = nonce_argument(made, unhex(nonce))
    match form:
        case "drawn":
            return to_hex(made.seal(data, associated_data))
        case "joined":
            return to_hex(made.encrypt(*given, data, associated_data))
        case "into":
            out = bytearray(b"\xaa" * (len(data) + made.tag_length))
            assert made.encrypt_into(*given, data, associated_data, out) == len(out)
            return to_hex(out)
    raise ValueError(f"unknown form {form}")


def open_(form: str, algorithm: str, key: str, nonce: str, aad: str, sealed: str) -> str:
    made = key_of(algorithm, key)
    data, associated_data = unhex(sealed), unhex(aad)
    given = nonce_argument(made, unhex(nonce))
    match form:
        case "drawn":
            return to_hex(made.open(data, associated_data))
        case "joined":
            return to_hex(made.decrypt(*given, data, associated_data))
        case "into":
            out = bytearray(b"\xaa" * (len(data) - made.tag_length))
            try:
                assert made.decrypt_into(*given, data, associated_data, out) == len(out)
            except sivka.InvalidTag:
                return f"forged {to_hex(out)}"
            return to_hex(out)
    raise ValueError(f"unknown form {form}")


def with_list(command: str, key: str, text: str, *strings: str) -> str:
    made = sivka.AESSIV(unhex(key))
    run = made.encrypt_with_list if command == "seal-strings" else made.decrypt_with_list
    return to_hex(run(unhex(text), map(unhex, strings)))


def blocks(command: str, key: str, times: str, text: str) -> str:
    made = sivka.Kuznyechik(unhex(key))
    run = made.encrypt_blocks_into if command == "encrypt-blocks" else made.decrypt_blocks_into
    data = bytearray(unhex(text))
    for _ in range(int(times)):
        run(data, data)
    return to_hex(data)


def split(data: bytes, offsets: memoryview[int]) -> list[bytes]:
    return [data[start:end] for start, end in itertools.pairwise(offsets)]


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


# What the errors of files are called in the matrix.
FAILURES: dict[type[Exception], str] = {
    sivka.NotSivkaError: "not-sivka",
    sivka.NewerVersionError: "newer",
    sivka.DamagedError: "damaged",
    sivka.TruncatedError: "truncated",
    sivka.WrongKeyError: "wrong-key",
    sivka.CostLimitError: "cost-limit",
}


def secret(kind: str, word: str) -> dict[str, Any]:
    match kind:
        case "key-file":
            return {"key": word}
        case "key":
            return {"key": _native.key_text_from_bytes(unhex(word), "vector")}
        case "identity":
            return {"key": word.encode()}
        case "passphrase":
            return {"passphrase": unhex(word)}
    raise ValueError(f"unknown secret {kind}")


def seal_file(suite: str, kind: str, word: str, path: str, out: str) -> str:
    sivka.seal_file(path, out, **secret(kind, word), suite=suite)
    return "done"


def open_file(command: str, kind: str, word: str, path: str, out: str = "") -> str:
    given = secret(kind, word)
    match command:
        case "verify-file":
            sivka.verify_file(path, **given)
        case "open-file":
            sivka.open_file_into(path, out, **given)
        case "open-stream":
            with open(path, "rb") as source, open(out, "wb") as sink:
                sivka.open_stream(source, sink, **given)
        case "read-file":
            with open(out, "wb") as sink, sivka.open_file(path, **given) as file:
                while block := file.read(16384):
                    sink.write(block)
        case _:
            raise ValueError(f"unknown command {command}")
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
    if command == "keyset-enable":
        changed = read(unhex(words[0]), "json")
        changed.enable(int(first))
        return to_hex(changed.to_insecure("json"))
    if command == "keyset-decrypt-with":
        key, form, with_aad, encrypted = words
        master: Any = make_key(first, unhex(key))
        found = sivka.Keyset.decrypt(
            unhex(encrypted), "json" if form == "json" else "binary", master, unhex(with_aad)
        )
        return to_hex(found.to_insecure("json"))
    keys = read(unhex(first), "json")
    if command == "keyset-to-binary":
        return to_hex(keys.to_insecure("binary"))
    if command == "keyset-to-json":
        return to_hex(keys.to_insecure("json"))
    if command == "keyset-primitive":
        return str(keys.info.purpose)
    aad, data = map(unhex, words)
    deterministic = keys.info.purpose == "deterministic AEAD"
    streams = keys.info.purpose == "streaming AEAD"
    match command:
        case "keyset-seal" if streams:
            out = io.BytesIO()
            with keys.seal_to(out, aad) as sealing:
                sealing.write(data)
            return to_hex(out.getvalue())
        case "keyset-open" if streams:
            with keys.open_from(io.BytesIO(data), aad) as opening:
                return to_hex(opening.read())
        case "keyset-encrypt":
            return to_hex(read(data, "json").encrypt("json", keys, aad))
        case "keyset-decrypt":
            return to_hex(sivka.Keyset.decrypt(data, "json", keys, aad).to_insecure("json"))
        case "keyset-seal":
            return to_hex((keys.seal_deterministically if deterministic else keys.seal)(data, aad))
        case "keyset-open":
            return to_hex((keys.open_deterministically if deterministic else keys.open)(data, aad))
    raise ValueError(f"unknown command {command}")


HANDLE_THREADS = 4
CALLS_OF_FORGOTTEN = 20


def handles(rounds: str, length: str) -> str:
    """Keys that are closed, or forgotten, while threads call them."""
    ended = {"closed": 0, "forgotten": 0}
    for number in range(int(rounds)):
        for end in handle_round(number % 3, bytes(int(length))):
            ended[end] += 1
    return f"closed {ended['closed']} forgotten {ended['forgotten']}"


def handle_round(closers: int, text: bytes) -> list[str]:
    """So many threads close the key at the same moment. How each of its users ended."""
    key = sivka.AESGCMSIV(bytes(32))
    started = threading.Barrier(HANDLE_THREADS + 1)
    ends: list[str] = []

    def use(key: sivka.AESGCMSIV) -> None:
        nonce = bytes(12)
        expected = key.encrypt(nonce, text)
        started.wait()
        calls = itertools.count() if closers else range(CALLS_OF_FORGOTTEN)
        try:
            for _ in calls:
                assert key.encrypt(nonce, text) == expected
            ends.append("forgotten")
        except ValueError as error:
            assert str(error) == "the key is closed"
            ends.append("closed")

    users = [threading.Thread(target=use, args=(key,)) for _ in range(HANDLE_THREADS)]
    others = [threading.Thread(target=key.close) for _ in range(closers)]
    del key
    for user in users:
        user.start()
    started.wait()
    for other in others:
        other.start()
    gc.collect()
    for thread in [*users, *others]:
        thread.join()
    return ends


def answer(line: str) -> str:
    try:
        return dispatch(*line.split())
    except sivka.InvalidTag:
        return "forged"
    except sivka.FileError as error:
        return FAILURES[type(error)]


def dispatch(command: str, *words: str) -> str:
    match command:
        case "seal":
            return seal(*words)
        case "open":
            return open_(*words)
        case "seal-strings" | "open-strings":
            return with_list(command, *words)
        case "encrypt-blocks" | "decrypt-blocks":
            return blocks(command, *words)
        case "seal-file":
            return seal_file(*words)
        case "handles":
            return handles(*words)
    if command.startswith("keyset-"):
        return keyset(command, *words)
    return open_file(command, *words)


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
