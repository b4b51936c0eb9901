"""Sivka: authenticated encryption that forgives mistakes.

>>> from sivka import AESGCMSIV
>>> key = AESGCMSIV(AESGCMSIV.generate_key(256))
>>> sealed = key.seal(b"meet at noon", b"to Alice")
>>> key.open(sealed, b"to Alice")
b'meet at noon'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _errors
from ._aead import (
    AESGCMSIV,
    AESSIV,
    ChaCha20BLAKE2b,
    Kuznyechik,
    KuznyechikMGM,
    XChaCha20BLAKE2b,
    XChaCha20BLAKE2bSIV,
)
from ._errors import (
    CostLimitError,
    DamagedError,
    FileError,
    KeyFileError,
    KeysetError,
    NewerVersionError,
    NotSivkaError,
    TruncatedError,
    UnsupportedKeyError,
    WrongKeyError,
)
from ._file import (
    KeyFile,
    Recipient,
    SealedFile,
    generate_key_file,
    open_file,
    open_file_into,
    seal_file,
    verify_file,
    write_key_file,
)
from ._keyset import KeyManagement, KeysetInfo, KeysetKey
from ._native import (
    Aead,
    BlockCipher,
    DeterministicAead,
    DeterministicListAead,
    Keyset,
    RandomNonceAead,
    suites,
    templates,
    tier,
    version,
)
from ._slots import Inspection, Slot, add_slot, inspect, key_file_id, remove_slot, replace_slot
from ._stream import (
    OpeningFile,
    SealingFile,
    open_from,
    open_stream,
    seal_stream,
    seal_to,
    verify_stream,
)

__version__ = version()

__all__ = [
    "AESGCMSIV",
    "AESSIV",
    "Aead",
    "BlockCipher",
    "ChaCha20BLAKE2b",
    "CostLimitError",
    "DamagedError",
    "DeterministicAead",
    "DeterministicListAead",
    "FileError",
    "Inspection",
    "InvalidTag",
    "KeyFileError",
    "KeyManagement",
    "Keyset",
    "KeyFile",
    "KeysetError",
    "KeysetInfo",
    "KeysetKey",
    "Kuznyechik",
    "KuznyechikMGM",
    "NewerVersionError",
    "NotSivkaError",
    "OpeningFile",
    "RandomNonceAead",
    "Recipient",
    "SealedFile",
    "SealingFile",
    "Slot",
    "TruncatedError",
    "UnsupportedKeyError",
    "WrongKeyError",
    "XChaCha20BLAKE2b",
    "XChaCha20BLAKE2bSIV",
    "__version__",
    "add_slot",
    "generate_key_file",
    "inspect",
    "key_file_id",
    "open_file",
    "open_file_into",
    "open_from",
    "open_stream",
    "remove_slot",
    "replace_slot",
    "seal_file",
    "seal_stream",
    "seal_to",
    "suites",
    "templates",
    "tier",
    "verify_file",
    "verify_stream",
    "version",
    "write_key_file",
]


if TYPE_CHECKING:
    from ._errors import InvalidTag
else:

    def __getattr__(name: str) -> object:
        # Looks each time whether `cryptography` is there: issubclass() holds from then on.
        if name == "InvalidTag":
            return _errors.invalid_tag()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


def _belong_here(names: list[str]) -> None:
    """What is public says in help(), messages and pickles that it is where users meet it."""
    for name in names:
        each = globals().get(name, _errors.InvalidTag)
        parts = vars(each).values() if isinstance(each, type) else ()
        for part in (each, *(getattr(part, "__func__", part) for part in parts)):
            if (getattr(part, "__module__", None) or "").startswith(f"{__name__}._"):
                part.__module__ = __name__


_belong_here(__all__)
