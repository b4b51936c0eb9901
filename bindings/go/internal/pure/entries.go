package pure

import (
	"unsafe"

	"sivka.dev/go/internal/machine"
)

// Algorithm is one in plain Go, with the arguments of the machine code.
type Algorithm struct {
	// New makes a key; its address is used like that of a key of the machine code.
	New        func(key []byte, tagSize int) unsafe.Pointer
	Seal, Open func(arguments unsafe.Pointer) uint64
}

// key is the target of a key's address.
type key interface {
	Seal(nonce, aad, from, to, tag []byte)
	Open(nonce, aad, from, to, tag []byte) bool
}

// GCMSIVs is AES-GCM-SIV.
func GCMSIVs() *Algorithm {
	return withNonces(12, func(bytes []byte, _ int) key { return NewGCMSIV(bytes) })
}

// ChaCha20BLAKE2bs is ChaCha20-BLAKE2b with nonces of a size.
func ChaCha20BLAKE2bs(nonceSize int) *Algorithm {
	return withNonces(nonceSize, func(bytes []byte, tagSize int) key { return NewChaCha20BLAKE2b(nonceSize, bytes, tagSize) })
}

// withNonces returns an algorithm with nonces of a size, which may be none.
func withNonces(nonceSize int, newKey func(bytes []byte, tagSize int) key) *Algorithm {
	parts := func(c *machine.Call) (nonce, aad, from, to, tag []byte) {
		return unsafe.Slice(c.Nonce, nonceSize), unsafe.Slice(c.AAD, c.AADSize), unsafe.Slice(c.From, c.Size), unsafe.Slice(c.To, c.Size), unsafe.Slice(c.Tag, c.TagSize)
	}
	return &Algorithm{
		func(bytes []byte, tagSize int) unsafe.Pointer {
			made := newKey(bytes, tagSize)
			return unsafe.Pointer(&made)
		},
		func(arguments unsafe.Pointer) uint64 {
			call := (*machine.Call)(arguments)
			(*(*key)(call.Key)).Seal(parts(call))
			return machine.Done
		},
		func(arguments unsafe.Pointer) uint64 {
			call := (*machine.Call)(arguments)
			return status((*(*key)(call.Key)).Open(parts(call)))
		},
	}
}

// SIVs is AES-SIV.
var SIVs = Algorithm{
	func(key []byte, _ int) unsafe.Pointer { return unsafe.Pointer(NewSIV(key)) },
	func(arguments unsafe.Pointer) uint64 {
		c := (*machine.ListCall)(arguments)
		(*SIV)(c.Key).Seal(unsafe.Slice(c.AADs, c.AADCount), unsafe.Slice(c.From, c.Size), unsafe.Slice(c.To, c.Size), unsafe.Slice(c.Tag, blockSize))
		return machine.Done
	},
	func(arguments unsafe.Pointer) uint64 {
		c := (*machine.ListCall)(arguments)
		return status((*SIV)(c.Key).Open(unsafe.Slice(c.AADs, c.AADCount), unsafe.Slice(c.From, c.Size), unsafe.Slice(c.To, c.Size), unsafe.Slice(c.Tag, blockSize)))
	},
}

func status(isOpened bool) uint64 {
	if isOpened {
		return machine.Done
	}
	return machine.NotOpened
}
