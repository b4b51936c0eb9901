//go:build (amd64 || arm64) && !purego

// Package gcmsiv128 is the machine code of AES-128-GCM-SIV, and the calls that
// enter it.
//
// A key lies in memory that Go allocates and does not move. A call reads and
// writes what it is passed and keeps nothing. While it runs, the goroutine
// cannot be preempted.
package gcmsiv128

import (
	"runtime"
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/room"
)

// Lengths in bytes.
const (
	KeySize   = 16
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

// Key is a key. It is wiped when nothing refers to it.
type Key struct {
	place unsafe.Pointer
	tier  machine.Tier
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(key *[KeySize]byte, tier machine.Tier) *Key {
	k := &Key{room.New(keyRoom), tier}
	machine.Must(newKey(k.place, key, machine.Features(), uint64(tier)))
	runtime.AddCleanup(k, func(place unsafe.Pointer) { wipeKey(place) }, k.place)
	return k
}

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag.
func (k *Key) Seal(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) {
	status := seal(k.place, nonce, unsafe.SliceData(aad), len(aad), unsafe.SliceData(from), unsafe.SliceData(to), len(to), tag)
	runtime.KeepAlive(k)
	machine.Must(status)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) bool {
	status := open(k.place, nonce, unsafe.SliceData(aad), len(aad), unsafe.SliceData(from), unsafe.SliceData(to), len(to), tag)
	runtime.KeepAlive(k)
	return machine.Opened(status)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	if slab.OneByOne(k.tier) {
		slab.Each(NonceSize, TagSize, func(nonce, aad, text, tag []byte) bool {
			k.Seal((*[NonceSize]byte)(nonce), aad, text, text, (*[TagSize]byte)(tag))
			return true
		})
		return
	}
	status := sealBatch(k.place, slab)
	runtime.KeepAlive(k)
	machine.Must(status)
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	if slab.OneByOne(k.tier) {
		slab.Each(NonceSize, TagSize, func(nonce, aad, text, tag []byte) bool {
			return k.Open((*[NonceSize]byte)(nonce), aad, text, text, (*[TagSize]byte)(tag))
		})
		return
	}
	status := openBatch(k.place, slab)
	runtime.KeepAlive(k)
	machine.Must(status)
}
