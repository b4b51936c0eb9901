package sivka

import (
	"crypto/cipher"

	"sivka.dev/go/internal/aead"
)

var (
	_ cipher.AEAD = (*AES128GCMSIV)(nil)
	_ cipher.AEAD = (*AES256GCMSIV)(nil)
)

// gcmSIVTagSize is the length of a tag of AES-GCM-SIV in bytes.
const gcmSIVTagSize = 16

// AES256GCMSIV is a key of AES-256-GCM-SIV (RFC 8452). It implements
// [cipher.AEAD] with nonces of 12 bytes and tags of 16.
//
// It is nonce-misuse resistant: a nonce that repeats reveals only whether
// two messages with the same additional data are equal. It is not
// key-committing: a ciphertext can be made that opens under two keys, so do
// not let a stranger choose among keys by which one opens a message.
//
// A plaintext has at most 2^36 bytes, and so has additional data (section
// 6). How many messages one key may seal under random nonces depends on
// their length (section 9): 2^32, if each has at most 2^32 bytes.
type AES256GCMSIV struct {
	drawing
}

// NewAES256GCMSIV makes a key from 32 uniformly random bytes, which it
// copies. The errors are [KeySizeError] and [ErrSelfCheck].
func NewAES256GCMSIV(key []byte) (*AES256GCMSIV, error) {
	made, err := newKey(&aead.AES256GCMSIV, key, gcmSIVTagSize)
	if err != nil {
		return nil, err
	}
	return &AES256GCMSIV{drawing{made}}, nil
}

// AES128GCMSIV is a key of AES-128-GCM-SIV (RFC 8452). It is as
// [AES256GCMSIV], with the same methods.
type AES128GCMSIV struct {
	drawing
}

// NewAES128GCMSIV makes a key from 16 uniformly random bytes, which it
// copies. The errors are [KeySizeError] and [ErrSelfCheck].
func NewAES128GCMSIV(key []byte) (*AES128GCMSIV, error) {
	made, err := newKey(&aead.AES128GCMSIV, key, gcmSIVTagSize)
	if err != nil {
		return nil, err
	}
	return &AES128GCMSIV{drawing{made}}, nil
}
