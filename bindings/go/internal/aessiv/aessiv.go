//go:build (amd64 || arm64) && !purego

// Package aessiv is the machine code of AES-SIV, and the calls that enter
// it, as package gcmsiv.
package aessiv

import (
	"runtime"
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

// Key is a key of 32, 48 or 64 bytes. It is wiped when nothing refers to it.
type Key struct {
	place unsafe.Pointer
	size  int
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(key []byte, tier machine.Tier) *Key {
	k := &Key{room.New(keyRoom), len(key)}
	features, number := machine.Features(), uint64(tier)
	var wipe func(place unsafe.Pointer) uint64
	switch len(key) {
	case 32:
		machine.Must(new256(k.place, (*[32]byte)(key), features, number))
		wipe = wipe256
	case 48:
		machine.Must(new384(k.place, (*[48]byte)(key), features, number))
		wipe = wipe384
	default:
		machine.Must(new512(k.place, (*[64]byte)(key), features, number))
		wipe = wipe512
	}
	runtime.AddCleanup(k, func(place unsafe.Pointer) { wipe(place) }, k.place)
	return k
}

// Size returns the bytes of the key.
func (k *Key) Size() int { return k.size }

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag. There are at most MaxStrings strings of associated data.
func (k *Key) Seal(aads [][]byte, from, to []byte, tag *[TagSize]byte) {
	first, source, target := unsafe.SliceData(aads), unsafe.SliceData(from), unsafe.SliceData(to)
	var status uint64
	switch k.size {
	case 32:
		status = seal256(k.place, first, len(aads), source, target, len(to), tag)
	case 48:
		status = seal384(k.place, first, len(aads), source, target, len(to), tag)
	default:
		status = seal512(k.place, first, len(aads), source, target, len(to), tag)
	}
	runtime.KeepAlive(k)
	machine.Must(status)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(aads [][]byte, from, to []byte, tag *[TagSize]byte) bool {
	first, source, target := unsafe.SliceData(aads), unsafe.SliceData(from), unsafe.SliceData(to)
	var status uint64
	switch k.size {
	case 32:
		status = open256(k.place, first, len(aads), source, target, len(to), tag)
	case 48:
		status = open384(k.place, first, len(aads), source, target, len(to), tag)
	default:
		status = open512(k.place, first, len(aads), source, target, len(to), tag)
	}
	runtime.KeepAlive(k)
	return machine.Opened(status)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	var status uint64
	switch k.size {
	case 32:
		status = sealBatch256(k.place, slab)
	case 48:
		status = sealBatch384(k.place, slab)
	default:
		status = sealBatch512(k.place, slab)
	}
	runtime.KeepAlive(k)
	machine.Must(status)
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	var status uint64
	switch k.size {
	case 32:
		status = openBatch256(k.place, slab)
	case 48:
		status = openBatch384(k.place, slab)
	default:
		status = openBatch512(k.place, slab)
	}
	runtime.KeepAlive(k)
	machine.Must(status)
}
