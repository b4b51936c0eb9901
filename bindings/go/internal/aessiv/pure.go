//go:build purego || !(amd64 || arm64)

// Package aessiv is AES-SIV in plain Go: there is no machine code for this
// build.
package aessiv

import (
	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
)

const (
	// TagSize is the length of a tag in bytes.
	TagSize = 16
	// MaxStrings is the most strings of associated data (RFC 5297, section 7).
	MaxStrings = 126
)

// Checked reports that there is no machine code to be checked.
func Checked(machine.Tier) bool { return true }

// Key is a key of 32, 48 or 64 bytes.
type Key struct {
	pure pure.Key[pure.SIV]
	size int
}

// NewKey makes a key.
func NewKey(key []byte, _ machine.Tier) *Key {
	k := &Key{size: len(key)}
	k.pure.Set(pure.NewSIV(key))
	return k
}

// Size returns the bytes of the key.
func (k *Key) Size() int { return k.size }

// Wipe lets go of the key, which is not overwritten: crypto/aes has it.
func (k *Key) Wipe() {
	if k != nil {
		k.pure.Drop()
	}
}

func (k *Key) use() *pure.SIV {
	if k == nil {
		machine.NotMade()
	}
	return k.pure.Get()
}

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag. There are at most MaxStrings strings of associated data.
func (k *Key) Seal(aads [][]byte, from, to []byte, tag *[TagSize]byte) {
	k.use().Seal(aads, from, to, tag[:])
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(aads [][]byte, from, to []byte, tag *[TagSize]byte) bool {
	return k.use().Open(aads, from, to, tag[:])
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	slab.Each(0, TagSize, func(_, aad, text, tag []byte) bool {
		k.use().Seal([][]byte{aad}, text, text, tag)
		return true
	})
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	slab.Each(0, TagSize, func(_, aad, text, tag []byte) bool {
		return k.use().Open([][]byte{aad}, text, text, tag)
	})
}
