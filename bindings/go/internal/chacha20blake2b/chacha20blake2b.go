//go:build (amd64 || arm64) && !purego

// Package chacha20blake2b is the machine code of ChaCha20-BLAKE2b and its
// variants, and the calls that enter it, as package gcmsiv.
package chacha20blake2b

import (
	"runtime"
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
// when nothing refers to it.
type Key struct {
	place   unsafe.Pointer
	variant Variant
	tagSize int
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(variant Variant, key *[KeySize]byte, tagSize int, tier machine.Tier) *Key {
	k := &Key{room.New(keyRoom), variant, tagSize}
	features, number := machine.Features(), uint64(tier)
	var wipe func(place unsafe.Pointer) uint64
	switch variant {
	case Short:
		machine.Must(newShort(k.place, key, features, number, tagSize))
		wipe = wipeShort
	case Extended:
		machine.Must(newExtended(k.place, key, features, number, tagSize))
		wipe = wipeExtended
	default:
		machine.Must(newSIV(k.place, key, features, number, tagSize))
		wipe = wipeSIV
	}
	runtime.AddCleanup(k, func(place unsafe.Pointer) { wipe(place) }, k.place)
	return k
}

// NonceSize returns the length of a nonce in bytes.
func (k *Key) NonceSize() int {
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
func (k *Key) TagSize() int { return k.tagSize }

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag. Nonce and tag are as long as the key has them.
func (k *Key) Seal(nonce, aad, from, to, tag []byte) {
	source, target, place := unsafe.SliceData(from), unsafe.SliceData(to), unsafe.SliceData(tag)
	var status uint64
	switch k.variant {
	case Short:
		status = sealShort(k.place, unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), place, len(tag))
	case Extended:
		status = sealExtended(k.place, unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), place, len(tag))
	default:
		status = sealSIV(k.place, place, unsafe.SliceData(aad), len(aad), source, target, len(to), place, len(tag))
	}
	runtime.KeepAlive(k)
	machine.Must(status)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(nonce, aad, from, to, tag []byte) bool {
	source, target, place := unsafe.SliceData(from), unsafe.SliceData(to), unsafe.SliceData(tag)
	var status uint64
	switch k.variant {
	case Short:
		status = openShort(k.place, unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), place, len(tag))
	case Extended:
		status = openExtended(k.place, unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), place, len(tag))
	default:
		status = openSIV(k.place, place, unsafe.SliceData(aad), len(aad), source, target, len(to), place, len(tag))
	}
	runtime.KeepAlive(k)
	return machine.Opened(status)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	var status uint64
	switch k.variant {
	case Short:
		status = sealBatchShort(k.place, slab)
	case Extended:
		status = sealBatchExtended(k.place, slab)
	default:
		status = sealBatchSIV(k.place, slab)
	}
	runtime.KeepAlive(k)
	machine.Must(status)
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	var status uint64
	switch k.variant {
	case Short:
		status = openBatchShort(k.place, slab)
	case Extended:
		status = openBatchExtended(k.place, slab)
	default:
		status = openBatchSIV(k.place, slab)
	}
	runtime.KeepAlive(k)
	machine.Must(status)
}
