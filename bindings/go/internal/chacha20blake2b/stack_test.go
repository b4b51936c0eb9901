//go:build (amd64 || arm64) && !purego

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
	calls := map[string][]func(){}
	add := func(name string, call func()) { calls[name] = append(calls[name], call) }
	for _, tier := range machine.Available() {
		features, number := machine.Features(), uint64(tier)
		add("knownAnswers", func() { knownAnswers(features, number) })
		const tagSize = 64
		nonce, tag := &make([]byte, ExtendedNonceSize)[0], &make([]byte, tagSize)[0]
		placeShort := room.New(keyRoom)
		makeShort := func() { newShort(placeShort, &[KeySize]byte{1}, features, number, tagSize) }
		makeShort()
		add("newShort", makeShort)
		placeExtended := room.New(keyRoom)
		makeExtended := func() { newExtended(placeExtended, &[KeySize]byte{1}, features, number, tagSize) }
		makeExtended()
		add("newExtended", makeExtended)
		placeSIV := room.New(keyRoom)
		makeSIV := func() { newSIV(placeSIV, &[KeySize]byte{1}, features, number, tagSize) }
		makeSIV()
		add("newSIV", makeSIV)
		painted.Messages(func(aad, from, to []byte) {
			first, source, target := unsafe.SliceData(aad), unsafe.SliceData(from), unsafe.SliceData(to)
			add("sealShort", func() { sealShort(placeShort, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("openShort", func() { openShort(placeShort, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("sealExtended", func() { sealExtended(placeExtended, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("openExtended", func() { openExtended(placeExtended, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("sealSIV", func() { sealSIV(placeSIV, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
			add("openSIV", func() { openSIV(placeSIV, nonce, first, len(aad), source, target, len(to), tag, tagSize) })
		})
		for _, slab := range batch.Laid(ShortNonceSize, tagSize) {
			add("sealBatchShort", func() { sealBatchShort(placeShort, slab) })
			add("openBatchShort", func() { openBatchShort(placeShort, slab) })
		}
		for _, slab := range batch.Laid(ExtendedNonceSize, tagSize) {
			add("sealBatchExtended", func() { sealBatchExtended(placeExtended, slab) })
			add("openBatchExtended", func() { openBatchExtended(placeExtended, slab) })
		}
		for _, slab := range batch.Laid(0, tagSize) {
			add("sealBatchSIV", func() { sealBatchSIV(placeSIV, slab) })
			add("openBatchSIV", func() { openBatchSIV(placeSIV, slab) })
		}
	}
	painted.Check(t, frames, calls)
}
