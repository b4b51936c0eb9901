package pure

import (
	"encoding/binary"
	"hash"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20"
)

// contexts of the two keys of each variant: docs/spec/chacha20-blake2b.md,
// section 2.
var contexts = map[int][2]string{
	8:  {"ChaCha20-BLAKE2b 07/12/2021 20:40 ChaCha20.Encrypt()", "ChaCha20-BLAKE2b 07/12/2021 20:41 BLAKE2b.KeyedHash()"},
	24: {"XChaCha20-BLAKE2b 07/12/2021 20:48 XChaCha20.Encrypt()", "XChaCha20-BLAKE2b 07/12/2021 20:49 BLAKE2b.KeyedHash()"},
	0:  {"XChaCha20-BLAKE2b-SIV 07/12/2021 20:51 XChaCha20.Encrypt()", "XChaCha20-BLAKE2b-SIV 07/12/2021 20:52 BLAKE2b.KeyedHash()"},
}

// ChaCha20BLAKE2b is a key of ChaCha20-BLAKE2b, or of a variant.
type ChaCha20BLAKE2b struct {
	key, encryption []byte
	macContext      string
	tagSize         int
}

// NewChaCha20BLAKE2b makes a key of 32 bytes for nonces of 8 or 24 bytes, or
// of none for SIV.
func NewChaCha20BLAKE2b(nonceSize int, key []byte, tagSize int) *ChaCha20BLAKE2b {
	k := &ChaCha20BLAKE2b{
		key:        append([]byte(nil), key...),
		macContext: contexts[nonceSize][1],
		tagSize:    tagSize,
	}
	k.encryption = framed(k.key, 32, nil, []byte(contexts[nonceSize][0]))
	return k
}

// framed is the keyed hash of two strings and their lengths (section 1).
func framed(key []byte, size int, x, y []byte) []byte {
	var made hash.Hash
	var err error
	if made, err = blake2b.New(size, key); err != nil {
		panic(err)
	}
	var lengths [8]byte
	binary.LittleEndian.PutUint32(lengths[:], uint32(len(x)))
	binary.LittleEndian.PutUint32(lengths[4:], uint32(len(y)))
	for _, part := range [][]byte{x, y, lengths[:]} {
		_, _ = made.Write(part)
	}
	return made.Sum(nil)
}

// tag is that of a text, under a nonce that salts its key.
func (k *ChaCha20BLAKE2b) tag(nonce, aad, text []byte) []byte {
	mac := framed(k.key, 64, nonce, []byte(k.macContext))
	return framed(mac, k.tagSize, aad, text)
}

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag.
func (k *ChaCha20BLAKE2b) Seal(nonce, aad, from, to, tag []byte) {
	if len(nonce) == 0 {
		made := k.tag(nil, aad, from)
		k.keystream(made[:24], from, to)
		copy(tag, made)
		return
	}
	// It may be where the output is.
	nonce = append([]byte(nil), nonce...)
	k.keystream(nonce, from, to)
	copy(tag, k.tag(nonce, aad, to))
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *ChaCha20BLAKE2b) Open(nonce, aad, from, to, tag []byte) bool {
	given := append([]byte(nil), tag...)
	if len(nonce) == 0 {
		k.keystream(given[:24], from, to)
		return verdict(k.tag(nil, aad, to), given, to)
	}
	if !verdict(k.tag(nonce, aad, from), given, nil) {
		clear(to)
		return false
	}
	k.keystream(nonce, from, to)
	return true
}

// keystream encrypts by ChaCha20 with a nonce of 8 bytes, or XChaCha20 with
// 24 (section 3). The counter of 64 bits stays below 2^32, for no text has
// so many blocks: x/crypto's nonce begins with the upper half of it.
func (k *ChaCha20BLAKE2b) keystream(nonce, from, to []byte) {
	key := k.encryption
	if len(nonce) == 24 {
		subkey, err := chacha20.HChaCha20(key, nonce[:16])
		if err != nil {
			panic(err)
		}
		key, nonce = subkey, nonce[16:]
	}
	var extended [chacha20.NonceSize]byte
	copy(extended[4:], nonce)
	cipher, err := chacha20.NewUnauthenticatedCipher(key, extended[:])
	if err != nil {
		panic(err)
	}
	cipher.XORKeyStream(to, from)
}
