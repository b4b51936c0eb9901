"""Answers core/tests/main/aes_siv_openssl.rs with OpenSSL's AES-SIV: the protocol is there."""

import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV


def bytes_of(word):
    return b"" if word == "-" else bytes.fromhex(word)


def word_of(text):
    return text.hex() or "-"


def answer(question, key, text, *strings):
    siv, strings = AESSIV(bytes_of(key)), [bytes_of(string) for string in strings]
    if question == "seal":
        return word_of(siv.encrypt(bytes_of(text), strings))
    try:
        return word_of(siv.decrypt(bytes_of(text), strings))
    except InvalidTag:
        return "forged"


for line in sys.stdin:
    print(answer(*line.split()), flush=True)
