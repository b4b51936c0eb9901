"""Does what it is asked with keys, as leaks/src/remains/hold.rs does, in Python.

Keys are read into a bytearray and wiped there: of `bytes` and `str` the interpreter keeps
copies that nobody can wipe.
"""

from __future__ import annotations

import contextlib
import os
import sys

import sivka

WORDS_LEN = 96
AAD = b"associated data of 33 bytes, long"
CLASSES = {
    "AES-128-GCM-SIV": sivka.AESGCMSIV,
    "AES-256-GCM-SIV": sivka.AESGCMSIV,
    "AES-SIV-256": sivka.AESSIV,
    "AES-SIV-384": sivka.AESSIV,
    "AES-SIV-512": sivka.AESSIV,
    "ChaCha20-BLAKE2b": sivka.ChaCha20BLAKE2b,
    "XChaCha20-BLAKE2b": sivka.XChaCha20BLAKE2b,
    "XChaCha20-BLAKE2b-SIV": sivka.XChaCha20BLAKE2bSIV,
    "Kuznyechik-MGM": sivka.KuznyechikMGM,
}


def made(name: str, key: memoryview):
    family, _, tag_length = name.partition("-Tag")
    tag = {"tag_length": int(tag_length)} if tag_length else {}
    return CLASSES[family](key, **tag)


def use(key, act: str, length: int) -> None:
    def nonce_of(message: int) -> list[bytes]:
        has_none = isinstance(key, (sivka.AESSIV, sivka.XChaCha20BLAKE2bSIV))
        return [] if has_none else [bytes([message + 1]) * key.nonce_length]

    if act == "set-up":
        return
    if act.startswith("batch"):
        lengths = [length] * 17 if length <= 64 else [length * (i + 1) // 19 for i in range(19)]
        nonces = [nonce for i in range(len(lengths)) for nonce in nonce_of(i)]
        given = [nonces] if nonces else []
        sealed = key.encrypt_batch(*given, [bytes(n) for n in lengths], AAD)
        if act == "batch-forged":
            sealed[0] = bytes([sealed[0][0] ^ 1]) + sealed[0][1:]
        opened = key.decrypt_batch(*given, sealed, AAD)
        assert (opened[0] is None) == (act == "batch-forged")
        return
    sealed = key.encrypt(*nonce_of(0), bytes(length), AAD)
    if act == "open":
        assert key.decrypt(*nonce_of(0), sealed, AAD) == bytes(length)
    if act == "forged":
        forged = bytes([sealed[0] ^ 1]) + sealed[1:]
        with contextlib.suppress(sivka.InvalidTag):
            key.decrypt(*nonce_of(0), forged, AAD)
            sys.exit("a forgery opened")


def main() -> None:
    request = bytearray(WORDS_LEN + 64)
    view = memoryview(request)
    while os.readv(0, [view]) == len(request):
        name, act, length, key_length = bytes(view[:WORDS_LEN]).decode().split()
        key = made(name, view[WORDS_LEN:][: int(key_length)])
        view[WORDS_LEN:] = bytes(64)
        use(key, act, int(length))
        del key
        print("freed 0 0", flush=True)
        os.read(0, 1)


main()
