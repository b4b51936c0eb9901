"""Does what it is asked with keys, as evidence/leaks/src/zeroization/hold.rs does, in Python.

Keys, passphrases and keysets are read into a bytearray and wiped there. What Python itself
keeps is not searched for: `bytes` and `str` never change, so a caller who gives a secret as
such, or takes a keyset in the clear, leaves it in memory. `overwrite` stands for a caller who
could wipe what `to_insecure` returns, so that all that the package leaves besides is found.
"""

from __future__ import annotations

import contextlib
import ctypes
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


kept = []


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


def file(suite: str, act: str, length: int, key: memoryview) -> None:
    """A file for a key file or for a passphrase, and where who searches finds it.

    Who searches has written the key files, beside that. One seals as it was read, which the
    caller wipes, and opens by its path, which leaves the reading to the package.
    """
    kind, _, ending = act.replace("key-file", "key").partition("-")
    place = os.environ["SIVKA_SEALED_FILE"]
    plain = place + ".plain"
    with open(plain, "wb") as empty:
        empty.truncate(length)
    if kind == "passphrase":
        right, wrong = passphrases(key)
        secrets, given = [right, wrong], wrong if ending == "wrong" else right
    else:
        right = content(place + ".key")
        path = place + (".wrong" if ending == "wrong" else ".key")
        # Often, for what is left of one may be overwritten by what follows.
        secrets, given = [right], [path] * 8
    key[:] = bytes(len(key))
    if ending == "refused":
        for one in (*secrets, given):
            if kind == "passphrase":
                one[-1] = 0xFF  # No UTF-8.
            with contextlib.suppress(ValueError, sivka.KeyFileError):
                sivka.seal_file(plain, place, overwrite=True, **{kind: one})
                sys.exit("a damaged secret was taken")
    else:
        cost = {"cost": (64, 1, 1)} if kind == "passphrase" else {}
        sivka.seal_file(plain, place, suite=suite, overwrite=True, **{kind: right}, **cost)
        if ending == "forged":
            change_last(place)
        opens = False
        with contextlib.suppress(sivka.FileError):
            sivka.open_file_into(place, plain, overwrite=True, **{kind: given})
            opens = True
        assert opens == (ending == "")
    for one in secrets:
        one[:] = bytes(len(one))


def passphrases(key: memoryview) -> tuple[bytearray, bytearray]:
    for i, byte in enumerate(key):
        key[i] = ord("?") + (byte & 63)
    right = bytearray(key)
    for i, byte in enumerate(key):
        key[i] = byte ^ 1
    return right, bytearray(key)


def content(path: str) -> bytearray:
    """A file in memory that can be wiped."""
    with open(path, "rb", buffering=0) as read:
        text = bytearray(os.fstat(read.fileno()).st_size)
        read.readinto(text)
    return text


def keyset(act: str, length: int) -> None:
    """Reads the keyset that who searches has written in both forms, and uses it.

    Cut off, if it is to be refused.
    """
    place = os.environ["SIVKA_SEALED_FILE"]
    sealed = []
    for form in ("binary", "json"):
        text = content(f"{place}.{form}")
        view = memoryview(text)
        if act == "keyset-refused":
            with contextlib.suppress(sivka.KeysetError):
                sivka.Keyset.from_insecure(view[:-2], form)
                sys.exit("a keyset that is cut off was taken")
        else:
            with sivka.Keyset.from_insecure(view, form) as read:
                sealed += messages(read, length)
                with again(read, form) as each:
                    sealed += messages(each, length)
                with decrypted(read, form) as each:
                    sealed += messages(each, length)
        view[:] = bytes(len(view))
    with open(place, "wb") as written:
        written.writelines(len(message).to_bytes(4, "little") + message for message in sealed)


def again(keyset: sivka.Keyset, form: str) -> sivka.Keyset:
    """Written in the clear and read."""
    text = keyset.to_insecure(form)
    read = sivka.Keyset.from_insecure(text, form)
    overwrite(text)
    return read


def overwrite(text: bytes) -> None:
    header = bytes.__basicsize__ - 1
    ctypes.memset(id(text) + header, 0, len(text))


def decrypted(keyset: sivka.Keyset, form: str) -> sivka.Keyset:
    """Encrypted and decrypted, after it was refused for another key and other AAD."""
    with sivka.AESGCMSIV(b"\7" * 32) as master, sivka.AESGCMSIV(b"\x08" * 32) as other:
        encrypted = keyset.encrypt(form, master, AAD)
        for key, aad in ((other, AAD), (master, b"")):
            with contextlib.suppress(sivka.InvalidTag):
                sivka.Keyset.decrypt(encrypted, form, key, aad)
                sys.exit("decrypted with a wrong key")
        return sivka.Keyset.decrypt(encrypted, form, master, AAD)


def messages(keyset: sivka.Keyset, length: int) -> list[bytes]:
    """What the keyset seals, after it has opened it, and forgeries; one for streams does not."""
    if keyset.info.purpose is None:
        return []
    is_siv = keyset.info.purpose == "deterministic AEAD"
    seal = keyset.seal_deterministically if is_siv else keyset.seal
    open_ = keyset.open_deterministically if is_siv else keyset.open
    sealed = seal(bytes(length), AAD)
    assert open_(sealed, AAD) == bytes(length)
    changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for message, aad in ((sealed, b""), (changed, AAD)):
        with contextlib.suppress(sivka.InvalidTag):
            open_(message, aad)
            sys.exit("a forgery opened")
    return [sealed]


def change_last(path: str) -> None:
    with open(path, "r+b") as changed:
        changed.seek(-1, os.SEEK_END)
        byte = changed.read(1)[0]
        changed.seek(-1, os.SEEK_END)
        changed.write(bytes([byte ^ 1]))


def of_key(name: str, act: str, length: int, secret: memoryview) -> None:
    if act == "refused":
        with contextlib.suppress(ValueError):
            made(name, secret[1:])
            sys.exit("a key of a wrong length")
    else:
        key = made(name, secret)
        secret[:] = bytes(len(secret))
        use(key, act, length)
        if act == "kept":
            kept.append(key)


def main() -> None:
    request = bytearray(WORDS_LEN + 64)
    view = memoryview(request)
    while os.readv(0, [view]) == len(request):
        name, act, length, key_length = bytes(view[:WORDS_LEN]).decode().split()
        key = view[WORDS_LEN:][: int(key_length)]
        if name.startswith("file:"):
            file(name.removeprefix("file:"), act, int(length), key)
        elif name.startswith("keyset:"):
            key[:] = bytes(len(key))
            keyset(act, int(length))
        else:
            of_key(name, act, int(length), key)
        view[WORDS_LEN:] = bytes(64)
        print("freed 0 0", flush=True)
        os.read(0, 1)


main()
