package tests

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/internal/pure"
)

// plain is a key in plain Go, which other builds run.
type plain interface {
	Seal(nonce, aad, from, to, tag []byte)
	Open(nonce, aad, from, to, tag []byte) bool
}

// withString is AES-SIV with one string of additional data.
type withString struct{ key *pure.SIV }

func (s withString) Seal(_, aad, from, to, tag []byte) { s.key.Seal([][]byte{aad}, from, to, tag) }

func (s withString) Open(_, aad, from, to, tag []byte) bool {
	return s.key.Open([][]byte{aad}, from, to, tag)
}

// plainOf makes a key of an algorithm in plain Go.
func plainOf(a algorithm, aead aead, key []byte) plain {
	switch {
	case a.TagFirst:
		return withString{pure.NewSIV(key)}
	case aead.Overhead() == 16:
		return pure.NewGCMSIV(key)
	default:
		return pure.NewChaCha20BLAKE2b(aead.NonceSize(), key, aead.Overhead())
	}
}

// agree seals and opens a message with both, and one with a flipped bit.
func agree(t *testing.T, a algorithm, rawKey, nonce, aad, text []byte) {
	t.Helper()
	key := a.make(t, rawKey)
	plain := plainOf(a, key, rawKey)
	ciphertext, tag, plaintext := make([]byte, len(text)), make([]byte, key.Overhead()), make([]byte, len(text))
	plain.Seal(nonce, aad, text, ciphertext, tag)
	sealed := a.join(ciphertext, tag)
	if !bytes.Equal(key.Seal(nil, nonce, text, aad), sealed) {
		t.Fatalf("%s: %d bytes with %d seal to something else", a.Name, len(text), len(aad))
	}
	if opened, err := key.Open(nil, nonce, sealed, aad); err != nil || !bytes.Equal(opened, text) {
		t.Fatalf("%s: %d bytes with %d do not open: %v", a.Name, len(text), len(aad), err)
	}
	if !plain.Open(nonce, aad, ciphertext, plaintext, tag) || !bytes.Equal(plaintext, text) {
		t.Fatalf("%s: %d bytes with %d do not open in plain Go", a.Name, len(text), len(aad))
	}
	flipped := tag
	if len(text)%2 == 1 {
		flipped = ciphertext
	}
	at := len(text) / 2 % len(flipped)
	flipped[at] ^= 1 << (at % 8)
	_, err := key.Open(nil, nonce, a.join(ciphertext, tag), aad)
	if err == nil || plain.Open(nonce, aad, ciphertext, plaintext, tag) || !bytes.Equal(plaintext, make([]byte, len(text))) {
		t.Fatalf("%s: a flipped bit of %d bytes: %v", a.Name, len(text), err)
	}
}

// The machine code of each tier and plain Go give the same bytes.
func TestPlainGoAgrees(t *testing.T) {
	if sivka.Tier() == "go" {
		t.Skip("there is nothing else to agree with")
	}
	sizes := []int{2047, 4096, 8191, 16464, 65535, 65536, 100_000}
	for size := range 1100 {
		sizes = append(sizes, size)
	}
	onEveryTier(t, func(t *testing.T) {
		source := rand.NewChaCha8([32]byte{2})
		for _, a := range algorithms {
			if a.Name == "Kuznyechik-MGM" {
				continue
			}
			key := random(source, a.KeySize)
			nonce := random(source, a.make(t, key).NonceSize())
			for _, size := range sizes {
				// Each length of text with some of the other, and the other way round.
				agree(t, a, key, nonce, random(source, size*7%90), random(source, size))
				if size < 300 {
					agree(t, a, key, nonce, random(source, size), random(source, size*5%70))
				}
			}
		}
	})
}
