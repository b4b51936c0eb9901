// Package tests judges the package sivka by vectors of others, by misuse, and
// under load. It is a module of its own, so that the package itself depends on
// nothing.
package tests

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/internal/machine"
)

// aead is what all keys have.
type aead interface {
	cipher.AEAD
	SealBatch(b *sivka.Batch)
	OpenBatch(b *sivka.Batch) error
	Wipe()
	fmt.Stringer
	fmt.GoStringer
}

// algorithm is what the tests know of an AEAD.
type algorithm struct {
	name    string
	keySize int
	// tagFirst is whether the tag is in front of the ciphertext.
	tagFirst bool
	newKey   func(key []byte) (aead, error)
}

// algorithms by their names in vectors/, of which Kuznyechik has no plain Go.
var algorithms = func() []algorithm {
	newAESSIV := func(key []byte) (aead, error) { return sivka.NewAESSIV(key) }
	all := []algorithm{
		{"AES-128-GCM-SIV", 16, false, func(key []byte) (aead, error) { return sivka.NewAES128GCMSIV(key) }},
		{"AES-256-GCM-SIV", 32, false, func(key []byte) (aead, error) { return sivka.NewAES256GCMSIV(key) }},
		{"AES-SIV-256", 32, true, newAESSIV},
		{"AES-SIV-384", 48, true, newAESSIV},
		{"AES-SIV-512", 64, true, newAESSIV},
	}
	for suffix, size := range map[string]int{"": 32, "-Tag48": 48, "-Tag64": 64} {
		all = append(all,
			algorithm{"ChaCha20-BLAKE2b" + suffix, 32, false, func(key []byte) (aead, error) { return sivka.NewChaCha20BLAKE2b(key, size) }},
			algorithm{"XChaCha20-BLAKE2b" + suffix, 32, false, func(key []byte) (aead, error) { return sivka.NewXChaCha20BLAKE2b(key, size) }},
			algorithm{"XChaCha20-BLAKE2b-SIV" + suffix, 32, false, func(key []byte) (aead, error) { return sivka.NewXChaCha20BLAKE2bSIV(key, size) }},
		)
	}
	if machine.HasCode() {
		all = append(all, algorithm{"Kuznyechik-MGM", 32, false, func(key []byte) (aead, error) { return sivka.NewKuznyechikMGM(key) }})
	}
	return all
}()

// make returns a key of some bytes.
func (a algorithm) make(t testing.TB, key []byte) aead {
	t.Helper()
	aead, err := a.newKey(key)
	if err != nil {
		t.Fatalf("%s: %v", a.name, err)
	}
	return aead
}

// everyKind returns a key of each algorithm.
func everyKind(t testing.TB) []aead {
	var keys []aead
	for _, a := range algorithms {
		keys = append(keys, a.make(t, bytes.Repeat([]byte{9}, a.keySize)))
	}
	return keys
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

// Who runs the tests may say which code it has to be.
func TestTier(t *testing.T) {
	tier := sivka.Tier()
	t.Log("tier", tier)
	if code := os.Getenv("SIVKA_GO_CODE"); code != "" && (code == "plain") != (tier == "go") {
		t.Errorf("the tier is %s, but the code has to be %s", tier, code)
	}
}
