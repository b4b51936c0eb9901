// Package tests judges the package sivka by vectors of others, by other
// packages, and under load. It is a module of its own, so that the package
// itself depends on nothing.
package tests

import (
	"crypto/cipher"
	"math/rand/v2"
	"slices"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/internal/machine"
)

// algorithm is what the tests know of an AEAD.
type algorithm struct {
	name    string
	keySize int
	// tagFirst is whether the tag is in front of the ciphertext.
	tagFirst bool
	newKey   func(key []byte) (cipher.AEAD, error)
}

// algorithms by their names in vectors/, of which Kuznyechik has no plain Go.
var algorithms = slices.Concat(
	[]algorithm{
		{"AES-128-GCM-SIV", 16, false, func(key []byte) (cipher.AEAD, error) { return sivka.NewAES128GCMSIV(key) }},
		{"AES-256-GCM-SIV", 32, false, func(key []byte) (cipher.AEAD, error) { return sivka.NewAES256GCMSIV(key) }},
		{"AES-SIV-256", 32, true, newAESSIV},
		{"AES-SIV-384", 48, true, newAESSIV},
		{"AES-SIV-512", 64, true, newAESSIV},
	},
	ofTagSizes("ChaCha20-BLAKE2b", func(key []byte, tagSize int) (cipher.AEAD, error) {
		return sivka.NewChaCha20BLAKE2b(key, tagSize)
	}),
	ofTagSizes("XChaCha20-BLAKE2b", func(key []byte, tagSize int) (cipher.AEAD, error) {
		return sivka.NewXChaCha20BLAKE2b(key, tagSize)
	}),
	ofTagSizes("XChaCha20-BLAKE2b-SIV", func(key []byte, tagSize int) (cipher.AEAD, error) {
		return sivka.NewXChaCha20BLAKE2bSIV(key, tagSize)
	}),
	slices.Repeat([]algorithm{
		{"Kuznyechik-MGM", 32, false, func(key []byte) (cipher.AEAD, error) { return sivka.NewKuznyechikMGM(key) }},
	}, map[bool]int{true: 1}[machine.HasCode()]),
)

func newAESSIV(key []byte) (cipher.AEAD, error) { return sivka.NewAESSIV(key) }

// ofTagSizes returns the algorithms that a family's name and sizes of tags make.
func ofTagSizes(name string, newKey func(key []byte, tagSize int) (cipher.AEAD, error)) []algorithm {
	var made []algorithm
	for suffix, tagSize := range map[string]int{"": 32, "-Tag48": 48, "-Tag64": 64} {
		made = append(made, algorithm{name + suffix, 32, false, func(key []byte) (cipher.AEAD, error) {
			return newKey(key, tagSize)
		}})
	}
	return made
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

// random bytes, the same in every run.
func random(source *rand.ChaCha8, size int) []byte {
	drawn := make([]byte, size)
	source.Read(drawn)
	return drawn
}

// join puts ciphertext and tag into the order of the algorithm.
func (a algorithm) join(ciphertext, tag []byte) []byte {
	if a.tagFirst {
		return slices.Concat(tag, ciphertext)
	}
	return slices.Concat(ciphertext, tag)
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
