// Command leaks uses keys as it is told, so that evidence/leaks can search its
// memory and watch its machine code.
package main

import (
	"crypto/cipher"
	"fmt"
	"os"
	"strings"

	"sivka.dev/go"
	"sivka.dev/go/internal/machine"
)

// key has the calls of every algorithm.
type key interface {
	cipher.AEAD
	SealBatch(b *sivka.Batch)
	OpenBatch(b *sivka.Batch) error
	Wipe()
}

// algorithm is one by its name in Rust.
type algorithm struct {
	name    string
	keySize int
	newKey  func(bytes []byte) (key, error)
}

var algorithms = []algorithm{
	{"AES-128-GCM-SIV", 16, func(bytes []byte) (key, error) { return sivka.NewAES128GCMSIV(bytes) }},
	{"AES-256-GCM-SIV", 32, func(bytes []byte) (key, error) { return sivka.NewAES256GCMSIV(bytes) }},
	{"AES-SIV-256", 32, newAESSIV},
	{"AES-SIV-384", 48, newAESSIV},
	{"AES-SIV-512", 64, newAESSIV},
	{"ChaCha20-BLAKE2b", 32, func(bytes []byte) (key, error) { return sivka.NewChaCha20BLAKE2b(bytes, 32) }},
	{"ChaCha20-BLAKE2b-Tag48", 32, func(bytes []byte) (key, error) { return sivka.NewChaCha20BLAKE2b(bytes, 48) }},
	{"ChaCha20-BLAKE2b-Tag64", 32, func(bytes []byte) (key, error) { return sivka.NewChaCha20BLAKE2b(bytes, 64) }},
	{"XChaCha20-BLAKE2b", 32, func(bytes []byte) (key, error) { return sivka.NewXChaCha20BLAKE2b(bytes, 32) }},
	{"XChaCha20-BLAKE2b-Tag48", 32, func(bytes []byte) (key, error) { return sivka.NewXChaCha20BLAKE2b(bytes, 48) }},
	{"XChaCha20-BLAKE2b-Tag64", 32, func(bytes []byte) (key, error) { return sivka.NewXChaCha20BLAKE2b(bytes, 64) }},
	{"XChaCha20-BLAKE2b-SIV", 32, func(bytes []byte) (key, error) { return sivka.NewXChaCha20BLAKE2bSIV(bytes, 32) }},
	{"XChaCha20-BLAKE2b-SIV-Tag48", 32, func(bytes []byte) (key, error) { return sivka.NewXChaCha20BLAKE2bSIV(bytes, 48) }},
	{"XChaCha20-BLAKE2b-SIV-Tag64", 32, func(bytes []byte) (key, error) { return sivka.NewXChaCha20BLAKE2bSIV(bytes, 64) }},
	{"Kuznyechik-MGM", 32, func(bytes []byte) (key, error) { return sivka.NewKuznyechikMGM(bytes) }},
}

func newAESSIV(bytes []byte) (key, error) { return sivka.NewAESSIV(bytes) }

func find(name string) algorithm {
	for _, a := range algorithms {
		if a.name == name {
			return a
		}
	}
	panic("no algorithm " + name)
}

// additionalData is that of every message.
var additionalData = []byte("associated data of 33 bytes, long")

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	if name := os.Getenv("SIVKA_TIER"); name != "" {
		choose(name)
	}
	switch word := strings.Join(os.Args[1:], " "); word {
	case "hold":
		hold(false, false)
	case "hold wiped":
		hold(true, false)
	case "hold planted":
		hold(true, true)
	case "trace":
		trace(false)
	case "trace planted":
		trace(true)
	default:
		fmt.Fprintln(os.Stderr, "usage: leaks hold [wiped | planted] | trace [planted]")
		os.Exit(2)
	}
}

// choose makes new keys use the tier of a name.
func choose(name string) {
	for _, tier := range machine.Available() {
		if tier.String() == name {
			machine.Choose(tier)
			return
		}
	}
	panic("no tier " + name)
}
