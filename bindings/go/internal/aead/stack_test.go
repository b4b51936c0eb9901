package aead

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/painted"
	"sivka.dev/go/internal/room"
)

var algorithms = []*Algorithm{
	&AES128GCMSIV, &AES256GCMSIV, &AESSIV256, &AESSIV384, &AESSIV512,
	&ChaCha20BLAKE2b, &XChaCha20BLAKE2b, &XChaCha20BLAKE2bSIV, &Kuznyechik, &KuznyechikMGM,
}

// tagSize is the longest of an algorithm.
func (a *Algorithm) tagSize() int {
	if a.MaxSize == maxChaCha20 {
		return 64
	}
	return 16
}

// make makes a key at a place on a tier.
func (a *Algorithm) make(place unsafe.Pointer, key []byte, tier machine.Tier) {
	making := machine.Making{Place: place, Key: &key[0], Features: machine.Features(), Tier: uint64(tier), TagSize: a.tagSize()}
	machine.Must(a.Entries()[machine.NewKey].Run(machine.Code.Arguments(unsafe.Pointer(&making))))
}

// message returns the arguments of a message with a key at a place.
func (a *Algorithm) message(place unsafe.Pointer, nonce, data, from, to, tag []byte, list [][]byte) unsafe.Pointer {
	source, target := unsafe.SliceData(from), unsafe.SliceData(to)
	switch {
	case a == &Kuznyechik:
		return unsafe.Pointer(&machine.BlocksCall{Key: place, Bytes: target, Size: len(to) / 16 * 16})
	case a.HasLists:
		return unsafe.Pointer(&machine.ListCall{Key: place, AADs: unsafe.SliceData(list), AADCount: len(list), From: source, To: target, Size: len(to), Tag: &tag[0]})
	default:
		return unsafe.Pointer(&machine.Call{Key: place, Nonce: &nonce[0], AAD: unsafe.SliceData(data), AADSize: len(data), From: source, To: target, Size: len(to), Tag: &tag[0], TagSize: a.tagSize()})
	}
}

// A call of every entry, on every tier, with messages that between them reach
// every kernel.
func TestFramesHaveReserve(t *testing.T) {
	if !machine.HasCode() {
		t.Skip("no machine code")
	}
	for _, a := range algorithms {
		calls, entries := make(map[int][]func()), a.Entries()
		add := func(entry int, arguments unsafe.Pointer) {
			calls[entry] = append(calls[entry], func() { entries[entry].Run(arguments) })
		}
		nonce, tag, many := make([]byte, 24), make([]byte, 64), make([][]byte, maxStrings)
		for _, tier := range machine.Available() {
			add(machine.KnownAnswers, unsafe.Pointer(&machine.Asking{Features: machine.Features(), Tier: uint64(tier)}))
			place, key := room.New(a.Room), make([]byte, 64)
			key[0] = 1
			a.make(place, key, tier)
			calls[machine.NewKey] = append(calls[machine.NewKey], func() { a.make(place, key, tier) })
			painted.Messages(func(data, from, to []byte) {
				for _, list := range [][][]byte{nil, {data}, many} {
					for _, entry := range []int{machine.Seal, machine.Open} {
						add(entry, a.message(place, nonce, data, from, to, tag, list))
					}
				}
			})
			for _, slab := range batch.Laid(a.NonceSize, a.tagSize()) {
				for _, entry := range []int{machine.SealBatch, machine.OpenBatch} {
					add(entry, unsafe.Pointer(&machine.BatchCall{Key: place, Slab: unsafe.Pointer(slab)}))
				}
			}
		}
		for number, entry := range entries {
			if entry.Run != nil {
				painted.Check(t, a.Name, number, entry.Frame, calls[number])
			}
		}
	}
}

// Making and ending a key leave nothing of it on the stack. Neither do calls
// for long messages; short ones leave what is there until something else is
// written over it.
func TestNothingOfKeysRemains(t *testing.T) {
	if !machine.HasCode() {
		t.Skip("no machine code")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, a := range []*Algorithm{&AES128GCMSIV, &AES256GCMSIV} {
		for _, tier := range machine.Available() {
			raw := []byte("a key that no other memory holds")[:a.KeySize]
			place := room.New(a.Room)
			a.make(place, raw, tier)
			secrets := painted.Parts(raw, unsafe.Slice((*byte)(place), a.Room))
			text := make([]byte, 100<<10)
			arguments := a.message(place, make([]byte, 12), nil, text, text, make([]byte, 16), nil)
			for name, call := range map[string]func(){
				"making":  func() { a.make(place, raw, tier) },
				"sealing": func() { a.Entries()[machine.Seal].Run(arguments) },
			} {
				if left := painted.Remains(call, secrets); left != 0 {
					t.Errorf("%s, %s: %s leaves %d of %d parts of a key", a.Name, tier, name, left, len(secrets))
				}
			}
			// It can be seen: a call that copies a key leaves it.
			if painted.Remains(func() { painted.Leave(raw) }, secrets) == 0 {
				t.Errorf("%s, %s: what was left was not seen", a.Name, tier)
			}
		}
	}
}
