// Package tests judges the package sivka by vectors of others, by misuse, and
// under load. It is a module of its own, so that the package itself depends on
// nothing.
package tests

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/internal/keys"
	"sivka.dev/go/internal/machine"
)

type (
	aead      = keys.Key
	algorithm keys.Algorithm
)

var algorithms = func() (all []algorithm) {
	for _, a := range keys.All {
		all = append(all, algorithm(a))
	}
	return all
}()

// make returns a key of some bytes.
func (a algorithm) make(t testing.TB, key []byte) aead {
	t.Helper()
	aead, err := a.New(key)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	return aead
}

// everyKind returns a key of each algorithm.
func everyKind(t testing.TB) []aead {
	var all []aead
	for _, a := range algorithms {
		all = append(all, a.make(t, bytes.Repeat([]byte{9}, a.KeySize)))
	}
	return all
}

// newKeys returns those of AES-GCM-SIV.
func newKeys(t testing.TB) []aead { return everyKind(t)[:2] }

// random bytes, the same in every run.
func random(source *rand.ChaCha8, size int) []byte {
	drawn := make([]byte, size)
	source.Read(drawn)
	return drawn
}

// join puts ciphertext and tag into the order of the algorithm.
func (a algorithm) join(ciphertext, tag []byte) []byte {
	if a.TagFirst {
		return slices.Concat(tag, ciphertext)
	}
	return slices.Concat(ciphertext, tag)
}

// onEveryTier runs a test once on every tier of this CPU.
func onEveryTier(t *testing.T, test func(t *testing.T)) {
	chosen := machine.Chosen()
	defer machine.Choose(chosen)
	for _, tier := range machine.Available() {
		machine.Choose(tier)
		t.Run(tier.String(), test)
	}
}

// Who runs the tests may say which code it has to be.
func TestTier(t *testing.T) {
	tier := sivka.Tier()
	t.Log("tier", tier)
	if code := os.Getenv("SIVKA_GO_CODE"); code != "" && (code == "plain") != (tier == "go") {
		t.Errorf("the tier is %s, but the code has to be %s", tier, code)
	}
}
