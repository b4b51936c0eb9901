"""A key may be a Tink keyset. Tink's library for Python makes the keysets, and is the judge of what is sealed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
import tink
from conftest import connect, set_keys
from test_keys import message
from tink import aead, daead, json_proto_keyset_format, proto_keyset_format, secret_key_access

Database = duckdb.DuckDBPyConnection

aead.register()
daead.register()

# What BigQuery's KEYS.NEW_KEYSET makes for its functions AEAD.* and DETERMINISTIC_*.
TEMPLATES = {
    "AES256_GCM": aead.aead_key_templates.AES256_GCM,
    "AES256_SIV": daead.deterministic_aead_key_templates.AES256_SIV,
}


class Judge:
    """A keyset in Tink, and the functions of SQL that are for it."""

    def __init__(self, template: str) -> None:
        self.handle = tink.new_keyset_handle(TEMPLATES[template])
        self.template = template
        self.is_deterministic = template == "AES256_SIV"
        self.seal, self.open, self.try_open = (
            ("sivka_token", "sivka_open_token", "sivka_try_open_token")
            if self.is_deterministic
            else ("sivka_seal", "sivka_open", "sivka_try_open")
        )

    def encrypt(self, value: bytes, context: bytes) -> bytes:
        if self.is_deterministic:
            return self.handle.primitive(daead.DeterministicAead).encrypt_deterministically(value, context)
        return self.handle.primitive(aead.Aead).encrypt(value, context)

    def decrypt(self, sealed: bytes, context: bytes) -> bytes:
        if self.is_deterministic:
            return self.handle.primitive(daead.DeterministicAead).decrypt_deterministically(sealed, context)
        return self.handle.primitive(aead.Aead).decrypt(sealed, context)

    def text(self, form: str) -> bytes:
        if form == "json":
            return json_proto_keyset_format.serialize(self.handle, secret_key_access.TOKEN).encode()
        return proto_keyset_format.serialize(self.handle, secret_key_access.TOKEN)

    def rotate(self) -> None:
        """Adds a key, which seals from now on. Tink's library for Python cannot, so it is done in JSON."""
        old, new = (json.loads(judge.text("json")) for judge in (self, Judge(self.template)))
        both = {"primaryKeyId": new["primaryKeyId"], "key": old["key"] + new["key"]}
        self.handle = json_proto_keyset_format.parse(json.dumps(both), secret_key_access.TOKEN)


def rows(db: Database, query: str, *arguments: Any) -> list[Any]:
    return [row[0] for row in db.execute(query, *arguments).fetchall()]


@pytest.mark.parametrize("form", ["json", "binary"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_what_tink_sealed_opens_and_the_other_way_round(tmp_path: Path, template: str, form: str) -> None:
    """Before and after a rotation, which the next query notices."""
    judge = Judge(template)
    path = tmp_path / "keyset"
    path.write_bytes(judge.text(form))
    values = [b"", b"v", b"twelve bytes", bytes(range(256)), bytes(70_000), None, "Žižkov".encode()]
    with connect() as db:
        set_keys(db, {"turning": path})
        old = None
        for _ in range(2):
            contexts = [f"row {i}" for i in range(len(values))]
            theirs = [None if v is None else judge.encrypt(v, c.encode()) for v, c in zip(values, contexts, strict=True)]
            db.register("given", pa.table({"v": pa.array(values, pa.binary()), "c": contexts,
                                           "s": pa.array(theirs, pa.binary())}))
            assert rows(db, f"SELECT {judge.open}(s, 'turning', c) FROM given") == values
            assert rows(db, f"SELECT {judge.try_open}(s, 'turning', 'c') FROM given") == [None] * len(values)
            for wrong in (theirs[1][:-1], theirs[1][1:], theirs[1] + b"v", Judge(template).encrypt(b"v", b"row 1")):
                assert rows(db, f"SELECT {judge.try_open}(?, 'turning', 'row 1')", [wrong]) == [None]
            ours = rows(db, f"SELECT {judge.seal}(v, 'turning', c) FROM given")
            opened = [None if s is None else judge.decrypt(s, c.encode()) for s, c in zip(ours, contexts, strict=True)]
            assert opened == values
            (bare,) = rows(db, f"SELECT {judge.seal}('no context', 'turning')")
            assert judge.decrypt(bare, b"") == b"no context"
            if old is not None:
                assert old[:5] != bare[:5]
                assert rows(db, f"SELECT {judge.open}(?, 'turning')", [old]) == [b"no context"]
            old = bare
            judge.rotate()
            path.write_bytes(judge.text(form))


def test_keysets_that_are_refused(tmp_path: Path) -> None:
    aead_text, daead_text = Judge("AES256_GCM").text("json"), Judge("AES256_SIV").text("json")
    disabled = json.loads(aead_text)
    disabled["key"][0]["status"] = "DISABLED"
    texts = {
        "aead": aead_text,
        "deterministic": daead_text,
        "broken": b'{"primaryKeyId": 1}',
        "cut": Judge("AES256_GCM").text("binary")[:-1],
        "disabled": json.dumps(disabled).encode(),
        "long": b"{" + bytes(20_000),
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    secret = json.loads(aead_text)["key"][0]["keyData"]["value"]
    with connect() as db:
        set_keys(db, {name: tmp_path / name for name in texts})
        expected = {
            "sivka_token('v', 'aead')": "key 'aead' is a keyset that is not for deterministic AEAD",
            "sivka_open_token('v'::BLOB, 'aead')": "not for deterministic AEAD",
            "sivka_seal('v', 'deterministic')": "key 'deterministic' is a keyset that is not for AEAD",
            "sivka_try_open('v'::BLOB, 'deterministic')": "not for AEAD",
            "sivka_seal('v', 'broken')": "the file of key 'broken' is not a keyset whose keys are known here",
            "sivka_seal('v', 'cut')": "is not a keyset",
            "sivka_seal('v', 'disabled')": "the file of key 'disabled'",
            "sivka_seal('v', 'long')": "is too long",
        }
        for call, reason in expected.items():
            text = message(db, f"SELECT {call}")
            assert reason in text and call.split("(")[0] in text
            assert secret not in text
