package tink_test

import (
	"testing"

	"github.com/tink-crypto/tink-go/v2/keyset"
	"sivka.dev/go"
)

// It allocates the result alone, as no code of tink-go does.
func TestTheKeyIsSivkas(t *testing.T) {
	if sivka.Tier() == "go" {
		t.Skip("plain Go allocates")
	}
	for name, template := range templates() {
		mine := ours(must(keyset.NewHandle(template)))
		for _, size := range []int{0, 1, 16, 1000} {
			text := make([]byte, size)
			if count := testing.AllocsPerRun(10, func() { must(mine.encrypt(text, nil)) }); count > 1 {
				t.Errorf("%s, %d bytes: %v allocations", name, size, count)
			}
		}
	}
}
