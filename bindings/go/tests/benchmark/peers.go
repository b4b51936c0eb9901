package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/jacobsa/crypto/siv"
	aead "github.com/tink-crypto/tink-go/v2/aead/subtle"
	daead "github.com/tink-crypto/tink-go/v2/daead/subtle"
	"golang.org/x/crypto/chacha20poly1305"

	"sivka.dev/go"
)

// peer is a way to seal and to open messages.
type peer struct {
	name, algorithm string
	// messages is how many a call seals or opens.
	messages int
	// prepare returns calls for messages of a size, of which one is used.
	prepare func(size int) (seal, open func())
}

// kind says whose it is, or that its algorithm is another one.
func (p *peer) kind(c *comparison) string {
	switch {
	case strings.HasPrefix(p.name, "sivka"):
		return "ours"
	case p.algorithm == c.algorithm:
		return "peer"
	}
	return "yardstick"
}

// comparison is what is measured in turn.
type comparison struct {
	name, algorithm string
	sizes           []int
	peers           []peer
}

// first has what was sealed first, by algorithm and size.
var first = map[string][]byte{}

// agree panics if the same message was sealed otherwise.
func agree(algorithm string, size int, sealed []byte) {
	what := fmt.Sprint(algorithm, " ", size)
	if before, ok := first[what]; ok && !bytes.Equal(before, sealed) {
		panic(what + ": not what another one seals")
	}
	first[what] = bytes.Clone(sealed)
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

const ofGCMSIV, ofGCM, ofSIV = "aes-256-gcm-siv", "aes-256-gcm", "aes-siv-512"

func comparisons() []comparison {
	gcmSIV, ours := must(sivka.NewAES256GCMSIV(raw[:32])), "sivka "+sivka.Tier()
	gcm := must(cipher.NewGCM(must(aes.NewCipher(raw[:32]))))
	tinkGCMSIV := must(aead.NewAESGCMSIV(raw[:32]))
	tinkSIV := must(daead.NewAESSIV(raw))
	return []comparison{
		{"nonce", ofGCMSIV, []int{16, 64, 256, 1024, 8192, 65536, 1 << 20}, append([]peer{
			ofAEAD(ours, ofGCMSIV, gcmSIV),
			ofAEAD("Go", ofGCM, gcm),
			ofAEAD("x/crypto", "chacha20-poly1305", must(chacha20poly1305.New(raw[:32]))),
			ofTink(ofGCMSIV, 12, tinkGCMSIV.Encrypt, tinkGCMSIV.Decrypt),
		}, ofC()...)},
		{"batch", ofGCMSIV, []int{16, 64, 256, 512, 1024}, []peer{
			ofBatch(ours, gcmSIV, 1000),
			ofEach(ours, gcmSIV, 1000),
			ofBatch(ours, gcmSIV, 16),
			ofEach(ours, gcmSIV, 16),
			ofBatch(ours, gcmSIV, 4),
			ofEach(ours, gcmSIV, 4),
		}},
		{"siv", ofSIV, []int{16, 64, 256, 1024, 8192, 65536}, []peer{
			ofAEAD(ours, ofSIV, must(sivka.NewAESSIV(raw))),
			ofTink(ofSIV, 0, tinkSIV.EncryptDeterministically, tinkSIV.DecryptDeterministically),
			ofJacobsa(ofSIV),
		}},
	}
}

// ofAEAD measures a cipher.AEAD in the caller's buffers.
func ofAEAD(name, algorithm string, key cipher.AEAD) peer {
	return peer{name, algorithm, 1, func(size int) (seal, open func()) {
		nonce, text, room := make([]byte, key.NonceSize()), make([]byte, size), make([]byte, 0, size+key.Overhead())
		sealed := key.Seal(nil, nonce, text, nil)
		agree(algorithm, size, sealed)
		seal = func() { key.Seal(room, nonce, text, nil) }
		open = func() { must(key.Open(room, nonce, sealed, nil)) }
		return seal, open
	}}
}

// scattered is one buffer, and count slices of it in no order.
func scattered(count, size int) (all []byte, texts [][]byte) {
	all = make([]byte, count*size)
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(count) {
		texts = append(texts, all[i*size:][:size:size])
	}
	return all, texts
}

// ofBatch measures many messages in one call, in place: each call works on
// what the one before has left.
func ofBatch(name string, key *sivka.AES256GCMSIV, count int) peer {
	return peer{fmt.Sprintf("%s batch of %d", name, count), ofGCMSIV, count, func(size int) (seal, open func()) {
		nonces, tags := make([]byte, count*key.NonceSize()), make([]byte, count*key.Overhead())
		all, texts := scattered(count, size)
		b := &sivka.Batch{Nonces: nonces, Tags: tags, Texts: texts}
		seal = func() { key.SealBatch(b) }
		seal()
		ciphertext := bytes.Clone(all)
		for i, text := range texts {
			agree(ofGCMSIV, size, append(bytes.Clone(text), tags[i*key.Overhead():][:key.Overhead()]...))
		}
		open = func() {
			copy(all, ciphertext)
			if err := key.OpenBatch(b); err != nil {
				panic(err)
			}
		}
		return seal, open
	}}
}

// ofEach measures the same messages as ofBatch one by one.
func ofEach(name string, key *sivka.AES256GCMSIV, count int) peer {
	return peer{fmt.Sprintf("%s %d one by one", name, count), ofGCMSIV, count, func(size int) (seal, open func()) {
		nonce := make([]byte, key.NonceSize())
		all, texts := scattered(count, size+key.Overhead())
		seal = func() {
			for _, text := range texts {
				key.Seal(text[:0], nonce, text[:size], nil)
			}
		}
		seal()
		ciphertext := bytes.Clone(all)
		agree(ofGCMSIV, size, texts[count-1])
		open = func() {
			copy(all, ciphertext)
			for _, text := range texts {
				must(key.Open(text[:0], nonce, text, nil))
			}
		}
		return seal, open
	}}
}

// ofTink measures what returns new memory, in which a nonce that it drew is
// before the ciphertext.
func ofTink(algorithm string, nonceLen int, encrypt, decrypt func(text, associatedData []byte) ([]byte, error)) peer {
	return peer{"tink-go", algorithm, 1, func(size int) (seal, open func()) {
		text := make([]byte, size)
		sealed := must(encrypt(text, nil))
		if nonceLen == 0 {
			agree(algorithm, size, sealed)
		} else {
			must(must(sivka.NewAES256GCMSIV(raw[:32])).Open(nil, sealed[:nonceLen], sealed[nonceLen:], nil))
		}
		return func() { must(encrypt(text, nil)) }, func() { must(decrypt(sealed, nil)) }
	}}
}

func ofJacobsa(algorithm string) peer {
	return peer{"jacobsa/crypto", algorithm, 1, func(size int) (seal, open func()) {
		text, room := make([]byte, size), make([]byte, 0, size+16)
		aad := [][]byte{nil}
		sealed := must(siv.Encrypt(nil, raw, text, aad))
		agree(algorithm, size, sealed)
		return func() { must(siv.Encrypt(room, raw, text, aad)) }, func() { must(siv.Decrypt(raw, sealed, aad)) }
	}}
}
