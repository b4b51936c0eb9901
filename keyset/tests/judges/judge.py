"""Answers keyset/tests/tink.rs with tink-py: the protocol is there."""

import io
import sys

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


def read(word):
    return json_proto_keyset_format.parse(bytes_of(word).decode(), TOKEN)


def written(handle):
    return word_of(json_proto_keyset_format.serialize(handle, TOKEN).encode())


def templates():
    of_aead, of_daead = aead.aead_key_templates, daead.deterministic_aead_key_templates
    names = {
        "AES128_GCM_SIV": "AES128_GCM_SIV",
        "AES256_GCM_SIV": "AES256_GCM_SIV",
        "AES128_GCM": "AES128_GCM",
        "AES256_GCM": "AES256_GCM",
        "XCHACHA20_POLY1305": "XCHACHA20_POLY1305",
        "AES128_EAX": "AES128_EAX",
        "AES256_EAX": "AES256_EAX",
        "AES128_CTR_HMAC_SHA256": "AES128_CTR_HMAC_SHA256",
        "AES256_CTR_HMAC_SHA256": "AES256_CTR_HMAC_SHA256",
    }
    known = {ours: getattr(of_aead, theirs, None) for ours, theirs in names.items()}
    of_streams = streaming_aead.streaming_aead_key_templates
    streams = [name for name in dir(of_streams) if name.endswith(("_4KB", "_1MB"))]
    known |= {name: getattr(of_streams, name) for name in streams}
    return known | {"AES256_SIV": of_daead.AES256_SIV}


class Sealed(io.BytesIO):
    """Keeps what was written when it is closed."""

    def close(self):
        self.value = self.getvalue()
        super().close()


def stream(question, primitive, aad, text):
    if question == "seal-stream":
        sealed = Sealed()
        with primitive.new_encrypting_stream(sealed, aad) as writer:
            writer.write(text)
        return word_of(sealed.value)
    try:
        with primitive.new_decrypting_stream(io.BytesIO(text), aad) as reader:
            return word_of(reader.read())
    except tink.TinkError:
        return "forged"


def underneath(master, question, aad, word):
    if question == "encrypt":
        text = json_proto_keyset_format.serialize_encrypted(read(word), master, aad)
        return word_of(text.encode())
    try:
        handle = json_proto_keyset_format.parse_encrypted(bytes_of(word).decode(), master, aad)
    except tink.TinkError:
        return "forged"
    return written(handle)


def answer(question, *words):
    if question == "make":
        template = templates().get(words[0])
        return "unknown" if template is None else written(tink.new_keyset_handle(template))
    handle = read(words[0])
    if question == "binary":
        return word_of(proto_keyset_format.serialize(handle, TOKEN))
    aad = bytes_of(words[1])
    if question in ("encrypt", "decrypt"):
        return underneath(handle.primitive(aead.Aead), question, aad, words[2])
    if question.endswith("-stream"):
        primitive = handle.primitive(streaming_aead.StreamingAead)
        return stream(question, primitive, aad, bytes_of(words[2]))
    deterministic = question.endswith("-daead")
    primitive = handle.primitive(daead.DeterministicAead if deterministic else aead.Aead)
    if deterministic:
        seal, open_ = primitive.encrypt_deterministically, primitive.decrypt_deterministically
    else:
        seal, open_ = primitive.encrypt, primitive.decrypt
    if question.startswith("seal"):
        return word_of(seal(bytes_of(words[2]), aad))
    try:
        return word_of(open_(bytes_of(words[2]), aad))
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
