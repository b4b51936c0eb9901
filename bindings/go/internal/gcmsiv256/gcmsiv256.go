//go:build (amd64 || arm64) && !purego

// Package gcmsiv256 is the machine code of AES-256-GCM-SIV, and the calls that
// enter it.
//
// A key lies in memory that Go allocates and does not move. A call reads and
// writes what it is passed and keeps nothing. While it runs, the goroutine
// cannot be preempted.
package gcmsiv256

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/room"
)

// Lengths in bytes.
const (
	KeySize   = 32
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

// Seal encrypts so many bytes to a place that may be the same, and writes
// the tag.
func (k *Key) Seal(nonce *[NonceSize]byte, aad []byte, from, to *byte, size int, tag *[TagSize]byte) {
	status := seal(&machine.Call{
		Key: k.place(), Nonce: nonce, AAD: unsafe.SliceData(aad), AADSize: len(aad),
		From: from, To: to, Size: size, Tag: tag,
	})
	if k.room.IsWiped() {
		machine.WipedMeanwhile(unsafe.Slice(to, size), tag[:])
	}
	machine.Must(status)
}

// Open decrypts so many bytes to a place that may be the same, and reports
// whether the tag is right. If not, there are zeros.
func (k *Key) Open(nonce *[NonceSize]byte, aad []byte, from, to *byte, size int, tag *[TagSize]byte) bool {
	status := open(&machine.Call{
		Key: k.place(), Nonce: nonce, AAD: unsafe.SliceData(aad), AADSize: len(aad),
		From: from, To: to, Size: size, Tag: tag,
	})
	if k.room.IsWiped() {
		machine.WipedMeanwhile(unsafe.Slice(to, size))
	}
	return machine.Opened(status)
}

// SealBatch seals messages, which were checked, in place.
func (k *Key) SealBatch(m *batch.Messages) {
	place := k.place()
	for first := 0; first < m.Count(); first += batch.SlabLen {
		end := min(first+batch.SlabLen, m.Count())
		if m.OneByOne(first, end, k.tier) {
			for i := first; i < end; i++ {
				bytes := m.Texts.At(i)
				text, size := unsafe.SliceData(bytes), len(bytes)
				k.Seal((*[NonceSize]byte)(m.Nonces[i*NonceSize:]), m.AADs.At(i), text, text, size, (*[TagSize]byte)(m.Tags[i*TagSize:]))
			}
			continue
		}
		slab := m.Slab(first, NonceSize, TagSize)
		status := sealBatch(place, &slab)
		if k.room.IsWiped() {
			slab.WipedMeanwhile()
		}
		machine.Must(status)
	}
}

// OpenBatch opens messages, which were checked, in place. It returns the
// numbers of those that do not open.
func (k *Key) OpenBatch(m *batch.Messages) (failed []int) {
	place := k.place()
	for first := 0; first < m.Count(); first += batch.SlabLen {
		end := min(first+batch.SlabLen, m.Count())
		if m.OneByOne(first, end, k.tier) {
			for i := first; i < end; i++ {
				bytes := m.Texts.At(i)
				text, size := unsafe.SliceData(bytes), len(bytes)
				if !k.Open((*[NonceSize]byte)(m.Nonces[i*NonceSize:]), m.AADs.At(i), text, text, size, (*[TagSize]byte)(m.Tags[i*TagSize:])) {
					failed = append(failed, i)
				}
			}
			continue
		}
		slab := m.Slab(first, NonceSize, TagSize)
		status := openBatch(place, &slab)
		if k.room.IsWiped() {
			slab.WipedMeanwhile()
		}
		machine.Must(status)
		failed = slab.AppendFailed(failed, first)
	}
	return failed
}
