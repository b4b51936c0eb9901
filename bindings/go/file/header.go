package file

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha512"
	"encoding/binary"
	"io"
)

// Lengths of a header and its parts, in bytes (section 4).
const (
	prefixSize    = 20
	macSize       = 32
	minHeaderSize = 2048
	maxHeaderSize = 65536
	headerStep    = 1024
	maxSlots      = 64
)

const (
	magic   = "\x93SIVKA\r\n"
	version = 1
)

// header is a whole header, and the slots in it.
type header struct {
	bytes []byte
	slots []slotBytes
}

func (h *header) prefix() []byte { return h.bytes[:prefixSize] }

// beforeMAC is what the MAC covers.
func (h *header) beforeMAC() []byte { return h.bytes[:len(h.bytes)-macSize] }

// newHeader draws a file key, and makes a header whose slots open with keys.
func newHeader(suite *Suite, keys []Key, cost Cost) (h *header, fileKey []byte, err error) {
	if len(keys) < 1 || len(keys) > maxSlots {
		return nil, nil, ErrKeyCount
	}
	if err := checkKeys(keys); err != nil {
		return nil, nil, err
	}
	size := prefixSize + macSize
	for _, key := range keys {
		size += newSlotSize(key)
	}
	size = max(minHeaderSize, (size+headerStep-1)/headerStep*headerStep)
	h = &header{bytes: make([]byte, size)}
	copy(h.bytes, magic)
	binary.BigEndian.PutUint32(h.bytes[8:], version)
	binary.BigEndian.PutUint32(h.bytes[12:], suite.Number())
	binary.BigEndian.PutUint32(h.bytes[16:], uint32(size))
	fileKey = make([]byte, secretSize)
	_, _ = rand.Read(fileKey)
	at := prefixSize
	for _, key := range keys {
		slot := slotBytes(h.bytes[at:][:newSlotSize(key)])
		if err := slot.fill(h.prefix(), key, cost, fileKey); err != nil {
			return nil, nil, err
		}
		at += len(slot)
	}
	mac, err := h.mac(fileKey)
	copy(h.bytes[len(h.beforeMAC()):], mac)
	return h, fileKey, err
}

// readHeader reads a header and checks its form, and returns it with its
// suite.
func readHeader(source io.Reader, others []*Suite) (*header, *Suite, error) {
	if err := checkSuites(others...); err != nil {
		return nil, nil, err
	}
	bytes := make([]byte, minHeaderSize)
	size, _, err := readUpTo(source, bytes, len(bytes))
	if err != nil {
		return nil, nil, err
	}
	if size < len(magic) || string(bytes[:len(magic)]) != magic {
		return nil, nil, &Error{Name: "not-sivka"}
	}
	// What is missing is noticed where it is needed first.
	if number := binary.BigEndian.Uint32(bytes[8:]); size >= 12 && number != version {
		return nil, nil, &Error{Name: "unknown-version", Number: number}
	}
	number := binary.BigEndian.Uint32(bytes[12:])
	suite := find(number, others)
	if size >= 16 && suite == nil {
		return nil, nil, &Error{Name: "unknown-suite", Number: number}
	}
	whole := binary.BigEndian.Uint32(bytes[16:])
	if size >= prefixSize && (whole < minHeaderSize || whole > maxHeaderSize) {
		return nil, nil, &Error{Name: "header-damaged"}
	}
	if size < minHeaderSize {
		return nil, nil, &Error{Name: "truncated"}
	}
	bytes = append(bytes, make([]byte, whole-minHeaderSize)...)
	size, _, err = readUpTo(source, bytes[minHeaderSize:], len(bytes)-minHeaderSize)
	if err != nil {
		return nil, nil, err
	}
	if size < len(bytes)-minHeaderSize {
		return nil, nil, &Error{Name: "truncated"}
	}
	h := &header{bytes: bytes}
	h.slots, err = slotsOf(h.beforeMAC()[prefixSize:])
	return h, suite, err
}

// slotsOf checks the form of every slot, and of the room after them.
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

// unlock returns the file key, and checks the MAC with it.
func (h *header) unlock(keys []Key, limit Cost) ([]byte, error) {
	if err := checkKeys(keys); err != nil {
		return nil, err
	}
	fileKey, err := h.findFileKey(keys, limit)
	if err != nil {
		return nil, err
	}
	mac, err := h.mac(fileKey)
	if err == nil && !hmac.Equal(mac, h.bytes[len(h.beforeMAC()):]) {
		err = &Error{Name: "header-damaged"}
	}
	if err != nil {
		clear(fileKey)
		return nil, err
	}
	return fileKey, nil
}

// findFileKey tries key files first, which cost nothing. What was in the way
// of a slot is the error only if no other slot opens.
func (h *header) findFileKey(keys []Key, limit Cost) ([]byte, error) {
	var obstacle *Error
	workLeft := limit.work()
	for _, kind := range []byte{kindKeyFile, kindPassphrase} {
		for _, key := range withForms(keys) {
			if _, isKeyFile := key.(*KeyFile); isKeyFile != (kind == kindKeyFile) {
				continue
			}
			for i, slot := range h.slots {
				if slot[0] != kind {
					continue
				}
				if kind == kindPassphrase {
					cost := slot.cost()
					if !cost.within(limit) || cost.work() > workLeft {
						obstacle = first(obstacle, &Error{Name: "cost-too-high", Slot: i, Asked: cost, Limit: limit})
						continue
					}
					workLeft -= cost.work()
				}
				fileKey, err := slot.open(h.prefix(), key)
				if damaged, ok := err.(*Error); ok {
					obstacle = first(obstacle, damaged)
				} else if err != nil || fileKey != nil {
					return fileKey, err
				}
			}
		}
	}
	for i, slot := range h.slots {
		if !slot.isKnown() {
			obstacle = first(obstacle, &Error{Name: "unknown-slot", Slot: i, Number: uint32(slot[0])})
		}
	}
	return nil, first(obstacle, &Error{Name: "no-slot-opens"})
}

// withForms returns the keys, and after each passphrase that was not normalised
// what was typed.
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

func first(a, b *Error) *Error {
	if a != nil {
		return a
	}
	return b
}

// mac computes what is in the header's last field.
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

// Inspect returns the suite and the slots of a file that begins so, at least
// with its header, which has up to 65536 bytes. Nothing of this is authenticated. The errors
// are those of [NewReader] that need no key; suites are as there.
func Inspect(source []byte, options *ReaderOptions) (*Suite, []Slot, error) {
	header, suite, err := readHeader(bytes.NewReader(source), options.suites())
	if err != nil {
		return nil, nil, err
	}
	slots := make([]Slot, len(header.slots))
	for i, slot := range header.slots {
		slots[i] = slot.shown()
	}
	return suite, slots, nil
}
