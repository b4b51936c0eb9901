package sivka

import (
	"crypto/cipher"
	"strconv"

	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/chacha20blake2b"
	"sivka.dev/go/internal/machine"
)

var (
	_ cipher.AEAD = (*ChaCha20BLAKE2b)(nil)
	_ cipher.AEAD = (*XChaCha20BLAKE2b)(nil)
	_ cipher.AEAD = (*XChaCha20BLAKE2bSIV)(nil)
)

// maxFamilySize is the most bytes of a plaintext, and of additional data.
const maxFamilySize = 1<<31 - 1

// TagSizeError is a length of tags, in bytes, that an algorithm does not have.
type TagSizeError int

func (t TagSizeError) Error() string {
	return "sivka: invalid tag size " + strconv.Itoa(int(t))
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
// (2022). A plaintext has at most 2^31-1 bytes, and so has additional data.
type ChaCha20BLAKE2b struct {
	family
}

// XChaCha20BLAKE2b is a key of XChaCha20-BLAKE2b, a committing AEAD as
// [ChaCha20BLAKE2b], with nonces of 24 bytes, which may be random. A nonce
// that repeats reveals the difference of two plaintexts.
type XChaCha20BLAKE2b struct {
	family
}

// XChaCha20BLAKE2bSIV is a key of XChaCha20-BLAKE2b-SIV, a committing AEAD as
// [ChaCha20BLAKE2b] that has no nonce: it implements [cipher.AEAD] with
// nonces of no bytes. The same key, additional data and plaintext always
// seal to the same bytes, so whoever sees two can tell that they are equal,
// and no more.
type XChaCha20BLAKE2bSIV struct {
	family
}

// NewChaCha20BLAKE2b makes a key from 32 uniformly random bytes, which it
// copies, with tags of 32, 48 or 64 bytes. A sealed message does not say how
// long its tag is. The errors are [KeySizeError], [TagSizeError] and
// [ErrSelfCheck].
func NewChaCha20BLAKE2b(key []byte, tagSize int) (*ChaCha20BLAKE2b, error) {
	made, err := newFamily(chacha20blake2b.Short, key, tagSize)
	if err != nil {
		return nil, err
	}
	return &ChaCha20BLAKE2b{made}, nil
}

// NewXChaCha20BLAKE2b is as [NewChaCha20BLAKE2b].
func NewXChaCha20BLAKE2b(key []byte, tagSize int) (*XChaCha20BLAKE2b, error) {
	made, err := newFamily(chacha20blake2b.Extended, key, tagSize)
	if err != nil {
		return nil, err
	}
	return &XChaCha20BLAKE2b{made}, nil
}

// NewXChaCha20BLAKE2bSIV is as [NewChaCha20BLAKE2b].
func NewXChaCha20BLAKE2bSIV(key []byte, tagSize int) (*XChaCha20BLAKE2bSIV, error) {
	made, err := newFamily(chacha20blake2b.SIV, key, tagSize)
	if err != nil {
		return nil, err
	}
	return &XChaCha20BLAKE2bSIV{made}, nil
}

// SealRandom seals under a random nonce, and appends nonce, ciphertext and
// tag to dst, which it returns. It panics as [XChaCha20BLAKE2b.Seal] does;
// the output must not overlap plaintext or additionalData at all.
func (k *XChaCha20BLAKE2b) SealRandom(dst, plaintext, additionalData []byte) []byte {
	return sealRandom(k, dst, plaintext, additionalData)
}

// OpenRandom opens what [XChaCha20BLAKE2b.SealRandom] appended, and appends
// the plaintext to dst, which it returns. To open in place, pass
// sealed[24:24] as dst. It fails and panics as [XChaCha20BLAKE2b.Open] does.
func (k *XChaCha20BLAKE2b) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	return openRandom(k, dst, sealed, additionalData)
}

// family is what keys of the three algorithms share.
type family struct {
	key  *chacha20blake2b.Key
	name string
}

func newFamily(variant chacha20blake2b.Variant, key []byte, tagSize int) (family, error) {
	if len(key) != chacha20blake2b.KeySize {
		return family{}, KeySizeError(len(key))
	}
	switch tagSize {
	case 32, 48, 64:
	default:
		return family{}, TagSizeError(tagSize)
	}
	tier := machine.Chosen()
	if !chacha20blake2b.Checked(tier) {
		return family{}, ErrSelfCheck
	}
	names := [...]string{"ChaCha20-BLAKE2b", "XChaCha20-BLAKE2b", "XChaCha20-BLAKE2b-SIV"}
	made := chacha20blake2b.NewKey(variant, (*[chacha20blake2b.KeySize]byte)(key), tagSize, tier)
	return family{made, names[variant]}, nil
}

// NonceSize returns the length of a nonce in bytes.
func (k family) NonceSize() int { return k.key.NonceSize() }

// Overhead returns the length of a tag in bytes.
func (k family) Overhead() int { return k.key.TagSize() }

// Seal encrypts and authenticates plaintext, authenticates additionalData,
// and appends ciphertext and tag to dst, which it returns. It allocates
// nothing if dst has room.
//
// To seal in place, pass plaintext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap plaintext. It must never overlap
// additionalData. Seal panics if they overlap, if the nonce has a wrong
// length, or for inputs over the limits; it has written nothing then.
func (k family) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	k.check(nonce, plaintext, additionalData)
	whole, room := buffer.Append(dst, len(plaintext)+k.key.TagSize())
	buffer.Check(room, plaintext, additionalData)
	k.key.Seal(nonce, additionalData, plaintext, room[:len(plaintext)], room[len(plaintext):])
	return whole
}

// Open decrypts and authenticates what Seal appended, and appends the
// plaintext to dst, which it returns. It allocates nothing if dst has room.
//
// To open in place, pass ciphertext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap ciphertext. It must never overlap
// additionalData. Open panics as Seal does.
//
// The only error is [ErrOpen]. What would have been appended to dst is then
// zeros, and holds no plaintext.
func (k family) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	size := max(0, len(ciphertext)-k.key.TagSize())
	k.check(nonce, ciphertext[:size], additionalData)
	if len(ciphertext) < k.key.TagSize() {
		return nil, ErrOpen
	}
	from, tag := ciphertext[:size], ciphertext[size:]
	whole, text := buffer.Append(dst, size)
	buffer.Check(text, ciphertext, additionalData)
	if !k.key.Open(nonce, additionalData, from, text, tag) {
		return nil, ErrOpen
	}
	return whole, nil
}

// Wipe is as [AES256GCMSIV.Wipe].
func (k family) Wipe() { k.key.Wipe() }

// String returns the name of the algorithm, and nothing of the key.
func (k family) String() string { return k.name }

// GoString is as String.
func (k family) GoString() string { return k.name }

// check panics for what may not be sealed.
func (k family) check(nonce, text, additionalData []byte) {
	if len(nonce) != k.key.NonceSize() {
		panic("sivka: incorrect nonce length given to " + k.name)
	}
	if uint64(len(text)) > maxFamilySize {
		panic("sivka: message too large for " + k.name)
	}
	if uint64(len(additionalData)) > maxFamilySize {
		panic("sivka: additional data too large for " + k.name)
	}
}
