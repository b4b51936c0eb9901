package tests

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"slices"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/internal/pure"
)

// plain is an algorithm in plain Go, which other builds run.
type plain interface {
	seal(nonce, aad, text []byte) (ciphertext, tag []byte)
	open(nonce, aad, ciphertext, tag []byte) (text []byte, authentic bool)
}

// withNonces is an algorithm with nonces, or with none of any bytes.
type withNonces struct {
	key interface {
		Seal(nonce, aad, from, to, tag []byte)
		Open(nonce, aad, from, to, tag []byte) bool
	}
	tagSize int
}

func (n withNonces) seal(nonce, aad, text []byte) (ciphertext, tag []byte) {
	ciphertext, tag = make([]byte, len(text)), make([]byte, n.tagSize)
	n.key.Seal(nonce, aad, text, ciphertext, tag)
	return ciphertext, tag
}

func (n withNonces) open(nonce, aad, ciphertext, tag []byte) ([]byte, bool) {
	text := make([]byte, len(ciphertext))
	return text, n.key.Open(nonce, aad, ciphertext, text, tag)
}

// withStrings is AES-SIV, whose additional data is one string or more.
type withStrings struct{ key *pure.SIV }

func (s withStrings) seal(_, aad, text []byte) (ciphertext, tag []byte) {
	ciphertext, tag = make([]byte, len(text)), make([]byte, 16)
	s.key.Seal([][]byte{aad}, text, ciphertext, tag)
	return ciphertext, tag
}

func (s withStrings) open(_, aad, ciphertext, tag []byte) ([]byte, bool) {
	text := make([]byte, len(ciphertext))
	return text, s.key.Open([][]byte{aad}, ciphertext, text, tag)
}

// inPlainGo has the algorithms that are there: all but Kuznyechik's.
func inPlainGo() []algorithm {
	return slices.DeleteFunc(slices.Clone(algorithms), func(a algorithm) bool { return a.name == "Kuznyechik-MGM" })
}

// plainOf makes a key of an algorithm in plain Go.
func plainOf(a algorithm, aead cipher.AEAD, key []byte) plain {
	switch {
	case a.tagFirst:
		return withStrings{pure.NewSIV(key)}
	case aead.Overhead() == 16:
		return withNonces{pure.NewGCMSIV(key), 16}
	default:
		return withNonces{pure.NewChaCha20BLAKE2b(aead.NonceSize(), key, aead.Overhead()), aead.Overhead()}
	}
}

// agree seals and opens a message with both, and one with a flipped bit.
func agree(t *testing.T, a algorithm, rawKey, nonce, aad, text []byte) {
	t.Helper()
	key := a.make(t, rawKey)
	plain := plainOf(a, key, rawKey)
	ciphertext, tag := plain.seal(nonce, aad, text)
	sealed := a.join(ciphertext, tag)
	if !bytes.Equal(key.Seal(nil, nonce, text, aad), sealed) {
		t.Fatalf("%s: %d bytes with %d seal to something else", a.name, len(text), len(aad))
	}
	if opened, err := key.Open(nil, nonce, sealed, aad); err != nil || !bytes.Equal(opened, text) {
		t.Fatalf("%s: %d bytes with %d do not open: %v", a.name, len(text), len(aad), err)
	}
	if opened, authentic := plain.open(nonce, aad, ciphertext, tag); !authentic || !bytes.Equal(opened, text) {
		t.Fatalf("%s: %d bytes with %d do not open in plain Go", a.name, len(text), len(aad))
	}
	at := (len(text) + len(aad)) % len(sealed)
	sealed[at] ^= 1 << (at % 8)
	split := len(text)
	if a.tagFirst {
		split = len(tag)
	}
	ciphertext, tag = sealed[:split], sealed[split:]
	if a.tagFirst {
		ciphertext, tag = tag, ciphertext
	}
	_, err := key.Open(nil, nonce, sealed, aad)
	opened, authentic := plain.open(nonce, aad, ciphertext, tag)
	if err == nil || authentic || !bytes.Equal(opened, make([]byte, len(opened))) {
		t.Fatalf("%s: a flipped bit of %d bytes: %v, and %v in plain Go", a.name, len(text), err, authentic)
	}
}

// The machine code of each tier and plain Go give the same bytes.
func TestPlainGoAgrees(t *testing.T) {
	if sivka.Tier() == "go" {
		t.Skip("there is nothing else to agree with")
	}
	onEveryTier(t, func(t *testing.T) {
		source := rand.NewChaCha8([32]byte{2})
		for _, a := range inPlainGo() {
			key := random(source, a.keySize)
			nonce := random(source, a.make(t, key).NonceSize())
			for size := range 1100 {
				// Each length of text with some of the other, and the other way round.
				agree(t, a, key, nonce, random(source, size*7%90), random(source, size))
				if size < 300 {
					agree(t, a, key, nonce, random(source, size), random(source, size*5%70))
				}
			}
		}
	})
}

func FuzzPlainGoAgrees(f *testing.F) {
	f.Add(uint8(0), make([]byte, 64), make([]byte, 24), []byte("aad"), []byte("text"))
	f.Add(uint8(200), bytes.Repeat([]byte{7}, 64), bytes.Repeat([]byte{255}, 24), make([]byte, 100), make([]byte, 1000))
	all := inPlainGo()
	f.Fuzz(func(t *testing.T, number uint8, rawKey, nonce, aad, text []byte) {
		a := all[int(number)%len(all)]
		if len(rawKey) < a.keySize || len(nonce) < 24 {
			return
		}
		rawKey = rawKey[:a.keySize]
		agree(t, a, rawKey, nonce[:a.make(t, rawKey).NonceSize()], aad, text)
	})
}
