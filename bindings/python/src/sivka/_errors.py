"""The exceptions of Sivka, which ``_native`` raises."""

from __future__ import annotations

import sys


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
