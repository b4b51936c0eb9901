//go:build (amd64 || arm64) && !purego

// Package aessiv is the machine code of AES-SIV, and the calls that enter
// it, as package gcmsiv.
package aessiv

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/room"
)

const (
	// TagSize is the length of a tag in bytes.
	TagSize = 16
	// MaxStrings is the most strings of associated data (RFC 5297, section 7).
	MaxStrings = 126
	// keyRoom is what bindings/go/blob checks that a key needs at most.
	keyRoom = 2112
)

var answers machine.KnownAnswers

// Checked reports whether the known answers hold on a tier.
func Checked(tier machine.Tier) bool {
	return answers.Hold(tier, func(features uint64, tier machine.Tier) bool {
		return knownAnswers(features, uint64(tier)) == machine.Done
	})
}

// Key is a key of 32, 48 or 64 bytes. It is wiped by Wipe, or when nothing
// refers to it.
type Key struct {
	room room.Key
	size int
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(key []byte, tier machine.Tier) *Key {
	k := &Key{size: len(key)}
	k.room.Make(keyRoom, func(place unsafe.Pointer) uint64 {
		features, number := machine.Features(), uint64(tier)
		switch len(key) {
		case 32:
			return new256(place, (*[32]byte)(key), features, number)
		case 48:
			return new384(place, (*[48]byte)(key), features, number)
		default:
			return new512(place, (*[64]byte)(key), features, number)
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

// place returns where the key is.
func (k *Key) place() unsafe.Pointer {
	if k == nil {
		machine.NotMade()
	}
	return k.room.Place()
}

// Size returns the bytes of the key.
func (k *Key) Size() int { return k.size }

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag. There are at most MaxStrings strings of associated data.
func (k *Key) Seal(aads [][]byte, from, to []byte, tag *[TagSize]byte) {
	first, source, target := unsafe.SliceData(aads), unsafe.SliceData(from), unsafe.SliceData(to)
	place := k.place()
	var status uint64
	switch k.size {
	case 32:
		status = seal256(place, first, len(aads), source, target, len(to), tag)
	case 48:
		status = seal384(place, first, len(aads), source, target, len(to), tag)
	default:
		status = seal512(place, first, len(aads), source, target, len(to), tag)
	}
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to, tag[:])
	}
	machine.Must(status)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(aads [][]byte, from, to []byte, tag *[TagSize]byte) bool {
	first, source, target := unsafe.SliceData(aads), unsafe.SliceData(from), unsafe.SliceData(to)
	place := k.place()
	var status uint64
	switch k.size {
	case 32:
		status = open256(place, first, len(aads), source, target, len(to), tag)
	case 48:
		status = open384(place, first, len(aads), source, target, len(to), tag)
	default:
		status = open512(place, first, len(aads), source, target, len(to), tag)
	}
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to)
	}
	return machine.Opened(status)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	place := k.place()
	var status uint64
	switch k.size {
	case 32:
		status = sealBatch256(place, slab)
	case 48:
		status = sealBatch384(place, slab)
	default:
		status = sealBatch512(place, slab)
	}
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	place := k.place()
	var status uint64
	switch k.size {
	case 32:
		status = openBatch256(place, slab)
	case 48:
		status = openBatch384(place, slab)
	default:
		status = openBatch512(place, slab)
	}
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}
