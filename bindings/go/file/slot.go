package file

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"golang.org/x/crypto/argon2"

	"sivka.dev/go"
)

// Kinds of slots, as [Slot.Kind] has them.
const (
	kindKeyFile        = 1
	kindPassphrase     = 2
	kindX25519         = 3
	kindMLKEM768X25519 = 4
)

// Lengths of the parts of a slot, in bytes (section 5.1).
const (
	slotHeadSize = 3
	keyIDSize    = 8
	costSize     = 12
	slotSaltSize = 32
	wrappedSize  = secretSize + 1 + 16
	// slotTailSize is that of the commitment and of the wrapped key.
	slotTailSize = 32 + wrappedSize
)

// slotSizes are those of the known kinds.
var slotSizes = map[byte]int{
	kindKeyFile:        slotHeadSize + keyIDSize + slotSaltSize + slotTailSize,
	kindPassphrase:     slotHeadSize + costSize + slotSaltSize + slotTailSize,
	kindX25519:         slotHeadSize + 32 + slotTailSize,
	kindMLKEM768X25519: slotHeadSize + 1120 + slotTailSize,
}

// secretSize is the length of file keys, of the keys of slots, and of the keys
// derived from these.
const secretSize = 32

// Slot is what everybody sees of a slot. None of it is authenticated.
type Slot struct {
	// Kind is the kind in section 5 of the specification: 1 for a key file, 2 for
	// a passphrase, 3 and 4 for recipients with age's keys. Only 4 of these is
	// post-quantum. There may be unknown ones. This package opens 1 and 2.
	Kind byte
	// KeyID is that of a key file, as a hint ([KeyFile.ID]); empty for a
	// passphrase.
	KeyID string
	// Cost is that of a passphrase, and zero for a key file.
	Cost Cost
}

// slotBytes is a slot as it is in a header.
type slotBytes []byte

// readSlot returns the slot that bytes begin with; nil if it is malformed.
func readSlot(bytes []byte) slotBytes {
	if len(bytes) < slotHeadSize || bytes[0] == 0 {
		return nil
	}
	size := slotHeadSize + int(binary.BigEndian.Uint16(bytes[1:]))
	known, isKnown := slotSizes[bytes[0]]
	if size > len(bytes) || isKnown && size != known {
		return nil
	}
	slot := slotBytes(bytes[:size:size])
	if slot[0] == kindPassphrase && !slot.cost().valid() {
		return nil
	}
	return slot
}

func (s slotBytes) isKnown() bool {
	_, isKnown := slotSizes[s[0]]
	return isKnown
}

// newSlotSize returns the length of a slot for a key in bytes.
func newSlotSize(key Key) int {
	if _, isKeyFile := key.(*KeyFile); isKeyFile {
		return slotSizes[kindKeyFile]
	}
	return slotSizes[kindPassphrase]
}

// salt, commitment and wrapped are parts of a slot for a key file or a
// passphrase.
func (s slotBytes) salt() []byte {
	end := len(s) - slotTailSize
	return s[end-slotSaltSize : end]
}

func (s slotBytes) commitment() []byte {
	return s[len(s)-slotTailSize : len(s)-wrappedSize]
}

func (s slotBytes) wrapped() []byte { return s[len(s)-wrappedSize:] }

func (s slotBytes) cost() Cost {
	parameters := s[slotHeadSize:]
	return Cost{
		binary.BigEndian.Uint32(parameters),
		binary.BigEndian.Uint32(parameters[4:]),
		binary.BigEndian.Uint32(parameters[8:]),
	}
}

// shown returns what everybody sees of a used slot.
func (s slotBytes) shown() Slot {
	switch s[0] {
	case kindKeyFile:
		return Slot{Kind: s[0], KeyID: hex.EncodeToString(s[slotHeadSize:][:keyIDSize])}
	case kindPassphrase:
		return Slot{Kind: s[0], Cost: s.cost()}
	default:
		return Slot{Kind: s[0]}
	}
}

// fill makes a slot of [newSlotSize] that opens with a key. Content is the file
// key followed by the kind.
func (s slotBytes) fill(prefix []byte, key Key, cost Cost, content []byte) error {
	_, _ = rand.Read(s.salt())
	binary.BigEndian.PutUint16(s[1:], uint16(len(s)-slotHeadSize))
	switch key := key.(type) {
	case *KeyFile:
		s[0] = kindKeyFile
		copy(s[slotHeadSize:], key.id[:])
	case *Passphrase:
		if !cost.valid() || !cost.within(cost) {
			return ErrBadCost
		}
		s[0] = kindPassphrase
		binary.BigEndian.PutUint32(s[slotHeadSize:], cost.MemoryKiB)
		binary.BigEndian.PutUint32(s[slotHeadSize+4:], cost.Passes)
		binary.BigEndian.PutUint32(s[slotHeadSize+8:], cost.Lanes)
	}
	wrapping, commitment, err := s.derive(key)
	if err != nil {
		return err
	}
	defer wrapping.Wipe()
	copy(s.commitment(), commitment)
	wrapping.Seal(s.wrapped()[:0], wrapNonce[:], content, s.aad(prefix))
	return nil
}

// open returns the file key followed by the kind; nil if it is another key's
// slot.
func (s slotBytes) open(prefix []byte, key Key) ([]byte, error) {
	wrapping, commitment, err := s.derive(key)
	if err != nil {
		return nil, err
	}
	defer wrapping.Wipe()
	if subtle.ConstantTimeCompare(commitment, s.commitment()) != 1 {
		return nil, nil
	}
	content, err := wrapping.Open(nil, wrapNonce[:], s.wrapped(), s.aad(prefix))
	if err != nil {
		return nil, &Error{Name: "header-damaged"}
	}
	return content, nil
}

// wrapNonce may be fixed, because a wrapping key wraps one file key.
var wrapNonce [12]byte

func (s slotBytes) aad(prefix []byte) []byte {
	return slices.Concat(prefix, s[:len(s)-wrappedSize])
}

// derive returns the key that wraps the file key, and the commitment to it.
func (s slotBytes) derive(key Key) (*sivka.AES256GCMSIV, []byte, error) {
	salt := s.salt()
	var secret []byte
	var given *secretBytes
	switch key := key.(type) {
	case *KeyFile:
		given = key.secret
		secret = slices.Clone(given.bytes())
	case *Passphrase:
		cost := s.cost()
		given = key.secret
		secret = argon2.IDKey(given.bytes(), salt, cost.Passes, cost.MemoryKiB, uint8(cost.Lanes), secretSize)
	default:
		return nil, nil, ErrKey
	}
	defer clear(secret)
	// It may be of zeros: a key that was wiped meanwhile.
	if given.isWiped.Load() {
		return nil, nil, ErrKey
	}
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

// Cost is the cost of one try of a passphrase: the parameters of Argon2id (RFC
// 9106).
type Cost struct {
	// MemoryKiB is the memory in KiB, at least 8 for each lane.
	MemoryKiB uint32
	// Passes over the memory, at least 1.
	Passes uint32
	// Lanes that can be computed at the same time, 1 to 255.
	Lanes uint32
}

// DefaultCost returns the default cost of a new slot: 256 MiB, 3 passes, 4
// lanes.
func DefaultCost() Cost { return Cost{256 << 10, 3, 4} }

// DefaultMaxCost returns the default limit of a slot's cost: 1 GiB, 16 passes,
// 255 lanes.
func DefaultMaxCost() Cost { return Cost{1 << 20, 16, 255} }

func (c Cost) String() string {
	return fmt.Sprintf("%d KiB, passes: %d, lanes: %d", c.MemoryKiB, c.Passes, c.Lanes)
}

// valid reports whether the format has this cost (section 5.3).
func (c Cost) valid() bool {
	return c.Passes >= 1 && c.Lanes >= 1 && c.Lanes <= 255 && c.MemoryKiB >= 8*c.Lanes
}

// work is the KiB written over all passes.
func (c Cost) work() uint64 { return uint64(c.MemoryKiB) * uint64(c.Passes) }

// within reports whether no parameter exceeds that of a limit, and this
// system can address the memory.
func (c Cost) within(limit Cost) bool {
	return c.MemoryKiB <= limit.MemoryKiB && c.Passes <= limit.Passes && c.Lanes <= limit.Lanes &&
		uint64(c.MemoryKiB) <= math.MaxInt>>10
}
