package kuznyechik

import (
	"crypto/cipher"
	"crypto/rand"
	"unsafe"

	"sivka.dev/go"
	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/machine"
)

var _ cipher.AEAD = (*MGM)(nil)

const (
	// nonceSize and tagSize are lengths in bytes.
	nonceSize = 16
	tagSize   = 16
	// maxSize is the most bytes of plaintext and additional data (RFC 9058,
	// section 4.1).
	maxSize = 1<<61 - 1
)

// MGM is a key of Kuznyechik-MGM (RFC 9058). It implements [cipher.AEAD] with
// nonces and tags of 16 bytes.
//
// The first bit of a nonce must be zero. Plaintext and additional data
// together have at least one byte, and fewer than 2^61.
//
// It is not nonce-misuse resistant: two messages sealed under one nonce
// reveal the difference of their plaintexts, and tags protect no more. It is
// not key-committing.
type MGM struct {
	*ownedKey
}

// NewMGM makes a key from 32 uniformly random bytes, which it copies. The
// errors are [sivka.KeySizeError], [ErrNoCode] and [sivka.ErrSelfCheck].
func NewMGM(key []byte) (*MGM, error) {
	made, err := makeKey(key, asm.newMGM)
	if err != nil {
		return nil, err
	}
	return &MGM{made}, nil
}

// NonceSize returns 16, the length of a nonce in bytes.
func (*MGM) NonceSize() int { return nonceSize }

// Overhead returns 16, the length of a tag in bytes.
func (*MGM) Overhead() int { return tagSize }

// Seal encrypts and authenticates plaintext, authenticates additionalData,
// and appends ciphertext and tag to dst, which it returns. It allocates
// nothing if dst has room.
//
// To seal in place, pass plaintext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap plaintext. It must never overlap
// additionalData. Seal panics if they overlap, for a nonce of a wrong length
// or whose first bit is set, or if there is neither plaintext nor additional
// data; it has written nothing then.
func (k *MGM) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkMGM(nonce, plaintext, additionalData)
	if nonce[0]&0x80 != 0 {
		panic("kuznyechik: the first bit of an MGM nonce must be zero")
	}
	checkNotEmpty(plaintext, additionalData)
	whole, room := buffer.Append(dst, len(plaintext)+tagSize)
	buffer.Check(room, plaintext, additionalData)
	text, tag := room[:len(plaintext)], room[len(plaintext):]
	status := asm.sealMGM(k.place(), unsafe.SliceData(nonce), unsafe.SliceData(additionalData), len(additionalData),
		unsafe.SliceData(plaintext), unsafe.SliceData(text), len(text), unsafe.SliceData(tag), len(tag))
	if k.room.IsWiped() {
		machine.WipedMeanwhile(room)
	}
	machine.Must(status)
	return whole
}

// Open decrypts and authenticates what [MGM.Seal] appended, and appends the
// plaintext to dst, which it returns. It allocates nothing if dst has room.
//
// To open in place, pass ciphertext[:0] as dst; otherwise the remaining
// capacity of dst must not overlap ciphertext. It must never overlap
// additionalData. Open panics if they overlap, or for a nonce of a wrong
// length.
//
// The only error is [sivka.ErrOpen]. What would have been appended to dst is
// then zeros, and holds no plaintext.
func (k *MGM) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	size := max(0, len(ciphertext)-tagSize)
	checkMGM(nonce, ciphertext[:size], additionalData)
	if len(ciphertext) < tagSize {
		return nil, sivka.ErrOpen
	}
	from, tag := ciphertext[:size], ciphertext[size:]
	whole, text := buffer.Append(dst, size)
	buffer.Check(text, ciphertext, additionalData)
	status := asm.openMGM(k.place(), unsafe.SliceData(nonce), unsafe.SliceData(additionalData), len(additionalData),
		unsafe.SliceData(from), unsafe.SliceData(text), len(text), unsafe.SliceData(tag), len(tag))
	if k.room.IsWiped() {
		machine.WipedMeanwhile(text)
	}
	if !machine.Opened(status) {
		return nil, sivka.ErrOpen
	}
	return whole, nil
}

func checkNotEmpty(plaintext, additionalData []byte) {
	if len(plaintext)+len(additionalData) == 0 {
		panic("kuznyechik: MGM cannot seal an empty plaintext with empty additional data")
	}
}

func checkMGM(nonce, text, additionalData []byte) {
	if len(nonce) != nonceSize {
		panic("kuznyechik: incorrect nonce length given to MGM")
	}
	if uint64(len(text))+uint64(len(additionalData)) > maxSize {
		panic("kuznyechik: message too large for MGM")
	}
}

// SealRandom seals under a random nonce of 127 bits, and appends nonce,
// ciphertext and tag to dst, which it returns. It panics as [MGM.Seal] does;
// the output must not overlap plaintext or additionalData at all.
func (k *MGM) SealRandom(dst, plaintext, additionalData []byte) []byte {
	checkNotEmpty(plaintext, additionalData)
	whole, place := buffer.Append(dst, nonceSize+len(plaintext)+tagSize)
	buffer.CheckApart(place, plaintext, additionalData)
	nonce := place[:nonceSize]
	// It ends the program where the system gives no random bytes.
	_, _ = rand.Read(nonce)
	nonce[0] &= 0x7f
	k.Seal(nonce, nonce, plaintext, additionalData)
	return whole
}

// OpenRandom opens what [MGM.SealRandom] appended, and appends the plaintext
// to dst, which it returns. To open in place, pass sealed[16:16] as dst. It
// fails and panics as [MGM.Open] does.
func (k *MGM) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	if len(sealed) < nonceSize+tagSize {
		return nil, sivka.ErrOpen
	}
	return k.Open(dst, sealed[:nonceSize], sealed[nonceSize:], additionalData)
}

// SealBatch encrypts and authenticates every message of b in place, and
// writes the tags. It panics if the parts of b do not fit together or
// overlap, or if a message may not be sealed; see [MGM.Seal]. It has written
// nothing then.
func (k *MGM) SealBatch(b *sivka.Batch) {
	messages := checkedBatch(b)
	for i := range messages.Count() {
		if b.Nonces[nonceSize*i]&0x80 != 0 {
			panic("kuznyechik: the first bit of an MGM nonce must be zero")
		}
		checkNotEmpty(messages.Texts.At(i), messages.AADs.At(i))
	}
	for first := 0; first < messages.Count(); first += batch.SlabLen {
		slab := messages.Slab(first, nonceSize, tagSize)
		status := asm.sealBatchMGM(k.place(), &slab)
		if k.room.IsWiped() {
			slab.WipedMeanwhile()
		}
		machine.Must(status)
	}
}

// OpenBatch decrypts and authenticates every message of b in place. The only
// error is a [sivka.BatchError]; [sivka.ErrOpen] is in its tree. It panics if
// the parts of b do not fit together or overlap.
func (k *MGM) OpenBatch(b *sivka.Batch) error {
	messages := checkedBatch(b)
	var failed []int
	for first := 0; first < messages.Count(); first += batch.SlabLen {
		slab := messages.Slab(first, nonceSize, tagSize)
		status := asm.openBatchMGM(k.place(), &slab)
		if k.room.IsWiped() {
			slab.WipedMeanwhile()
		}
		machine.Must(status)
		failed = slab.AppendFailed(failed, first)
	}
	if failed == nil {
		return nil
	}
	return &sivka.BatchError{Failed: failed}
}

// checkedBatch returns the messages of b, once they are known to fit together.
func checkedBatch(b *sivka.Batch) batch.Messages {
	messages := batch.Messages{
		Nonces: b.Nonces,
		Tags:   b.Tags,
		Texts:  batch.Strings{Slices: b.Texts, Buffer: b.Text, Offsets: b.Offsets},
		AADs:   batch.Strings{Slices: b.AADs, Buffer: b.AAD, Offsets: b.AADOffsets},
	}
	messages.Check(nonceSize, tagSize, maxSize)
	return messages
}

// String returns the name of the algorithm, and nothing of the key.
func (*MGM) String() string { return "Kuznyechik-MGM" }

// GoString is as [MGM.String].
func (k *MGM) GoString() string { return k.String() }
