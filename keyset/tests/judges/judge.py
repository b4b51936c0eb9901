"""Answers keyset/tests/tink.rs with tink-py: the protocol is there."""

import io
import sys
from functools import partial

import tink
from tink import (
    aead,
    daead,
    json_proto_keyset_format,
    proto_keyset_format,
    secret_key_access,
    streaming_aead,
)
from tink.testing import fake_kms

TOKEN = secret_key_access.TOKEN


def bytes_of(word):
    return b"" if word == "-" else bytes.fromhex(word)


def word_of(text):
    return text.hex() or "-"


def read(text):
    return json_proto_keyset_format.parse(text.decode(), TOKEN)


def written(handle):
    return json_proto_keyset_format.serialize(handle, TOKEN).encode()


class Sealed(io.BytesIO):
    """Keeps what was written when it is closed."""

    def close(self):
        self.value = self.getvalue()
        super().close()


def seal_stream(streams, text, aad):
    sealed = Sealed()
    with streams.new_encrypting_stream(sealed, aad) as writer:
        writer.write(text)
    return sealed.value


def open_stream(streams, sealed, aad):
    with streams.new_decrypting_stream(io.BytesIO(sealed), aad) as reader:
        return reader.read()


def work_of(question, handle):
    """What seals and what opens a text with associated data."""
    if question.endswith("-stream"):
        streams = handle.primitive(streaming_aead.StreamingAead)
        return partial(seal_stream, streams), partial(open_stream, streams)
    if question.endswith("-daead"):
        primitive = handle.primitive(daead.DeterministicAead)
        return primitive.encrypt_deterministically, primitive.decrypt_deterministically
    primitive = handle.primitive(aead.Aead)
    if question in ("encrypt", "decrypt"):
        form = json_proto_keyset_format
        return (
            lambda text, aad: form.serialize_encrypted(read(text), primitive, aad).encode(),
            lambda text, aad: written(form.parse_encrypted(text.decode(), primitive, aad)),
        )
    return primitive.encrypt, primitive.decrypt


def answer(question, *words):
    handle = read(bytes_of(words[0]))
    if question == "binary":
        return word_of(proto_keyset_format.serialize(handle, TOKEN))
    seal, open_ = work_of(question, handle)
    if question.startswith(("seal", "encrypt")):
        return word_of(seal(bytes_of(words[2]), bytes_of(words[1])))
    try:
        return word_of(open_(bytes_of(words[2]), bytes_of(words[1])))
    except tink.TinkError:
        return "forged"


def main():
    aead.register()
    daead.register()
    streaming_aead.register()
    fake_kms.register_client()
    for line in sys.stdin:
        try:
            answered = answer(*line.split())
        except tink.TinkError as error:
            print(error, file=sys.stderr)
            answered = "refused"
        print(answered, flush=True)


main()
