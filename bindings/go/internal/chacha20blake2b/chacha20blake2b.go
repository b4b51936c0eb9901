// Package chacha20blake2b is ChaCha20-BLAKE2b and its variants: the calls of
// their machine code, or plain Go, as package gcmsiv256.
package chacha20blake2b

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
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

// Checked reports whether the known answers hold on a tier. Plain Go has none.
func Checked(tier machine.Tier) bool {
	return !asm.present() || answers.Hold(tier, func(features uint64, tier machine.Tier) bool {
		return asm.knownAnswers(features, uint64(tier)) == machine.Done
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
	room room.Key
	// pure is the key in plain Go.
	pure    pure.Key[pure.ChaCha20BLAKE2b]
	variant Variant
	tagSize int
}

// NewKey makes a key for a tier whose known answers hold.
func NewKey(variant Variant, key *[KeySize]byte, tagSize int, tier machine.Tier) *Key {
	k := &Key{variant: variant, tagSize: tagSize}
	if !asm.present() {
		k.pure.Set(pure.NewChaCha20BLAKE2b(k.NonceSize(), key[:], tagSize))
		return k
	}
	k.room.Make(keyRoom, func(place unsafe.Pointer) uint64 {
		features, number := machine.Features(), uint64(tier)
		switch variant {
		case Short:
			return asm.newShort(place, &key[0], features, number, tagSize)
		case Extended:
			return asm.newExtended(place, &key[0], features, number, tagSize)
		default:
			return asm.newSIV(place, &key[0], features, number, tagSize)
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

// plain returns the key in plain Go.
func (k *Key) plain() *pure.ChaCha20BLAKE2b {
	if k == nil {
		machine.NotMade()
	}
	return k.pure.Get()
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
	if !asm.present() {
		k.plain().Seal(nonce, aad, from, to, tag)
		return
	}
	source, target, tagStart := unsafe.SliceData(from), unsafe.SliceData(to), unsafe.SliceData(tag)
	var status uint64
	switch k.variant {
	case Short:
		status = asm.sealShort(k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	case Extended:
		status = asm.sealExtended(k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	default:
		status = asm.sealSIV(k.room.Place(), tagStart, unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	}
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to, tag)
	}
	machine.Must(status)
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *Key) Open(nonce, aad, from, to, tag []byte) bool {
	if !asm.present() {
		return k.plain().Open(nonce, aad, from, to, tag)
	}
	source, target, tagStart := unsafe.SliceData(from), unsafe.SliceData(to), unsafe.SliceData(tag)
	var status uint64
	switch k.variant {
	case Short:
		status = asm.openShort(k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	case Extended:
		status = asm.openExtended(k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	default:
		status = asm.openSIV(k.room.Place(), tagStart, unsafe.SliceData(aad), len(aad), source, target, len(to), tagStart, len(tag))
	}
	if k.room.IsWiped() {
		machine.WipedMeanwhile(to)
	}
	return machine.Opened(status)
}

// SealBatch seals the messages of a slab in place.
func (k *Key) SealBatch(slab *batch.Slab) {
	if !asm.present() {
		slab.Each(k.NonceSize(), k.tagSize, func(nonce, aad, text, tag []byte) bool {
			k.plain().Seal(nonce, aad, text, text, tag)
			return true
		})
		return
	}
	var status uint64
	switch k.variant {
	case Short:
		status = asm.sealBatchShort(k.room.Place(), slab)
	case Extended:
		status = asm.sealBatchExtended(k.room.Place(), slab)
	default:
		status = asm.sealBatchSIV(k.room.Place(), slab)
	}
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}

// OpenBatch opens the messages of a slab in place.
func (k *Key) OpenBatch(slab *batch.Slab) {
	if !asm.present() {
		slab.Each(k.NonceSize(), k.tagSize, func(nonce, aad, text, tag []byte) bool {
			return k.plain().Open(nonce, aad, text, text, tag)
		})
		return
	}
	var status uint64
	switch k.variant {
	case Short:
		status = asm.openBatchShort(k.room.Place(), slab)
	case Extended:
		status = asm.openBatchExtended(k.room.Place(), slab)
	default:
		status = asm.openBatchSIV(k.room.Place(), slab)
	}
	if k.room.IsWiped() {
		slab.WipedMeanwhile()
	}
	machine.Must(status)
}
