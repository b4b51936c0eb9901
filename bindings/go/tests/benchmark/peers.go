package main

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/jacobsa/crypto/siv"
	aead "github.com/tink-crypto/tink-go/v2/aead/subtle"
	daead "github.com/tink-crypto/tink-go/v2/daead/subtle"
	"golang.org/x/crypto/chacha20poly1305"

	"sivka.dev/go"
)

// peer is a way to seal and to open messages.
type peer struct {
	name string
	// messages is how many a call seals or opens.
	messages int
	// prepare returns calls for messages of a size.
	prepare func(size int) (seal, open func())
}

// comparison is what is measured in turn.
type comparison struct {
	name  string
	sizes []int
	peers []peer
}

// must returns what could be made, and ends the program otherwise.
func must[K any](made K, err error) K {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return made
}

var raw = make([]byte, 64)

func comparisons() []comparison {
	gcmSIV := must(sivka.NewAES256GCMSIV(raw[:32]))
	gcm := must(cipher.NewGCM(must(aes.NewCipher(raw[:32]))))
	ofSivka, ofGo := ofAEAD("sivka AES-256-GCM-SIV", gcmSIV), ofAEAD("Go AES-256-GCM", gcm)
	tinkGCMSIV := must(aead.NewAESGCMSIV(raw[:32]))
	tinkSIV := must(daead.NewAESSIV(raw))
	return []comparison{
		{"nonce", []int{16, 64, 256, 1024, 8192, 65536, 1 << 20}, append([]peer{
			ofSivka,
			ofGo,
			ofAEAD("x/crypto ChaCha20-Poly1305", must(chacha20poly1305.New(raw[:32]))),
			ofTink("tink-go AES-256-GCM-SIV", tinkGCMSIV.Encrypt, tinkGCMSIV.Decrypt),
		}, ofC()...)},
		{"batch", []int{16, 64, 256, 512, 1024}, []peer{ofSivka, ofGo,
			ofBatch("sivka AES-256-GCM-SIV x 1000", gcmSIV, 1000, false),
			ofBatch("sivka x 1000, scattered", gcmSIV, 1000, true),
			ofEach("those one by one", gcmSIV, 1000),
			ofBatch("sivka x 16, scattered", gcmSIV, 16, true),
			ofEach("those one by one", gcmSIV, 16),
			ofBatch("sivka x 4, scattered", gcmSIV, 4, true),
			ofEach("those one by one", gcmSIV, 4),
		}},
		{"siv", []int{16, 64, 256, 1024, 8192, 65536}, []peer{
			ofAEAD("sivka AES-SIV-512", must(sivka.NewAESSIV(raw))),
			ofTink("tink-go AES256_SIV", tinkSIV.EncryptDeterministically, tinkSIV.DecryptDeterministically),
			ofJacobsa("jacobsa/crypto AES-SIV-512"),
		}},
	}
}

// ofAEAD measures a cipher.AEAD in the caller's buffers.
func ofAEAD(name string, key cipher.AEAD) peer {
	return peer{name, 1, func(size int) (seal, open func()) {
		nonce, text, room := make([]byte, key.NonceSize()), make([]byte, size), make([]byte, 0, size+key.Overhead())
		sealed := key.Seal(nil, nonce, text, nil)
		seal = func() { key.Seal(room, nonce, text, nil) }
		open = func() { must(key.Open(room, nonce, sealed, nil)) }
		return seal, open
	}}
}

// ofBatch measures many messages in one call, in place: each call works on
// what the one before has left. Scattered ones are slices in no order.
func ofBatch(name string, key *sivka.AES256GCMSIV, count int, scattered bool) peer {
	return peer{name, count, func(size int) (seal, open func()) {
		newBatch := func() *sivka.Batch {
			b := &sivka.Batch{Nonces: make([]byte, count*key.NonceSize()), Tags: make([]byte, count*key.Overhead()), Text: make([]byte, count*size)}
			for i := range count + 1 {
				b.Offsets = append(b.Offsets, i*size)
			}
			return b
		}
		sealed, opened := newBatch(), newBatch()
		text := opened.Text
		if scattered {
			scatter(sealed)
			scatter(opened)
		}
		key.SealBatch(opened)
		ciphertext := append([]byte(nil), text...)
		seal = func() { key.SealBatch(sealed) }
		open = func() {
			copy(text, ciphertext)
			if err := key.OpenBatch(opened); err != nil {
				panic(err)
			}
		}
		return seal, open
	}}
}

// ofEach measures the same messages as ofBatch, scattered, one by one.
func ofEach(name string, key *sivka.AES256GCMSIV, count int) peer {
	return peer{name, count, func(size int) (seal, open func()) {
		nonce := make([]byte, key.NonceSize())
		b := &sivka.Batch{Text: make([]byte, count*(size+key.Overhead()))}
		for i := range count + 1 {
			b.Offsets = append(b.Offsets, i*(size+key.Overhead()))
		}
		text := b.Text
		scatter(b)
		seal = func() {
			for _, text := range b.Texts {
				key.Seal(text[:0], nonce, text[:size], nil)
			}
		}
		seal()
		ciphertext := append([]byte(nil), text...)
		open = func() {
			copy(text, ciphertext)
			for _, text := range b.Texts {
				must(key.Open(text[:0], nonce, text, nil))
			}
		}
		return seal, open
	}}
}

// scatter makes slices of one text after the other, and puts them in no order.
func scatter(b *sivka.Batch) {
	for i := range len(b.Offsets) - 1 {
		b.Texts = append(b.Texts, b.Text[b.Offsets[i]:b.Offsets[i+1]])
	}
	b.Text, b.Offsets = nil, nil
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(b.Texts), func(i, j int) {
		b.Texts[i], b.Texts[j] = b.Texts[j], b.Texts[i]
	})
}

// ofTink measures what returns new memory.
func ofTink(name string, encrypt, decrypt func(text, associatedData []byte) ([]byte, error)) peer {
	return peer{name, 1, func(size int) (seal, open func()) {
		text := make([]byte, size)
		sealed := must(encrypt(text, nil))
		return func() { must(encrypt(text, nil)) }, func() { must(decrypt(sealed, nil)) }
	}}
}

func ofJacobsa(name string) peer {
	return peer{name, 1, func(size int) (seal, open func()) {
		text, room := make([]byte, size), make([]byte, 0, size+16)
		aad := [][]byte{nil}
		sealed := must(siv.Encrypt(nil, raw, text, aad))
		return func() { must(siv.Encrypt(room, raw, text, aad)) }, func() { must(siv.Decrypt(raw, sealed, aad)) }
	}}
}
