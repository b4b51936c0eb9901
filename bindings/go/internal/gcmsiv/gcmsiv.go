//go:build (amd64 || arm64) && !purego

// Package gcmsiv is the machine code of AES-GCM-SIV, and the calls that
// enter it.
//
// A key lies in memory that Go allocates and does not move. A call reads and
// writes what it is passed and keeps nothing. While it runs, the goroutine
// cannot be preempted.
package gcmsiv

import (
	"runtime"
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/room"
)

// Lengths in bytes.
const (
	NonceSize = 12
	TagSize   = 16
	// keyRoom is what bindings/go/blob checks that a key needs at most.
	keyRoom = 1088
)

var answers machine.KnownAnswers

// Checked reports whether the known answers hold on a tier.
func Checked(tier machine.Tier) bool {
	return answers.Hold(tier, func(features uint64, tier machine.Tier) bool {
		return knownAnswers(features, uint64(tier)) == machine.Done
	})
}

// Key is a key of 16 or 32 bytes. It is wiped when nothing refers to it.
type Key struct {
	place unsafe.Pointer
	// long is whether it has 32 bytes.
	long bool
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(key []byte, tier machine.Tier) *Key {
	k := &Key{room.New(keyRoom), len(key) == 32}
	if k.long {
		machine.Must(new256(k.place, (*[32]byte)(key), machine.Features(), uint64(tier)))
		runtime.AddCleanup(k, func(place unsafe.Pointer) { wipe256(place) }, k.place)
	} else {
		machine.Must(new128(k.place, (*[16]byte)(key), machine.Features(), uint64(tier)))
		runtime.AddCleanup(k, func(place unsafe.Pointer) { wipe128(place) }, k.place)
	}
	return k
}

// Size returns the bytes of the key.
func (k *Key) Size() int {
	if k.long {
		return 32
	}
	return 16
}

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag.
func (k *Key) Seal(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) {
	var status uint64
	if k.long {
		status = seal256(k.place, nonce, unsafe.SliceData(aad), len(aad), unsafe.SliceData(from), unsafe.SliceData(to), len(to), tag)
	} else {
		status = seal128(k.place, nonce, unsafe.SliceData(aad), len(aad), unsafe.SliceData(from), unsafe.SliceData(to), len(to), tag)
	}
	runtime.KeepAlive(k)
	machine.Must(status)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) bool {
	var status uint64
	if k.long {
		status = open256(k.place, nonce, unsafe.SliceData(aad), len(aad), unsafe.SliceData(from), unsafe.SliceData(to), len(to), tag)
	} else {
		status = open128(k.place, nonce, unsafe.SliceData(aad), len(aad), unsafe.SliceData(from), unsafe.SliceData(to), len(to), tag)
	}
	runtime.KeepAlive(k)
	return machine.Opened(status)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	var status uint64
	if k.long {
		status = sealBatch256(k.place, slab)
	} else {
		status = sealBatch128(k.place, slab)
	}
	runtime.KeepAlive(k)
	machine.Must(status)
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	var status uint64
	if k.long {
		status = openBatch256(k.place, slab)
	} else {
		status = openBatch128(k.place, slab)
	}
	runtime.KeepAlive(k)
	machine.Must(status)
}
