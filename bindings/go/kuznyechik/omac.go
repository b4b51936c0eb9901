//go:build (amd64 || arm64) && !purego

package kuznyechik

import (
	"crypto/subtle"
	"hash"
	"unsafe"

	"sivka.dev/go"
	"sivka.dev/go/internal/machine"
)

var _ hash.Hash = (*OMAC)(nil)

// OMAC is a message authentication code (GOST R 34.13-2015, section 5.6). It
// implements [hash.Hash], for one goroutine at a time.
//
// A shorter tag is the beginning of a longer one: use a key with tags of one
// length only. A forgery succeeds with a chance of one in 2^(8·Size).
//
// A copy of an OMAC is the same message, and not one of its own.
type OMAC struct {
	*ownedKey
	tagSize int
}

// NewOMAC makes a key from 32 bytes, which it copies, with tags of 4 to 16
// bytes. The errors are [sivka.KeySizeError], [sivka.TagSizeError] and
// [sivka.ErrSelfCheck].
func NewOMAC(key []byte, tagSize int) (*OMAC, error) {
	if tagSize < 4 || tagSize > BlockSize {
		return nil, sivka.TagSizeError(tagSize)
	}
	made, err := makeKey(key, make([]byte, IVSize), 0, newOMAC)
	if err != nil {
		return nil, err
	}
	return &OMAC{made, tagSize}, nil
}

// Write goes on with the message. It returns no error.
func (o *OMAC) Write(bytes []byte) (int, error) {
	status := writeOMAC(o.place(), unsafe.SliceData(bytes), len(bytes))
	if o.room.IsWiped() {
		machine.WipedMeanwhile()
	}
	machine.Must(status)
	return len(bytes), nil
}

// Sum appends the tag of the message so far, which may go on after that.
func (o *OMAC) Sum(b []byte) []byte {
	var tag [BlockSize]byte
	o.ended(sumOMAC(o.place(), &tag[0], len(tag)), tag[:])
	return append(b, tag[:o.tagSize]...)
}

// Verify reports whether tag is that of the message so far. It takes the same
// time whatever the bytes are.
func (o *OMAC) Verify(tag []byte) bool {
	var made [BlockSize]byte
	o.ended(sumOMAC(o.place(), &made[0], len(made)), made[:])
	return subtle.ConstantTimeCompare(made[:o.tagSize], tag) == 1
}

// Reset begins another message.
func (o *OMAC) Reset() {
	var unused [BlockSize]byte
	o.ended(resetOMAC(o.place(), &unused[0], len(unused)), unused[:])
}

// ended comes after a call that returned a status and wrote a tag. The calls
// are named where they are made: through a variable, tags would be on the heap.
func (o *OMAC) ended(status uint64, tag []byte) {
	if o.room.IsWiped() {
		machine.WipedMeanwhile(tag)
	}
	machine.Must(status)
}

// Size returns the length of a tag in bytes.
func (o *OMAC) Size() int { return o.tagSize }

// BlockSize returns 16.
func (*OMAC) BlockSize() int { return BlockSize }
