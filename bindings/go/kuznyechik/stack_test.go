package kuznyechik

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
		nonce, tag := &[nonceSize]byte{3}, &[tagSize]byte{}
		placeBlocks := room.New(keyRoom)
		makeBlocks := func() { asm.newBlocks(placeBlocks, &key[0], features, number) }
		makeBlocks()
		add("newBlocks", makeBlocks)
		placeMGM := room.New(keyRoom)
		makeMGM := func() { asm.newMGM(placeMGM, &key[0], features, number) }
		makeMGM()
		add("newMGM", makeMGM)
		painted.Messages(func(aad, from, to []byte) {
			first, source, target := unsafe.SliceData(aad), unsafe.SliceData(from), unsafe.SliceData(to)
			whole := len(to) / BlockSize * BlockSize
			add("sealMGM", func() { asm.sealMGM(placeMGM, &nonce[0], first, len(aad), source, target, len(to), &tag[0], tagSize) })
			add("openMGM", func() { asm.openMGM(placeMGM, &nonce[0], first, len(aad), source, target, len(to), &tag[0], tagSize) })
			add("encryptBlocks", func() { asm.encryptBlocks(placeBlocks, target, whole) })
			add("decryptBlocks", func() { asm.decryptBlocks(placeBlocks, target, whole) })
		})
		for _, slab := range batch.Laid(nonceSize, tagSize) {
			add("sealBatchMGM", func() { asm.sealBatchMGM(placeMGM, slab) })
			add("openBatchMGM", func() { asm.openBatchMGM(placeMGM, slab) })
		}
	}
	painted.Check(t, asm.frames(), calls)
}
