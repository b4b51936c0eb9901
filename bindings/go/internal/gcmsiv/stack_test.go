//go:build (amd64 || arm64) && !purego

package gcmsiv

import (
	"testing"
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/painted"
	"sivka.dev/go/internal/room"
)

// A call of every entry, on every tier, with messages that between them reach
// every kernel. Those that end a key are last, by their names.
func TestFramesHaveReserve(t *testing.T) {
	calls := map[string][]func(){}
	add := func(name string, call func()) { calls[name] = append(calls[name], call) }
	for _, tier := range machine.Available() {
		features, number := machine.Features(), uint64(tier)
		add("knownAnswers", func() { knownAnswers(features, number) })
		place128, place256 := room.New(keyRoom), room.New(keyRoom)
		make128 := func() { new128(place128, &[16]byte{1}, features, number) }
		make256 := func() { new256(place256, &[32]byte{2}, features, number) }
		make128()
		make256()
		add("new128", make128)
		add("new256", make256)
		add("wipe128", func() { wipe128(place128) })
		add("wipe256", func() { wipe256(place256) })
		nonce, tag := &[NonceSize]byte{3}, &[TagSize]byte{}
		painted.Messages(func(aad, from, to []byte) {
			first, source, target := unsafe.SliceData(aad), unsafe.SliceData(from), unsafe.SliceData(to)
			add("seal128", func() { seal128(place128, nonce, first, len(aad), source, target, len(to), tag) })
			add("open128", func() { open128(place128, nonce, first, len(aad), source, target, len(to), tag) })
			add("seal256", func() { seal256(place256, nonce, first, len(aad), source, target, len(to), tag) })
			add("open256", func() { open256(place256, nonce, first, len(aad), source, target, len(to), tag) })
		})
		for _, slab := range batch.Laid(NonceSize, TagSize) {
			add("sealBatch128", func() { sealBatch128(place128, slab) })
			add("openBatch128", func() { openBatch128(place128, slab) })
			add("sealBatch256", func() { sealBatch256(place256, slab) })
			add("openBatch256", func() { openBatch256(place256, slab) })
		}
	}
	painted.Check(t, frames, calls)
}
