"""The exceptions of Sivka, and which one each status of the library becomes."""

from __future__ import annotations

import os
import sys

from . import _native


class _Unopened(Exception):
    """The base of InvalidTag until that of ``cryptography`` takes its place.

    A class of Python like that one: ``Exception`` itself could not be replaced.
    """


class InvalidTag(_Unopened):
    """The message does not open: forged, damaged, cut short, or sealed under another key,
    nonce or associated data. There is no saying which, and no plaintext in any buffer.

    Where ``cryptography.exceptions`` is imported, this is a subclass of its
    ``InvalidTag``: a program that catches that one needs no change.
    """


class FileError(Exception):
    """A sealed file does not open, or a file cannot be sealed."""


class NotSivkaError(FileError):
    """The input is not a sealed file."""


class NewerVersionError(FileError):
    """The file or key file needs a newer version of this library."""


class DamagedError(FileError):
    """The file is damaged, or somebody changed it."""


class TruncatedError(DamagedError):
    """The end of the file is missing or damaged; nobody can tell which."""


class WrongKeyError(FileError):
    """None of the given keys and passphrases opens the file."""


class CostLimitError(FileError):
    """The file asks for more memory or time to try a passphrase than is allowed."""


class KeyFileError(FileError):
    """The text is not a key file, or it was damaged."""


class KeysetError(Exception):
    """The data are not a keyset in the form asked for, or break a rule of keysets; or a keyset
    has keys for different purposes. Says at which byte, or which key, and quotes no key.
    """


class UnsupportedKeyError(KeysetError):
    """A key is of a type or version that this library does not have, or cannot use alone."""


def invalid_tag() -> type[InvalidTag]:
    """InvalidTag, which derives from that of ``cryptography`` if that is imported by now.

    Nothing is imported for it: that would take longer than to import all of Sivka.
    """
    theirs = getattr(sys.modules.get("cryptography.exceptions"), "InvalidTag", None)
    if theirs is not None and not issubclass(InvalidTag, theirs):
        InvalidTag.__bases__ = (theirs,)
    return InvalidTag


_CLASSES: dict[int, type[Exception]] = {
    _native.ERROR_LENGTH: ValueError,
    _native.ERROR_CAPACITY: ValueError,
    _native.ERROR_TOO_LONG: OverflowError,
    _native.ERROR_OVERLAP: ValueError,
    _native.ERROR_ALGORITHM: ValueError,
    _native.ERROR_NO_RANDOM_NONCE: ValueError,
    _native.ERROR_OFFSETS: ValueError,
    _native.ERROR_TEXT: ValueError,
    _native.ERROR_SUITE: ValueError,
    _native.ERROR_EMPTY_PASSPHRASE: ValueError,
    _native.ERROR_COST: ValueError,
    _native.ERROR_KEY_NAME: ValueError,
    _native.ERROR_SLOT: IndexError,
    _native.ERROR_KEY_COUNT: ValueError,
    _native.ERROR_USAGE_BOUND: OverflowError,
    _native.ERROR_REFUSED: ValueError,
    _native.ERROR_RANDOM: OSError,
    _native.ERROR_SELF_CHECK: RuntimeError,
    _native.ERROR_NO_MEMORY: MemoryError,
    _native.ERROR_NOT_SIVKA: NotSivkaError,
    _native.ERROR_NEWER: NewerVersionError,
    _native.ERROR_DAMAGED: DamagedError,
    _native.ERROR_TRUNCATED: TruncatedError,
    _native.ERROR_WRONG_KEY: WrongKeyError,
    _native.ERROR_COST_LIMIT: CostLimitError,
    _native.ERROR_FILE_TOO_LONG: FileError,
    _native.ERROR_KEY_FILE: KeyFileError,
    _native.ERROR_AGE_KEY: KeyFileError,
    _native.ERROR_TEMPLATE: ValueError,
    _native.ERROR_KEY_ID: ValueError,
    _native.ERROR_KEY_STATE: ValueError,
    _native.ERROR_PRIMITIVE: ValueError,
    _native.ERROR_KEY_TEXT: ValueError,
    _native.ERROR_KEYSET: KeysetError,
    _native.ERROR_KEY_TYPE: UnsupportedKeyError,
    # No call of this package can cause these: they would be its own mistakes.
    _native.ERROR_NULL: SystemError,
    _native.ERROR_ALIGNMENT: SystemError,
    _native.ERROR_FLAGS: SystemError,
    _native.ERROR_SERVICE: SystemError,
    _native.ERROR_CANCELLED: SystemError,
    _native.ERROR_INTERNAL: SystemError,
}
# Of what the system could not do.
_OF_THE_SYSTEM = (_native.ERROR_READ, _native.ERROR_WRITE, _native.ERROR_EXISTS)
# The arguments of sivka.h that have other names here.
_PARAMETERS = {
    "added": "new_key",
    "aad": "associated_data",
    "aads": "associated_data",
    "aad_offsets": "associated_data_offsets",
    "ciphertext": "data",
    "id": "key_id",
    "in_out": "data",
    "input": "data",
    "lanes": "cost",
    "memory_kib": "cost",
    "message": "data",
    "passes": "cost",
    "piece": "data",
    "plaintext": "data",
    "sealed": "data",
    "template_name": "template",
    "text": "key",
    "text_offsets": "offsets",
    "texts": "data",
    "values": "data",
}


def from_status(
    status: int,
    detail: str,
    argument: str | None,
    overlapped: str | None,
    path: bytes | None,
    os_code: int,
    renamed: str,
    name: str,
) -> Exception:
    """The exception for a status, of the fields of ``sivka_error``; ``_native`` raises it.

    In this call ``name`` is what the argument ``renamed`` of sivka.h is called.
    """
    if status == _native.ERROR_OPEN:
        return invalid_tag()(detail)
    if status == _native.ERROR_KEY_TEXT:
        detail = "a path expected, the text of a key given; give the content of a key file as bytes"
    if status in _OF_THE_SYSTEM:
        return _of_the_system(detail, os_code, path)
    names = {**_PARAMETERS, renamed: name}
    return _CLASSES.get(status, SystemError)(_named(detail, argument, overlapped, names))


def _named(detail: str, argument: str | None, overlapped: str | None, names: dict[str, str]) -> str:
    """A detail that begins with an argument's name in C, with its name here."""
    if argument is None:
        return detail
    name = names.get(argument, argument)
    if overlapped is not None:
        return f"{name} overlaps {names.get(overlapped, overlapped)}"
    if not detail.startswith((f"{argument}:", f"{argument} ")):
        return detail
    return name + detail[len(argument) :]


def _of_the_system(detail: str, code: int, path: bytes | None) -> OSError:
    """FileNotFoundError, PermissionError and so on, with the path."""
    if code == 0:
        return OSError(detail)
    name = None if path is None else os.fsdecode(path)
    if sys.platform == "win32":
        return OSError(0, detail, name, code)
    return OSError(code, os.strerror(code), name)
