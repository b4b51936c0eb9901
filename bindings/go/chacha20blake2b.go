package sivka

import (
	"crypto/cipher"
	"strconv"

	"sivka.dev/go/internal/aead"
)

var (
	_ cipher.AEAD = (*ChaCha20BLAKE2b)(nil)
	_ cipher.AEAD = (*XChaCha20BLAKE2b)(nil)
	_ cipher.AEAD = (*XChaCha20BLAKE2bSIV)(nil)
)

// TagSizeError is a length of tags, in bytes, that an algorithm does not have.
type TagSizeError int

func (t TagSizeError) Error() string {
	return "sivka: tags of " + strconv.Itoa(int(t)) + " bytes were asked for; tags of 32, 48 and 64 are allowed"
}

// ChaCha20BLAKE2b is a key of ChaCha20-BLAKE2b, a committing AEAD with
// nonces of 8 bytes. It implements [cipher.AEAD].
//
// A ciphertext opens under one key, nonce and additional data only, with
// four bits of strength for each byte of its tag. A nonce must never repeat
// under one key, and random ones of 8 bytes repeat too soon: count them, or
// use [XChaCha20BLAKE2b].
//
// The bytes are those of the ChaCha20-BLAKE2b library for C#, version 2.0.1
// (2022). A plaintext has at most 2^31-1 bytes, and additional data too.
type ChaCha20BLAKE2b struct {
	keyed
}

// XChaCha20BLAKE2b is a key of XChaCha20-BLAKE2b, a committing AEAD as
// [ChaCha20BLAKE2b], with nonces of 24 bytes, which may be random. A nonce
// that repeats reveals the difference of two plaintexts.
type XChaCha20BLAKE2b struct {
	drawing
}

// XChaCha20BLAKE2bSIV is a key of XChaCha20-BLAKE2b-SIV, a committing AEAD as
// [ChaCha20BLAKE2b] that has no nonce: it implements [cipher.AEAD] with nonces
// of no bytes. The same key, additional data and plaintext always seal to the
// same bytes, so an observer of two messages can tell whether they are equal,
// and no more.
type XChaCha20BLAKE2bSIV struct {
	keyed
}

// NewChaCha20BLAKE2b makes a key from 32 uniformly random bytes, which it
// copies, with tags of 32, 48 or 64 bytes. A sealed message does not say how
// long its tag is. The errors are [KeySizeError], [TagSizeError] and
// [ErrSelfCheck].
func NewChaCha20BLAKE2b(key []byte, tagSize int) (*ChaCha20BLAKE2b, error) {
	made, err := newTagged(&aead.ChaCha20BLAKE2b, key, tagSize)
	if err != nil {
		return nil, err
	}
	return &ChaCha20BLAKE2b{made}, nil
}

// NewXChaCha20BLAKE2b is as [NewChaCha20BLAKE2b].
func NewXChaCha20BLAKE2b(key []byte, tagSize int) (*XChaCha20BLAKE2b, error) {
	made, err := newTagged(&aead.XChaCha20BLAKE2b, key, tagSize)
	if err != nil {
		return nil, err
	}
	return &XChaCha20BLAKE2b{drawing{made}}, nil
}

// NewXChaCha20BLAKE2bSIV is as [NewChaCha20BLAKE2b].
func NewXChaCha20BLAKE2bSIV(key []byte, tagSize int) (*XChaCha20BLAKE2bSIV, error) {
	made, err := newTagged(&aead.XChaCha20BLAKE2bSIV, key, tagSize)
	if err != nil {
		return nil, err
	}
	return &XChaCha20BLAKE2bSIV{made}, nil
}

// newTagged makes a key of an algorithm with tags of three sizes.
func newTagged(algorithm *aead.Algorithm, key []byte, tagSize int) (keyed, error) {
	switch tagSize {
	case 32, 48, 64:
		return newKey(algorithm, key, tagSize)
	default:
		return keyed{}, TagSizeError(tagSize)
	}
}
