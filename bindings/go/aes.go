package sivka

import (
	"crypto/cipher"

	"sivka.dev/go/internal/aead"
)

var (
	_ cipher.AEAD = (*AES128GCMSIV)(nil)
	_ cipher.AEAD = (*AES256GCMSIV)(nil)
	_ cipher.AEAD = (*AESSIV)(nil)
)

// gcmSIVTagSize is the length of a tag of AES-GCM-SIV in bytes.
const gcmSIVTagSize = 16

// AES256GCMSIV is a key of AES-256-GCM-SIV (RFC 8452). It implements
// [cipher.AEAD] with nonces of 12 bytes and tags of 16.
//
// It is nonce-misuse resistant: a nonce that repeats reveals only whether two
// messages with the same additional data are equal. It is not key-committing: a
// ciphertext can be made that opens under two keys. So do not choose among keys
// by which one opens a stranger's message.
//
// A plaintext has at most 2^36 bytes, and additional data too (section 6). How
// many messages one key may seal under random nonces depends on their length
// (section 9): 2^32, if each has at most 2^32 bytes.
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

// AESSIV is a key of AES-SIV (RFC 5297): deterministic authenticated
// encryption. It implements [cipher.AEAD] with nonces of no bytes and tags
// of 16.
//
// The tag, which RFC 5297 calls V, is in front of the ciphertext. The same key,
// associated data and plaintext always seal to the same bytes, so an observer
// of two sealed messages can tell whether they are equal. A value with few
// possibilities, such as yes or no, can be named by anyone who knows how often
// each occurs. With something that differs in the associated data, such as the
// key of a row, equality does not show.
//
// It is not key-committing: do not try keys in turn and trust the one that
// opens a message.
//
// Seal at most 2^48 blocks of 16 bytes under one key, associated data included.
// A plaintext and each string of associated data have at most 2^36 bytes.
type AESSIV struct {
	keyed
}

// NewAESSIV makes a key from 32, 48 or 64 uniformly random bytes, which it
// copies: AEAD_AES_SIV_CMAC_256, _384 and _512 of RFC 5297. Take 64 bytes,
// what Tink calls AES256_SIV; the others are for the formats of others. The
// errors are [KeySizeError] and [ErrSelfCheck].
func NewAESSIV(key []byte) (*AESSIV, error) {
	var algorithm *aead.Algorithm
	switch len(key) {
	case 32:
		algorithm = &aead.AESSIV256
	case 48:
		algorithm = &aead.AESSIV384
	case 64:
		algorithm = &aead.AESSIV512
	default:
		return nil, KeySizeError{len(key), "32, 48 or 64"}
	}
	made, err := newKey(algorithm, key, aead.SIVTagSize)
	if err != nil {
		return nil, err
	}
	return &AESSIV{made}, nil
}

// Seal encrypts and authenticates plaintext, authenticates additionalData as
// one string, and appends tag and ciphertext to dst, which it returns. nonce
// must be empty. It is as Seal of [AES256GCMSIV] otherwise, but to seal in
// place, have the plaintext 16 bytes after the end of dst.
func (k *AESSIV) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkNoNonce(nonce)
	return k.key.SealList(dst, plaintext, [][]byte{additionalData})
}

// Open decrypts and authenticates what [AESSIV.Seal] appended. It is as Open of
// [AES256GCMSIV], with [ErrOpen] as its only error, but to open in place, pass
// ciphertext[16:16] as dst, if it has so many bytes.
func (k *AESSIV) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	checkNoNonce(nonce)
	return k.OpenStrings(dst, ciphertext, additionalData)
}

// SealStrings is as [AESSIV.Seal] with up to 126 strings of associated data:
// their number, order and bounds count. For RFC 5297's AEAD with a nonce, as
// NTS uses it (RFC 8915, section 5.6), the nonce is the last string.
func (k *AESSIV) SealStrings(dst, plaintext []byte, additionalData ...[]byte) []byte {
	return k.key.SealList(dst, plaintext, additionalData)
}

// OpenStrings is as [AESSIV.Open] for what [AESSIV.SealStrings] appended.
func (k *AESSIV) OpenStrings(dst, ciphertext []byte, additionalData ...[]byte) ([]byte, error) {
	opened, isAuthentic := k.key.OpenList(dst, ciphertext, additionalData)
	if !isAuthentic {
		return nil, ErrOpen
	}
	return opened, nil
}

// checkNoNonce panics where an algorithm without nonces is given one.
func checkNoNonce(nonce []byte) {
	if len(nonce) != 0 {
		panic("sivka: nonce given to an algorithm without nonces")
	}
}
