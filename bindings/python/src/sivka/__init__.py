"""Sivka: authenticated encryption that survives mistakes.

>>> from sivka import AESGCMSIV
>>> key = AESGCMSIV(AESGCMSIV.generate_key(256))
>>> sealed = key.seal(b"meet at noon", b"to Alice")
>>> key.open(sealed, b"to Alice")
b'meet at noon'
"""

from ._aead import (
    AESGCMSIV,
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
    InvalidTag,
    KeyFileError,
    NewerVersionError,
    NotSivkaError,
    TruncatedError,
    WrongKeyError,
)
from ._file import (
    SealedFile,
    generate_key_file,
    open_file,
    open_file_into,
    seal_file,
    verify_file,
)
from ._native import suites, tier, version

__version__ = version()

__all__ = [
    "AESGCMSIV",
    "ChaCha20BLAKE2b",
    "CostLimitError",
    "DamagedError",
    "FileError",
    "InvalidTag",
    "KeyFileError",
    "Kuznyechik",
    "KuznyechikMGM",
    "NewerVersionError",
    "NotSivkaError",
    "SealedFile",
    "TruncatedError",
    "WrongKeyError",
    "XChaCha20BLAKE2b",
    "XChaCha20BLAKE2bSIV",
    "__version__",
    "generate_key_file",
    "open_file",
    "open_file_into",
    "seal_file",
    "suites",
    "tier",
    "verify_file",
    "version",
]


def _belong_here(names: list[str]) -> None:
    """Classes say in messages and pickles that they are where users meet them."""
    for name in names:
        each = globals()[name]
        if isinstance(each, type):
            each.__module__ = __name__


_belong_here(__all__)
