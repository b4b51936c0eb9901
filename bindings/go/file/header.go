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

// Places in a header, in bytes (section 4).
const (
	prefixSize = 16
	slotCount  = 16
	macAt      = prefixSize + slotCount*slotSize
	headerSize = macAt + 32
)

const (
	magic   = "\x93SIVKA\r\n"
	version = 1
)

// headerBytes is a whole header.
type headerBytes []byte

func (h headerBytes) prefix() []byte { return h[:prefixSize] }

func (h headerBytes) slot(i int) slotBytes {
	return slotBytes(h[prefixSize+i*slotSize:][:slotSize:slotSize])
}

// newHeader draws a file key, and makes a header whose slots open with keys.
func newHeader(suite *Suite, keys []Key, cost Cost) (header headerBytes, fileKey []byte, err error) {
	if len(keys) < 1 || len(keys) > slotCount {
		return nil, nil, ErrKeyCount
	}
	if err := checkKeys(keys); err != nil {
		return nil, nil, err
	}
	header = make(headerBytes, headerSize)
	copy(header, magic)
	binary.BigEndian.PutUint32(header[8:], version)
	binary.BigEndian.PutUint32(header[12:], suite.Number())
	fileKey = make([]byte, secretSize)
	_, _ = rand.Read(fileKey)
	for i, key := range keys {
		if err := header.slot(i).fill(header.prefix(), key, cost, fileKey); err != nil {
			return nil, nil, err
		}
	}
	mac, err := header.mac(fileKey)
	copy(header[macAt:], mac)
	return header, fileKey, err
}

// readHeader reads a header and checks its form, and returns it with its
// suite and the number of its slots.
func readHeader(source io.Reader, others []*Suite) (headerBytes, *Suite, int, error) {
	header := make(headerBytes, headerSize)
	size, _, err := readUpTo(source, header, len(header))
	if err != nil {
		return nil, nil, 0, err
	}
	if size < len(magic) || string(header[:len(magic)]) != magic {
		return nil, nil, 0, &Error{Name: "not-sivka"}
	}
	// What is missing is noticed where it is needed first.
	if number := binary.BigEndian.Uint32(header[8:]); size >= 12 && number != version {
		return nil, nil, 0, &Error{Name: "unknown-version", Number: number}
	}
	number := binary.BigEndian.Uint32(header[12:])
	suite := find(number, others)
	if size >= prefixSize && suite == nil {
		return nil, nil, 0, &Error{Name: "unknown-suite", Number: number}
	}
	if size < len(header) {
		return nil, nil, 0, &Error{Name: "truncated"}
	}
	count, err := header.countSlots()
	return header, suite, count, err
}

// countSlots checks the form of every slot, and returns how many are used.
func (h headerBytes) countSlots() (int, error) {
	count := 0
	for i := range slotCount {
		used, err := h.slot(i).check(i)
		if err != nil {
			return 0, err
		}
		if used && i != count {
			return 0, &Error{Name: "header-damaged"}
		}
		if used {
			count++
		}
	}
	if count == 0 {
		return 0, &Error{Name: "header-damaged"}
	}
	return count, nil
}

// unlock returns the file key, and checks the MAC with it.
func (h headerBytes) unlock(count int, keys []Key, limit Cost) ([]byte, error) {
	if err := checkKeys(keys); err != nil {
		return nil, err
	}
	fileKey, err := h.findFileKey(count, keys, limit)
	if err != nil {
		return nil, err
	}
	mac, err := h.mac(fileKey)
	if err == nil && !hmac.Equal(mac, h[macAt:]) {
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
func (h headerBytes) findFileKey(count int, keys []Key, limit Cost) ([]byte, error) {
	var obstacle *Error
	workLeft := limit.work()
	for _, kind := range []byte{kindKeyFile, kindPassphrase} {
		for _, key := range keys {
			if _, isKeyFile := key.(*KeyFile); isKeyFile != (kind == kindKeyFile) {
				continue
			}
			for i := range count {
				slot := h.slot(i)
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
	return nil, first(obstacle, &Error{Name: "no-slot-opens"})
}

func first(a, b *Error) *Error {
	if a != nil {
		return a
	}
	return b
}

// mac computes what is in the header's last field.
func (h headerBytes) mac(fileKey []byte) ([]byte, error) {
	key, err := hkdf.Expand(sha512.New, fileKey, "sivka.file.v1 header mac", 64)
	if err != nil {
		return nil, err
	}
	defer clear(key)
	mac := hmac.New(sha512.New, key)
	mac.Write(h[:macAt])
	return mac.Sum(nil)[:headerSize-macAt], nil
}

// Inspect returns the suite and the slots of a file that begins so, at least
// with its 2048 bytes of header. Nothing of this is authenticated. The errors
// are those of [NewReader] that need no key; suites are as there.
func Inspect(source []byte, options *ReaderOptions) (*Suite, []Slot, error) {
	header, suite, count, err := readHeader(bytes.NewReader(source), options.suites())
	if err != nil {
		return nil, nil, err
	}
	slots := make([]Slot, count)
	for i := range slots {
		slots[i] = header.slot(i).shown()
	}
	return suite, slots, nil
}
