"""The footer by which DuckDB knows an extension, and the signature in it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BUILT
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed

BUILD = Path(__file__).parent.parent / "build.py"
FOOTER_LEN, SIGNATURE_LEN, MIB = 512, 256, 1 << 20


def sign(tmp_path: Path, bits: int) -> tuple[rsa.RSAPrivateKey, subprocess.CompletedProcess[str], Path]:
    key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (tmp_path / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, *form))
    built = (BUILT / "sivka.duckdb_extension").read_bytes()
    (tmp_path / "compiled").write_bytes(built[:-FOOTER_LEN])
    signed = tmp_path / "sivka.duckdb_extension"
    command = [sys.executable, BUILD, "--compiled", tmp_path / "compiled"]
    command += ["--signing-key", tmp_path / "key.pem", signed]
    return key, subprocess.run(command, capture_output=True, text=True), signed


def verify(key: rsa.RSAPrivateKey, extension: bytes) -> None:
    """As DuckDB does, in its words: hashes of segments of a MiB, and the hash of these."""
    signed, segments = extension[:-SIGNATURE_LEN], []
    while signed:
        segments.append(hashlib.sha256(signed[:MIB]).digest())
        signed = signed[MIB:]
    digest = hashlib.sha256(b"".join(segments)).digest()
    scheme = padding.PKCS1v15(), Prehashed(hashes.SHA256())
    key.public_key().verify(extension[-SIGNATURE_LEN:], digest, *scheme)


def test_a_signature_is_one_for_duckdb(tmp_path: Path) -> None:
    key, done, path = sign(tmp_path, 2048)
    assert done.returncode == 0, done.stderr
    signed, unsigned = path.read_bytes(), (BUILT / "sivka.duckdb_extension").read_bytes()
    assert len(signed) > 2 * MIB
    assert signed[:-SIGNATURE_LEN] == unsigned[:-SIGNATURE_LEN]
    assert unsigned[-SIGNATURE_LEN:] == bytes(SIGNATURE_LEN)
    verify(key, signed)
    for at in (0, MIB, len(signed) - FOOTER_LEN, len(signed) - 1):
        changed = bytearray(signed)
        changed[at] ^= 1
        with pytest.raises(InvalidSignature):
            verify(key, bytes(changed))


def test_a_key_of_another_length_is_refused(tmp_path: Path) -> None:
    _, done, path = sign(tmp_path, 3072)
    assert done.returncode != 0 and "the key to sign with has 3072 bits" in done.stderr
    assert not path.exists()
