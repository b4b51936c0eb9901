//go:build (amd64 || arm64) && !purego

package tests

import (
	"testing"

	"sivka.dev/go"
)

func TestBatchesAllocateNothing(t *testing.T) {
	for _, a := range algorithms {
		key := a.make(t, make([]byte, a.keySize)).(batchAEAD)
		b := &sivka.Batch{Nonces: make([]byte, 600*key.NonceSize()), Tags: make([]byte, 600*key.Overhead()), Text: make([]byte, 6000)}
		for i := range 601 {
			b.Offsets = append(b.Offsets, 10*i)
		}
		sealAndOpen := func() {
			key.SealBatch(b)
			if err := key.OpenBatch(b); err != nil {
				t.Fatal(err)
			}
		}
		if allocations := testing.AllocsPerRun(10, sealAndOpen); allocations != 0 {
			t.Errorf("%s: allocates %v times", a.name, allocations)
		}
	}
}
