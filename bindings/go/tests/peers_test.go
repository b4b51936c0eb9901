package tests

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tink-crypto/tink-go/v2/aead/subtle"

	"sivka.dev/go"
)

// reference is AES-GCM-SIV of others, written in Go.
func reference(t testing.TB, key []byte) *subtle.AESGCMSIV {
	t.Helper()
	peer, err := subtle.NewAESGCMSIV(key)
	if err != nil {
		t.Fatal(err)
	}
	return peer
}

// random bytes, the same in every run.
func random(source *rand.ChaCha8, size int) []byte {
	drawn := make([]byte, size)
	source.Read(drawn)
	return drawn
}

// Every length up to four times the widest stride and one more, and some
// long ones: what we seal the peer opens, and what it seals we open, in
// place and apart. Every message with a flipped bit is refused.
func TestPeerAgrees(t *testing.T) {
	lengths := []int{2047, 4096, 8191, 16 << 10, 16464, 65535, 65536, 100_000}
	for length := range 4*512 + 2 {
		lengths = append(lengths, length)
	}
	onEveryTier(t, func(t *testing.T) {
		source := rand.NewChaCha8([32]byte{1})
		for _, a := range []algorithm{find(t, "AES-128-GCM-SIV"), find(t, "AES-256-GCM-SIV")} {
			rawKey := random(source, a.keySize)
			key, peer := a.make(t, rawKey), reference(t, rawKey)
			for i, length := range lengths {
				text, aad := random(source, length), random(source, i%70)
				theirs, err := peer.Encrypt(text, aad)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, key, theirs, text, aad)
			}
		}
	})
}

// compare seals text under the nonce in front of theirs, which must be what
// comes out, and opens it.
func compare(t *testing.T, key cipher.AEAD, theirs, text, aad []byte) {
	t.Helper()
	nonce, want := theirs[:12], theirs[12:]
	sealed := key.Seal(nil, nonce, text, aad)
	if !bytes.Equal(sealed, want) {
		t.Fatalf("%d bytes seal to something else", len(text))
	}
	inPlace := append(make([]byte, 0, len(sealed)), text...)
	if inPlace = key.Seal(inPlace[:0], nonce, inPlace, aad); !bytes.Equal(inPlace, want) {
		t.Fatalf("%d bytes in place seal to something else", len(text))
	}
	if opened, err := key.Open(nil, nonce, sealed, aad); err != nil || !bytes.Equal(opened, text) {
		t.Fatalf("%d bytes do not open: %v", len(text), err)
	}
	if opened, err := key.Open(inPlace[:0], nonce, inPlace, aad); err != nil || !bytes.Equal(opened, text) {
		t.Fatalf("%d bytes in place do not open: %v", len(text), err)
	}
	sealed[len(text)/2] ^= 0x10
	room := bytes.Repeat([]byte{7}, len(text))
	if _, err := key.Open(room[:0], nonce, sealed, aad); !errors.Is(err, sivka.ErrOpen) {
		t.Fatalf("%d bytes with a flipped bit open: %v", len(text), err)
	}
	if !bytes.Equal(room, make([]byte, len(text))) {
		t.Fatalf("%d bytes of a forgery were left in the output", len(text))
	}
}

func FuzzAgainstPeer(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef"), []byte("nonce of 12!"), []byte("text"), []byte("aad"))
	f.Add(make([]byte, 16), make([]byte, 12), make([]byte, 300), []byte{})
	f.Fuzz(func(t *testing.T, rawKey, nonce, text, aad []byte) {
		if len(nonce) != 12 || len(rawKey) != 16 && len(rawKey) != 32 {
			return
		}
		key := find(t, map[int]string{16: "AES-128-GCM-SIV", 32: "AES-256-GCM-SIV"}[len(rawKey)]).make(t, rawKey)
		sealed := key.Seal(bytes.Clone(nonce), nonce, text, aad)
		if opened, err := reference(t, rawKey).Decrypt(sealed, aad); err != nil || !bytes.Equal(opened, text) {
			t.Fatalf("the peer opens it to %x, %v", opened, err)
		}
		compare(t, key, sealed, text, aad)
	})
}

// What is no sealed message must not open, and not break anything.
func FuzzOpen(f *testing.F) {
	f.Add(make([]byte, 12), make([]byte, 40), []byte("aad"))
	key := find(f, "AES-256-GCM-SIV").make(f, make([]byte, 32))
	f.Fuzz(func(t *testing.T, nonce, sealed, aad []byte) {
		if len(nonce) != key.NonceSize() {
			return
		}
		opened, err := key.Open(nil, nonce, sealed, aad)
		theirs, refused := reference(t, make([]byte, 32)).Decrypt(append(bytes.Clone(nonce), sealed...), aad)
		if (err == nil) != (refused == nil) || err == nil && !bytes.Equal(opened, theirs) {
			t.Fatalf("ours: %v, the peer's: %v", err, refused)
		}
	})
}
