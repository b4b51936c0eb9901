package file

import (
	"cmp"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha512"
	"encoding/binary"
	"slices"
)

// Lengths of a copy of the header and its parts, in bytes (section 4).
const (
	prefixSize  = 20
	counterSize = 8
	saltSize    = 24
	slotsAt     = prefixSize + counterSize + saltSize
	macSize     = 32
	sizeStep    = 1024
	maxCopySize = 65536
	maxSlots    = 64
)

const (
	magic   = "\x93SIVKA\r\n"
	version = 1
)

// header is one of the two copies of a header, and the slots in it.
type header struct {
	bytes []byte
	suite *Suite
	slots []slotBytes
}

func (h *header) prefix() []byte { return h.bytes[:prefixSize] }

func (h *header) counter() uint64 { return binary.BigEndian.Uint64(h.bytes[prefixSize:]) }

// salt is the payload's.
func (h *header) salt() []byte { return h.bytes[slotsAt-saltSize : slotsAt] }

// beforeMAC is the part that the MAC covers.
func (h *header) beforeMAC() []byte { return h.bytes[:len(h.bytes)-macSize] }

// newHeader draws a file key and a salt, and makes a header whose slots open with keys.
func newHeader(suite *Suite, kind Kind, keys []Key, cost Cost) (h *header, fileKey []byte, err error) {
	if len(keys) < 1 || len(keys) > maxSlots {
		return nil, nil, ErrKeyCount
	}
	if err := checkKeys(keys); err != nil {
		return nil, nil, err
	}
	size := slotsAt + macSize
	for _, key := range keys {
		size += newSlotSize(key)
	}
	size = (size + sizeStep - 1) / sizeStep * sizeStep
	h = &header{bytes: make([]byte, size)}
	copy(h.bytes, magic)
	binary.BigEndian.PutUint32(h.bytes[8:], version)
	binary.BigEndian.PutUint32(h.bytes[12:], suite.number)
	binary.BigEndian.PutUint32(h.bytes[16:], uint32(size))
	_, _ = rand.Read(h.salt())
	content := make([]byte, secretSize, secretSize+1)
	_, _ = rand.Read(content)
	content = append(content, byte(kind))
	at := slotsAt
	for _, key := range keys {
		slot := slotBytes(h.bytes[at:][:newSlotSize(key)])
		if err := slot.fill(h.prefix(), key, cost, content); err != nil {
			return nil, nil, err
		}
		at += len(slot)
	}
	fileKey = content[:secretSize]
	mac, err := h.mac(fileKey)
	copy(h.bytes[len(h.beforeMAC()):], mac)
	return h, fileKey, err
}

// slotsOf checks the form of every slot, and of the free space after them.
func slotsOf(bytes []byte) (slots []slotBytes, err error) {
	used := len(bytes)
	for used > 0 && bytes[used-1] == 0 {
		used--
	}
	for at := 0; at < used; {
		slot := readSlot(bytes[at:])
		if slot == nil || len(slots) == maxSlots {
			return nil, &Error{Name: "header-damaged"}
		}
		slots = append(slots, slot)
		at += len(slot)
	}
	if len(slots) == 0 {
		return nil, &Error{Name: "header-damaged"}
	}
	return slots, nil
}

// unlocking are the keys for a file, and the cost that is left for them.
type unlocking struct {
	keys     []Key
	limit    Cost
	workLeft uint64
	// tried has what became of slots: both copies often have the same one.
	tried map[attempt]outcome
}

// attempt is a passphrase on a slot, with the prefix of its copy.
type attempt struct {
	passphrase   *Passphrase
	prefix, slot string
}

// outcome is what [slotBytes.open] returned.
type outcome struct {
	content []byte
	err     error
}

// clear overwrites what slots had.
func (u *unlocking) clear() {
	for _, each := range u.tried {
		clear(each.content)
	}
}

// unlock returns the file key followed by the kind of the content, and checks
// the MAC with it (section 4.4, step 5).
func (u *unlocking) unlock(h *header) ([]byte, error) {
	var err error
	if h.slots, err = slotsOf(h.beforeMAC()[slotsAt:]); err != nil {
		return nil, err
	}
	content, err := u.findFileKey(h)
	if err != nil {
		return nil, err
	}
	mac, err := h.mac(content[:secretSize])
	if err == nil && !hmac.Equal(mac, h.bytes[len(h.beforeMAC()):]) {
		err = &Error{Name: "header-damaged"}
	}
	if err != nil {
		clear(content)
		return nil, err
	}
	return content, nil
}

// findFileKey tries key files first, which cost nothing. An error of a slot
// counts only if no other slot opens.
func (u *unlocking) findFileKey(h *header) ([]byte, error) {
	var obstacle *Error
	for _, kind := range []byte{kindKeyFile, kindPassphrase} {
		for _, key := range withForms(u.keys) {
			if _, isKeyFile := key.(*KeyFile); isKeyFile != (kind == kindKeyFile) {
				continue
			}
			for i, slot := range h.slots {
				if slot[0] != kind {
					continue
				}
				content, err := u.try(slot, h.prefix(), key)
				if failure, ok := err.(*Error); ok {
					failure.Slot = i
					obstacle = cmp.Or(obstacle, failure)
				} else if err != nil || content != nil {
					return content, err
				}
			}
		}
	}
	for i, slot := range h.slots {
		if !slot.isKnown() {
			obstacle = cmp.Or(obstacle, &Error{Name: "unknown-slot", Slot: i, Number: uint32(slot[0])})
		}
	}
	return nil, cmp.Or(obstacle, &Error{Name: "no-slot-opens"})
}

// try opens a slot of the kind of a key, within the limit.
func (u *unlocking) try(slot slotBytes, prefix []byte, key Key) ([]byte, error) {
	passphrase, isPassphrase := key.(*Passphrase)
	if !isPassphrase {
		return slot.open(prefix, key)
	}
	this := attempt{passphrase, string(prefix), string(slot)}
	found, isKnown := u.tried[this]
	if !isKnown {
		cost := slot.cost()
		if !cost.within(u.limit) || cost.work() > u.workLeft {
			return nil, &Error{Name: "cost-too-high", Asked: cost, Limit: u.limit}
		}
		u.workLeft -= cost.work()
		found.content, found.err = slot.open(prefix, key)
		u.tried[this] = found
	}
	return slices.Clone(found.content), found.err
}

// withForms returns the keys, and after each passphrase that was not normalised
// the typed text.
func withForms(keys []Key) []Key {
	var all []Key
	for _, key := range keys {
		all = append(all, key)
		if passphrase, ok := key.(*Passphrase); ok && passphrase.given != nil {
			all = append(all, passphrase.given)
		}
	}
	return all
}

// mac computes the header's last field.
func (h *header) mac(fileKey []byte) ([]byte, error) {
	key, err := hkdf.Expand(sha512.New, fileKey, "sivka.file.v1 header mac", 64)
	if err != nil {
		return nil, err
	}
	defer clear(key)
	mac := hmac.New(sha512.New, key)
	mac.Write(h.beforeMAC())
	return mac.Sum(nil)[:macSize], nil
}
