// Package gcmsiv128 is AES-128-GCM-SIV: the calls of its machine code, or plain
// Go where a program has none. The compiler knows which, and leaves out the
// other.
//
// A key lies in memory that Go allocates and does not move. A call reads and
// writes what it is passed and keeps nothing. While it runs, the goroutine
// cannot be preempted.
package gcmsiv128

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
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

// Checked reports whether the known answers hold on a tier. Plain Go has none.
func Checked(tier machine.Tier) bool {
	return !asm.present() || answers.Hold(tier, func(features uint64, tier machine.Tier) bool {
		return asm.knownAnswers(features, uint64(tier)) == machine.Done
	})
}

// Key is a key. It is wiped by Wipe, or when nothing refers to it.
type Key struct {
	room room.Key
	// pure is the key in plain Go.
	pure pure.Key[pure.GCMSIV]
	tier machine.Tier
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(key *[KeySize]byte, tier machine.Tier) *Key {
	k := &Key{tier: tier}
	if !asm.present() {
		k.pure.Set(pure.NewGCMSIV(key[:]))
		return k
	}
	k.room.Make(keyRoom, func(place unsafe.Pointer) uint64 {
		return asm.newKey(place, &key[0], machine.Features(), uint64(tier))
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

// place returns where the key of the machine code is.
func (k *Key) place() unsafe.Pointer {
	if k == nil {
		machine.NotMade()
	}
	if !asm.present() {
		k.pure.Get()
		return nil
	}
	return k.room.Place()
}

// plain returns the key in plain Go.
func (k *Key) plain() *pure.GCMSIV {
	if k == nil {
		machine.NotMade()
	}
	return k.pure.Get()
}

// Seal encrypts so many bytes to a place that may be the same, and writes
// the tag.
func (k *Key) Seal(nonce *[NonceSize]byte, aad []byte, from, to *byte, size int, tag *[TagSize]byte) {
	if !asm.present() {
		k.plain().Seal(nonce[:], aad, unsafe.Slice(from, size), unsafe.Slice(to, size), tag[:])
		return
	}
	status := asm.seal(&machine.Call{
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
	if !asm.present() {
		return k.plain().Open(nonce[:], aad, unsafe.Slice(from, size), unsafe.Slice(to, size), tag[:])
	}
	status := asm.open(&machine.Call{
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
		if !asm.present() || m.OneByOne(first, end, k.tier) {
			for i := first; i < end; i++ {
				bytes := m.Texts.At(i)
				text, size := unsafe.SliceData(bytes), len(bytes)
				k.Seal((*[NonceSize]byte)(m.Nonces[i*NonceSize:]), m.AADs.At(i), text, text, size, (*[TagSize]byte)(m.Tags[i*TagSize:]))
			}
			continue
		}
		slab := m.Slab(first, NonceSize, TagSize)
		status := asm.sealBatch(place, &slab)
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
		if !asm.present() || m.OneByOne(first, end, k.tier) {
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
		status := asm.openBatch(place, &slab)
		if k.room.IsWiped() {
			slab.WipedMeanwhile()
		}
		machine.Must(status)
		failed = slab.AppendFailed(failed, first)
	}
	return failed
}
