"""What the tests of DuckDB, PostgreSQL and Spark share: what they run with, key files, and the page of all engines."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A test that waits without an end, for a child or a thread, ends the run.
LIMITS = ("-o", "faulthandler_timeout=600", "-o", "faulthandler_exit_on_timeout=true")
SECRETS = {"patients": bytes(range(32)), "orders": hashlib.sha256(b"orders").digest()}
PAGE = (ROOT / "docs" / "columns.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def library() -> Path:
    """The static library, which cargo builds unless SIVKA_STATIC_LIBRARY names it."""
    if prebuilt := os.environ.get("SIVKA_STATIC_LIBRARY"):
        return Path(prebuilt).resolve()
    subprocess.run(["cargo", "build", "--release", "-p", "sivka-ffi"], cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "libsivka_ffi.a"


def environment(folder: Path, *packages: str) -> Path:
    """The Python of a virtual environment, with packages from PyPI."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


def expand(secret: bytes, info: str, length: int) -> bytes:
    """HKDF-Expand with SHA-512, for one block."""
    return hmac.digest(secret, info.encode() + b"\1", "sha512")[:length]


def key_file(secret: bytes) -> str:
    """The text of a key file: docs/spec/file-format-v1.md, section 8.1."""
    key_id = expand(secret, "sivka.key.v1 id", 8).hex()
    text = f"sivka key file, version 1\nname: example\nid: {key_id}\nkey: {secret.hex()}\n"
    return text + f"check: {hashlib.sha512(text.encode()).hexdigest()[:16]}\n"


def statements(block: str) -> list[str]:
    """Those of SQL in a block of a page."""
    return [s for s in re.sub(r"^--.*\n", "", block, flags=re.MULTILINE).split(";\n") if s.strip()]
