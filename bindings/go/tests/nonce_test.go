package tests

import (
	"bytes"
	"testing"
)

// A nonce may lie where the output is written: a buffer that begins with the
// nonce is often the one that is appended to.
func TestANonceMayLieInTheOutput(t *testing.T) {
	for _, a := range algorithms {
		aead := a.make(t, make([]byte, a.keySize))
		size := aead.NonceSize()
		for _, textSize := range []int{1, size, size + 1, 40, 1000} {
			plaintext, nonce := bytes.Repeat([]byte{7}, textSize), bytes.Repeat([]byte{9}, size)
			sealed := aead.Seal(nil, nonce, plaintext, nil)
			for at := range size {
				buffer := make([]byte, textSize+size+100)
				copy(buffer[at:], nonce)
				if again := aead.Seal(buffer[:0], buffer[at:at+size], plaintext, nil); !bytes.Equal(again, sealed) {
					t.Errorf("%s, %d bytes: sealed otherwise", a.name, textSize)
				}
				copy(buffer[at:], nonce)
				if opened, err := aead.Open(buffer[:0], buffer[at:at+size], sealed, nil); err != nil || !bytes.Equal(opened, plaintext) {
					t.Errorf("%s, %d bytes: %v", a.name, textSize, err)
				}
			}
		}
	}
}
