//go:build (amd64 || arm64) && !purego

// Package gcmsiv128 is the machine code of AES-128-GCM-SIV, and the calls that
// enter it.
//
// A key lies in memory that Go allocates and does not move. A call reads and
// writes what it is passed and keeps nothing. While it runs, the goroutine
// cannot be preempted.
package gcmsiv128

import (
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

// Key is a key. It is wiped by Wipe, or when nothing refers to it.
type Key struct {
	room room.Key
	tier machine.Tier
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(key *[KeySize]byte, tier machine.Tier) *Key {
	k := &Key{tier: tier}
	k.room.Make(keyRoom, func(place unsafe.Pointer) uint64 {
		return newKey(place, key, machine.Features(), uint64(tier))
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

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag.
func (k *Key) Seal(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) {
	status := seal(k.place(), nonce, unsafe.SliceData(aad), len(aad), unsafe.SliceData(from), unsafe.SliceData(to), len(to), tag)
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to, tag[:])
	}
	machine.Must(status)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(nonce *[NonceSize]byte, aad, from, to []byte, tag *[TagSize]byte) bool {
	status := open(k.place(), nonce, unsafe.SliceData(aad), len(aad), unsafe.SliceData(from), unsafe.SliceData(to), len(to), tag)
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to)
	}
	return machine.Opened(status)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	place := k.place()
	if slab.OneByOne(k.tier) {
		slab.Each(NonceSize, TagSize, func(nonce, aad, text, tag []byte) bool {
			k.Seal((*[NonceSize]byte)(nonce), aad, text, text, (*[TagSize]byte)(tag))
			return true
		})
		return
	}
	status := sealBatch(place, slab)
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	place := k.place()
	if slab.OneByOne(k.tier) {
		slab.Each(NonceSize, TagSize, func(nonce, aad, text, tag []byte) bool {
			return k.Open((*[NonceSize]byte)(nonce), aad, text, text, (*[TagSize]byte)(tag))
		})
		return
	}
	status := openBatch(place, slab)
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}
