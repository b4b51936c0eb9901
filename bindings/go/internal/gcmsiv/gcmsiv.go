// Package gcmsiv is the machine code of AES-GCM-SIV, and the calls that
// enter it.
//
// A key lies in memory that Go allocates and does not move. A call reads and
// writes what it is passed and keeps nothing. While it runs, the goroutine
// cannot be preempted.
package gcmsiv

import (
	"runtime"
	"unsafe"

	"sivka.dev/go/internal/machine"
)

// Bytes that a key takes, and their alignment, as bindings/go/blob checks.
const (
	keyRoom  = 1088
	keyAlign = 64
)

// Status of a call, as bindings/go/blob has it.
const (
	done      = 0
	notOpened = 1
)

// NonceSize and TagSize are lengths in bytes.
const (
	NonceSize = 12
	TagSize   = 16
)

var answers machine.KnownAnswers

// Checked reports whether the known answers hold on a tier.
func Checked(tier machine.Tier) bool {
	return answers.Hold(tier, func(features uint64, tier machine.Tier) bool {
		return knownAnswers(features, uint64(tier)) == done
	})
}

// newPlace allocates room for a key.
func newPlace() unsafe.Pointer {
	room := make([]byte, keyRoom+keyAlign)
	start := unsafe.Pointer(unsafe.SliceData(room))
	return unsafe.Add(start, -uintptr(start)&(keyAlign-1))
}

// Key128 is a key of AES-128-GCM-SIV. It is wiped when nothing refers to it.
type Key128 struct {
	place unsafe.Pointer
}

// NewKey128 makes a key for a tier whose known answers hold.
func NewKey128(key *[16]byte, tier machine.Tier) *Key128 {
	k := &Key128{newPlace()}
	made(new128(k.place, key, machine.Features(), uint64(tier)))
	runtime.AddCleanup(k, func(place unsafe.Pointer) { wipe128(place) }, k.place)
	return k
}

// Seal encrypts size bytes at from to to, which may be from, and writes the tag.
func (k *Key128) Seal(nonce *[NonceSize]byte, aad []byte, from, to *byte, size int, tag *[TagSize]byte) {
	sealed(seal128(k.place, nonce, unsafe.SliceData(aad), len(aad), from, to, size, tag))
	runtime.KeepAlive(k)
}

// Open decrypts size bytes at from to to, which may be from, and reports
// whether the tag is right. If not, to is zeros.
func (k *Key128) Open(nonce *[NonceSize]byte, aad []byte, from, to *byte, size int, tag *[TagSize]byte) bool {
	status := open128(k.place, nonce, unsafe.SliceData(aad), len(aad), from, to, size, tag)
	runtime.KeepAlive(k)
	return opened(status)
}

// Key256 is a key of AES-256-GCM-SIV. It is wiped when nothing refers to it.
type Key256 struct {
	place unsafe.Pointer
}

// NewKey256 makes a key for a tier whose known answers hold.
func NewKey256(key *[32]byte, tier machine.Tier) *Key256 {
	k := &Key256{newPlace()}
	made(new256(k.place, key, machine.Features(), uint64(tier)))
	runtime.AddCleanup(k, func(place unsafe.Pointer) { wipe256(place) }, k.place)
	return k
}

// Seal encrypts size bytes at from to to, which may be from, and writes the tag.
func (k *Key256) Seal(nonce *[NonceSize]byte, aad []byte, from, to *byte, size int, tag *[TagSize]byte) {
	sealed(seal256(k.place, nonce, unsafe.SliceData(aad), len(aad), from, to, size, tag))
	runtime.KeepAlive(k)
}

// Open decrypts size bytes at from to to, which may be from, and reports
// whether the tag is right. If not, to is zeros.
func (k *Key256) Open(nonce *[NonceSize]byte, aad []byte, from, to *byte, size int, tag *[TagSize]byte) bool {
	status := open256(k.place, nonce, unsafe.SliceData(aad), len(aad), from, to, size, tag)
	runtime.KeepAlive(k)
	return opened(status)
}

func made(status uint64) {
	if status != done {
		panic("sivka: internal error: a key was refused")
	}
}

func sealed(status uint64) {
	if status != done {
		panic("sivka: internal error: a message was refused")
	}
}

func opened(status uint64) bool {
	if status > notOpened {
		panic("sivka: internal error: a message was refused")
	}
	return status == done
}
