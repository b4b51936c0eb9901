package sivka

import (
	"crypto/cipher"
	"unsafe"

	"sivka.dev/go/internal/aead"
	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/machine"
)

var _ cipher.Block = (*Kuznyechik)(nil)

// blockSize is the length of a block of Kuznyechik in bytes.
const blockSize = 16

// Kuznyechik is a key of the Kuznyechik block cipher (GOST R 34.12-2015, RFC
// 7801), for protocols that ask for it. It implements [cipher.Block]. Alone it
// protects nothing: equal blocks encrypt equally, and a changed block goes
// unseen.
type Kuznyechik struct {
	key *aead.Key
}

// NewKuznyechik makes a key from 32 bytes, which it copies. The errors are
// [KeySizeError], [ErrNoCode] and [ErrSelfCheck].
func NewKuznyechik(key []byte) (*Kuznyechik, error) {
	made, err := newKey(&aead.Kuznyechik, key, 0)
	if err != nil {
		return nil, err
	}
	return &Kuznyechik{made.key}, nil
}

// BlockSize returns 16, the length of a block in bytes.
func (*Kuznyechik) BlockSize() int { return blockSize }

// Wipe is as that of [AES256GCMSIV]: calls with the key panic from then on.
func (k *Kuznyechik) Wipe() { k.key.Wipe() }

// Encrypt encrypts the first block of src to dst, which overlaps src exactly
// or not at all.
func (k *Kuznyechik) Encrypt(dst, src []byte) {
	checkBlock(dst, src)
	k.EncryptBlocks(dst[:blockSize], src[:blockSize])
}

// Decrypt decrypts the first block of src to dst, which overlaps src exactly
// or not at all.
func (k *Kuznyechik) Decrypt(dst, src []byte) {
	checkBlock(dst, src)
	k.DecryptBlocks(dst[:blockSize], src[:blockSize])
}

func checkBlock(dst, src []byte) {
	if len(src) < blockSize {
		panic("sivka: input not full block")
	}
	if len(dst) < blockSize {
		panic("sivka: output not full block")
	}
}

// EncryptBlocks encrypts each block of src to dst, several times as fast a
// block as Encrypt. src is a whole number of blocks. dst is as long or longer,
// and overlaps src exactly or not at all.
func (k *Kuznyechik) EncryptBlocks(dst, src []byte) { k.runBlocks(machine.Seal, dst, src) }

// DecryptBlocks decrypts each block of src to dst, as [Kuznyechik.EncryptBlocks].
func (k *Kuznyechik) DecryptBlocks(dst, src []byte) { k.runBlocks(machine.Open, dst, src) }

// runBlocks copies src to the beginning of dst, and works there in place.
func (k *Kuznyechik) runBlocks(entry int, dst, src []byte) {
	k.key.Usable()
	if len(src)%blockSize != 0 {
		panic("sivka: input not full blocks")
	}
	if len(dst) < len(src) {
		panic("sivka: output smaller than input")
	}
	dst = dst[:len(src)]
	if buffer.Overlap(dst, src) && unsafe.SliceData(dst) != unsafe.SliceData(src) {
		panic("sivka: invalid buffer overlap")
	}
	copy(dst, src)
	k.key.RunBlocks(entry, dst)
}

var _ cipher.AEAD = (*KuznyechikMGM)(nil)

// mgmTagSize is the length of a tag of Kuznyechik-MGM in bytes.
const mgmTagSize = 16

// KuznyechikMGM is a key of Kuznyechik-MGM (RFC 9058), for protocols that ask
// for it. It implements [cipher.AEAD] with nonces and tags of 16 bytes.
//
// The first bit of a nonce must be zero. Plaintext and additional data
// together have at least one byte, and fewer than 2^61. Sealing panics for
// others, and has written nothing then.
//
// It is not nonce-misuse resistant: two messages sealed under one nonce
// reveal the difference of their plaintexts, and tags protect no more. It is
// not key-committing.
type KuznyechikMGM struct {
	drawing
}

// NewKuznyechikMGM makes a key from 32 uniformly random bytes, which it copies.
// The errors are [KeySizeError], [ErrNoCode] and [ErrSelfCheck].
func NewKuznyechikMGM(key []byte) (*KuznyechikMGM, error) {
	made, err := newKey(&aead.KuznyechikMGM, key, mgmTagSize)
	if err != nil {
		return nil, err
	}
	return &KuznyechikMGM{drawing{made}}, nil
}

// Seal is as that of [AES256GCMSIV]. It panics as well for a nonce whose first
// bit is set, and if there is neither plaintext nor additional data.
func (k *KuznyechikMGM) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkMGM(nonce, plaintext, additionalData)
	return k.drawing.Seal(dst, nonce, plaintext, additionalData)
}

// checkMGM panics for what MGM does not seal.
func checkMGM(nonce, plaintext, additionalData []byte) {
	if len(nonce) > 0 && nonce[0]&0x80 != 0 {
		panic("sivka: the first bit of an MGM nonce must be zero")
	}
	if len(plaintext)+len(additionalData) == 0 {
		panic("sivka: MGM cannot seal an empty plaintext with empty additional data")
	}
}

// SealBatch is as that of [AES256GCMSIV]. It panics as well for a message that
// [KuznyechikMGM.Seal] refuses.
func (k *KuznyechikMGM) SealBatch(b *Batch) {
	var messages batch.Messages
	b.describe(&messages)
	k.key.CheckBatch(&messages)
	for i := range messages.Count() {
		checkMGM(b.Nonces[i*k.NonceSize():], messages.Texts.At(i), messages.AADs.At(i))
	}
	k.key.SealBatch(&messages)
}

// SealRandom seals under a random nonce of 127 bits, and appends nonce,
// ciphertext and tag to dst, which it returns. It panics as Seal does; the
// output must not overlap plaintext or additionalData at all.
func (k *KuznyechikMGM) SealRandom(dst, plaintext, additionalData []byte) []byte {
	checkMGM(nil, plaintext, additionalData)
	return k.sealRandom(dst, plaintext, additionalData, 0x7f)
}
