// Package tests judges the package sivka by vectors of others, by other
// packages, and under load. It is a module of its own, so that the package
// itself depends on nothing.
package tests

import (
	"crypto/cipher"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/internal/machine"
)

// algorithm is what the tests know of an AEAD.
type algorithm struct {
	name    string
	keySize int
	newKey  func(key []byte) (cipher.AEAD, error)
}

var algorithms = []algorithm{
	{"AES-128-GCM-SIV", 16, func(key []byte) (cipher.AEAD, error) { return sivka.NewAES128GCMSIV(key) }},
	{"AES-256-GCM-SIV", 32, func(key []byte) (cipher.AEAD, error) { return sivka.NewAES256GCMSIV(key) }},
}

// make returns a key of some bytes.
func (a algorithm) make(t testing.TB, key []byte) cipher.AEAD {
	t.Helper()
	aead, err := a.newKey(key)
	if err != nil {
		t.Fatalf("%s: %v", a.name, err)
	}
	return aead
}

// find returns the algorithm of a name.
func find(t testing.TB, name string) algorithm {
	t.Helper()
	for _, a := range algorithms {
		if a.name == name {
			return a
		}
	}
	t.Fatalf("no algorithm %s", name)
	return algorithm{}
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
