// Package keys makes keys of algorithms by their names, for programs that test
// all of them.
package keys

import (
	"crypto/cipher"
	"fmt"

	"sivka.dev/go"
	"sivka.dev/go/internal/machine"
)

// Key is what the keys of all AEADs have.
type Key interface {
	cipher.AEAD
	SealBatch(b *sivka.Batch)
	OpenBatch(b *sivka.Batch) error
	Wipe()
	fmt.Stringer
	fmt.GoStringer
}

// Algorithm is an AEAD by its name in Rust and in vectors/.
type Algorithm struct {
	Name    string
	KeySize int
	// TagFirst is whether the tag is in front of the ciphertext.
	TagFirst bool
	New      func(key []byte) (Key, error)
}

// All are the algorithms, of which Kuznyechik-MGM has no plain Go.
var All = func() []Algorithm {
	newAESSIV := func(key []byte) (Key, error) { return sivka.NewAESSIV(key) }
	all := []Algorithm{
		{"AES-128-GCM-SIV", 16, false, func(key []byte) (Key, error) { return sivka.NewAES128GCMSIV(key) }},
		{"AES-256-GCM-SIV", 32, false, func(key []byte) (Key, error) { return sivka.NewAES256GCMSIV(key) }},
		{"AES-SIV-256", 32, true, newAESSIV},
		{"AES-SIV-384", 48, true, newAESSIV},
		{"AES-SIV-512", 64, true, newAESSIV},
	}
	for i, suffix := range []string{"", "-Tag48", "-Tag64"} {
		size := 32 + 16*i
		all = append(all,
			Algorithm{"ChaCha20-BLAKE2b" + suffix, 32, false, func(key []byte) (Key, error) { return sivka.NewChaCha20BLAKE2b(key, size) }},
			Algorithm{"XChaCha20-BLAKE2b" + suffix, 32, false, func(key []byte) (Key, error) { return sivka.NewXChaCha20BLAKE2b(key, size) }},
			Algorithm{"XChaCha20-BLAKE2b-SIV" + suffix, 32, false, func(key []byte) (Key, error) { return sivka.NewXChaCha20BLAKE2bSIV(key, size) }},
		)
	}
	if machine.HasCode() {
		all = append(all, Algorithm{"Kuznyechik-MGM", 32, false, func(key []byte) (Key, error) { return sivka.NewKuznyechikMGM(key) }})
	}
	return all
}()

// Find returns the algorithm of a name, and panics if there is none.
func Find(name string) Algorithm {
	for _, a := range All {
		if a.Name == name {
			return a
		}
	}
	panic("no algorithm " + name)
}
