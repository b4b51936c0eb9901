package sivka

import (
	"crypto/cipher"
	"strconv"

	"sivka.dev/go/internal/aessiv"
	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/machine"
)

var _ cipher.AEAD = (*AESSIV)(nil)

// maxSIVSize is the most bytes of a plaintext, and of each string of
// associated data.
const maxSIVSize = 1 << 36

// AESSIV is a key of AES-SIV (RFC 5297): deterministic authenticated
// encryption. It implements [cipher.AEAD] with nonces of no bytes and tags
// of 16.
//
// The tag, which RFC 5297 calls V, is in front of the ciphertext. The same
// key, associated data and plaintext always seal to the same bytes, so
// whoever sees two sealed messages can tell whether they are equal. Take a
// value out of few, such as yes or no: who knows how often each occurs can
// name it. Put into the associated data what differs, the key of a row for
// example, and equality does not show.
//
// It is not key-committing: do not try keys in turn and trust which one
// opens a message.
//
// Seal at most 2^48 blocks of 16 bytes under one key, associated data
// included. A plaintext has at most 2^36 bytes, and so has each string of
// associated data.
type AESSIV struct {
	key *aessiv.Key
}

// NewAESSIV makes a key from 32, 48 or 64 uniformly random bytes, which it
// copies: AEAD_AES_SIV_CMAC_256, _384 and _512 of RFC 5297. Take 64 bytes,
// what Tink calls AES256_SIV; the others are for the formats of others. The
// errors are [KeySizeError] and [ErrSelfCheck].
func NewAESSIV(key []byte) (*AESSIV, error) {
	switch len(key) {
	case 32, 48, 64:
	default:
		return nil, KeySizeError(len(key))
	}
	tier := machine.Chosen()
	if !aessiv.Checked(tier) {
		return nil, ErrSelfCheck
	}
	return &AESSIV{aessiv.NewKey(key, tier)}, nil
}

// NonceSize returns 0: there is no nonce.
func (*AESSIV) NonceSize() int { return 0 }

// Overhead returns 16, the length of a tag in bytes.
func (*AESSIV) Overhead() int { return aessiv.TagSize }

// Seal encrypts and authenticates plaintext, authenticates additionalData as
// one string, and appends tag and ciphertext to dst, which it returns. nonce
// must be empty. It allocates nothing if dst has room.
//
// To seal in place, have the plaintext 16 bytes after the end of dst;
// otherwise the remaining capacity of dst must not overlap plaintext. It
// must never overlap additionalData. Seal panics if they overlap, if the
// nonce is not empty, or for inputs over the limits; it has written nothing
// then.
func (k *AESSIV) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkNoNonce(nonce)
	return k.SealStrings(dst, plaintext, additionalData)
}

// Open decrypts and authenticates what [AESSIV.Seal] appended, and appends
// the plaintext to dst, which it returns. It allocates nothing if dst has
// room.
//
// To open in place, pass ciphertext[16:16] as dst; otherwise the remaining
// capacity of dst must not overlap ciphertext. It must never overlap
// additionalData. Open panics as Seal does.
//
// The only error is [ErrOpen]. What would have been appended to dst is then
// zeros, and holds no plaintext.
func (k *AESSIV) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	checkNoNonce(nonce)
	return k.OpenStrings(dst, ciphertext, additionalData)
}

// SealStrings is as [AESSIV.Seal] with up to 126 strings of associated data,
// of which number, order and bounds count. RFC 5297's AEAD with a nonce, as
// NTS uses it (RFC 8915, section 5.6), has the nonce as the last string.
func (k *AESSIV) SealStrings(dst, plaintext []byte, additionalData ...[]byte) []byte {
	checkSIV(plaintext, additionalData)
	whole, room := buffer.Append(dst, aessiv.TagSize+len(plaintext))
	tag, text := room[:aessiv.TagSize], room[aessiv.TagSize:]
	buffer.CheckApart(tag, plaintext, nil)
	buffer.Check(text, plaintext, nil)
	for _, data := range additionalData {
		buffer.Check(room, nil, data)
	}
	k.key.Seal(additionalData, plaintext, text, (*[aessiv.TagSize]byte)(tag))
	return whole
}

// OpenStrings is as [AESSIV.Open] for what [AESSIV.SealStrings] appended.
func (k *AESSIV) OpenStrings(dst, ciphertext []byte, additionalData ...[]byte) ([]byte, error) {
	checkSIV(ciphertext[min(aessiv.TagSize, len(ciphertext)):], additionalData)
	if len(ciphertext) < aessiv.TagSize {
		return nil, ErrOpen
	}
	tag, from := (*[aessiv.TagSize]byte)(ciphertext), ciphertext[aessiv.TagSize:]
	whole, text := buffer.Append(dst, len(from))
	buffer.Check(text, from, nil)
	for _, data := range additionalData {
		buffer.Check(text, nil, data)
	}
	if !k.key.Open(additionalData, from, text, tag) {
		return nil, ErrOpen
	}
	return whole, nil
}

// Wipe is as [AES256GCMSIV.Wipe].
func (k *AESSIV) Wipe() { k.key.Wipe() }

// String returns the name of the algorithm, and nothing of the key.
func (k *AESSIV) String() string {
	if k.key == nil {
		return "AES-SIV"
	}
	return "AES-SIV-" + strconv.Itoa(8*k.key.Size())
}

// GoString is as [AESSIV.String].
func (k *AESSIV) GoString() string { return k.String() }

// checkSIV panics for what may not be sealed.
func checkSIV(text []byte, additionalData [][]byte) {
	if uint64(len(text)) > maxSIVSize {
		panic("sivka: message too large for AES-SIV")
	}
	if len(additionalData) > aessiv.MaxStrings {
		panic("sivka: too many strings of additional data for AES-SIV")
	}
	for _, data := range additionalData {
		if uint64(len(data)) > maxSIVSize {
			panic("sivka: additional data too large for AES-SIV")
		}
	}
}

// checkNoNonce panics where an algorithm without nonces is given one.
func checkNoNonce(nonce []byte) {
	if len(nonce) != 0 {
		panic("sivka: nonce given to an algorithm without nonces")
	}
}
