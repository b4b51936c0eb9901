package chacha20blake2b

import (
	"testing"
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/painted"
	"sivka.dev/go/internal/room"
)

// A call of every entry, on every tier, with messages that between them reach
// every kernel.
func TestFramesHaveReserve(t *testing.T) {
	if !asm.present() {
		t.Skip("no machine code")
	}
	calls, key := map[string][]func(){}, [64]byte{1}
	add := func(name string, call func()) { calls[name] = append(calls[name], call) }
	for _, tier := range machine.Available() {
		features, number := machine.Features(), uint64(tier)
		add("knownAnswers", func() { asm.knownAnswers(features, number) })
		const tagSize = 64
		nonce, tag := &make([]byte, ExtendedNonceSize)[0], &make([]byte, tagSize)[0]
		placeShort := room.New(keyRoom)
		makeShort := func() { asm.newShort(placeShort, &key[0], features, number, tagSize) }
		makeShort()
		add("newShort", makeShort)
		placeExtended := room.New(keyRoom)
		makeExtended := func() { asm.newExtended(placeExtended, &key[0], features, number, tagSize) }
		makeExtended()
		add("newExtended", makeExtended)
		placeSIV := room.New(keyRoom)
		makeSIV := func() { asm.newSIV(placeSIV, &key[0], features, number, tagSize) }
		makeSIV()
		add("newSIV", makeSIV)
		painted.Messages(func(aad, from, to []byte) {
			first, source, target := unsafe.SliceData(aad), unsafe.SliceData(from), unsafe.SliceData(to)
			add("sealShort", func() { asm.sealShort(placeShort, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("openShort", func() { asm.openShort(placeShort, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("sealExtended", func() { asm.sealExtended(placeExtended, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("openExtended", func() { asm.openExtended(placeExtended, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("sealSIV", func() { asm.sealSIV(placeSIV, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("openSIV", func() { asm.openSIV(placeSIV, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
		})
		for _, slab := range batch.Laid(ShortNonceSize, tagSize) {
			add("sealBatchShort", func() { asm.sealBatchShort(placeShort, slab) })
			add("openBatchShort", func() { asm.openBatchShort(placeShort, slab) })
		}
		for _, slab := range batch.Laid(ExtendedNonceSize, tagSize) {
			add("sealBatchExtended", func() { asm.sealBatchExtended(placeExtended, slab) })
			add("openBatchExtended", func() { asm.openBatchExtended(placeExtended, slab) })
		}
		for _, slab := range batch.Laid(0, tagSize) {
			add("sealBatchSIV", func() { asm.sealBatchSIV(placeSIV, slab) })
			add("openBatchSIV", func() { asm.openBatchSIV(placeSIV, slab) })
		}
	}
	painted.Check(t, asm.frames(), calls)
}
