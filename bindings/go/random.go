package sivka

import (
	"crypto/cipher"
	"crypto/rand"

	"sivka.dev/go/internal/buffer"
)

// sealRandom draws a nonce and appends it to dst, and after it what is sealed.
func sealRandom(key cipher.AEAD, dst, plaintext, additionalData []byte) []byte {
	size := key.NonceSize() + len(plaintext) + key.Overhead()
	whole, room := buffer.Append(dst, size)
	buffer.CheckApart(room, plaintext, additionalData)
	nonce := room[:key.NonceSize()]
	// It ends the program where the system gives no random bytes.
	_, _ = rand.Read(nonce)
	key.Seal(room[:len(nonce)], nonce, plaintext, additionalData)
	return whole
}

// openRandom opens what sealRandom has appended.
func openRandom(key cipher.AEAD, dst, sealed, additionalData []byte) ([]byte, error) {
	if len(sealed) < key.NonceSize()+key.Overhead() {
		return nil, ErrOpen
	}
	nonce, ciphertext := sealed[:key.NonceSize()], sealed[key.NonceSize():]
	return key.Open(dst, nonce, ciphertext, additionalData)
}
