"""Public facts of a keyset: all but its keys. The class itself is that of `_native`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol


class KeyManagement(Protocol):
    """Encrypts and decrypts keysets: a client of a key-management service.

    Tink's ``Aead`` is one, so every client that Tink has. Each method is called once for a
    keyset, in the thread of the call, and its exception comes out of that call.
    """

    def encrypt(self, plaintext: bytes, associated_data: bytes, /) -> bytes:
        """Encrypt a keyset, which is in the clear: keep no copy."""
        ...

    def decrypt(self, ciphertext: bytes, associated_data: bytes, /) -> bytes:
        """Decrypt what ``encrypt`` returned, or raise."""
        ...


@dataclass(frozen=True)
class KeysetKey:
    """All of a key of a keyset but the key itself.

    A ``disabled`` key does nothing until it is enabled; of a ``destroyed`` one only the id is
    left. The prefix precedes the key's messages, and is not authenticated. ``tink`` is
    the byte 1 and the id, four bytes, the highest first. ``legacy`` and ``crunchy`` are the
    byte 0 and the id, and ``raw`` is nothing.
    """

    #: By which the key is promoted, disabled and so on. Java shows those from 2^31 on as
    #: negative numbers.
    key_id: int
    #: As "type.googleapis.com/google.crypto.tink.AesSivKey"; None for a destroyed key.
    type_url: str | None
    status: Literal["enabled", "disabled", "destroyed"]
    prefix: Literal["tink", "legacy", "raw", "crunchy"]

    def __str__(self) -> str:
        """Id, type, status and prefix."""
        name = self.type_url.rpartition(".")[2] + " " if self.type_url else ""
        return f"{self.key_id} {name}{self.status} {self.prefix}"


@dataclass(frozen=True)
class KeysetInfo:
    """All of a keyset but its keys, as it was when it was asked: later changes do not show."""

    #: The id of the key that seals.
    primary_key_id: int
    #: Which calls the keyset is for; None if for none: its enabled keys are for different
    #: purposes.
    purpose: Literal["AEAD", "deterministic AEAD", "streaming AEAD"] | None
    #: In the keyset's order.
    keys: tuple[KeysetKey, ...]

    def __str__(self) -> str:
        """The id of the primary, and all keys."""
        return f"primary {self.primary_key_id}: {', '.join(map(str, self.keys))}"


def _info(primary: int, purpose: Any, keys: list[tuple[int, str | None, Any, Any]]) -> KeysetInfo:
    """From what the library says; ``_native`` calls it."""
    return KeysetInfo(primary, purpose, tuple(KeysetKey(*key) for key in keys))
