//go:build (amd64 || arm64) && !purego

package gcmsiv

import (
	"runtime/debug"
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

// Making and ending a key leave nothing of it on the stack. Neither do calls
// for long messages; short ones leave what is there until something else is
// written over it.
func TestNothingOfKeysRemains(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, tier := range machine.Available() {
		features, number := machine.Features(), uint64(tier)
		raw := (*[32]byte)([]byte("a key that no other memory holds"))
		place := room.New(keyRoom)
		new256(place, raw, features, number)
		kept := unsafe.Slice((*byte)(place), keyRoom)
		secrets := painted.Parts(raw[:], kept)
		made := func() { new256(place, raw, features, number) }
		text, nonce, tag := make([]byte, 100<<10), &[NonceSize]byte{}, &[TagSize]byte{}
		sealed := func() {
			seal256(place, nonce, nil, 0, &text[0], &text[0], len(text), tag)
		}
		for name, call := range map[string]func(){"making": made, "sealing": sealed} {
			if left := painted.Remains(call, secrets); left != 0 {
				t.Errorf("%s: %s leaves %d of %d parts of a key", tier, name, left, len(secrets))
			}
		}
		// It can be seen: a call that copies a key leaves it.
		if painted.Remains(func() { painted.Leave(raw[:]) }, secrets) == 0 {
			t.Errorf("%s: what was left was not seen", tier)
		}
	}
}
