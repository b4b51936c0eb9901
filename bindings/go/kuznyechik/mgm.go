package kuznyechik

import (
	"crypto/cipher"
	"crypto/rand"

	"sivka.dev/go"
	"sivka.dev/go/internal/aead"
	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/buffer"
)

var _ cipher.AEAD = (*MGM)(nil)

// Lengths in bytes.
const (
	nonceSize = 16
	tagSize   = 16
)

// MGM is a key of Kuznyechik-MGM (RFC 9058). It implements [cipher.AEAD] with
// nonces and tags of 16 bytes.
//
// The first bit of a nonce must be zero. Plaintext and additional data
// together have at least one byte, and fewer than 2^61.
//
// It is not nonce-misuse resistant: two messages sealed under one nonce
// reveal the difference of their plaintexts, and tags protect no more. It is
// not key-committing.
type MGM struct {
	ownedKey
}

// NewMGM makes a key from 32 uniformly random bytes, which it copies. The
// errors are [sivka.KeySizeError], [ErrNoCode] and [sivka.ErrSelfCheck].
func NewMGM(key []byte) (*MGM, error) {
	made, err := makeKey(&aead.KuznyechikMGM, key, tagSize)
	if err != nil {
		return nil, err
	}
	return &MGM{made}, nil
}

// NonceSize returns 16, the length of a nonce in bytes.
func (*MGM) NonceSize() int { return nonceSize }

// Overhead returns 16, the length of a tag in bytes.
func (*MGM) Overhead() int { return tagSize }

// Seal encrypts and authenticates plaintext, authenticates additionalData,
// and appends ciphertext and tag to dst, which it returns. It allocates
// nothing if dst has room.
//
// To seal in place, pass plaintext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap plaintext. It must never overlap
// additionalData. Seal panics if they overlap, for a nonce of a wrong length
// or whose first bit is set, or if there is neither plaintext nor additional
// data; it has written nothing then.
func (k *MGM) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkNonce(nonce)
	checkNotEmpty(plaintext, additionalData)
	return k.key.Seal(dst, nonce, plaintext, additionalData)
}

// Open decrypts and authenticates what [MGM.Seal] appended, and appends the
// plaintext to dst, which it returns. It allocates nothing if dst has room.
//
// To open in place, pass ciphertext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap ciphertext. It must never overlap
// additionalData. Open panics if they overlap, or for a nonce of a wrong
// length.
//
// The only error is [sivka.ErrOpen]. What would have been appended to dst is
// then zeros, and holds no plaintext.
func (k *MGM) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	opened, isAuthentic := k.key.Open(dst, nonce, ciphertext, additionalData)
	if !isAuthentic {
		return nil, sivka.ErrOpen
	}
	return opened, nil
}

// checkNonce panics for a nonce whose first bit is set.
func checkNonce(nonce []byte) {
	if len(nonce) > 0 && nonce[0]&0x80 != 0 {
		panic("kuznyechik: the first bit of an MGM nonce must be zero")
	}
}

func checkNotEmpty(plaintext, additionalData []byte) {
	if len(plaintext)+len(additionalData) == 0 {
		panic("kuznyechik: MGM cannot seal an empty plaintext with empty additional data")
	}
}

// SealRandom seals under a random nonce of 127 bits, and appends nonce,
// ciphertext and tag to dst, which it returns. It panics as [MGM.Seal] does;
// the output must not overlap plaintext or additionalData at all.
func (k *MGM) SealRandom(dst, plaintext, additionalData []byte) []byte {
	checkNotEmpty(plaintext, additionalData)
	whole, place := buffer.Append(dst, nonceSize+len(plaintext)+tagSize)
	buffer.CheckApart(place, plaintext, additionalData)
	nonce := place[:nonceSize]
	// It ends the program where the system gives no random bytes.
	_, _ = rand.Read(nonce)
	nonce[0] &= 0x7f
	k.Seal(nonce, nonce, plaintext, additionalData)
	return whole
}

// OpenRandom opens what [MGM.SealRandom] appended, and appends the plaintext
// to dst, which it returns. To open in place, pass sealed[16:16] as dst. It
// fails and panics as [MGM.Open] does.
func (k *MGM) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	if len(sealed) < nonceSize+tagSize {
		return nil, sivka.ErrOpen
	}
	return k.Open(dst, sealed[:nonceSize], sealed[nonceSize:], additionalData)
}

// SealBatch encrypts and authenticates every message of b in place, and
// writes the tags. It panics if the parts of b do not fit together or
// overlap, or if a message may not be sealed; see [MGM.Seal]. It has written
// nothing then.
func (k *MGM) SealBatch(b *sivka.Batch) {
	messages := described(b)
	k.key.CheckBatch(messages)
	for i := range messages.Count() {
		checkNonce(b.Nonces[nonceSize*i:])
		checkNotEmpty(messages.Texts.At(i), messages.AADs.At(i))
	}
	k.key.SealBatch(messages)
}

// OpenBatch decrypts and authenticates every message of b in place. The only
// error is a [sivka.BatchError]; [sivka.ErrOpen] is in its tree. It panics if
// the parts of b do not fit together or overlap.
func (k *MGM) OpenBatch(b *sivka.Batch) error {
	messages := described(b)
	k.key.CheckBatch(messages)
	if failed := k.key.OpenBatch(messages); failed != nil {
		return &sivka.BatchError{Failed: failed}
	}
	return nil
}

// described returns the messages of b.
func described(b *sivka.Batch) *batch.Messages {
	return &batch.Messages{
		Nonces: b.Nonces,
		Tags:   b.Tags,
		Texts:  batch.Strings{Slices: b.Texts, Buffer: b.Text, Offsets: b.Offsets},
		AADs:   batch.Strings{Slices: b.AADs, Buffer: b.AAD, Offsets: b.AADOffsets},
	}
}

// String returns the name of the algorithm, and nothing of the key.
func (*MGM) String() string { return "Kuznyechik-MGM" }

// GoString is as [MGM.String].
func (k *MGM) GoString() string { return k.String() }
