"""Keys of files: what opens them, their slots, and what is never shown."""

from __future__ import annotations

import functools
import io
import os
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import CHEAP, refused, sealed_bytes

import sivka

#: The example of C2SP's age specification.
IDENTITY = b"AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
RECIPIENT = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"


@pytest.fixture
def keys(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{number}.key" for number in range(3)]
    for path in paths:
        sivka.generate_key_file(path)
    return paths


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "plain"
    path.write_bytes(b"text")
    return path


@pytest.fixture
def sealed(tmp_path: Path, keys: list[Path]) -> Path:
    """A file for the first key."""
    path = tmp_path / "sealed"
    path.write_bytes(sealed_bytes(b"text", keys[0]))
    return path


def test_slots(tmp_path: Path, keys: list[Path], sealed: Path) -> None:
    ids = [sivka.key_file_id(key) for key in keys]
    assert ids[1] == sivka.key_file_id(keys[1].read_bytes()) and len(set(ids)) == 3
    files = sorted(tmp_path.iterdir())
    assert sivka.add_slot(sealed, key=keys[0], new_key=keys[1]) == 1
    assert sivka.add_slot(sealed, key=keys[1], new_passphrase="correct horse", cost=CHEAP) == 2
    slots = [sivka.Slot("key file", of, None) for of in ids]
    passphrase = sivka.Slot("passphrase", None, CHEAP)
    expected = sivka.Inspection("aes-256-gcm-siv", (*slots[:2], passphrase))
    assert sivka.inspect(sealed) == expected == sivka.inspect(sealed.read_bytes()[:2048])
    with sealed.open("rb") as file:
        assert sivka.inspect(file) == expected
        assert file.tell() <= 2048 + io.DEFAULT_BUFFER_SIZE
    sivka.replace_slot(sealed, 0, passphrase="correct horse", new_key=keys[2])
    with pytest.raises(sivka.WrongKeyError):
        sivka.verify_file(sealed, key=keys[0])
    sivka.remove_slot(sealed, 2, key=keys[2])
    sivka.remove_slot(sealed, 1, key=keys[2])
    assert sivka.inspect(sealed).slots == (slots[2],)
    sivka.verify_file(sealed, key=keys[2])
    # Nothing is left beside it.
    assert sorted(tmp_path.iterdir()) == files


def test_slot_errors(tmp_path: Path, keys: list[Path], sealed: Path) -> None:
    before = sealed.read_bytes()
    add: Any = functools.partial(sivka.add_slot, sealed, key=keys[0])
    remove = functools.partial(sivka.remove_slot, sealed, key=keys[0])
    replace = functools.partial(sivka.replace_slot, sealed, key=keys[0], new_key=keys[1])
    inspect: Any = sivka.inspect
    cases: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (
            sivka.WrongKeyError,
            "no key slot",
            lambda: sivka.add_slot(sealed, key=keys[1], new_key=keys[2]),
        ),
        (ValueError, "^new_key: 1 expected, 0 given", add),
        (ValueError, "1 expected, 2 given", lambda: add(new_key=keys[1], new_passphrase="two")),
        (ValueError, "slot", lambda: remove(0)),
        (sivka.NotSivkaError, "not a sivka file", lambda: sivka.inspect(b"something else")),
        (sivka.NotSivkaError, f"^{keys[0]}: ", lambda: sivka.inspect(keys[0])),
        (sivka.KeyFileError, "not a sivka key file", lambda: sivka.key_file_id(b"no key")),
        (ValueError, "^slot: a number from 0 to 63 expected, -1 given", lambda: remove(-1)),
        *((IndexError, "slot", functools.partial(remove, slot)) for slot in (1, 16)),
        *((IndexError, "slot", functools.partial(replace, slot)) for slot in (1, 16)),
        *(
            (TypeError, "source: a path, .* expected, ", functools.partial(inspect, nothing))
            for nothing in (None, 3, [b"sealed"])
        ),
    ]
    for error, text, call in cases:
        refused(error, {text: [call]})
    with pytest.raises(FileNotFoundError) as missing:
        sivka.add_slot(tmp_path / "missing", key=keys[0], new_key=keys[1])
    assert missing.value.filename == str(tmp_path / "missing")
    assert sealed.read_bytes() == before


def test_the_text_of_a_key_is_never_quoted(
    tmp_path: Path, keys: list[Path], plain: Path, sealed: Path
) -> None:
    """``key=open(..).read()`` has the text where the path belongs."""
    key, text = keys[0], keys[0].read_text()
    secret = text.split("key: ")[1][:64]
    as_key: list[Callable[[str], object]] = [
        lambda given: sivka.seal_file(plain, tmp_path / "out", key=given),
        lambda given: sivka.seal_to(io.BytesIO(), key=[key, Path(given)]),
        lambda given: sivka.open_file(sealed, key=given),
        lambda given: sivka.key_file_id(given),
        lambda given: sivka.add_slot(sealed, key=key, new_key=given),
        lambda given: sivka.write_key_file(given, bytes(32), name="mine"),
        lambda given: sivka.generate_key_file(given, name="mine"),
    ]
    as_path: list[Callable[[str], object]] = [
        lambda given: sivka.verify_file(given, key=key),
        lambda given: sivka.seal_file(plain, given, key=key),
        lambda given: sivka.open_file(given, key=key),
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


def test_key_files(tmp_path: Path, keys: list[Path]) -> None:
    assert keys[0].stat().st_mode & 0o777 == 0o600
    assert b"name: 0\n" in keys[0].read_bytes()
    key, path = bytearray(os.urandom(32)), tmp_path / "given.key"
    sivka.write_key_file(path, key)
    text = path.read_text()
    assert "\nname: given\n" in text and f"\nkey: {key.hex()}\n" in text
    assert path.stat().st_mode & 0o777 == 0o600
    sivka.write_key_file(tmp_path / "again", memoryview(key), name="again")
    sealed = io.BytesIO(sealed_bytes(b"text", path))
    assert sivka.open_from(sealed, key=tmp_path / "again").read() == b"text"
    with pytest.raises(FileExistsError):
        sivka.write_key_file(path, key)
    wrong: Any
    for wrong, error in ((key[1:], ValueError), (key.hex(), TypeError)):
        refused(error, {"": [lambda: sivka.write_key_file(tmp_path / "wrong", wrong)]})
    assert not (tmp_path / "wrong").exists()


def test_recipients(tmp_path: Path, keys: list[Path], plain: Path) -> None:
    sealed, identity = tmp_path / "for-two", tmp_path / "me.age"
    identity.write_bytes(b"# public key: " + RECIPIENT.encode() + b"\n" + IDENTITY + b"\n")
    sivka.seal_file(plain, sealed, key=[keys[0], sivka.Recipient(f"# me\n{RECIPIENT}")])
    assert sivka.inspect(sealed).slots[1] == sivka.Slot("X25519", None, None)
    # An identity is told from a key file, which has no other form than its own.
    befores = (b"\n", b" \t", b"\xef\xbb\xbf", b"#c\n", b"\r\n" * 400)
    opening: list[Any] = [keys[0], identity, IDENTITY, *(each + IDENTITY for each in befores)]
    for key in opening:
        with sivka.open_file(sealed, key=key) as file:
            assert file.read() == b"text"
    sivka.remove_slot(sealed, 0, key=identity)
    # A recipient opens nothing.
    wrong: Any
    for wrong in (keys[0], keys[0].read_bytes(), sivka.Recipient(RECIPIENT)):
        refused(sivka.WrongKeyError, {"": [lambda: sivka.verify_file(sealed, key=wrong)]})
    # An identity given as recipient is shown nowhere.
    secret = IDENTITY.decode()
    wrongs = ("", "age1", RECIPIENT.replace("zvk", "zvq"), f"{RECIPIENT}\udcff", secret)
    for wrong in (*wrongs, f"{RECIPIENT}\n{secret}"):
        with pytest.raises(sivka.KeyFileError) as told:
            sivka.Recipient(wrong)
        assert "GFPYY" not in str(told.value)
    with pytest.raises(sivka.KeyFileError) as told:
        sivka.verify_file(sealed, key=IDENTITY[:-1] + b"Q")
    assert "GFPYY" not in str(told.value)
    assert RECIPIENT in repr(sivka.Recipient(RECIPIENT))


def test_a_key_file_that_a_passphrase_protects_is_one_call(
    tmp_path: Path, keys: list[Path], plain: Path
) -> None:
    """Whose fault it is can be told."""
    sealed, protected = tmp_path / "for-one", tmp_path / "protected.key"
    sivka.seal_file(keys[0], protected, passphrase="correct horse", cost=CHEAP)
    content = protected.read_bytes()
    with sivka.KeyFile(protected, "correct horse") as key:
        sivka.seal_file(plain, sealed, key=[key, keys[1]])
        assert str(key) == "<sivka.KeyFile>"
    for source in (protected, content, memoryview(content), keys[0], keys[0].read_bytes()):
        for words in ("correct horse", b"correct horse"):
            sivka.verify_file(sealed, key=sivka.KeyFile(source, words))
    sivka.verify_file(sealed, key=sivka.KeyFile(keys[0]))
    # As of Python's own files. It was a KeyFileError, which tells of a file that is none.
    refused(
        ValueError,
        {
            "the key file is closed": [lambda: sivka.verify_file(sealed, key=key)],
            r"passphrase.*sivka\.KeyFile\(path, passphrase\)": [
                lambda: sivka.KeyFile(protected),
                lambda: sivka.verify_file(sealed, key=protected),
                lambda: sivka.verify_file(sealed, key=content),
            ],
        },
    )
    refused(TypeError, {"": [lambda: pickle.dumps(sivka.KeyFile(keys[0]))]})
    refused(sivka.WrongKeyError, {"": [lambda: sivka.KeyFile(protected, "wrong horse")]})
    for cut in (content[:-1], content[:100]):
        refused(sivka.TruncatedError, {"": [lambda: sivka.KeyFile(cut, "correct horse")]})
    # What is in it may be no key, or an identity.
    sivka.seal_file(plain, protected, passphrase="correct horse", cost=CHEAP, overwrite=True)
    with pytest.raises(sivka.KeyFileError):
        sivka.KeyFile(protected, "correct horse")
    plain.write_bytes(IDENTITY)
    sivka.seal_file(plain, protected, passphrase="correct horse", cost=CHEAP, overwrite=True)
    sivka.seal_file(plain, sealed, key=sivka.Recipient(RECIPIENT), overwrite=True)
    sivka.verify_file(sealed, key=sivka.KeyFile(protected, "correct horse"))


def test_no_error_shows_a_passphrase_that_is_no_text(tmp_path: Path, plain: Path) -> None:
    """As ``os.environ`` gives one with a byte that is not UTF-8."""
    sealed = tmp_path / "protected"
    sivka.seal_file(plain, sealed, passphrase="correct horse", cost=CHEAP)
    for words in ("hunter2\udc80", "hunter2\ud800", b"hunter2\x80"):
        for call in (
            lambda words=words: sivka.KeyFile(sealed, words),
            lambda words=words: sivka.verify_file(sealed, passphrase=words),
            lambda words=words: sivka.seal_file(plain, tmp_path / "no", passphrase=words),
        ):
            with pytest.raises(ValueError, match="passphrase is not UTF-8") as error:
                call()
            assert "hunter2" not in f"{error.value!r} {error.value.__context__!r}"


def test_spare_slots_are_used_later(tmp_path: Path, keys: list[Path], plain: Path) -> None:
    room, added = tmp_path / "room", sivka.Recipient(RECIPIENT)
    sivka.seal_file(plain, room, key=keys[0], spare_slots=20)
    size = room.stat().st_size
    assert size > 20 * 1100
    sivka.add_slot(room, key=keys[0], new_key=added)
    assert room.stat().st_size == size
