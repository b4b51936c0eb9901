"""Notes, each sealed for itself and bound to its place, in one file.

    python notes.py FILE KEY add "buy milk"
    python notes.py FILE KEY list

KEY is a file with the key; it is made when it is missing. A note that somebody changed or
moved to another place is shown as FORGED.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sivka import XChaCha20BLAKE2b


def load_key(path: Path) -> XChaCha20BLAKE2b:
    """The key in a file, or a new one."""
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as file:
            file.write(XChaCha20BLAKE2b.generate_key())
    return XChaCha20BLAKE2b(path.read_bytes())


def read(path: Path) -> list[bytes]:
    """The sealed notes: each after its length in four bytes."""
    data = path.read_bytes() if path.exists() else b""
    notes = []
    while data:
        length = int.from_bytes(data[:4], "big")
        notes.append(data[4 : 4 + length])
        data = data[4 + length :]
    return notes


def places(notes: list[bytes]) -> list[bytes]:
    """The place of each, as its associated data."""
    return [number.to_bytes(8, "big") for number in range(len(notes))]


def add(path: Path, key: XChaCha20BLAKE2b, text: str) -> None:
    count = len(read(path))
    sealed = key.seal(text.encode(), count.to_bytes(8, "big"))
    with path.open("ab") as file:
        file.write(len(sealed).to_bytes(4, "big") + sealed)
    print(count + 1, "note" if count == 0 else "notes")


def show(path: Path, key: XChaCha20BLAKE2b) -> None:
    notes = read(path)
    length = key.nonce_length
    nonces, sealed = [note[:length] for note in notes], [note[length:] for note in notes]
    for number, text in enumerate(key.decrypt_batch(nonces, sealed, places(notes)), 1):
        print(f"{number}: {'FORGED' if text is None else text.decode()}")


def main(arguments: list[str]) -> None:
    match arguments:
        case [file, key, "add", text]:
            add(Path(file), load_key(Path(key)), text)
        case [file, key, "list"]:
            show(Path(file), load_key(Path(key)))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
