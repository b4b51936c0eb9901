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

# Where users meet them, and where their messages and pickles say that they are.
for _name in __all__:
    _object = globals()[_name]
    if isinstance(_object, type):
        _object.__module__ = __name__
del _name, _object
