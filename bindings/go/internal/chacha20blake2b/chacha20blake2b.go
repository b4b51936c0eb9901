//go:build (amd64 || arm64) && !purego

// Package chacha20blake2b is the machine code of ChaCha20-BLAKE2b and its
// variants, and the calls that enter it, as package gcmsiv.
package chacha20blake2b

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/room"
)

// Lengths in bytes.
const (
	KeySize           = 32
	ShortNonceSize    = 8
	ExtendedNonceSize = 24
	// keyRoom is what bindings/go/blob checks that a key needs at most.
	keyRoom = 448
)

var answers machine.KnownAnswers

// Checked reports whether the known answers hold on a tier.
func Checked(tier machine.Tier) bool {
	return answers.Hold(tier, func(features uint64, tier machine.Tier) bool {
		return knownAnswers(features, uint64(tier)) == machine.Done
	})
}

// Variant is one AEAD of the family.
type Variant uint8

// The variants: with nonces of 8 bytes, of 24 bytes, and without.
const (
	Short Variant = iota
	Extended
	SIV
)

// Key is a key of a variant, with tags of 32, 48 or 64 bytes. It is wiped
// by Wipe, or when nothing refers to it.
type Key struct {
	room    room.Key
	variant Variant
	tagSize int
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(variant Variant, key *[KeySize]byte, tagSize int, tier machine.Tier) *Key {
	k := &Key{variant: variant, tagSize: tagSize}
	k.room.Make(keyRoom, func(place unsafe.Pointer) uint64 {
		features, number := machine.Features(), uint64(tier)
		switch variant {
		case Short:
			return newShort(place, key, features, number, tagSize)
		case Extended:
			return newExtended(place, key, features, number, tagSize)
		default:
			return newSIV(place, key, features, number, tagSize)
		}
	})
	return k
}

// Wipe overwrites the key, and what calls have left on this goroutine's stack.
func (k *Key) Wipe() {
	if k != nil {
		k.room.Wipe()
	}
}

// NonceSize returns the length of a nonce in bytes.
func (k *Key) NonceSize() int {
	if k == nil {
		machine.NotMade()
	}
	switch k.variant {
	case Short:
		return ShortNonceSize
	case Extended:
		return ExtendedNonceSize
	default:
		return 0
	}
}

// TagSize returns the length of a tag in bytes.
func (k *Key) TagSize() int {
	if k == nil {
		machine.NotMade()
	}
	return k.tagSize
}

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag. Nonce and tag are as long as the key has them.
func (k *Key) Seal(nonce, aad, from, to, tag []byte) {
	source, target, tagStart := unsafe.SliceData(from), unsafe.SliceData(to), unsafe.SliceData(tag)
	var status uint64
	switch k.variant {
	case Short:
		status = sealShort(k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	case Extended:
		status = sealExtended(k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	default:
		status = sealSIV(k.room.Place(), tagStart, unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	}
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to, tag)
	}
	machine.Must(status)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(nonce, aad, from, to, tag []byte) bool {
	source, target, tagStart := unsafe.SliceData(from), unsafe.SliceData(to), unsafe.SliceData(tag)
	var status uint64
	switch k.variant {
	case Short:
		status = openShort(k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	case Extended:
		status = openExtended(k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	default:
		status = openSIV(k.room.Place(), tagStart, unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	}
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to)
	}
	return machine.Opened(status)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	var status uint64
	switch k.variant {
	case Short:
		status = sealBatchShort(k.room.Place(), slab)
	case Extended:
		status = sealBatchExtended(k.room.Place(), slab)
	default:
		status = sealBatchSIV(k.room.Place(), slab)
	}
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	var status uint64
	switch k.variant {
	case Short:
		status = openBatchShort(k.room.Place(), slab)
	case Extended:
		status = openBatchExtended(k.room.Place(), slab)
	default:
		status = openBatchSIV(k.room.Place(), slab)
	}
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}
