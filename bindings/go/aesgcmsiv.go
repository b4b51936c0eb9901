package sivka

import (
	"crypto/cipher"
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/gcmsiv128"
	"sivka.dev/go/internal/gcmsiv256"
	"sivka.dev/go/internal/machine"
)

var (
	_ cipher.AEAD = (*AES128GCMSIV)(nil)
	_ cipher.AEAD = (*AES256GCMSIV)(nil)
)

// Lengths of AES-GCM-SIV in bytes.
const (
	gcmSIVNonceSize = 12
	gcmSIVTagSize   = 16
	// maxGCMSIVSize is the most of a plaintext, and of additional data (RFC
	// 8452, section 6).
	maxGCMSIVSize = 1 << 36
)

// AES256GCMSIV is a key of AES-256-GCM-SIV (RFC 8452). It implements
// [cipher.AEAD] with nonces of 12 bytes and tags of 16.
//
// It is nonce-misuse resistant: a nonce that repeats reveals only whether
// two messages with the same additional data are equal. It is not
// key-committing: a ciphertext can be made that opens under two keys, so do
// not let a stranger choose among keys by which one opens a message.
//
// A plaintext has at most 2^36 bytes, and so has additional data (section
// 6). How many messages one key may seal under random nonces depends on
// their length (section 9): 2^32, if each has at most 2^32 bytes.
type AES256GCMSIV struct {
	key *gcmsiv256.Key
}

// NewAES256GCMSIV makes a key from 32 uniformly random bytes, which it
// copies. The errors are [KeySizeError] and [ErrSelfCheck].
func NewAES256GCMSIV(key []byte) (*AES256GCMSIV, error) {
	if len(key) != gcmsiv256.KeySize {
		return nil, KeySizeError(len(key))
	}
	tier := machine.Chosen()
	if !gcmsiv256.Checked(tier) {
		return nil, ErrSelfCheck
	}
	return &AES256GCMSIV{gcmsiv256.NewKey((*[gcmsiv256.KeySize]byte)(key), tier)}, nil
}

// NonceSize returns 12, the length of a nonce in bytes.
func (*AES256GCMSIV) NonceSize() int { return gcmSIVNonceSize }

// Overhead returns 16, the length of a tag in bytes.
func (*AES256GCMSIV) Overhead() int { return gcmSIVTagSize }

// Seal encrypts and authenticates plaintext, authenticates additionalData,
// and appends ciphertext and tag to dst, which it returns. It allocates
// nothing if dst has room.
//
// To seal in place, pass plaintext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap plaintext. It must never overlap
// additionalData. Seal panics if they overlap, if the nonce does not have 12
// bytes, or for inputs over the limits; it has written nothing then.
func (k *AES256GCMSIV) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	size := len(plaintext)
	if !isUsualGCMSIV(nonce, size, additionalData) || !buffer.HasRoom(dst, size+gcmSIVTagSize, plaintext, additionalData) {
		checkGCMSIV(nonce, plaintext, additionalData)
		dst = buffer.Grow(dst, size+gcmSIVTagSize, plaintext, additionalData)
	}
	whole := dst[:len(dst)+size+gcmSIVTagSize]
	text := whole[len(dst):]
	k.key.Seal((*[gcmSIVNonceSize]byte)(nonce), additionalData, unsafe.SliceData(plaintext), unsafe.SliceData(text), size, (*[gcmSIVTagSize]byte)(text[size:]))
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
	size := len(ciphertext) - gcmSIVTagSize
	if !isUsualGCMSIV(nonce, size, additionalData) || !buffer.HasRoom(dst, size, ciphertext, additionalData) {
		checkGCMSIV(nonce, ciphertext[:max(0, size)], additionalData)
		if size < 0 {
			return nil, ErrOpen
		}
		dst = buffer.Grow(dst, size, ciphertext, additionalData)
	}
	whole := dst[:len(dst)+size]
	tag := (*[gcmSIVTagSize]byte)(ciphertext[size:])
	if !k.key.Open((*[gcmSIVNonceSize]byte)(nonce), additionalData, unsafe.SliceData(ciphertext), unsafe.SliceData(whole[len(dst):]), size, tag) {
		return nil, ErrOpen
	}
	return whole, nil
}

// SealRandom seals under a random nonce, and appends nonce, ciphertext and
// tag to dst, which it returns. Sivka's packages for other languages, and
// Tink's RAW keys, have the same bytes. It panics as [AES256GCMSIV.Seal]
// does; the output must not overlap plaintext or additionalData at all.
func (k *AES256GCMSIV) SealRandom(dst, plaintext, additionalData []byte) []byte {
	return sealRandom(k, dst, plaintext, additionalData)
}

// OpenRandom opens what [AES256GCMSIV.SealRandom] appended, and appends the
// plaintext to dst, which it returns. To open in place, pass sealed[12:12]
// as dst. It fails and panics as [AES256GCMSIV.Open] does.
func (k *AES256GCMSIV) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	return openRandom(k, dst, sealed, additionalData)
}

// SealBatch encrypts and authenticates every message of b in place, and
// writes the tags. It panics if the parts of b do not fit together or
// overlap, or for inputs over the limits; it has written nothing then.
func (k *AES256GCMSIV) SealBatch(b *Batch) {
	var messages batch.Messages
	b.check(&messages, gcmSIVNonceSize, gcmSIVTagSize, maxGCMSIVSize)
	k.key.SealBatch(&messages)
}

// OpenBatch decrypts and authenticates every message of b in place. The only
// error is a [BatchError]; [ErrOpen] is in its tree. It panics as
// [AES256GCMSIV.SealBatch] does.
func (k *AES256GCMSIV) OpenBatch(b *Batch) error {
	var messages batch.Messages
	b.check(&messages, gcmSIVNonceSize, gcmSIVTagSize, maxGCMSIVSize)
	return opened(k.key.OpenBatch(&messages))
}

// Wipe overwrites the key at once, and on the stack of this goroutine all
// that calls have left there: call it no deeper in functions than those. Calls
// with the key panic from then on, but for those that need no key: names and
// sizes, empty batches, messages too short to open. Call Wipe when no other
// goroutine uses the key: a call that is under way may panic, and what it wrote
// is worth nothing then. Wipe again on each other goroutine that has used the
// key, for its own stack. The package's documentation says what remains.
func (k *AES256GCMSIV) Wipe() { k.key.Wipe() }

// String returns the name of the algorithm, and nothing of the key.
func (*AES256GCMSIV) String() string { return "AES-256-GCM-SIV" }

// GoString is as [AES256GCMSIV.String].
func (k *AES256GCMSIV) GoString() string { return k.String() }

// AES128GCMSIV is a key of AES-128-GCM-SIV (RFC 8452). It is as
// [AES256GCMSIV], with the same methods.
type AES128GCMSIV struct {
	key *gcmsiv128.Key
}

// NewAES128GCMSIV makes a key from 16 uniformly random bytes, which it
// copies. The errors are [KeySizeError] and [ErrSelfCheck].
func NewAES128GCMSIV(key []byte) (*AES128GCMSIV, error) {
	if len(key) != gcmsiv128.KeySize {
		return nil, KeySizeError(len(key))
	}
	tier := machine.Chosen()
	if !gcmsiv128.Checked(tier) {
		return nil, ErrSelfCheck
	}
	return &AES128GCMSIV{gcmsiv128.NewKey((*[gcmsiv128.KeySize]byte)(key), tier)}, nil
}

// NonceSize returns 12, the length of a nonce in bytes.
func (*AES128GCMSIV) NonceSize() int { return gcmSIVNonceSize }

// Overhead returns 16, the length of a tag in bytes.
func (*AES128GCMSIV) Overhead() int { return gcmSIVTagSize }

// Seal is as [AES256GCMSIV.Seal].
func (k *AES128GCMSIV) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	size := len(plaintext)
	if !isUsualGCMSIV(nonce, size, additionalData) || !buffer.HasRoom(dst, size+gcmSIVTagSize, plaintext, additionalData) {
		checkGCMSIV(nonce, plaintext, additionalData)
		dst = buffer.Grow(dst, size+gcmSIVTagSize, plaintext, additionalData)
	}
	whole := dst[:len(dst)+size+gcmSIVTagSize]
	text := whole[len(dst):]
	k.key.Seal((*[gcmSIVNonceSize]byte)(nonce), additionalData, unsafe.SliceData(plaintext), unsafe.SliceData(text), size, (*[gcmSIVTagSize]byte)(text[size:]))
	return whole
}

// Open is as [AES256GCMSIV.Open].
func (k *AES128GCMSIV) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	size := len(ciphertext) - gcmSIVTagSize
	if !isUsualGCMSIV(nonce, size, additionalData) || !buffer.HasRoom(dst, size, ciphertext, additionalData) {
		checkGCMSIV(nonce, ciphertext[:max(0, size)], additionalData)
		if size < 0 {
			return nil, ErrOpen
		}
		dst = buffer.Grow(dst, size, ciphertext, additionalData)
	}
	whole := dst[:len(dst)+size]
	tag := (*[gcmSIVTagSize]byte)(ciphertext[size:])
	if !k.key.Open((*[gcmSIVNonceSize]byte)(nonce), additionalData, unsafe.SliceData(ciphertext), unsafe.SliceData(whole[len(dst):]), size, tag) {
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

// SealBatch is as [AES256GCMSIV.SealBatch].
func (k *AES128GCMSIV) SealBatch(b *Batch) {
	var messages batch.Messages
	b.check(&messages, gcmSIVNonceSize, gcmSIVTagSize, maxGCMSIVSize)
	k.key.SealBatch(&messages)
}

// OpenBatch is as [AES256GCMSIV.OpenBatch].
func (k *AES128GCMSIV) OpenBatch(b *Batch) error {
	var messages batch.Messages
	b.check(&messages, gcmSIVNonceSize, gcmSIVTagSize, maxGCMSIVSize)
	return opened(k.key.OpenBatch(&messages))
}

// Wipe is as [AES256GCMSIV.Wipe].
func (k *AES128GCMSIV) Wipe() { k.key.Wipe() }

// String returns the name of the algorithm, and nothing of the key.
func (*AES128GCMSIV) String() string { return "AES-128-GCM-SIV" }

// GoString is as [AES128GCMSIV.String].
func (k *AES128GCMSIV) GoString() string { return k.String() }

// isUsualGCMSIV reports what nearly every call has: nothing that checkGCMSIV
// would refuse.
func isUsualGCMSIV(nonce []byte, size int, additionalData []byte) bool {
	return len(nonce) == gcmSIVNonceSize && uint64(size|len(additionalData)) <= maxGCMSIVSize
}

// checkGCMSIV panics for what may not be sealed.
func checkGCMSIV(nonce, text, additionalData []byte) {
	if len(nonce) != gcmSIVNonceSize {
		panic("sivka: incorrect nonce length given to AES-GCM-SIV")
	}
	if uint64(len(text)) > maxGCMSIVSize {
		panic("sivka: message too large for AES-GCM-SIV")
	}
	if uint64(len(additionalData)) > maxGCMSIVSize {
		panic("sivka: additional data too large for AES-GCM-SIV")
	}
}
