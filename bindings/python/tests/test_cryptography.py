"""A drop-in for the AESGCMSIV of cryptography: the same calls, bytes and errors."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import cryptography.exceptions
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV as Theirs

from sivka import AESGCMSIV as Ours
from sivka import InvalidTag


@pytest.mark.parametrize("key_length", [16, 32])
def test_each_opens_what_the_other_sealed(key_length: int) -> None:
    source = random.Random(key_length)
    for length in [*range(1, 300), *(source.randrange(1, 70000) for _ in range(60))]:
        key, nonce = source.randbytes(key_length), source.randbytes(12)
        data, aad = source.randbytes(length), source.randbytes(source.randrange(100))
        ours, theirs = Ours(key), Theirs(key)
        sealed = ours.encrypt(nonce, data, aad)
        assert sealed == theirs.encrypt(nonce, data, aad)
        assert ours.decrypt(nonce, sealed, aad) == theirs.decrypt(nonce, sealed, aad) == data
        whole = ours.seal(data, aad)
        assert theirs.decrypt(whole[:12], whole[12:], aad) == data
        assert ours.open(nonce + sealed, aad) == data


KEY, NONCE = bytes(range(32)), bytes(12)
SEALED = Ours(KEY).encrypt(NONCE, b"abc", b"x")

# Calls with one class or the other, which end alike; with the length of a buffer that they may
# write to, which is compared then.
CALLS: list[tuple[Callable[[Any, Any], Any], int]] = [
    (lambda c, _: c(KEY).encrypt(NONCE, b"abc", b"x"), 0),
    (lambda c, _: c(key=KEY).encrypt(nonce=NONCE, data=b"abc", associated_data=b"x"), 0),
    (lambda c, _: c(KEY).encrypt(NONCE, b"", b""), 0),
    (lambda c, _: c(KEY[:5]), 0),
    (lambda c, _: c("k" * 32), 0),
    (lambda c, _: c(), 0),
    (lambda c, _: len(c.generate_key(128)), 0),
    (lambda c, _: len(c.generate_key(bit_length=256)), 0),
    (lambda c, _: c.generate_key(7), 0),
    (lambda c, _: c.generate_key("256"), 0),
    (lambda c, _: c(KEY).encrypt(NONCE[:11], b"abc", None), 0),
    (lambda c, _: c(KEY).encrypt("n" * 12, b"abc", None), 0),
    (lambda c, _: c(KEY).encrypt(NONCE, "abc", None), 0),
    (lambda c, _: c(KEY).encrypt(NONCE, b"abc", 5), 0),
    (lambda c, _: c(KEY).encrypt(NONCE, memoryview(bytes(10))[::2], None), 0),
    (lambda c, _: c(KEY).encrypt(NONCE, b"abc", aad=b"x"), 0),
    (lambda c, _: c(KEY).encrypt(NONCE), 0),
    (lambda c, _: c(KEY).encrypt(NONCE, b"abc", b"x", b""), 0),
    (lambda c, _: c(KEY).encrypt(None, b"abc", b"x"), 0),
    (lambda c, _: c(KEY).decrypt(NONCE, SEALED, b"x"), 0),
    (lambda c, _: c(KEY).decrypt(NONCE, SEALED, None), 0),
    (lambda c, _: c(KEY).decrypt(NONCE, SEALED[:-1], b"x"), 0),
    (lambda c, _: c(KEY).decrypt(NONCE, SEALED[:5], b"x"), 0),
    (lambda c, _: c(KEY).decrypt(NONCE[:11], SEALED, b"x"), 0),
    (lambda c, _: pickle.dumps(c(KEY)), 0),
    *((lambda c, buf: c(KEY).encrypt_into(NONCE, b"abc", b"x", buf), n) for n in (18, 19, 20)),
    (lambda c, b: c(KEY).encrypt_into(nonce=NONCE, data=b"abc", associated_data=b"x", buf=b), 19),
    (lambda c, buf: c(KEY).encrypt_into(NONCE, b"abc", b"x", bytes(buf)), 19),
    (lambda c, buf: c(KEY).encrypt_into(NONCE, b"abc", b"x", None), 19),
    *((lambda c, buf: c(KEY).decrypt_into(NONCE, SEALED, b"x", buf), n) for n in (2, 3, 4)),
    (lambda c, buf: c(KEY).decrypt_into(NONCE, SEALED[:7], b"x", buf), 2),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_calls_end_alike(number: int) -> None:
    call, length = CALLS[number]
    outcomes = []
    for kind in (Ours, Theirs):
        buf, found = bytearray(length), None
        try:
            found = call(kind, buf)
        except cryptography.exceptions.InvalidTag:
            found = cryptography.exceptions.InvalidTag
        except Exception as error:
            found = type(error)
        outcomes.append((found, buf))
    assert outcomes[0] == outcomes[1]


def test_a_forgery_is_the_invalid_tag_of_both() -> None:
    # Theirs may leave in the buffer what it decrypted before it knew.
    buf = bytearray(b"old")
    with pytest.raises(cryptography.exceptions.InvalidTag) as caught:
        Ours(KEY).decrypt_into(NONCE, SEALED, b"y", buf)
    assert isinstance(caught.value, InvalidTag) and buf == bytes(3)


REFUSE = """
import sys, sivka
def refuse(kind):
    try: sivka.AESGCMSIV(bytes(32)).open(bytes(40))
    except kind as error: assert type(error) is sivka.InvalidTag
    else: raise SystemExit("it opened")
"""
CHECK = """
theirs = cryptography.exceptions.InvalidTag
assert issubclass(InvalidTag, theirs) and issubclass(InvalidTag, Exception)
assert sivka.InvalidTag is InvalidTag and "InvalidTag" in dir(sivka)
refuse(theirs)
"""


@pytest.mark.parametrize(
    "program",
    [
        f"{REFUSE}\nrefuse(sivka.InvalidTag)\nassert 'cryptography' not in sys.modules",
        f"import cryptography.exceptions\n{REFUSE}\nfrom sivka import InvalidTag\n{CHECK}",
        f"{REFUSE}\nimport cryptography.exceptions\nfrom sivka import InvalidTag\n{CHECK}",
        # This one is told by the next message that is refused.
        f"from sivka import InvalidTag\nimport cryptography.exceptions\n{REFUSE}\n"
        f"refuse(InvalidTag)\n{CHECK}",
    ],
)
def test_invalid_tag_is_a_subclass_in_any_order(program: str) -> None:
    """Without ``cryptography``, and before and after it."""
    subprocess.run([sys.executable, "-c", program], check=True)
