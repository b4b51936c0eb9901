"""Key slots, what a file says without a key, and what is intact of a damaged one."""

from __future__ import annotations

import io
import os
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sivka

CHUNK = 16384
CHEAP = (64, 1, 1)


@pytest.fixture
def keys(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{number}.key" for number in range(3)]
    for path in paths:
        sivka.generate_key_file(path)
    return paths


def sealed_file(folder: Path, content: bytes, key: Path) -> Path:
    path = folder / "sealed"
    with path.open("wb") as file:
        sivka.seal_stream(io.BytesIO(content), file, key=key)
    return path


def test_slots(tmp_path: Path, keys: list[Path]) -> None:
    sealed = sealed_file(tmp_path, b"text", keys[0])
    ids = [sivka.key_file_id(key) for key in keys]
    assert ids[1] == sivka.key_file_id(keys[1].read_bytes()) and len(set(ids)) == 3
    assert sivka.add_slot(sealed, key=keys[0], new_key=keys[1]) == 1
    assert sivka.add_slot(sealed, key=keys[1], new_passphrase="correct horse", cost=CHEAP) == 2
    expected = sivka.Inspection(
        "aes-256-gcm-siv",
        (
            sivka.Slot("key file", ids[0], None),
            sivka.Slot("key file", ids[1], None),
            sivka.Slot("passphrase", None, CHEAP),
        ),
    )
    assert sivka.inspect(sealed) == expected
    assert sivka.inspect(sealed.read_bytes()[:2048]) == expected
    with sealed.open("rb") as file:
        assert sivka.inspect(file) == expected
        assert file.tell() <= 2048 + io.DEFAULT_BUFFER_SIZE
    sivka.replace_slot(sealed, 0, passphrase="correct horse", new_key=keys[2])
    with pytest.raises(sivka.WrongKeyError):
        sivka.verify_file(sealed, key=keys[0])
    sivka.remove_slot(sealed, 2, key=keys[2])
    sivka.remove_slot(sealed, 1, key=keys[2])
    assert sivka.inspect(sealed).slots == (sivka.Slot("key file", ids[2], None),)
    sivka.verify_file(sealed, key=keys[2])
    # Nothing is left beside it.
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "0.key",
        "1.key",
        "2.key",
        "sealed",
    ]


def test_slot_errors(tmp_path: Path, keys: list[Path]) -> None:
    sealed = sealed_file(tmp_path, b"text", keys[0])
    before = sealed.read_bytes()
    with pytest.raises(sivka.WrongKeyError):
        sivka.add_slot(sealed, key=keys[1], new_key=keys[2])
    with pytest.raises(ValueError, match="^new_key: 1 expected, 0 given"):
        sivka.add_slot(sealed, key=keys[0])
    with pytest.raises(ValueError, match="1 expected, 2 given"):
        sivka.add_slot(sealed, key=keys[0], new_key=keys[1], new_passphrase="two")
    for slot in (1, 16, -1):
        with pytest.raises(IndexError):
            sivka.remove_slot(sealed, slot, key=keys[0])
        with pytest.raises(IndexError):
            sivka.replace_slot(sealed, slot, key=keys[0], new_key=keys[1])
    with pytest.raises(ValueError):
        sivka.remove_slot(sealed, 0, key=keys[0])
    with pytest.raises(FileNotFoundError) as missing:
        sivka.add_slot(tmp_path / "missing", key=keys[0], new_key=keys[1])
    assert missing.value.filename == str(tmp_path / "missing")
    with pytest.raises(FileNotFoundError):
        sivka.inspect(tmp_path / "missing")
    with pytest.raises(sivka.NotSivkaError):
        sivka.inspect(b"something else")
    with pytest.raises(sivka.NotSivkaError):
        sivka.inspect(keys[0])
    nothing: Any
    for nothing in (None, 3, [b"sealed"]):
        with pytest.raises(
            TypeError, match="source: a path, .* expected, (NoneType|int|list) given"
        ):
            sivka.inspect(nothing)
    with pytest.raises(sivka.KeyFileError):
        sivka.key_file_id(b"no key")
    assert sealed.read_bytes() == before


def test_the_text_of_a_key_is_never_quoted(tmp_path: Path) -> None:
    """``key=open(..).read()`` has the text where the path belongs."""
    sivka.generate_key_file(tmp_path / "my.key")
    text = (tmp_path / "my.key").read_text()
    secret = text.split("key: ")[1][:64]
    plain, sealed = tmp_path / "plain", tmp_path / "sealed"
    plain.write_bytes(b"text")
    sivka.seal_file(plain, sealed, key=tmp_path / "my.key")
    as_key: list[Callable[[str], object]] = [
        lambda given: sivka.seal_file(plain, tmp_path / "out", key=given),
        lambda given: sivka.seal_to(io.BytesIO(), key=[tmp_path / "my.key", Path(given)]),
        lambda given: sivka.open_file(sealed, key=given),
        lambda given: sivka.key_file_id(given),
        lambda given: sivka.add_slot(sealed, key=tmp_path / "my.key", new_key=given),
    ]
    as_path: list[Callable[[str], object]] = [
        lambda given: sivka.verify_file(given, key=tmp_path / "my.key"),
        lambda given: sivka.seal_file(plain, given, key=tmp_path / "my.key"),
        lambda given: sivka.open_file(given, key=tmp_path / "my.key"),
        lambda given: sivka.inspect(given),
    ]
    texts = (text, text.strip(), f"key: {secret}")
    for given, calls in [(secret, as_key), *((text, as_key + as_path) for text in texts)]:
        for call in calls:
            with pytest.raises(
                ValueError, match="a path expected, the text of a key given"
            ) as told:
                call(given)
            shown = "".join(traceback.format_exception(told.value)) + repr(told.value.args)
            assert secret not in shown
            assert told.value.__context__ is None


def test_a_key_file_of_given_bytes(tmp_path: Path) -> None:
    key, path = bytearray(os.urandom(32)), tmp_path / "given.key"
    sivka.write_key_file(path, key)
    text = path.read_text()
    assert "\nname: given\n" in text and f"\nkey: {key.hex()}\n" in text
    assert path.stat().st_mode & 0o777 == 0o600
    sivka.write_key_file(tmp_path / "again", memoryview(key), name="again")
    sealed = io.BytesIO()
    sivka.seal_stream(io.BytesIO(b"text"), sealed, key=path)
    assert sivka.open_from(io.BytesIO(sealed.getvalue()), key=tmp_path / "again").read() == b"text"
    with pytest.raises(FileExistsError):
        sivka.write_key_file(path, key)
    for wrong, error in ((key[1:], ValueError), (key.hex(), TypeError)):
        with pytest.raises(error):
            sivka.write_key_file(tmp_path / "wrong", wrong)  # type: ignore[arg-type]
    for swapped in (text, key.hex()):
        with pytest.raises(ValueError, match="the text of a key given"):
            sivka.write_key_file(swapped, key, name="mine")
        with pytest.raises(ValueError, match="the text of a key given"):
            sivka.generate_key_file(swapped, name="mine")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["again", "given.key"]


#: The example of C2SP's age specification.
IDENTITY = b"AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
RECIPIENT = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"


def test_recipients(tmp_path: Path, keys: list[Path]) -> None:
    plain, sealed, identity = tmp_path / "plain", tmp_path / "sealed", tmp_path / "me.age"
    plain.write_bytes(b"text")
    identity.write_bytes(b"# public key: " + RECIPIENT.encode() + b"\n" + IDENTITY + b"\n")
    sivka.seal_file(plain, sealed, key=[keys[0], sivka.Recipient(f"# me\n{RECIPIENT}")])
    assert sivka.inspect(sealed).slots[1] == sivka.Slot("X25519", None, None)
    for key in keys[0], identity, IDENTITY, bytearray(identity.read_bytes()):
        with sivka.open_file(sealed, key=key) as file:
            assert file.read() == b"text"
    sivka.remove_slot(sealed, 0, key=identity)
    with pytest.raises(sivka.WrongKeyError):
        sivka.verify_file(sealed, key=keys[0])
    # A recipient opens nothing.
    with pytest.raises(sivka.WrongKeyError):
        sivka.verify_file(sealed, key=sivka.Recipient(RECIPIENT))  # type: ignore[arg-type]
    for wrong in "", "age1", RECIPIENT.replace("zvk", "zvq"):
        with pytest.raises(sivka.KeyFileError):
            sivka.seal_file(plain, tmp_path / "no", key=sivka.Recipient(wrong))
    with pytest.raises(sivka.KeyFileError) as refused:
        sivka.verify_file(sealed, key=IDENTITY[:-1] + b"Q")
    assert "GFPYY" not in str(refused.value)


def test_a_key_file_that_a_passphrase_protects_is_one_call(
    tmp_path: Path, keys: list[Path]
) -> None:
    """Whose fault it is can be told."""
    plain, sealed, protected = tmp_path / "plain", tmp_path / "sealed", tmp_path / "protected.key"
    plain.write_bytes(b"text")
    sivka.seal_file(keys[0], protected, passphrase="correct horse", cost=CHEAP)
    content = protected.read_bytes()
    with sivka.KeyFile(protected, "correct horse") as key:
        sivka.seal_file(plain, sealed, key=[key, keys[1]])
    for source in (protected, content, memoryview(content), keys[0], keys[0].read_bytes()):
        for words in ("correct horse", b"correct horse"):
            sivka.verify_file(sealed, key=sivka.KeyFile(source, words))
    sivka.verify_file(sealed, key=sivka.KeyFile(keys[0]))
    # As of Python's own files. It was a KeyFileError, which tells of a file that is none.
    with pytest.raises(ValueError, match="the key file is closed"):
        sivka.verify_file(sealed, key=key)
    with pytest.raises(TypeError):
        pickle.dumps(sivka.KeyFile(keys[0]))

    with pytest.raises(sivka.WrongKeyError):
        sivka.KeyFile(protected, "wrong horse")
    for needs in (
        lambda: sivka.KeyFile(protected),
        lambda: sivka.verify_file(sealed, key=protected),
        lambda: sivka.verify_file(sealed, key=content),
    ):
        with pytest.raises(ValueError, match=r"passphrase.*sivka\.KeyFile\(path, passphrase\)"):
            needs()
    for cut in (content[:-1] + bytes([content[-1] ^ 1]), content[:-1], content[:100]):
        with pytest.raises(sivka.TruncatedError):
            sivka.KeyFile(cut, "correct horse")
    sivka.seal_file(plain, protected, passphrase="correct horse", cost=CHEAP, overwrite=True)
    with pytest.raises(sivka.KeyFileError):
        sivka.KeyFile(protected, "correct horse")


def test_no_error_shows_a_passphrase_that_is_no_text(tmp_path: Path, keys: list[Path]) -> None:
    """As ``os.environ`` gives one with a byte that is not UTF-8."""
    plain, sealed = tmp_path / "plain", tmp_path / "sealed"
    plain.write_bytes(b"text")
    sivka.seal_file(keys[0], sealed, passphrase="correct horse", cost=CHEAP)
    for words in ("hunter2\udc80", "hunter2\ud800", b"hunter2\x80"):
        for refused in (
            lambda words=words: sivka.KeyFile(sealed, words),
            lambda words=words: sivka.verify_file(sealed, passphrase=words),
            lambda words=words: sivka.seal_file(plain, tmp_path / "no", passphrase=words),
        ):
            with pytest.raises(ValueError, match="passphrase is not UTF-8") as error:
                refused()
            assert "hunter2" not in f"{error.value!r} {error.value.__context__!r}"


def test_protected_identities_open_what_is_sealed_for_them(tmp_path: Path) -> None:
    plain, sealed, protected = tmp_path / "plain", tmp_path / "sealed", tmp_path / "protected.key"
    plain.write_bytes(IDENTITY)
    sivka.seal_file(plain, protected, passphrase="correct horse", cost=CHEAP)
    sivka.seal_file(plain, sealed, key=sivka.Recipient(RECIPIENT))
    sivka.verify_file(sealed, key=sivka.KeyFile(protected, "correct horse"))


def test_an_identity_given_as_recipient_is_shown_nowhere() -> None:
    for text in (IDENTITY.decode(), f"{RECIPIENT}\n{IDENTITY.decode()}"):
        with pytest.raises(sivka.KeyFileError) as refused:
            sivka.Recipient(text)
        assert "GFPYY" not in str(refused.value)
    with pytest.raises(sivka.KeyFileError):
        sivka.Recipient(f"{RECIPIENT}\udcff")
    assert RECIPIENT in repr(sivka.Recipient(RECIPIENT))


@pytest.mark.parametrize("before", [b"", b"\n", b" \t", b"\xef\xbb\xbf", b"#c\n", b"\r\n" * 400])
def test_identities_are_told_from_key_files(
    tmp_path: Path, keys: list[Path], before: bytes
) -> None:
    plain, sealed = tmp_path / "plain", tmp_path / "sealed"
    plain.write_bytes(b"text")
    sivka.seal_file(plain, sealed, key=sivka.Recipient(RECIPIENT))
    sivka.verify_file(sealed, key=before + IDENTITY)
    # A key file has no other form than its own.
    with pytest.raises(sivka.WrongKeyError):
        sivka.verify_file(sealed, key=keys[0].read_bytes())


def test_room_is_for_slots_that_are_added_later(tmp_path: Path, keys: list[Path]) -> None:
    plain, sealed, room = tmp_path / "plain", tmp_path / "sealed", tmp_path / "room"
    plain.write_bytes(b"text")
    sivka.seal_file(plain, sealed, key=keys[0])
    sivka.seal_file(plain, room, key=keys[0], room=20)
    assert room.stat().st_size - sealed.stat().st_size > 20 * 1100
    size = room.stat().st_size
    for _ in range(20):
        sivka.add_slot(room, key=keys[0], new_key=sivka.Recipient(RECIPIENT))
    assert room.stat().st_size == size
    sivka.verify_file(room, key=IDENTITY)
    with pytest.raises(ValueError, match="slot"):
        for _ in range(60):
            sivka.add_slot(sealed, key=keys[0], new_key=sivka.Recipient(RECIPIENT))
