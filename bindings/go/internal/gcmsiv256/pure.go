//go:build purego || !(amd64 || arm64)

// Package gcmsiv256 is AES-256-GCM-SIV in plain Go: there is no machine code
// for this build.
package gcmsiv256

import (
	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
)

// Lengths in bytes.
const (
	KeySize   = 32
	NonceSize = 12
	TagSize   = 16
)

// Checked reports that there is no machine code to be checked.
func Checked(machine.Tier) bool { return true }

// Key is a key.
type Key struct {
	pure pure.Key[pure.GCMSIV]
}

// NewKey makes a key.
func NewKey(key *[KeySize]byte, _ machine.Tier) *Key {
	k := &Key{}
	k.pure.Set(pure.NewGCMSIV(key[:]))
	return k
}

// Wipe lets go of the key, which is not overwritten: crypto/aes has it.
func (k *Key) Wipe() {
	if k != nil {
		k.pure.Drop()
	}
}

func (k *Key) use() *pure.GCMSIV {
	if k == nil {
		machine.NotMade()
	}
	return k.pure.Get()
}

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag.
func (k *Key) Seal(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) {
	k.use().Seal(nonce[:], aad, from, to, tag[:])
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) bool {
	return k.use().Open(nonce[:], aad, from, to, tag[:])
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	slab.Each(NonceSize, TagSize, func(nonce, aad, text, tag []byte) bool {
		k.use().Seal(nonce, aad, text, text, tag)
		return true
	})
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	slab.Each(NonceSize, TagSize, func(nonce, aad, text, tag []byte) bool {
		return k.use().Open(nonce, aad, text, text, tag)
	})
}
