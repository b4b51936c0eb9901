package sivka

import (
	"crypto/cipher"

	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/gcmsiv"
	"sivka.dev/go/internal/machine"
)

var _ cipher.AEAD = (*AESGCMSIV)(nil)

// maxGCMSIVSize is the most bytes of a plaintext, and of additional data
// (RFC 8452, section 6).
const maxGCMSIVSize = 1 << 36

// AESGCMSIV is a key of AES-128-GCM-SIV or AES-256-GCM-SIV (RFC 8452). It
// implements [cipher.AEAD] with nonces of 12 bytes and tags of 16.
//
// It is nonce-misuse resistant: a nonce that repeats reveals only whether
// two messages with the same additional data are equal. It is not
// key-committing: a ciphertext can be made that opens under two keys, so do
// not let a stranger choose among keys by which one opens a message.
//
// A plaintext has at most 2^36 bytes, and so has additional data (section
// 6). How many messages one key may seal under random nonces depends on
// their length (section 9): 2^32, if each has at most 2^32 bytes.
type AESGCMSIV struct {
	key *gcmsiv.Key
}

// NewAES128GCMSIV makes a key from 16 uniformly random bytes, which it
// copies. The errors are [KeySizeError] and [ErrSelfCheck].
func NewAES128GCMSIV(key []byte) (*AESGCMSIV, error) {
	return newAESGCMSIV(key, 16)
}

// NewAES256GCMSIV makes a key from 32 uniformly random bytes, which it
// copies. The errors are [KeySizeError] and [ErrSelfCheck].
func NewAES256GCMSIV(key []byte) (*AESGCMSIV, error) {
	return newAESGCMSIV(key, 32)
}

func newAESGCMSIV(key []byte, size int) (*AESGCMSIV, error) {
	if len(key) != size {
		return nil, KeySizeError(len(key))
	}
	tier := machine.Chosen()
	if !gcmsiv.Checked(tier) {
		return nil, ErrSelfCheck
	}
	return &AESGCMSIV{gcmsiv.NewKey(key, tier)}, nil
}

// NonceSize returns 12, the length of a nonce in bytes.
func (*AESGCMSIV) NonceSize() int { return gcmsiv.NonceSize }

// Overhead returns 16, the length of a tag in bytes.
func (*AESGCMSIV) Overhead() int { return gcmsiv.TagSize }

// Seal encrypts and authenticates plaintext, authenticates additionalData,
// and appends ciphertext and tag to dst, which it returns. It allocates
// nothing if dst has room.
//
// To seal in place, pass plaintext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap plaintext. It must never overlap
// additionalData. Seal panics if they overlap, if the nonce does not have 12
// bytes, or for inputs over the limits; it has written nothing then.
func (k *AESGCMSIV) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkGCMSIV(nonce, plaintext, additionalData)
	whole, text, tag := buffer.ToSeal(dst, plaintext, additionalData, gcmsiv.TagSize)
	k.key.Seal((*[gcmsiv.NonceSize]byte)(nonce), additionalData, plaintext, text, (*[gcmsiv.TagSize]byte)(tag))
	return whole
}

// Open decrypts and authenticates what [AESGCMSIV.Seal] appended, and
// appends the plaintext to dst, which it returns. It allocates nothing if
// dst has room.
//
// To open in place, pass ciphertext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap ciphertext. It must never overlap
// additionalData. Open panics as Seal does.
//
// The only error is [ErrOpen]. What would have been appended to dst is then
// zeros, and holds no plaintext.
func (k *AESGCMSIV) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	size := max(0, len(ciphertext)-gcmsiv.TagSize)
	checkGCMSIV(nonce, ciphertext[:size], additionalData)
	if len(ciphertext) < gcmsiv.TagSize {
		return nil, ErrOpen
	}
	from, tag := ciphertext[:size], (*[gcmsiv.TagSize]byte)(ciphertext[size:])
	whole, text := buffer.ToOpen(dst, from, additionalData)
	if !k.key.Open((*[gcmsiv.NonceSize]byte)(nonce), additionalData, from, text, tag) {
		return nil, ErrOpen
	}
	return whole, nil
}

// SealRandom seals under a random nonce, and appends nonce, ciphertext and
// tag to dst, which it returns. Sivka's packages for other languages, and
// Tink's RAW keys, have the same bytes. It panics as [AESGCMSIV.Seal] does;
// the output must not overlap plaintext at all.
func (k *AESGCMSIV) SealRandom(dst, plaintext, additionalData []byte) []byte {
	return sealRandom(k, dst, plaintext, additionalData)
}

// OpenRandom opens what [AESGCMSIV.SealRandom] appended, and appends the
// plaintext to dst, which it returns. To open in place, pass
// sealed[12:12] as dst. It fails and panics as [AESGCMSIV.Open] does.
func (k *AESGCMSIV) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	return openRandom(k, dst, sealed, additionalData)
}

// String returns the name of the algorithm, and nothing of the key.
func (k *AESGCMSIV) String() string {
	if k.key.Size() == 16 {
		return "AES-128-GCM-SIV"
	}
	return "AES-256-GCM-SIV"
}

// GoString is as [AESGCMSIV.String].
func (k *AESGCMSIV) GoString() string { return k.String() }

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
