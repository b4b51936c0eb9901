// Package aessiv is AES-SIV: the calls of its machine code, or plain Go, as
// package gcmsiv256.
package aessiv

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
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

// Checked reports whether the known answers hold on a tier. Plain Go has none.
func Checked(tier machine.Tier) bool {
	return !asm.present() || answers.Hold(tier, func(features uint64, tier machine.Tier) bool {
		return asm.knownAnswers(features, uint64(tier)) == machine.Done
	})
}

// Key is a key of 32, 48 or 64 bytes. It is wiped by Wipe, or when nothing
// refers to it.
type Key struct {
	room room.Key
	// pure is the key in plain Go.
	pure pure.Key[pure.SIV]
	size int
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(key []byte, tier machine.Tier) *Key {
	k := &Key{size: len(key)}
	if !asm.present() {
		k.pure.Set(pure.NewSIV(key))
		return k
	}
	k.room.Make(keyRoom, func(place unsafe.Pointer) uint64 {
		features, number := machine.Features(), uint64(tier)
		switch len(key) {
		case 32:
			return asm.new256(place, &key[0], features, number)
		case 48:
			return asm.new384(place, &key[0], features, number)
		default:
			return asm.new512(place, &key[0], features, number)
		}
	})
	return k
}

// Wipe overwrites the key, and what calls have left on this goroutine's stack.
// Plain Go lets go of the key, and overwrites nothing.
func (k *Key) Wipe() {
	if k != nil && asm.present() {
		k.room.Wipe()
	} else if k != nil {
		k.pure.Drop()
	}
}

// place returns where the key is.
func (k *Key) place() unsafe.Pointer {
	if k == nil {
		machine.NotMade()
	}
	return k.room.Place()
}

// plain returns the key in plain Go.
func (k *Key) plain() *pure.SIV {
	if k == nil {
		machine.NotMade()
	}
	return k.pure.Get()
}

// Size returns the bytes of the key.
func (k *Key) Size() int { return k.size }

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag. There are at most MaxStrings strings of associated data.
func (k *Key) Seal(aads [][]byte, from, to []byte, tag *[TagSize]byte) {
	if !asm.present() {
		k.plain().Seal(aads, from, to, tag[:])
		return
	}
	first, source, target := unsafe.SliceData(aads), unsafe.SliceData(from), unsafe.SliceData(to)
	place := k.place()
	var status uint64
	switch k.size {
	case 32:
		status = asm.seal256(place, first, len(aads), source, target, len(to), tag)
	case 48:
		status = asm.seal384(place, first, len(aads), source, target, len(to), tag)
	default:
		status = asm.seal512(place, first, len(aads), source, target, len(to), tag)
	}
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to, tag[:])
	}
	machine.Must(status)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(aads [][]byte, from, to []byte, tag *[TagSize]byte) bool {
	if !asm.present() {
		return k.plain().Open(aads, from, to, tag[:])
	}
	first, source, target := unsafe.SliceData(aads), unsafe.SliceData(from), unsafe.SliceData(to)
	place := k.place()
	var status uint64
	switch k.size {
	case 32:
		status = asm.open256(place, first, len(aads), source, target, len(to), tag)
	case 48:
		status = asm.open384(place, first, len(aads), source, target, len(to), tag)
	default:
		status = asm.open512(place, first, len(aads), source, target, len(to), tag)
	}
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to)
	}
	return machine.Opened(status)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	if !asm.present() {
		slab.Each(0, TagSize, func(_, aad, text, tag []byte) bool {
			k.plain().Seal([][]byte{aad}, text, text, tag)
			return true
		})
		return
	}
	place := k.place()
	var status uint64
	switch k.size {
	case 32:
		status = asm.sealBatch256(place, slab)
	case 48:
		status = asm.sealBatch384(place, slab)
	default:
		status = asm.sealBatch512(place, slab)
	}
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	if !asm.present() {
		slab.Each(0, TagSize, func(_, aad, text, tag []byte) bool {
			return k.plain().Open([][]byte{aad}, text, text, tag)
		})
		return
	}
	place := k.place()
	var status uint64
	switch k.size {
	case 32:
		status = asm.openBatch256(place, slab)
	case 48:
		status = asm.openBatch384(place, slab)
	default:
		status = asm.openBatch512(place, slab)
	}
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}
