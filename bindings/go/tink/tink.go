// Package tink runs the keysets of tink-go on Sivka's code: a
// [keyset.Handle] gives a [tink.AEAD] or a [tink.DeterministicAEAD], the bytes
// of which are those of tink-go.
//
// Keys of AES-GCM-SIV and of AES-SIV are Sivka's. All others in the keyset are
// tink-go's, so any keyset of these primitives works. tink-go makes and checks
// the primitive first: what it refuses is refused here.
//
// Limit: tink-go's monitoring does not see the calls of Sivka's keys.
package tink

import (
	"bytes"
	"errors"
	"slices"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/aead/aesgcmsiv"
	"github.com/tink-crypto/tink-go/v2/daead"
	"github.com/tink-crypto/tink-go/v2/daead/aessiv"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/key"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
	"sivka.dev/go"
)

// ErrTooLong says that a plaintext or associated data has more than 2^36
// bytes.
var ErrTooLong = errors.New("tink: more than 2^36 bytes")

const maxSize = 1 << 36

// NewAEAD is as aead.New of tink-go, and refuses the same keysets. Keys of
// AES-GCM-SIV are Sivka's. Its ciphertexts are tink-go's, byte for byte.
func NewAEAD(handle *keyset.Handle) (tink.AEAD, error) {
	theirs, err := aead.New(handle)
	if err != nil {
		return nil, err
	}
	ours, err := wrap(handle, newGCMSIV)
	if err != nil || len(ours.keys) == 0 {
		return theirs, err
	}
	ours.encrypt, ours.decrypt = theirs.Encrypt, theirs.Decrypt
	return aeadOf{ours}, nil
}

// NewDeterministicAEAD is as daead.New of tink-go, and refuses the same
// keysets. Keys of AES-SIV are Sivka's.
func NewDeterministicAEAD(handle *keyset.Handle) (tink.DeterministicAEAD, error) {
	theirs, err := daead.New(handle)
	if err != nil {
		return nil, err
	}
	ours, err := wrap(handle, newSIV)
	if err != nil || len(ours.keys) == 0 {
		return theirs, err
	}
	ours.encrypt, ours.decrypt = theirs.EncryptDeterministically, theirs.DecryptDeterministically
	return deterministicOf{ours}, nil
}

// wrapped is a keyset in which some keys are Sivka's.
type wrapped struct {
	// keys are these, those without a prefix last.
	keys []prefixed
	// primary is nil if it is none of them.
	primary *prefixed
	// encrypt and decrypt are tink-go's, of all keys.
	encrypt, decrypt func(text, associatedData []byte) ([]byte, error)
}

// prefixed is a key, and the prefix of its messages.
type prefixed struct {
	prefix []byte
	key    sealer
}

// sealer is a key of Sivka's. Its output begins with the nonce, if it has one.
type sealer interface {
	SealRandom(dst, plaintext, additionalData []byte) []byte
	OpenRandom(dst, sealed, additionalData []byte) ([]byte, error)
	NonceSize() int
	Overhead() int
}

// wrap makes a key of Sivka's of each enabled key that has one.
func wrap(handle *keyset.Handle, newKey func(key.Key) (*prefixed, error)) (*wrapped, error) {
	w := new(wrapped)
	for i := range handle.Len() {
		entry, err := handle.Entry(i)
		if err != nil {
			return nil, err
		}
		if entry.KeyStatus() != keyset.Enabled {
			continue
		}
		made, err := newKey(entry.Key())
		if err != nil {
			return nil, err
		}
		if made == nil {
			continue
		}
		w.keys = append(w.keys, *made)
		if entry.IsPrimary() {
			w.primary = made
		}
	}
	slices.SortStableFunc(w.keys, func(a, b prefixed) int { return len(b.prefix) - len(a.prefix) })
	return w, nil
}

func newGCMSIV(of key.Key) (*prefixed, error) {
	k, is := of.(*aesgcmsiv.Key)
	if !is {
		return nil, nil
	}
	secret := k.KeyBytes().Data(insecuresecretdataaccess.Token{})
	defer clear(secret)
	if len(secret) == 16 {
		made, err := sivka.NewAES128GCMSIV(secret)
		return &prefixed{k.OutputPrefix(), made}, err
	}
	made, err := sivka.NewAES256GCMSIV(secret)
	return &prefixed{k.OutputPrefix(), made}, err
}

func newSIV(of key.Key) (*prefixed, error) {
	k, is := of.(*aessiv.Key)
	if !is {
		return nil, nil
	}
	secret := k.KeyBytes().Data(insecuresecretdataaccess.Token{})
	defer clear(secret)
	made, err := sivka.NewAESSIV(secret)
	return &prefixed{k.OutputPrefix(), withoutNonce{made}}, err
}

// withoutNonce is a key that draws none.
type withoutNonce struct {
	*sivka.AESSIV
}

func (k withoutNonce) SealRandom(dst, plaintext, additionalData []byte) []byte {
	return k.Seal(dst, nil, plaintext, additionalData)
}

func (k withoutNonce) OpenRandom(dst, sealed, additionalData []byte) ([]byte, error) {
	return k.Open(dst, nil, sealed, additionalData)
}

func (w *wrapped) seal(plaintext, associatedData []byte) ([]byte, error) {
	if w.primary == nil {
		return w.encrypt(plaintext, associatedData)
	}
	if uint64(len(plaintext)) > maxSize || uint64(len(associatedData)) > maxSize {
		return nil, ErrTooLong
	}
	prefix, key := w.primary.prefix, w.primary.key
	sealed := make([]byte, 0, len(prefix)+key.NonceSize()+len(plaintext)+key.Overhead())
	return key.SealRandom(append(sealed, prefix...), plaintext, associatedData), nil
}

func (w *wrapped) open(sealed, associatedData []byte) ([]byte, error) {
	if uint64(len(sealed)) <= maxSize && uint64(len(associatedData)) <= maxSize {
		for _, each := range w.keys {
			rest, has := bytes.CutPrefix(sealed, each.prefix)
			if !has {
				continue
			}
			// tink-go returns no nil for an empty text.
			if text, err := each.key.OpenRandom([]byte{}, rest, associatedData); err == nil {
				return text, nil
			}
		}
	}
	// Of a key that is tink-go's, or of none.
	return w.decrypt(sealed, associatedData)
}

type aeadOf struct{ *wrapped }

func (a aeadOf) Encrypt(plaintext, associatedData []byte) ([]byte, error) {
	return a.seal(plaintext, associatedData)
}

func (a aeadOf) Decrypt(ciphertext, associatedData []byte) ([]byte, error) {
	return a.open(ciphertext, associatedData)
}

type deterministicOf struct{ *wrapped }

func (d deterministicOf) EncryptDeterministically(plaintext, associatedData []byte) ([]byte, error) {
	return d.seal(plaintext, associatedData)
}

func (d deterministicOf) DecryptDeterministically(ciphertext, associatedData []byte) ([]byte, error) {
	return d.open(ciphertext, associatedData)
}
