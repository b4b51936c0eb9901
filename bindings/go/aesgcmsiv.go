package sivka

import (
	"crypto/cipher"
	"unsafe"

	"sivka.dev/go/internal/gcmsiv"
	"sivka.dev/go/internal/machine"
)

// maxGCMSIVSize is the most bytes of a plaintext, and of additional data
// (RFC 8452, section 6).
const maxGCMSIVSize = 1 << 36

var (
	_ cipher.AEAD = (*AES128GCMSIV)(nil)
	_ cipher.AEAD = (*AES256GCMSIV)(nil)
)

// AES128GCMSIV is a key of AES-128-GCM-SIV (RFC 8452). It implements
// [cipher.AEAD], may be used by many goroutines at once, and never prints
// itself. See [AES256GCMSIV], which has the same methods.
type AES128GCMSIV struct {
	key *gcmsiv.Key128
}

// NewAES128GCMSIV makes a key from 16 uniformly random bytes, which it
// copies. The errors are [KeySizeError] and [ErrSelfCheck].
func NewAES128GCMSIV(key []byte) (*AES128GCMSIV, error) {
	if len(key) != 16 {
		return nil, KeySizeError(len(key))
	}
	tier := machine.Chosen()
	if !gcmsiv.Checked(tier) {
		return nil, ErrSelfCheck
	}
	return &AES128GCMSIV{gcmsiv.NewKey128((*[16]byte)(key), tier)}, nil
}

// NonceSize returns 12, the length of a nonce in bytes.
func (*AES128GCMSIV) NonceSize() int { return gcmsiv.NonceSize }

// Overhead returns 16, the length of a tag in bytes.
func (*AES128GCMSIV) Overhead() int { return gcmsiv.TagSize }

// Seal is as [AES256GCMSIV.Seal].
func (k *AES128GCMSIV) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkGCMSIV(nonce, plaintext, additionalData)
	whole, out := appended(dst, len(plaintext)+gcmsiv.TagSize)
	checkBuffers(out, plaintext, additionalData)
	text, tag := out[:len(plaintext)], (*[gcmsiv.TagSize]byte)(out[len(plaintext):])
	k.key.Seal((*[gcmsiv.NonceSize]byte)(nonce), additionalData, unsafe.SliceData(plaintext), unsafe.SliceData(text), len(text), tag)
	return whole
}

// Open is as [AES256GCMSIV.Open].
func (k *AES128GCMSIV) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	text, tag, ok := cutGCMSIV(nonce, ciphertext, additionalData)
	if !ok {
		return nil, ErrOpen
	}
	whole, out := appended(dst, len(text))
	checkBuffers(out, text, additionalData)
	if !k.key.Open((*[gcmsiv.NonceSize]byte)(nonce), additionalData, unsafe.SliceData(text), unsafe.SliceData(out), len(out), tag) {
		return nil, ErrOpen
	}
	return whole, nil
}

// SealRandom is as [AES256GCMSIV.SealRandom].
func (k *AES128GCMSIV) SealRandom(dst, plaintext, additionalData []byte) []byte {
	return sealRandom(k, dst, plaintext, additionalData)
}

// OpenRandom is as [AES256GCMSIV.OpenRandom].
func (k *AES128GCMSIV) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	return openRandom(k, dst, sealed, additionalData)
}

// String returns the name of the algorithm, and nothing of the key.
func (*AES128GCMSIV) String() string { return "AES-128-GCM-SIV" }

// GoString is as [AES128GCMSIV.String].
func (k *AES128GCMSIV) GoString() string { return k.String() }

// AES256GCMSIV is a key of AES-256-GCM-SIV (RFC 8452). It implements
// [cipher.AEAD], may be used by many goroutines at once, and never prints
// itself. Its memory is wiped when nothing refers to it any more.
//
// It is nonce-misuse resistant: a nonce that repeats reveals only whether
// two messages with the same additional data are equal. It is not
// key-committing: a ciphertext can be made that opens under two keys, so do
// not let a stranger choose among keys by which one opens a message.
//
// A plaintext has at most 2^36 bytes, and so has additional data (section
// 6). How many messages one key may seal depends on their length (section
// 9): 2^32 under random nonces, if none is longer than some GiB.
type AES256GCMSIV struct {
	key *gcmsiv.Key256
}

// NewAES256GCMSIV makes a key from 32 uniformly random bytes, which it
// copies. The errors are [KeySizeError] and [ErrSelfCheck].
func NewAES256GCMSIV(key []byte) (*AES256GCMSIV, error) {
	if len(key) != 32 {
		return nil, KeySizeError(len(key))
	}
	tier := machine.Chosen()
	if !gcmsiv.Checked(tier) {
		return nil, ErrSelfCheck
	}
	return &AES256GCMSIV{gcmsiv.NewKey256((*[32]byte)(key), tier)}, nil
}

// NonceSize returns 12, the length of a nonce in bytes.
func (*AES256GCMSIV) NonceSize() int { return gcmsiv.NonceSize }

// Overhead returns 16, the length of a tag in bytes.
func (*AES256GCMSIV) Overhead() int { return gcmsiv.TagSize }

// Seal encrypts and authenticates plaintext, authenticates additionalData,
// and appends ciphertext and tag to dst, which it returns. It allocates
// nothing if dst has room.
//
// To seal in place, pass plaintext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap plaintext. It must never overlap
// additionalData. Seal panics if they overlap, if the nonce does not have 12
// bytes, or for inputs over the limits; it has written nothing then.
func (k *AES256GCMSIV) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkGCMSIV(nonce, plaintext, additionalData)
	whole, out := appended(dst, len(plaintext)+gcmsiv.TagSize)
	checkBuffers(out, plaintext, additionalData)
	text, tag := out[:len(plaintext)], (*[gcmsiv.TagSize]byte)(out[len(plaintext):])
	k.key.Seal((*[gcmsiv.NonceSize]byte)(nonce), additionalData, unsafe.SliceData(plaintext), unsafe.SliceData(text), len(text), tag)
	return whole
}

// Open decrypts and authenticates what [AES256GCMSIV.Seal] appended, and
// appends the plaintext to dst, which it returns. It allocates nothing if
// dst has room.
//
// To open in place, pass ciphertext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap ciphertext. It must never overlap
// additionalData. Open panics as Seal does.
//
// The only error is [ErrOpen]. What would have been appended to dst is then
// zeros, and holds no plaintext.
func (k *AES256GCMSIV) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	text, tag, ok := cutGCMSIV(nonce, ciphertext, additionalData)
	if !ok {
		return nil, ErrOpen
	}
	whole, out := appended(dst, len(text))
	checkBuffers(out, text, additionalData)
	if !k.key.Open((*[gcmsiv.NonceSize]byte)(nonce), additionalData, unsafe.SliceData(text), unsafe.SliceData(out), len(out), tag) {
		return nil, ErrOpen
	}
	return whole, nil
}

// SealRandom seals under a random nonce, and appends nonce, ciphertext and
// tag to dst, which it returns. Other languages' packages of Sivka, and
// Tink's RAW keys, have the same bytes. It panics as [AES256GCMSIV.Seal]
// does; the output must not overlap plaintext at all.
func (k *AES256GCMSIV) SealRandom(dst, plaintext, additionalData []byte) []byte {
	return sealRandom(k, dst, plaintext, additionalData)
}

// OpenRandom opens what [AES256GCMSIV.SealRandom] appended, and appends the
// plaintext to dst, which it returns. It fails and panics as
// [AES256GCMSIV.Open] does; the output must not overlap sealed at all.
func (k *AES256GCMSIV) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	return openRandom(k, dst, sealed, additionalData)
}

// String returns the name of the algorithm, and nothing of the key.
func (*AES256GCMSIV) String() string { return "AES-256-GCM-SIV" }

// GoString is as [AES256GCMSIV.String].
func (k *AES256GCMSIV) GoString() string { return k.String() }

// checkGCMSIV panics for what may not be sealed.
func checkGCMSIV(nonce, text, additionalData []byte) {
	if len(nonce) != gcmsiv.NonceSize {
		panic("sivka: incorrect nonce length given to AES-GCM-SIV")
	}
	if uint64(len(text)) > maxGCMSIVSize {
		panic("sivka: message too large for AES-GCM-SIV")
	}
	if uint64(len(additionalData)) > maxGCMSIVSize {
		panic("sivka: additional data too large for AES-GCM-SIV")
	}
}

// cutGCMSIV cuts the tag from a ciphertext, and panics as checkGCMSIV does.
func cutGCMSIV(nonce, ciphertext, additionalData []byte) (text []byte, tag *[gcmsiv.TagSize]byte, ok bool) {
	if len(ciphertext) < gcmsiv.TagSize {
		checkGCMSIV(nonce, nil, additionalData)
		return nil, nil, false
	}
	text = ciphertext[:len(ciphertext)-gcmsiv.TagSize]
	checkGCMSIV(nonce, text, additionalData)
	return text, (*[gcmsiv.TagSize]byte)(ciphertext[len(text):]), true
}
