// Package pure is the AEADs of Sivka in plain Go, for architectures without
// machine code and for builds with the tag purego. It is as much constant
// time as crypto/aes is on the architecture.
package pure

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
)

// blockSize is the length of a block of AES in bytes.
const blockSize = 16

// GCMSIV is a key of AES-GCM-SIV (RFC 8452).
type GCMSIV struct {
	block   cipher.Block
	keySize int
}

// NewGCMSIV makes a key of 16 or 32 bytes.
func NewGCMSIV(key []byte) *GCMSIV {
	return &GCMSIV{newAES(key), len(key)}
}

// newAES makes a key of a length that the caller has checked.
func newAES(key []byte) cipher.Block {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	return block
}

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag of 16 bytes.
func (k *GCMSIV) Seal(nonce, aad, from, to, tag []byte) {
	authentication, encryption := k.derive(nonce)
	made := gcmSIVTag(authentication, encryption, nonce, aad, from)
	gcmSIVKeystream(encryption, made, from, to)
	copy(tag, made[:])
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *GCMSIV) Open(nonce, aad, from, to, tag []byte) bool {
	// It may be where the output is.
	nonce = append([]byte(nil), nonce...)
	authentication, encryption := k.derive(nonce)
	given := [blockSize]byte(tag)
	gcmSIVKeystream(encryption, given, from, to)
	made := gcmSIVTag(authentication, encryption, nonce, aad, to)
	return verdict(made[:], given[:], to)
}

// verdict reports whether two tags are equal, and wipes the text if not.
func verdict(made, given, text []byte) bool {
	if subtle.ConstantTimeCompare(made, given) == 1 {
		return true
	}
	clear(text)
	return false
}

// derive makes the keys of a message (section 4).
func (k *GCMSIV) derive(nonce []byte) (authentication polyval, encryption cipher.Block) {
	var input, output [blockSize]byte
	var derived [48]byte
	copy(input[4:], nonce)
	for i := range 2 + k.keySize/8 {
		binary.LittleEndian.PutUint32(input[:], uint32(i))
		k.block.Encrypt(output[:], input[:])
		copy(derived[8*i:], output[:8])
	}
	return newPolyval(derived[:16]), newAES(derived[16 : 16+k.keySize])
}

// gcmSIVTag is the tag of a plaintext (section 4).
func gcmSIVTag(authentication polyval, encryption cipher.Block, nonce, aad, plaintext []byte) [blockSize]byte {
	var lengths, sum [blockSize]byte
	authentication.absorb(aad)
	authentication.absorb(plaintext)
	binary.LittleEndian.PutUint64(lengths[:], 8*uint64(len(aad)))
	binary.LittleEndian.PutUint64(lengths[8:], 8*uint64(len(plaintext)))
	authentication.absorb(lengths[:])
	authentication.sum(&sum)
	subtle.XORBytes(sum[:], sum[:len(nonce)], nonce)
	sum[15] &= 0x7f
	encryption.Encrypt(sum[:], sum[:])
	return sum
}

// gcmSIVKeystream encrypts by a counter of 32 bits that wraps (section 4).
func gcmSIVKeystream(encryption cipher.Block, tag [blockSize]byte, from, to []byte) {
	counter, keystream := tag, [blockSize]byte{}
	counter[15] |= 0x80
	for number := binary.LittleEndian.Uint32(tag[:]); len(from) > 0; number++ {
		binary.LittleEndian.PutUint32(counter[:], number)
		encryption.Encrypt(keystream[:], counter[:])
		done := subtle.XORBytes(to, from, keystream[:min(blockSize, len(from))])
		from, to = from[done:], to[done:]
	}
}
