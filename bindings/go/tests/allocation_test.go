//go:build !race

package tests

import (
	"testing"

	"sivka.dev/go"
)

// With the race detector, a sync.Pool gives away some of what it has.
func TestNothingIsAllocated(t *testing.T) {
	if sivka.Tier() == "go" {
		t.Skip("plain Go allocates")
	}
	for _, a := range algorithms {
		for _, count := range []int{5, 600} {
			allocatesNothing(t, a, count)
		}
	}
	key := key(t)
	onStack := func() {
		var nonce [12]byte
		var buffer [64]byte
		key.Seal(buffer[:0], nonce[:], buffer[:48], nil)
	}
	if allocations := testing.AllocsPerRun(100, onStack); allocations != 0 {
		t.Errorf("buffers on the stack allocate %v times", allocations)
	}
}

func allocatesNothing(t *testing.T, a algorithm, count int) {
	key := a.make(t, make([]byte, a.KeySize))
	nonces, tags, text := make([]byte, count*key.NonceSize()), make([]byte, count*key.Overhead()), make([]byte, 10*count)
	contiguous := &sivka.Batch{Nonces: nonces, Tags: tags, Text: text}
	scattered := &sivka.Batch{Nonces: nonces, Tags: tags}
	for i := range count + 1 {
		contiguous.Offsets = append(contiguous.Offsets, 10*i)
	}
	for i := range count {
		// The last first, so that they are sorted.
		scattered.Texts = append(scattered.Texts, text[10*(count-1-i):][:10])
	}
	nonce, room, plaintext := nonces[:key.NonceSize()], make([]byte, 0, 200), text[:40]
	sealed := key.Seal(nil, nonce, plaintext, nil)
	sealAndOpen := func() {
		key.Seal(room, nonce, plaintext, plaintext)
		if _, err := key.Open(room, nonce, sealed, nil); err != nil {
			t.Fatal(err)
		}
	}
	if allocations := testing.AllocsPerRun(10, sealAndOpen); allocations != 0 {
		t.Errorf("%s: allocates %v times", a.Name, allocations)
	}
	for name, b := range map[string]*sivka.Batch{"contiguous": contiguous, "scattered": scattered} {
		sealAndOpen := func() {
			key.SealBatch(b)
			if err := key.OpenBatch(b); err != nil {
				t.Fatal(err)
			}
		}
		if allocations := testing.AllocsPerRun(10, sealAndOpen); allocations != 0 {
			t.Errorf("%s, %d %s: allocates %v times", a.Name, count, name, allocations)
		}
	}
}
