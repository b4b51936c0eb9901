//go:build (amd64 || arm64) && !purego

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
	calls := map[string][]func(){}
	add := func(name string, call func()) { calls[name] = append(calls[name], call) }
	for _, tier := range machine.Available() {
		features, number := machine.Features(), uint64(tier)
		add("knownAnswers", func() { knownAnswers(features, number) })
		nonce, tag, iv := &[nonceSize]byte{3}, &[tagSize]byte{}, &[IVSize]byte{}
		placeBlocks := room.New(keyRoom)
		makeBlocks := func() { newBlocks(placeBlocks, &[KeySize]byte{1}, features, number, iv, 0) }
		makeBlocks()
		add("newBlocks", makeBlocks)
		placeMGM := room.New(keyRoom)
		makeMGM := func() { newMGM(placeMGM, &[KeySize]byte{1}, features, number, iv, 0) }
		makeMGM()
		add("newMGM", makeMGM)
		placeCTR := room.New(keyRoom)
		makeCTR := func() { newCTR(placeCTR, &[KeySize]byte{1}, features, number, iv, 0) }
		makeCTR()
		add("newCTR", makeCTR)
		placeACPKM := room.New(keyRoom)
		makeACPKM := func() { newACPKM(placeACPKM, &[KeySize]byte{1}, features, number, iv, 32) }
		makeACPKM()
		add("newACPKM", makeACPKM)
		placeOMAC := room.New(keyRoom)
		makeOMAC := func() { newOMAC(placeOMAC, &[KeySize]byte{1}, features, number, iv, 0) }
		makeOMAC()
		add("newOMAC", makeOMAC)
		painted.Messages(func(aad, from, to []byte) {
			first, source, target := unsafe.SliceData(aad), unsafe.SliceData(from), unsafe.SliceData(to)
			whole := len(to) / BlockSize * BlockSize
			add("sealMGM", func() { sealMGM(placeMGM, &nonce[0], first, len(aad), source, target, len(to), &tag[0], tagSize) })
			add("openMGM", func() { openMGM(placeMGM, &nonce[0], first, len(aad), source, target, len(to), &tag[0], tagSize) })
			add("encryptBlocks", func() { encryptBlocks(placeBlocks, target, whole) })
			add("decryptBlocks", func() { decryptBlocks(placeBlocks, target, whole) })
			add("xorCTR", func() { xorCTR(placeCTR, target, len(to)) })
			add("xorACPKM", func() { xorACPKM(placeACPKM, target, len(to)) })
			add("writeOMAC", func() { writeOMAC(placeOMAC, source, len(from)) })
		})
		add("sumOMAC", func() { sumOMAC(placeOMAC, &tag[0], tagSize) })
		add("resetOMAC", func() { resetOMAC(placeOMAC, &tag[0], tagSize) })
		for _, slab := range batch.Laid(nonceSize, tagSize) {
			add("sealBatchMGM", func() { sealBatchMGM(placeMGM, slab) })
			add("openBatchMGM", func() { openBatchMGM(placeMGM, slab) })
		}
	}
	painted.Check(t, frames, calls)
}
