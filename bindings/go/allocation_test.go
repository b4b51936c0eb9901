package sivka_test

import (
	"testing"

	"sivka.dev/go"
)

func TestNothingIsAllocated(t *testing.T) {
	if sivka.Tier() == "go" {
		t.Skip("plain Go allocates")
	}
	nonce, text, room := make([]byte, 12), make([]byte, 100), make([]byte, 0, 200)
	for _, key := range newKeys(t) {
		sealed := key.Seal(nil, nonce, text, nil)
		calls := map[string]func(){
			"seal": func() { key.Seal(room, nonce, text, text) },
			"open": func() { _, _ = key.Open(room, nonce, sealed, nil) },
		}
		for name, call := range calls {
			if allocations := testing.AllocsPerRun(100, call); allocations != 0 {
				t.Errorf("%s allocates %v times", name, allocations)
			}
		}
	}
	key, _ := sivka.NewAES256GCMSIV(make([]byte, 32))
	onStack := func() {
		var nonce [12]byte
		var buffer [64]byte
		key.Seal(buffer[:0], nonce[:], buffer[:48], nil)
	}
	if allocations := testing.AllocsPerRun(100, onStack); allocations != 0 {
		t.Errorf("buffers on the stack allocate %v times", allocations)
	}
}
