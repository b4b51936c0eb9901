package aessiv

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
		tag := &[TagSize]byte{}
		many := make([][]byte, MaxStrings)
		place256 := room.New(keyRoom)
		make256 := func() { asm.new256(place256, &key[0], features, number) }
		make256()
		add("new256", make256)
		place384 := room.New(keyRoom)
		make384 := func() { asm.new384(place384, &key[0], features, number) }
		make384()
		add("new384", make384)
		place512 := room.New(keyRoom)
		make512 := func() { asm.new512(place512, &key[0], features, number) }
		make512()
		add("new512", make512)
		painted.Messages(func(aad, from, to []byte) {
			source, target := unsafe.SliceData(from), unsafe.SliceData(to)
			for _, list := range [][][]byte{nil, {aad}, many} {
				first := unsafe.SliceData(list)
				add("seal256", func() { asm.seal256(place256, first, len(list), source, target, len(to), tag) })
				add("open256", func() { asm.open256(place256, first, len(list), source, target, len(to), tag) })
				add("seal384", func() { asm.seal384(place384, first, len(list), source, target, len(to), tag) })
				add("open384", func() { asm.open384(place384, first, len(list), source, target, len(to), tag) })
				add("seal512", func() { asm.seal512(place512, first, len(list), source, target, len(to), tag) })
				add("open512", func() { asm.open512(place512, first, len(list), source, target, len(to), tag) })
			}
		})
		for _, slab := range batch.Laid(0, TagSize) {
			add("sealBatch256", func() { asm.sealBatch256(place256, slab) })
			add("openBatch256", func() { asm.openBatch256(place256, slab) })
			add("sealBatch384", func() { asm.sealBatch384(place384, slab) })
			add("openBatch384", func() { asm.openBatch384(place384, slab) })
			add("sealBatch512", func() { asm.sealBatch512(place512, slab) })
			add("openBatch512", func() { asm.openBatch512(place512, slab) })
		}
	}
	painted.Check(t, asm.frames(), calls)
}
