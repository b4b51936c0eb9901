"""The algorithms: each class says which of the library's it is."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    from typing import Self

    from ._native import _Buffer as Buffer


def _named(name: str) -> dict[int, str]:
    """The forms of an algorithm by the length of their tags, the usual one first."""
    found = (n for n in _native.algorithms() if n == name or n.startswith(f"{name}-Tag"))
    return {_native.tag_length(n): n for n in found}


def _with_tag(forms: dict[int, str], tag_length: int) -> str:
    # A dictionary would find 32.0 where 32 is.
    number = operator.index(tag_length)
    if number not in forms:
        lengths = ", ".join(map(str, sorted(forms)))
        raise ValueError(f"tag_length: one of {lengths} bytes expected, {number} given")
    return forms[number]


def _by_length(names: dict[int, str], key: Buffer, lengths: str) -> str:
    """The name of the algorithm whose keys have the length of this one."""
    length = _native.buffer_length(key, "key")
    if length not in names:
        raise ValueError(f"key: {lengths} bytes expected, {length} given")
    return names[length]


def _generate(names: dict[int, str], bit_length: int, lengths: str) -> bytes:
    number = operator.index(bit_length)
    if number % 8 or number // 8 not in names:
        raise ValueError(f"bit_length: {lengths} expected, {number} given")
    return _native.generate_key(names[number // 8])


_AES_GCM_SIV = {_native.key_length(n): n for n in ("AES-128-GCM-SIV", "AES-256-GCM-SIV")}
_CHACHA20_BLAKE2B = _named("ChaCha20-BLAKE2b")
_XCHACHA20_BLAKE2B = _named("XChaCha20-BLAKE2b")
_XCHACHA20_BLAKE2B_SIV = _named("XChaCha20-BLAKE2b-SIV")
_AES_SIV = {_native.key_length(n): n for n in ("AES-SIV-512", "AES-SIV-384", "AES-SIV-256")}
_KUZNYECHIK_MGM = "Kuznyechik-MGM"


class AESGCMSIV(_native.RandomNonceAead):
    """AES-GCM-SIV (RFC 8452) with keys of 16 or 32 bytes, nonces of 12 and tags of 16.

    A repeated nonce tells only whether the messages were equal. Not committing: one
    ciphertext may open under two keys that somebody chose for it.

    In place of ``cryptography.hazmat.primitives.ciphers.aead.AESGCMSIV``, whose methods
    it has with the same arguments, bytes and errors; RFC 8452 has no keys of 24 bytes.
    """

    __slots__ = ()

    def __new__(cls, key: Buffer) -> Self:
        """Copies the key. Raises ValueError for another length."""
        return super().__new__(cls, _by_length(_AES_GCM_SIV, key, "16 or 32"), key)

    @classmethod
    def for_columns(cls, key_file: Buffer | str) -> Self:
        """The key that a key file, whose content this is, gives columns: that of Sivka in
        Spark and DuckDB too. Of AES-256-GCM-SIV. Raises KeyFileError.
        """
        return super().__new__(cls, "AES-256-GCM-SIV", key_file, True)

    @staticmethod
    def generate_key(bit_length: int) -> bytes:
        """A random key of 128 or 256 bits."""
        return _generate(_AES_GCM_SIV, bit_length, "128 or 256")


class ChaCha20BLAKE2b(_native.Aead):
    """ChaCha20-BLAKE2b: keys of 32 bytes, nonces of 8, tags of 32, 48 or 64. Committing.

    The nonce is a counter of the caller's: it is too short to be random, so there is no
    ``seal``. A repeated nonce reveals both messages; XChaCha20BLAKE2b has long ones.
    """

    __slots__ = ()

    def __new__(cls, key: Buffer, *, tag_length: int = next(iter(_CHACHA20_BLAKE2B))) -> Self:
        """Copies the key. Raises ValueError for another length of key or tag."""
        return super().__new__(cls, _with_tag(_CHACHA20_BLAKE2B, tag_length), key)

    @staticmethod
    def generate_key() -> bytes:
        """A random key."""
        return _native.generate_key(next(iter(_CHACHA20_BLAKE2B.values())))


class XChaCha20BLAKE2b(_native.RandomNonceAead):
    """XChaCha20-BLAKE2b: keys of 32 bytes, nonces of 24, tags of 32, 48 or 64. Committing.

    Nonces may be random: after 2^80 of them, the chance that any two are equal is 2^-33.
    A nonce that is repeated all the same reveals both messages.
    """

    __slots__ = ()

    def __new__(cls, key: Buffer, *, tag_length: int = next(iter(_XCHACHA20_BLAKE2B))) -> Self:
        """Copies the key. Raises ValueError for another length of key or tag."""
        return super().__new__(cls, _with_tag(_XCHACHA20_BLAKE2B, tag_length), key)

    @staticmethod
    def generate_key() -> bytes:
        """A random key."""
        return _native.generate_key(next(iter(_XCHACHA20_BLAKE2B.values())))


class XChaCha20BLAKE2bSIV(_native.DeterministicAead):
    """XChaCha20-BLAKE2b-SIV: keys of 32 bytes, no nonce, tags of 32, 48 or 64. Committing.

    Deterministic: there is no nonce to repeat. An observer of two sealed messages sees
    whether they are equal, with their associated data.
    """

    __slots__ = ()

    def __new__(cls, key: Buffer, *, tag_length: int = next(iter(_XCHACHA20_BLAKE2B_SIV))) -> Self:
        """Copies the key. Raises ValueError for another length of key or tag."""
        return super().__new__(cls, _with_tag(_XCHACHA20_BLAKE2B_SIV, tag_length), key)

    @classmethod
    def for_columns(cls, key_file: Buffer | str) -> Self:
        """The key that a key file, whose content this is, gives columns: that of Sivka in
        Spark and DuckDB too. With tags of 32 bytes. Raises KeyFileError.
        """
        return super().__new__(cls, "XChaCha20-BLAKE2b-SIV", key_file, True)

    @staticmethod
    def generate_key() -> bytes:
        """A random key."""
        return _native.generate_key(next(iter(_XCHACHA20_BLAKE2B_SIV.values())))


class AESSIV(_native.DeterministicListAead):
    """AES-SIV (RFC 5297) with keys of 64, 48 or 32 bytes, no nonce, and tags of 16, which
    are before the ciphertext. Take 64: the others are for the formats of others.

    Deterministic: an observer of two sealed messages sees whether they are equal, with their
    associated data, and so how often a value occurs. Put the names of table and column into
    the associated data. Not committing: one ciphertext may open under two keys that somebody
    chose for it; XChaCha20BLAKE2bSIV commits.

    A key of 64 bytes is Tink's AES256_SIV and OpenSSL's AES-256-SIV. ``encrypt`` has one
    buffer of associated data, which Tink has too; without it, an empty one. ``AESSIV`` of
    ``cryptography`` has a list, as ``encrypt_with_list`` does: its None is ``[]``.
    """

    __slots__ = ()

    def __new__(cls, key: Buffer) -> Self:
        """Copies the key. Raises ValueError for another length."""
        return super().__new__(cls, _by_length(_AES_SIV, key, "64, 48 or 32"), key)

    @staticmethod
    def generate_key(bit_length: int = 512) -> bytes:
        """A random key of 512, 384 or 256 bits."""
        return _generate(_AES_SIV, bit_length, "512, 384 or 256")


class KuznyechikMGM(_native.RandomNonceAead):
    """Kuznyechik-MGM (RFC 9058): keys of 32 bytes, nonces of 16 (the first bit is 0),
    tags of 16. For those who must use GOST algorithms.

    Refuses a message that is empty and has no associated data. A repeated nonce reveals
    both messages and lets tags be forged.
    """

    __slots__ = ()

    def __new__(cls, key: Buffer) -> Self:
        """Copies the key. Raises ValueError for another length."""
        return super().__new__(cls, _KUZNYECHIK_MGM, key)

    @staticmethod
    def generate_key() -> bytes:
        """A random key."""
        return _native.generate_key(_KUZNYECHIK_MGM)


class Kuznyechik(_native.BlockCipher):
    """The Kuznyechik block cipher (GOST R 34.12-2015, RFC 7801): blocks of 16 bytes, keys
    of 32.

    A block cipher alone protects nothing: equal blocks encrypt equally, and a changed
    block goes unseen. To seal messages, use KuznyechikMGM.
    """

    __slots__ = ()

    @staticmethod
    def generate_key() -> bytes:
        """A random key."""
        return _native.generate_key(_KUZNYECHIK_MGM)
