//go:build purego || !(amd64 || arm64)

// Package gcmsiv is AES-GCM-SIV in plain Go: there is no machine code for
// this build.
package gcmsiv

import (
	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
)

// Lengths in bytes.
const (
	NonceSize = 12
	TagSize   = 16
)

// Checked reports that there is no machine code to be checked.
func Checked(machine.Tier) bool { return true }

// Key is a key of 16 or 32 bytes.
type Key struct {
	pure *pure.GCMSIV
	size int
}

// NewKey makes a key.
func NewKey(key []byte, _ machine.Tier) *Key {
	return &Key{pure.NewGCMSIV(key), len(key)}
}

// Size returns the bytes of the key.
func (k *Key) Size() int { return k.size }

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag.
func (k *Key) Seal(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) {
	k.pure.Seal(nonce[:], aad, from, to, tag[:])
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) bool {
	return k.pure.Open(nonce[:], aad, from, to, tag[:])
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	slab.Each(NonceSize, TagSize, func(nonce, aad, text, tag []byte) bool {
		k.pure.Seal(nonce, aad, text, text, tag)
		return true
	})
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	slab.Each(NonceSize, TagSize, func(nonce, aad, text, tag []byte) bool {
		return k.pure.Open(nonce, aad, text, text, tag)
	})
}
