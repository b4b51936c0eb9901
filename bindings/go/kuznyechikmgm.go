package sivka

import (
	"crypto/cipher"
	"crypto/rand"

	"sivka.dev/go/internal/aead"
	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/buffer"
)

var _ cipher.AEAD = (*KuznyechikMGM)(nil)

// Lengths of Kuznyechik-MGM in bytes.
const (
	mgmNonceSize = 16
	mgmTagSize   = 16
)

// KuznyechikMGM is a key of Kuznyechik-MGM (RFC 9058), for protocols that ask
// for it. It implements [cipher.AEAD] with nonces and tags of 16 bytes.
//
// The first bit of a nonce must be zero. Plaintext and additional data
// together have at least one byte, and fewer than 2^61. Sealing panics for
// others, and has written nothing then.
//
// It is not nonce-misuse resistant: two messages sealed under one nonce
// reveal the difference of their plaintexts, and tags protect no more. It is
// not key-committing.
type KuznyechikMGM struct {
	keyed
}

// NewKuznyechikMGM makes a key from 32 uniformly random bytes, which it copies.
// The errors are [KeySizeError], [ErrNoCode] and [ErrSelfCheck].
func NewKuznyechikMGM(key []byte) (*KuznyechikMGM, error) {
	made, err := newKey(&aead.KuznyechikMGM, key, mgmTagSize)
	if err != nil {
		return nil, err
	}
	return &KuznyechikMGM{made}, nil
}

// Seal is as that of [AES256GCMSIV]. It panics as well for a nonce whose first
// bit is set, and if there is neither plaintext nor additional data.
func (k *KuznyechikMGM) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkMGM(nonce, plaintext, additionalData)
	return k.keyed.Seal(dst, nonce, plaintext, additionalData)
}

// checkMGM panics for what MGM does not seal.
func checkMGM(nonce, plaintext, additionalData []byte) {
	if len(nonce) > 0 && nonce[0]&0x80 != 0 {
		panic("sivka: the first bit of an MGM nonce must be zero")
	}
	if len(plaintext)+len(additionalData) == 0 {
		panic("sivka: MGM cannot seal an empty plaintext with empty additional data")
	}
}

// SealBatch is as that of [AES256GCMSIV]. It panics as well for a message that
// [KuznyechikMGM.Seal] refuses.
func (k *KuznyechikMGM) SealBatch(b *Batch) {
	var messages batch.Messages
	b.describe(&messages)
	k.key.CheckBatch(&messages)
	for i := range messages.Count() {
		checkMGM(b.Nonces[mgmNonceSize*i:], messages.Texts.At(i), messages.AADs.At(i))
	}
	k.key.SealBatch(&messages)
}

// SealRandom seals under a random nonce of 127 bits, and appends nonce,
// ciphertext and tag to dst, which it returns. It panics as Seal does; the
// output must not overlap plaintext or additionalData at all.
func (k *KuznyechikMGM) SealRandom(dst, plaintext, additionalData []byte) []byte {
	checkMGM(nil, plaintext, additionalData)
	whole, room := buffer.Append(dst, mgmNonceSize+len(plaintext)+mgmTagSize)
	buffer.CheckApart(room, plaintext, additionalData)
	nonce := room[:mgmNonceSize]
	// It ends the program where the system gives no random bytes.
	_, _ = rand.Read(nonce)
	nonce[0] &= 0x7f
	k.Seal(nonce, nonce, plaintext, additionalData)
	return whole
}

// OpenRandom is as that of [AES256GCMSIV].
func (k *KuznyechikMGM) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	return drawing{k.keyed}.OpenRandom(dst, sealed, additionalData)
}
