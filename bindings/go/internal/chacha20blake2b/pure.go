//go:build purego || !(amd64 || arm64)

// Package chacha20blake2b is ChaCha20-BLAKE2b and its variants in plain Go:
// there is no machine code for this build.
package chacha20blake2b

import (
	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
)

// Lengths in bytes.
const (
	KeySize           = 32
	ShortNonceSize    = 8
	ExtendedNonceSize = 24
)

// Checked reports that there is no machine code to be checked.
func Checked(machine.Tier) bool { return true }

// Variant is one AEAD of the family.
type Variant uint8

// The variants: with nonces of 8 bytes, of 24 bytes, and without.
const (
	Short Variant = iota
	Extended
	SIV
)

// Key is a key of a variant, with tags of 32, 48 or 64 bytes.
type Key struct {
	pure               pure.Key[pure.ChaCha20BLAKE2b]
	nonceSize, tagSize int
}

// NewKey makes a key.
func NewKey(variant Variant, key *[KeySize]byte, tagSize int, _ machine.Tier) *Key {
	nonceSize := [...]int{ShortNonceSize, ExtendedNonceSize, 0}[variant]
	k := &Key{nonceSize: nonceSize, tagSize: tagSize}
	k.pure.Set(pure.NewChaCha20BLAKE2b(nonceSize, key[:], tagSize))
	return k
}

// NonceSize returns the length of a nonce in bytes.
func (k *Key) NonceSize() int {
	if k == nil {
		machine.NotMade()
	}
	return k.nonceSize
}

// TagSize returns the length of a tag in bytes.
func (k *Key) TagSize() int {
	if k == nil {
		machine.NotMade()
	}
	return k.tagSize
}

// Wipe lets go of the key, which is not overwritten.
func (k *Key) Wipe() {
	if k != nil {
		k.pure.Drop()
	}
}

func (k *Key) use() *pure.ChaCha20BLAKE2b {
	if k == nil {
		machine.NotMade()
	}
	return k.pure.Get()
}

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag. Nonce and tag are as long as the key has them.
func (k *Key) Seal(nonce, aad, from, to, tag []byte) {
	k.use().Seal(nonce, aad, from, to, tag)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(nonce, aad, from, to, tag []byte) bool {
	return k.use().Open(nonce, aad, from, to, tag)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	slab.Each(k.nonceSize, k.tagSize, func(nonce, aad, text, tag []byte) bool {
		k.use().Seal(nonce, aad, text, text, tag)
		return true
	})
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	slab.Each(k.nonceSize, k.tagSize, func(nonce, aad, text, tag []byte) bool {
		return k.use().Open(nonce, aad, text, text, tag)
	})
}
