package pure

import (
	"unsafe"

	"sivka.dev/go/internal/machine"
)

// Algorithm is one in plain Go, with the arguments of the machine code.
type Algorithm struct {
	// New makes a key, of which the address takes the place of that of a key of
	// the machine code.
	New        func(key []byte, tagSize int) unsafe.Pointer
	Seal, Open func(arguments unsafe.Pointer) uint64
}

// GCMSIVs is AES-GCM-SIV.
var GCMSIVs = Algorithm{
	func(key []byte, _ int) unsafe.Pointer { return unsafe.Pointer(NewGCMSIV(key)) },
	func(arguments unsafe.Pointer) uint64 {
		call := (*machine.Call)(arguments)
		return seal((*GCMSIV)(call.Key), call, 12)
	},
	func(arguments unsafe.Pointer) uint64 {
		call := (*machine.Call)(arguments)
		return open((*GCMSIV)(call.Key), call, 12)
	},
}

// ChaCha20BLAKE2bs is ChaCha20-BLAKE2b with nonces of a size.
func ChaCha20BLAKE2bs(nonceSize int) *Algorithm {
	return &Algorithm{
		func(key []byte, tagSize int) unsafe.Pointer {
			return unsafe.Pointer(NewChaCha20BLAKE2b(nonceSize, key, tagSize))
		},
		func(arguments unsafe.Pointer) uint64 {
			call := (*machine.Call)(arguments)
			return seal((*ChaCha20BLAKE2b)(call.Key), call, nonceSize)
		},
		func(arguments unsafe.Pointer) uint64 {
			call := (*machine.Call)(arguments)
			return open((*ChaCha20BLAKE2b)(call.Key), call, nonceSize)
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

type key interface {
	Seal(nonce, aad, from, to, tag []byte)
	Open(nonce, aad, from, to, tag []byte) bool
}

func seal(k key, c *machine.Call, nonceSize int) uint64 {
	k.Seal(unsafe.Slice(c.Nonce, nonceSize), unsafe.Slice(c.AAD, c.AADSize), unsafe.Slice(c.From, c.Size), unsafe.Slice(c.To, c.Size), unsafe.Slice(c.Tag, c.TagSize))
	return machine.Done
}

func open(k key, c *machine.Call, nonceSize int) uint64 {
	return status(k.Open(unsafe.Slice(c.Nonce, nonceSize), unsafe.Slice(c.AAD, c.AADSize), unsafe.Slice(c.From, c.Size), unsafe.Slice(c.To, c.Size), unsafe.Slice(c.Tag, c.TagSize)))
}

func status(isOpened bool) uint64 {
	if isOpened {
		return machine.Done
	}
	return machine.NotOpened
}
