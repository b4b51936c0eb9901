package gcmsiv128

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
	if !asm.present() {
		t.Skip("no machine code")
	}
	calls, key := map[string][]func(){}, [64]byte{1}
	add := func(name string, call func()) { calls[name] = append(calls[name], call) }
	for _, tier := range machine.Available() {
		features, number := machine.Features(), uint64(tier)
		add("knownAnswers", func() { asm.knownAnswers(features, number) })
		place := room.New(keyRoom)
		create := func() { asm.newKey(place, &key[0], features, number) }
		create()
		add("newKey", create)
		nonce, tag := &[NonceSize]byte{3}, &[TagSize]byte{}
		painted.Messages(func(aad, from, to []byte) {
			first, source, target := unsafe.SliceData(aad), unsafe.SliceData(from), unsafe.SliceData(to)
			add("seal", func() {
				asm.seal(&machine.Call{Key: place, Nonce: nonce, AAD: first, AADSize: len(aad), From: source, To: target, Size: len(to), Tag: tag})
			})
			add("open", func() {
				asm.open(&machine.Call{Key: place, Nonce: nonce, AAD: first, AADSize: len(aad), From: source, To: target, Size: len(to), Tag: tag})
			})
		})
		for _, slab := range batch.Laid(NonceSize, TagSize) {
			add("sealBatch", func() { asm.sealBatch(place, slab) })
			add("openBatch", func() { asm.openBatch(place, slab) })
		}
	}
	painted.Check(t, asm.frames(), calls)
}

// Making and ending a key leave nothing of it on the stack. Neither do calls
// for long messages; short ones leave what is there until something else is
// written over it.
func TestNothingOfKeysRemains(t *testing.T) {
	if !asm.present() {
		t.Skip("no machine code")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, tier := range machine.Available() {
		features, number := machine.Features(), uint64(tier)
		raw := (*[KeySize]byte)([]byte("a key that no other memory holds"))
		place := room.New(keyRoom)
		asm.newKey(place, &raw[0], features, number)
		kept := unsafe.Slice((*byte)(place), keyRoom)
		secrets := painted.Parts(raw[:], kept)
		made := func() { asm.newKey(place, &raw[0], features, number) }
		text, nonce, tag := make([]byte, 100<<10), &[NonceSize]byte{}, &[TagSize]byte{}
		sealed := func() {
			asm.seal(&machine.Call{Key: place, Nonce: nonce, From: &text[0], To: &text[0], Size: len(text), Tag: tag})
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
