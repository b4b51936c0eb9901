package kuznyechik

import (
	"crypto/cipher"
	"errors"
	"runtime"
	"strconv"
	"unsafe"

	"sivka.dev/go"
	"sivka.dev/go/internal/aead"
	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/machine"
)

// Lengths in bytes.
const (
	KeySize   = 32
	BlockSize = 16
)

// ErrNoCode says that this program has no machine code for its CPU. There is
// no Kuznyechik in plain Go.
var ErrNoCode = errors.New("kuznyechik: this program has no machine code for " + runtime.GOARCH)

// ownedKey is a key, which is wiped by Wipe, or when nothing refers to it any
// more. What is copied of the types that have it refers to it.
type ownedKey struct {
	key *aead.Key
}

// Wipe overwrites the key at once, as that of [sivka.AES256GCMSIV]: calls with
// it panic from then on.
func (k ownedKey) Wipe() { k.key.Wipe() }

func makeKey(algorithm *aead.Algorithm, key []byte, tagSize int) (ownedKey, error) {
	if len(key) != KeySize {
		return ownedKey{}, sivka.KeySizeError{Given: len(key), Expected: strconv.Itoa(KeySize)}
	}
	if !machine.HasCode() {
		return ownedKey{}, ErrNoCode
	}
	made, holds := aead.New(algorithm, key, tagSize)
	if !holds {
		return ownedKey{}, sivka.ErrSelfCheck
	}
	return ownedKey{made}, nil
}

var _ cipher.Block = (*Cipher)(nil)

// Cipher is a key of the block cipher. It implements [cipher.Block]. Alone it
// protects nothing: equal blocks encrypt equally, and a changed block goes
// unseen.
type Cipher struct {
	ownedKey
}

// NewCipher makes a key from 32 bytes, which it copies. The errors are
// [sivka.KeySizeError], [ErrNoCode] and [sivka.ErrSelfCheck].
func NewCipher(key []byte) (*Cipher, error) {
	made, err := makeKey(&aead.Kuznyechik, key, 0)
	if err != nil {
		return nil, err
	}
	return &Cipher{made}, nil
}

// BlockSize returns 16, the length of a block in bytes.
func (*Cipher) BlockSize() int { return BlockSize }

// Encrypt encrypts the first block of src to dst, which overlaps src exactly
// or not at all.
func (c *Cipher) Encrypt(dst, src []byte) {
	checkBlock(dst, src)
	c.EncryptBlocks(dst[:BlockSize], src[:BlockSize])
}

// Decrypt decrypts the first block of src to dst, which overlaps src exactly
// or not at all.
func (c *Cipher) Decrypt(dst, src []byte) {
	checkBlock(dst, src)
	c.DecryptBlocks(dst[:BlockSize], src[:BlockSize])
}

func checkBlock(dst, src []byte) {
	if len(src) < BlockSize {
		panic("kuznyechik: input not full block")
	}
	if len(dst) < BlockSize {
		panic("kuznyechik: output not full block")
	}
}

// EncryptBlocks encrypts each block of src to dst, several times as fast a
// block as Encrypt. src is a whole number of blocks, and dst is as long or
// longer and overlaps src exactly or not at all.
func (c *Cipher) EncryptBlocks(dst, src []byte) {
	c.key.Usable()
	c.key.RunBlocks(machine.Seal, copyBlocks(dst, src))
}

// DecryptBlocks decrypts each block of src to dst, as [Cipher.EncryptBlocks].
func (c *Cipher) DecryptBlocks(dst, src []byte) {
	c.key.Usable()
	c.key.RunBlocks(machine.Open, copyBlocks(dst, src))
}

// copyBlocks copies src to the beginning of dst, where it is worked on in place.
func copyBlocks(dst, src []byte) []byte {
	if len(src)%BlockSize != 0 {
		panic("kuznyechik: input not full blocks")
	}
	if len(dst) < len(src) {
		panic("kuznyechik: output smaller than input")
	}
	dst = dst[:len(src)]
	if buffer.Overlap(dst, src) && unsafe.SliceData(dst) != unsafe.SliceData(src) {
		panic("kuznyechik: invalid buffer overlap")
	}
	copy(dst, src)
	return dst
}
