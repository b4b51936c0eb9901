package tests

import (
	"crypto/aes"
	"crypto/cipher"
	"testing"
)

// Where a text, additional data and the output lie in some memory, an AEAD
// panics if Go's AES-GCM does.
func TestOverlapsPanicWhereGosDo(t *testing.T) {
	block, err := aes.NewCipher(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range newKeys(t) {
		tag := key.Overhead()
		for _, size := range []int{0, 1, 5, 40} {
			for at := range 2*(size+tag) + 2 {
				for _, aadAt := range []int{-1, 0, size, size + tag - 1, size + tag} {
					same(t, key, gcm, size, at, aadAt)
				}
			}
		}
	}
}

// same seals and opens with both: the input lies in the middle of memory, the
// output begins so far from its start, and additional data, too.
func same(t *testing.T, key, gcm cipher.AEAD, size, at, aadAt int) {
	t.Helper()
	tag := key.Overhead()
	try := func(key cipher.AEAD, open bool) bool {
		memory := make([]byte, 4*(size+tag)+10)
		input := size
		if open {
			input += tag
		}
		var aad []byte
		if aadAt >= 0 {
			aad = memory[at+aadAt:][:3]
		}
		middle := memory[size+tag:][:input]
		nonce := make([]byte, key.NonceSize())
		return panics(func() {
			if open {
				_, _ = key.Open(memory[at:at], nonce, middle, aad)
			} else {
				key.Seal(memory[at:at], nonce, middle, aad)
			}
		}) != ""
	}
	for _, open := range []bool{false, true} {
		if panic := try(gcm, open); try(key, open) != panic {
			t.Errorf("%v, %d bytes, open: %v, output at %d, additional data at %d: Go panics: %v", key, size, open, at, aadAt, panic)
		}
	}
}
