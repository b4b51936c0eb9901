package sivka

import (
	"crypto/rand"

	"sivka.dev/go/internal/aead"
	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/machine"
)

// keyed is the common part of all AEADs' keys except AES-SIV's, which has its
// tag in front.
type keyed struct {
	key *aead.Key
}

// drawing is what those share whose nonces may be random.
type drawing struct {
	keyed
}

// newKey makes a key of an algorithm whose keys have one size.
func newKey(algorithm *aead.Algorithm, key []byte, tagSize int) (keyed, error) {
	if len(key) != algorithm.KeySize {
		return keyed{}, keySizeError(len(key), algorithm.KeySize)
	}
	if algorithm.Plain == nil && !machine.HasCode() {
		return keyed{}, ErrNoCode
	}
	made, holds := aead.New(algorithm, key, tagSize)
	if !holds {
		return keyed{}, ErrSelfCheck
	}
	return keyed{made}, nil
}

// NonceSize returns the length of a nonce in bytes.
func (k keyed) NonceSize() int { return k.key.Made().NonceSize }

// Overhead returns the length of a tag in bytes.
func (k keyed) Overhead() int { return k.key.Made().TagSize }

// Seal encrypts and authenticates plaintext, authenticates additionalData,
// and appends ciphertext and tag to dst, which it returns. It allocates
// nothing if dst has room.
//
// To seal in place, pass plaintext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap plaintext. It must never overlap
// additionalData. Seal panics if they overlap, if the nonce has a wrong
// length, or for inputs over the limits; it has written nothing then.
func (k keyed) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	return k.key.Seal(dst, nonce, plaintext, additionalData)
}

// Open decrypts and authenticates what Seal appended, and appends the
// plaintext to dst, which it returns. It allocates nothing if dst has room.
//
// To open in place, pass ciphertext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap ciphertext. It must never overlap
// additionalData. Open panics as Seal does.
//
// The only error is [ErrOpen]. The bytes appended to dst are then zeros, and
// hold no plaintext.
func (k keyed) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	opened, isAuthentic := k.key.Open(dst, nonce, ciphertext, additionalData)
	if !isAuthentic {
		return nil, ErrOpen
	}
	return opened, nil
}

// SealBatch encrypts and authenticates every message of b in place, and writes
// the tags. It panics if the parts of b do not match or overlap, or for inputs
// over the limits; it has written nothing then.
func (k keyed) SealBatch(b *Batch) {
	var messages batch.Messages
	b.describe(&messages)
	k.key.CheckBatch(&messages)
	k.key.SealBatch(&messages)
}

// OpenBatch decrypts and authenticates every message of b in place. The only
// error is a [BatchError]; [ErrOpen] is in its tree. It panics as SealBatch
// does.
func (k keyed) OpenBatch(b *Batch) error {
	var messages batch.Messages
	b.describe(&messages)
	k.key.CheckBatch(&messages)
	return opened(k.key.OpenBatch(&messages))
}

// Wipe overwrites the key at once, and the remains of its calls on the stack of
// this goroutine. Call it from the function that made the calls, or from one
// that called it. Later calls with the key panic, except those that need no
// key: names and sizes, empty batches, messages too short to open. Call Wipe
// when no other goroutine uses the key: a call under way may panic, and its
// output is worth nothing then. Wipe again on each other goroutine that has
// used the key, for its own stack. The package's documentation says what Wipe
// does not reach.
func (k keyed) Wipe() { k.key.Wipe() }

// String returns the name of the algorithm, and nothing of the key.
func (k keyed) String() string {
	if k.key == nil {
		return "a key that was not made"
	}
	return k.key.Name
}

// GoString is as String.
func (k keyed) GoString() string { return k.String() }

// SealRandom seals under a random nonce, and appends nonce, ciphertext and tag
// to dst, which it returns. The bytes are those of Sivka's packages for other
// languages, and of Tink's RAW keys of AES-GCM-SIV. It panics as Seal does; the
// output must not overlap plaintext or additionalData at all.
func (k drawing) SealRandom(dst, plaintext, additionalData []byte) []byte {
	return k.sealRandom(dst, plaintext, additionalData, 0xff)
}

// sealRandom keeps those bits of a nonce's first byte that the mask has.
func (k drawing) sealRandom(dst, plaintext, additionalData []byte, mask byte) []byte {
	nonceSize := k.NonceSize()
	whole, room := buffer.Append(dst, nonceSize+len(plaintext)+k.Overhead())
	buffer.CheckApart(room, plaintext, additionalData)
	nonce := room[:nonceSize]
	// It ends the program where the system gives no random bytes.
	_, _ = rand.Read(nonce)
	nonce[0] &= mask
	k.Seal(nonce, nonce, plaintext, additionalData)
	return whole
}

// OpenRandom opens a message of SealRandom, and appends the plaintext to dst,
// which it returns. To open in place, pass as dst the bytes after the nonce,
// if it has one, cut to length 0. It fails and panics as Open does.
func (k drawing) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	nonceSize := k.NonceSize()
	if len(sealed) < nonceSize+k.Overhead() {
		return nil, ErrOpen
	}
	return k.Open(dst, sealed[:nonceSize], sealed[nonceSize:], additionalData)
}
