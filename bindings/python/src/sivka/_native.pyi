"""The C interface of Sivka, as this package uses it; not for others."""

import sys
from collections.abc import Callable, Iterable
from socket import socket
from typing import Any, Final, Literal, Never, Protocol, Self, TypeAlias, final

import typing_extensions
from _typeshed import SupportsRead, SupportsWrite
from typing_extensions import TypeVar, disjoint_base

from ._keyset import KeyManagement, KeysetInfo
from ._stream import OpeningFile, SealingFile

if sys.version_info >= (3, 12):
    _Buffer: TypeAlias = typing_extensions.Buffer
    _WriteableBuffer: TypeAlias = typing_extensions.Buffer
else:
    # NumPy does not tell checkers of an older Python that its arrays are buffers.
    class _Array(Protocol):
        @property
        def __array_interface__(self) -> dict[str, Any]: ...

    _Buffer: TypeAlias = typing_extensions.Buffer | _Array
    _WriteableBuffer: TypeAlias = typing_extensions.Buffer | _Array

# What is given, or a new one.
_Out = TypeVar("_Out", bound=_WriteableBuffer, default=bytearray)
_Tags = TypeVar("_Tags", bound=_WriteableBuffer, default=bytearray)

ERROR_AGE_KEY: Final[int]
ERROR_ALGORITHM: Final[int]
ERROR_ALIGNMENT: Final[int]
ERROR_CANCELLED: Final[int]
ERROR_CAPACITY: Final[int]
ERROR_COST: Final[int]
ERROR_COST_LIMIT: Final[int]
ERROR_DAMAGED: Final[int]
ERROR_EMPTY_PASSPHRASE: Final[int]
ERROR_EXISTS: Final[int]
ERROR_FILE_TOO_LONG: Final[int]
ERROR_FLAGS: Final[int]
ERROR_INTERNAL: Final[int]
ERROR_KEYSET: Final[int]
ERROR_KEY_COUNT: Final[int]
ERROR_KEY_FILE: Final[int]
ERROR_KEY_ID: Final[int]
ERROR_KEY_NAME: Final[int]
ERROR_KEY_STATE: Final[int]
ERROR_KEY_TEXT: Final[int]
ERROR_KEY_TYPE: Final[int]
ERROR_LENGTH: Final[int]
ERROR_NEWER: Final[int]
ERROR_NOT_SIVKA: Final[int]
ERROR_NO_MEMORY: Final[int]
ERROR_NO_RANDOM_NONCE: Final[int]
ERROR_NULL: Final[int]
ERROR_OFFSETS: Final[int]
ERROR_OPEN: Final[int]
ERROR_OVERLAP: Final[int]
ERROR_PRIMITIVE: Final[int]
ERROR_RANDOM: Final[int]
ERROR_READ: Final[int]
ERROR_REFUSED: Final[int]
ERROR_SELF_CHECK: Final[int]
ERROR_SLOT: Final[int]
ERROR_SUITE: Final[int]
ERROR_TEMPLATE: Final[int]
ERROR_TEXT: Final[int]
ERROR_TOO_LONG: Final[int]
ERROR_TRUNCATED: Final[int]
ERROR_USAGE_BOUND: Final[int]
ERROR_WRITE: Final[int]
ERROR_WRONG_KEY: Final[int]
FILE_HEADER_LENGTH: Final[int]
FILE_MAX_HEADER_LENGTH: Final[int]
KEYSET_AEAD: Final[int]
KEYSET_DESTROYED: Final[int]
KEYSET_DETERMINISTIC_AEAD: Final[int]
KEYSET_DISABLED: Final[int]
KEYSET_ENABLED: Final[int]
KEYSET_PREFIX_CRUNCHY: Final[int]
KEYSET_PREFIX_LEGACY: Final[int]
KEYSET_PREFIX_RAW: Final[int]
KEYSET_PREFIX_TINK: Final[int]
KEYSET_STREAMING_AEAD: Final[int]
SLOT_KEY_FILE: Final[int]
SLOT_MLKEM768_X25519: Final[int]
SLOT_PASSPHRASE: Final[int]
SLOT_X25519: Final[int]

def algorithms() -> tuple[str, ...]: ...
def key_length(algorithm: str, /) -> int: ...
def tag_length(algorithm: str, /) -> int: ...
def generate_key(algorithm: str, /) -> bytes: ...
def buffer_length(buffer: _Buffer, name: str, /) -> int: ...
def version() -> str: ...
def tier() -> str: ...
def suites() -> tuple[str, ...]: ...
def templates() -> tuple[str, ...]: ...
def inspect_file(path: bytes, /) -> tuple[str, list[tuple[int, int, int, int, bytes]]]: ...
def inspect_memory(header: _Buffer, /) -> tuple[str, list[tuple[int, int, int, int, bytes]]]: ...
def key_file_id(text: _Buffer, /) -> bytes: ...
def check_key_path(path: _Buffer, /) -> None: ...
def add_slot(file: bytes, keys: FileKeys, added: FileKeys, /) -> int: ...
def remove_slot(file: bytes, keys: FileKeys, slot: int, /) -> None: ...
def replace_slot(file: bytes, keys: FileKeys, slot: int, added: FileKeys, /) -> None: ...
def generate_key_text(name: str, /) -> bytearray: ...
def key_text_from_bytes(key: _Buffer, name: str, /) -> bytearray: ...

@disjoint_base
class Aead:
    def __new__(cls, algorithm: str, key: _Buffer, of_columns: bool = False, /) -> Self: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def nonce_length(self) -> int: ...
    @property
    def tag_length(self) -> int: ...
    def encrypt(
        self, nonce: _Buffer, data: _Buffer, associated_data: _Buffer | None = None
    ) -> bytes: ...
    def decrypt(
        self, nonce: _Buffer, data: _Buffer, associated_data: _Buffer | None = None
    ) -> bytes: ...
    def encrypt_into(
        self, nonce: _Buffer, data: _Buffer, associated_data: _Buffer | None, buf: _WriteableBuffer
    ) -> int: ...
    def decrypt_into(
        self, nonce: _Buffer, data: _Buffer, associated_data: _Buffer | None, buf: _WriteableBuffer
    ) -> int: ...
    def encrypt_batch(
        self,
        nonces: _Buffer | Iterable[_Buffer],
        messages: Iterable[_Buffer],
        associated_data: _Buffer | Iterable[_Buffer | None] | None = None,
    ) -> list[bytes]: ...
    def decrypt_batch(
        self,
        nonces: _Buffer | Iterable[_Buffer],
        messages: Iterable[_Buffer],
        associated_data: _Buffer | Iterable[_Buffer | None] | None = None,
    ) -> list[bytes | None]: ...
    def encrypt_batch_contiguous(
        self,
        nonces: _Buffer,
        data: _Buffer,
        offsets: _Buffer,
        associated_data: _Buffer | None = None,
        *,
        associated_data_offsets: _Buffer | None = None,
        out: _Out | None = None,
        tags: _Tags | None = None,
    ) -> tuple[_Out, _Tags]: ...
    def decrypt_batch_contiguous(
        self,
        nonces: _Buffer,
        data: _Buffer,
        tags: _Buffer,
        offsets: _Buffer,
        associated_data: _Buffer | None = None,
        *,
        associated_data_offsets: _Buffer | None = None,
        out: _Out | None = None,
    ) -> tuple[_Out, bytes]: ...
    def random_nonces(self, count: int, /) -> bytes: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...

class RandomNonceAead(Aead):
    def seal(self, data: _Buffer, associated_data: _Buffer | None = None) -> bytes: ...
    def open(self, data: _Buffer, associated_data: _Buffer | None = None) -> bytes: ...
    def seal_column(
        self,
        data: _Buffer,
        offsets: _Buffer,
        associated_data: _Buffer | None = None,
        *,
        associated_data_offsets: _Buffer | None = None,
        validity: _Buffer | None = None,
        first_bit: int = 0,
    ) -> tuple[bytes, bytes]: ...
    def open_column(
        self,
        data: _Buffer,
        offsets: _Buffer,
        associated_data: _Buffer | None = None,
        *,
        associated_data_offsets: _Buffer | None = None,
        validity: _Buffer | None = None,
        first_bit: int = 0,
    ) -> tuple[bytes, bytes, bytes]: ...

@disjoint_base
class DeterministicAead:
    def __new__(cls, algorithm: str, key: _Buffer, of_columns: bool = False, /) -> Self: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def nonce_length(self) -> int: ...
    @property
    def tag_length(self) -> int: ...
    def encrypt(self, data: _Buffer, associated_data: _Buffer | None = None) -> bytes: ...
    def seal_column(
        self,
        data: _Buffer,
        offsets: _Buffer,
        associated_data: _Buffer | None = None,
        *,
        associated_data_offsets: _Buffer | None = None,
        validity: _Buffer | None = None,
        first_bit: int = 0,
    ) -> tuple[bytes, bytes]: ...
    def open_column(
        self,
        data: _Buffer,
        offsets: _Buffer,
        associated_data: _Buffer | None = None,
        *,
        associated_data_offsets: _Buffer | None = None,
        validity: _Buffer | None = None,
        first_bit: int = 0,
    ) -> tuple[bytes, bytes, bytes]: ...
    def decrypt(self, data: _Buffer, associated_data: _Buffer | None = None) -> bytes: ...
    def encrypt_into(
        self, data: _Buffer, associated_data: _Buffer | None, buf: _WriteableBuffer
    ) -> int: ...
    def decrypt_into(
        self, data: _Buffer, associated_data: _Buffer | None, buf: _WriteableBuffer
    ) -> int: ...
    def seal(self, data: _Buffer, associated_data: _Buffer | None = None) -> bytes: ...
    def open(self, data: _Buffer, associated_data: _Buffer | None = None) -> bytes: ...
    def encrypt_batch(
        self,
        messages: Iterable[_Buffer],
        associated_data: _Buffer | Iterable[_Buffer | None] | None = None,
    ) -> list[bytes]: ...
    def decrypt_batch(
        self,
        messages: Iterable[_Buffer],
        associated_data: _Buffer | Iterable[_Buffer | None] | None = None,
    ) -> list[bytes | None]: ...
    def encrypt_batch_contiguous(
        self,
        data: _Buffer,
        offsets: _Buffer,
        associated_data: _Buffer | None = None,
        *,
        associated_data_offsets: _Buffer | None = None,
        out: _Out | None = None,
        tags: _Tags | None = None,
    ) -> tuple[_Out, _Tags]: ...
    def decrypt_batch_contiguous(
        self,
        data: _Buffer,
        tags: _Buffer,
        offsets: _Buffer,
        associated_data: _Buffer | None = None,
        *,
        associated_data_offsets: _Buffer | None = None,
        out: _Out | None = None,
    ) -> tuple[_Out, bytes]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...

class DeterministicListAead(DeterministicAead):
    def encrypt_with_list(self, data: _Buffer, associated_data: Iterable[_Buffer]) -> bytes: ...
    def decrypt_with_list(self, data: _Buffer, associated_data: Iterable[_Buffer]) -> bytes: ...

@disjoint_base
class BlockCipher:
    def __new__(cls, key: _Buffer) -> Self: ...
    @property
    def block_size(self) -> int: ...
    def encrypt_blocks(self, data: _Buffer, /) -> bytes: ...
    def decrypt_blocks(self, data: _Buffer, /) -> bytes: ...
    def encrypt_blocks_into(self, data: _Buffer, buf: _WriteableBuffer) -> int: ...
    def decrypt_blocks_into(self, data: _Buffer, buf: _WriteableBuffer) -> int: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...

@final
class Keyset:
    def __new__(cls, *args: Never, **kwargs: Never) -> Self: ...
    @classmethod
    def generate(cls, template: str, /) -> Self: ...
    @classmethod
    def from_insecure(
        cls,
        data: _Buffer | str,
        form: Literal["binary", "json"],
        *,
        allow_duplicate_ids: bool = False,
    ) -> Self: ...
    def to_insecure(self, form: Literal["binary", "json"]) -> bytes: ...
    @classmethod
    def decrypt(
        cls,
        data: _Buffer | str,
        form: Literal["binary", "json"],
        master: Keyset | RandomNonceAead | DeterministicAead | KeyManagement,
        associated_data: _Buffer | None = None,
        *,
        allow_duplicate_ids: bool = False,
    ) -> Self: ...
    def encrypt(
        self,
        form: Literal["binary", "json"],
        master: Keyset | RandomNonceAead | DeterministicAead | KeyManagement,
        associated_data: _Buffer | None = None,
    ) -> bytes: ...
    def seal(self, data: _Buffer, associated_data: _Buffer | None = None) -> bytes: ...
    def open(self, data: _Buffer, associated_data: _Buffer | None = None) -> bytes: ...
    def seal_deterministically(
        self, data: _Buffer, associated_data: _Buffer | None = None
    ) -> bytes: ...
    def open_deterministically(
        self, data: _Buffer, associated_data: _Buffer | None = None
    ) -> bytes: ...
    def seal_to(
        self, out: SupportsWrite[bytes] | socket, associated_data: _Buffer | None = None
    ) -> SealingFile: ...
    def open_from(
        self, source: SupportsRead[bytes | None] | socket, associated_data: _Buffer | None = None
    ) -> OpeningFile: ...
    def add(self, template: str, /) -> int: ...
    def rotate(self, template: str, /) -> int: ...
    def promote(self, key_id: int, /) -> None: ...
    def enable(self, key_id: int, /) -> None: ...
    def disable(self, key_id: int, /) -> None: ...
    def destroy(self, key_id: int, /) -> None: ...
    def remove(self, key_id: int, /) -> None: ...
    @property
    def info(self) -> KeysetInfo: ...
    def copy(self) -> Self: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...

@final
class FileKeys:
    def __new__(cls) -> Self: ...
    def add_key_file(self, text: _Buffer, /) -> None: ...
    def add_passphrase(self, passphrase: _Buffer, /) -> None: ...
    def add_recipients(self, text: _Buffer, /) -> None: ...
    def add_identities(self, text: _Buffer, /) -> None: ...
    def set_cost(self, memory_kib: int, passes: int, lanes: int, /) -> None: ...
    def set_room(self, slots: int, /) -> None: ...
    def set_max_cost(self, memory_kib: int, passes: int, /) -> None: ...
    def seal_file(
        self,
        input: bytes,
        output: bytes,
        suite: str | None,
        overwrite: bool,
        progress: Callable[[int], object] | None,
        /,
    ) -> None: ...
    def open_file(
        self,
        input: bytes,
        output: bytes,
        overwrite: bool,
        progress: Callable[[int], object] | None,
        /,
    ) -> None: ...
    def verify_file(self, input: bytes, progress: Callable[[int], object] | None, /) -> None: ...

@final
class FileReader:
    def __new__(cls, input: bytes, keys: FileKeys, /) -> Self: ...
    @property
    def length(self) -> int: ...
    def read_into(self, position: int, buffer: _WriteableBuffer, /) -> int: ...
    def close(self) -> None: ...

@final
class FileSealer:
    def __new__(cls, keys: FileKeys, suite: str | None, /) -> Self: ...
    @classmethod
    def of_keyset(cls, keyset: Keyset, associated_data: _Buffer | None, /) -> Self: ...
    def update(self, data: _Buffer, /) -> bytes: ...
    def finalize(self) -> bytes: ...
    def close(self) -> None: ...

@final
class FileOpener:
    def __new__(cls, read: Callable[[int], bytes], keys: FileKeys, /) -> Self: ...
    @classmethod
    def of_keyset(
        cls, read: Callable[[int], bytes], keyset: Keyset, associated_data: _Buffer | None, /
    ) -> Self: ...
    def read_into(self, buffer: _WriteableBuffer, /) -> int: ...
    def close(self) -> None: ...
