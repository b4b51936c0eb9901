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


def key_of(name: str, word: str) -> Any:
    """The key, or the one that a key file gives columns."""
    if not word.startswith("column:"):
        return make_key(name, unhex(word))
    return type(make_key(name, bytes(32))).for_columns(unhex(word.removeprefix("column:")))


def make_key(name: str, key: bytes) -> Any:
    """The key of an algorithm by its name in the C interface."""
    name, _, tag_length = name.lower().partition("-tag")
    tag: Any = {"tag_length": int(tag_length)} if tag_length else {}
    match name:
        case "aes-128-gcm-siv" | "aes-256-gcm-siv":
            return sivka.AESGCMSIV(key)
        case "chacha20-blake2b":
            return sivka.ChaCha20BLAKE2b(key, **tag)
        case "xchacha20-blake2b":
            return sivka.XChaCha20BLAKE2b(key, **tag)
        case "xchacha20-blake2b-siv":
            return sivka.XChaCha20BLAKE2bSIV(key, **tag)
        case "aes-siv-256" | "aes-siv-384" | "aes-siv-512":
            return sivka.AESSIV(key)
        case "kuznyechik-mgm":
            return sivka.KuznyechikMGM(key)
    return sivka.Aead(name, key)


def nonce_argument(key: object, nonces: bytes) -> list[bytes]:
    return [] if isinstance(key, sivka.DeterministicAead) else [nonces]


def message(
    command: str, form: str, algorithm: str, key: str, nonce: str, aad: str, text: str, *sizes: str
) -> str:
    made, sealing = key_of(algorithm, key), command == "seal"
    given, data, associated_data = nonce_argument(made, unhex(nonce)), unhex(text), unhex(aad)
    match form:
        case "drawn":
            return to_hex((made.seal if sealing else made.open)(data, associated_data))
        case "joined":
            run = made.encrypt if sealing else made.decrypt
            return to_hex(run(*given, data, associated_data))
        case "into":
            run = made.encrypt_into if sealing else made.decrypt_into
            overhead = made.tag_length if sealing else -made.tag_length
            less = int(sizes[0]) if sizes else 0
            out = bytearray(b"\xaa" * (max(len(data) + overhead, 0) - less))
            try:
                assert run(*given, data, associated_data, out) == len(out)
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
    run = made.encrypt_blocks if command == "encrypt-blocks" else made.decrypt_blocks
    data = unhex(text)
    for _ in range(int(times)):
        data = run(data)
    return to_hex(data)


def split(data: bytes, offsets: memoryview[int]) -> list[bytes]:
    return [data[start:end] for start, end in itertools.pairwise(offsets)]


def many(command: str, words: list[str], parts: list[bytes]) -> list[bytes]:
    """What many messages seal or open to."""
    name, bits, first_bit = words
    key, nonces, aad, aad_ends, data, ends, more = parts
    made = make_key(name, key)
    kind: Literal["i", "q"] = "i" if bits == "32" else "q"
    offsets = memoryview(ends).cast(kind)
    aad_offsets = memoryview(aad_ends).cast(kind) if aad_ends else None
    given = nonce_argument(made, nonces)
    sealing = command.startswith("seal")
    if command.endswith("-column"):
        run = made.seal_column if sealing else made.open_column
        which: Any = {"validity": more or None, "first_bit": int(first_bit)}
        return list(run(data, offsets, aad, associated_data_offsets=aad_offsets, **which))
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
            return {"key": _native.make_key_text(unhex(word), "vector")}
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


def clear(keys: sivka.Keyset) -> str:
    return to_hex(keys.to_insecure("json"))


def read_keyset(word: str) -> sivka.Keyset:
    return sivka.Keyset.from_insecure(unhex(word), "json")


def keyset(command: str, first: str, *words: str) -> str:
    """An answer that is bytes."""
    match command:
        case "keyset-new":
            return clear(sivka.Keyset.generate(first))
        case "keyset-rotate" | "keyset-enable":
            changed = read_keyset(words[0])
            changed.rotate(first) if command == "keyset-rotate" else changed.enable(int(first))
            return clear(changed)
        case "keyset-from-binary":
            return clear(sivka.Keyset.from_insecure(unhex(first), "binary"))
        case "keyset-decrypt-with":
            key, given, with_aad, encrypted = words
            master = make_key(first, unhex(key))
            form: Literal["json", "binary"] = "json" if given == "json" else "binary"
            found = sivka.Keyset.decrypt(unhex(encrypted), form, master, unhex(with_aad))
            return clear(found)
    keys = read_keyset(first)
    match command:
        case "keyset-to-binary":
            return to_hex(keys.to_insecure("binary"))
        case "keyset-to-json":
            return clear(keys)
        case "keyset-primitive":
            return str(keys.info.purpose)
    aad, data = map(unhex, words)
    match command, keys.info.purpose:
        case "keyset-seal", "streaming AEAD":
            out = io.BytesIO()
            with keys.seal_to(out, aad) as sealing:
                sealing.write(data)
            return to_hex(out.getvalue())
        case "keyset-open", "streaming AEAD":
            with keys.open_from(io.BytesIO(data), aad) as opening:
                return to_hex(opening.read())
        case "keyset-encrypt", _:
            return to_hex(read_keyset(words[1]).encrypt("json", keys, aad))
        case "keyset-decrypt", _:
            return clear(sivka.Keyset.decrypt(data, "json", keys, aad))
        case "keyset-seal", purpose:
            seal_one = keys.seal if purpose == "AEAD" else keys.seal_deterministically
            return to_hex(seal_one(data, aad))
        case "keyset-open", purpose:
            open_one = keys.open if purpose == "AEAD" else keys.open_deterministically
            return to_hex(open_one(data, aad))
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
    except (ValueError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


def dispatch(command: str, *words: str) -> str:
    match command:
        case "seal" | "open":
            return message(command, *words)
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
        if command.endswith(("-list", "-column")):
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
