"""The C interface of Sivka, as this package uses it; not for others."""

from collections.abc import Iterable
from typing import Final, Self, TypeVar, final, overload

from _typeshed import WriteableBuffer
from typing_extensions import Buffer, disjoint_base

_Out = TypeVar("_Out", bound=WriteableBuffer)
_Tags = TypeVar("_Tags", bound=WriteableBuffer)

ERROR_ALGORITHM: Final[int]
ERROR_ALIGNMENT: Final[int]
ERROR_CAPACITY: Final[int]
ERROR_COST: Final[int]
ERROR_COST_LIMIT: Final[int]
ERROR_DAMAGED: Final[int]
ERROR_EMPTY_PASSPHRASE: Final[int]
ERROR_EXISTS: Final[int]
ERROR_FILE_TOO_LONG: Final[int]
ERROR_FLAGS: Final[int]
ERROR_INTERNAL: Final[int]
ERROR_KEY_COUNT: Final[int]
ERROR_KEY_FILE: Final[int]
ERROR_KEY_NAME: Final[int]
ERROR_LENGTH: Final[int]
ERROR_NEWER: Final[int]
ERROR_NOT_SIVKA: Final[int]
ERROR_NO_MEMORY: Final[int]
ERROR_NO_RANDOM_NONCE: Final[int]
ERROR_NULL: Final[int]
ERROR_OFFSETS: Final[int]
ERROR_OPEN: Final[int]
ERROR_OVERLAP: Final[int]
ERROR_RANDOM: Final[int]
ERROR_READ: Final[int]
ERROR_REFUSED: Final[int]
ERROR_SELF_CHECK: Final[int]
ERROR_SUITE: Final[int]
ERROR_TEXT: Final[int]
ERROR_TOO_LONG: Final[int]
ERROR_TRUNCATED: Final[int]
ERROR_USAGE_BOUND: Final[int]
ERROR_WRITE: Final[int]
ERROR_WRONG_KEY: Final[int]

def algorithms() -> tuple[str, ...]: ...
def key_length(algorithm: str, /) -> int: ...
def tag_length(algorithm: str, /) -> int: ...
def generate_key(algorithm: str, /) -> bytes: ...
def version() -> str: ...
def tier() -> str: ...
def suites() -> tuple[str, ...]: ...
def generate_key_text(name: str, /) -> bytes: ...
def key_text_from_bytes(key: Buffer, name: str, /) -> bytes: ...

@disjoint_base
class Aead:
    def __new__(cls, algorithm: str, key: Buffer, /) -> Self: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def nonce_length(self) -> int: ...
    @property
    def tag_length(self) -> int: ...
    def encrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def decrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def encrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: WriteableBuffer
    ) -> int: ...
    def decrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: WriteableBuffer
    ) -> int: ...
    def encrypt_batch(
        self,
        nonces: Buffer | Iterable[Buffer],
        messages: Iterable[Buffer],
        associated_data: Buffer | Iterable[Buffer | None] | None = None,
    ) -> list[bytes]: ...
    def decrypt_batch(
        self,
        nonces: Buffer | Iterable[Buffer],
        messages: Iterable[Buffer],
        associated_data: Buffer | Iterable[Buffer | None] | None = None,
    ) -> list[bytes | None]: ...
    @overload
    def encrypt_batch_contiguous(
        self,
        nonces: Buffer,
        data: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: None = None,
        tags: None = None,
    ) -> tuple[bytearray, bytearray]: ...
    @overload
    def encrypt_batch_contiguous(
        self,
        nonces: Buffer,
        data: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: _Out,
        tags: None = None,
    ) -> tuple[_Out, bytearray]: ...
    @overload
    def encrypt_batch_contiguous(
        self,
        nonces: Buffer,
        data: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: None = None,
        tags: _Tags,
    ) -> tuple[bytearray, _Tags]: ...
    @overload
    def encrypt_batch_contiguous(
        self,
        nonces: Buffer,
        data: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: _Out,
        tags: _Tags,
    ) -> tuple[_Out, _Tags]: ...
    @overload
    def decrypt_batch_contiguous(
        self,
        nonces: Buffer,
        data: Buffer,
        tags: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: None = None,
    ) -> tuple[bytearray, bytes]: ...
    @overload
    def decrypt_batch_contiguous(
        self,
        nonces: Buffer,
        data: Buffer,
        tags: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: _Out,
    ) -> tuple[_Out, bytes]: ...
    def random_nonces(self, count: int, /) -> bytes: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...

class RandomNonceAead(Aead):
    def seal(self, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    def open(self, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...

@disjoint_base
class Siv:
    def __new__(cls, algorithm: str, key: Buffer, /) -> Self: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def nonce_length(self) -> int: ...
    @property
    def tag_length(self) -> int: ...
    def encrypt(self, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    def decrypt(self, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    def encrypt_into(
        self, data: Buffer, associated_data: Buffer | None, buf: WriteableBuffer
    ) -> int: ...
    def decrypt_into(
        self, data: Buffer, associated_data: Buffer | None, buf: WriteableBuffer
    ) -> int: ...
    def seal(self, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    def open(self, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    def encrypt_batch(
        self,
        messages: Iterable[Buffer],
        associated_data: Buffer | Iterable[Buffer | None] | None = None,
    ) -> list[bytes]: ...
    def decrypt_batch(
        self,
        messages: Iterable[Buffer],
        associated_data: Buffer | Iterable[Buffer | None] | None = None,
    ) -> list[bytes | None]: ...
    @overload
    def encrypt_batch_contiguous(
        self,
        data: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: None = None,
        tags: None = None,
    ) -> tuple[bytearray, bytearray]: ...
    @overload
    def encrypt_batch_contiguous(
        self,
        data: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: _Out,
        tags: None = None,
    ) -> tuple[_Out, bytearray]: ...
    @overload
    def encrypt_batch_contiguous(
        self,
        data: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: None = None,
        tags: _Tags,
    ) -> tuple[bytearray, _Tags]: ...
    @overload
    def encrypt_batch_contiguous(
        self,
        data: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: _Out,
        tags: _Tags,
    ) -> tuple[_Out, _Tags]: ...
    @overload
    def decrypt_batch_contiguous(
        self,
        data: Buffer,
        tags: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: None = None,
    ) -> tuple[bytearray, bytes]: ...
    @overload
    def decrypt_batch_contiguous(
        self,
        data: Buffer,
        tags: Buffer,
        offsets: Buffer,
        associated_data: Buffer | None = None,
        *,
        associated_data_offsets: Buffer | None = None,
        out: _Out,
    ) -> tuple[_Out, bytes]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...

@disjoint_base
class Kuznyechik:
    def __new__(cls, key: Buffer) -> Self: ...
    @property
    def block_size(self) -> int: ...
    def encrypt_blocks(self, data: Buffer, /) -> bytes: ...
    def decrypt_blocks(self, data: Buffer, /) -> bytes: ...
    def encrypt_blocks_into(self, data: Buffer, buf: WriteableBuffer) -> int: ...
    def decrypt_blocks_into(self, data: Buffer, buf: WriteableBuffer) -> int: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...

@final
class FileKeys:
    def __new__(cls) -> Self: ...
    def add_key_file(self, text: Buffer, /) -> None: ...
    def add_passphrase(self, passphrase: Buffer, /) -> None: ...
    def set_cost(self, memory_kib: int, passes: int, lanes: int, /) -> None: ...
    def set_max_cost(self, memory_kib: int, passes: int, /) -> None: ...
    def seal_file(
        self, input: bytes, output: bytes, suite: str | None, overwrite: bool, /
    ) -> None: ...
    def open_file(self, input: bytes, output: bytes, overwrite: bool, /) -> None: ...
    def verify_file(self, input: bytes, /) -> None: ...

@final
class FileReader:
    def __new__(cls, input: bytes, keys: FileKeys, /) -> Self: ...
    @property
    def length(self) -> int: ...
    def read_into(self, position: int, buffer: WriteableBuffer, /) -> int: ...
    def close(self) -> None: ...
