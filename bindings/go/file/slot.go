package file

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"runtime"
	"slices"

	"golang.org/x/crypto/argon2"
	"sivka.dev/go"
)

// Kinds of slots.
const (
	kindEmpty      = 0
	kindKeyFile    = 1
	kindPassphrase = 2
)

// Places in a slot, in bytes (section 5.1).
const (
	slotSize     = 125
	parametersAt = 1
	saltAt       = 13
	commitmentAt = 45
	wrappedAt    = 77
)

// secretSize is the length of file keys, of what slots are opened with, and
// of what is derived from these.
const secretSize = 32

// Slot is what everybody sees of a slot. None of it is authenticated.
type Slot struct {
	// KeyID is that of a key file, as a hint ([KeyFile.ID]); empty for a
	// passphrase.
	KeyID string
	// Cost is that of a passphrase, and zero for a key file.
	Cost Cost
}

// slotBytes is a slot as it is in a header.
type slotBytes []byte

// check reports whether the slot is used, and refuses a malformed one.
func (s slotBytes) check(index int) (used bool, err error) {
	switch s[0] {
	case kindEmpty:
		for _, b := range s {
			if b != 0 {
				return false, &Error{Name: "header-damaged"}
			}
		}
		return false, nil
	case kindKeyFile:
		if binary.BigEndian.Uint32(s[parametersAt+8:]) != 0 {
			return false, &Error{Name: "header-damaged"}
		}
		return true, nil
	case kindPassphrase:
		if !s.cost().valid() {
			return false, &Error{Name: "header-damaged"}
		}
		return true, nil
	default:
		return false, &Error{Name: "unknown-slot", Slot: index, Number: uint32(s[0])}
	}
}

func (s slotBytes) cost() Cost {
	parameters := s[parametersAt:]
	return Cost{
		binary.BigEndian.Uint32(parameters),
		binary.BigEndian.Uint32(parameters[4:]),
		binary.BigEndian.Uint32(parameters[8:]),
	}
}

// shown returns what everybody sees of a used slot.
func (s slotBytes) shown() Slot {
	if s[0] == kindKeyFile {
		return Slot{KeyID: hex.EncodeToString(s[parametersAt:][:8])}
	}
	return Slot{Cost: s.cost()}
}

// fill makes a slot that opens with a key.
func (s slotBytes) fill(prefix []byte, key Key, cost Cost, fileKey []byte) error {
	_, _ = rand.Read(s[saltAt:commitmentAt])
	switch key := key.(type) {
	case *KeyFile:
		s[0] = kindKeyFile
		copy(s[parametersAt:], key.id[:])
	case *Passphrase:
		if !cost.valid() || !cost.within(cost) {
			return ErrBadCost
		}
		s[0] = kindPassphrase
		binary.BigEndian.PutUint32(s[parametersAt:], cost.MemoryKiB)
		binary.BigEndian.PutUint32(s[parametersAt+4:], cost.Passes)
		binary.BigEndian.PutUint32(s[parametersAt+8:], cost.Lanes)
	}
	wrapping, commitment, err := s.derive(key)
	if err != nil {
		return err
	}
	copy(s[commitmentAt:], commitment)
	wrapping.Seal(s[wrappedAt:wrappedAt], wrapNonce[:], fileKey, s.aad(prefix))
	return nil
}

// open returns the file key; nil if it is another key's slot.
func (s slotBytes) open(prefix []byte, key Key) ([]byte, error) {
	wrapping, commitment, err := s.derive(key)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(commitment, s[commitmentAt:wrappedAt]) != 1 {
		return nil, nil
	}
	fileKey, err := wrapping.Open(nil, wrapNonce[:], s[wrappedAt:], s.aad(prefix))
	if err != nil {
		return nil, &Error{Name: "header-damaged"}
	}
	return fileKey, nil
}

// wrapNonce may be fixed, because a wrapping key wraps one file key.
var wrapNonce [12]byte

func (s slotBytes) aad(prefix []byte) []byte {
	return append(append(make([]byte, 0, len(prefix)+wrappedAt), prefix...), s[:wrappedAt]...)
}

// derive returns the key that wraps the file key, and the commitment to it.
func (s slotBytes) derive(key Key) (*sivka.AES256GCMSIV, []byte, error) {
	salt := s[saltAt:commitmentAt]
	var secret []byte
	switch key := key.(type) {
	case *KeyFile:
		secret = slices.Clone(key.secret.bytes)
	case *Passphrase:
		cost := s.cost()
		secret = argon2.IDKey(key.secret.bytes, salt, cost.Passes, cost.MemoryKiB, uint8(cost.Lanes), secretSize)
	default:
		return nil, nil, ErrKey
	}
	runtime.KeepAlive(key)
	defer clear(secret)
	prk, err := hkdf.Extract(sha512.New, secret, salt)
	if err != nil {
		return nil, nil, err
	}
	defer clear(prk)
	derived, err := hkdf.Expand(sha512.New, prk, "sivka.file.v1 slot"+string(s[:1]), 2*secretSize)
	if err != nil {
		return nil, nil, err
	}
	defer clear(derived[:secretSize])
	wrapping, err := sivka.NewAES256GCMSIV(derived[:secretSize])
	return wrapping, derived[secretSize:], err
}
