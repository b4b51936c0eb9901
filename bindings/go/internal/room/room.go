// Package room is memory for keys of machine code, and wipes it.
package room

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"sivka.dev/go/internal/machine"
)

// Align is the alignment of the result of New, in bytes: that of the widest
// vectors.
const Align = 64

// New returns so many aligned bytes of zeros, in memory that does not move
// and that has no pointers.
func New(size int) unsafe.Pointer {
	bytes := make([]byte, size+Align)
	start := unsafe.Pointer(unsafe.SliceData(bytes))
	return unsafe.Add(start, -uintptr(start)&(Align-1))
}

// Key is the memory of a key. It is wiped by Wipe, or when nothing refers to it
// any more. It must be the first field of its struct.
type Key struct {
	// place is nil once the key was wiped.
	place unsafe.Pointer
	// size is how many bytes there are to be wiped: none of plain Go's.
	size    int
	cleanup runtime.Cleanup
}

// Make allocates the memory, so many bytes, and has make write a key there.
func (k *Key) Make(size int, create func(place unsafe.Pointer) (status uint64)) {
	place := New(size)
	machine.Must(create(place))
	k.place, k.size = place, size
	k.cleanup = runtime.AddCleanup(k, func(bytes []byte) { clear(bytes) }, unsafe.Slice((*byte)(place), size))
}

// Keep has a key of plain Go, which Wipe lets go of.
func (k *Key) Keep(place unsafe.Pointer) { k.place = place }

// Place returns where the key is, and panics if it was wiped. Ask IsWiped
// after the machine code has read it.
func (k *Key) Place() unsafe.Pointer {
	place := atomic.LoadPointer(&k.place)
	if place == nil {
		machine.Wiped()
	}
	return place
}

// IsWiped reports whether the key was wiped since Place returned. Messages
// sealed meanwhile may have been under zeros. Until it is called, something
// refers to the key.
func (k *Key) IsWiped() bool {
	return atomic.LoadPointer(&k.place) == nil
}

// Wipe overwrites the key, if that was not done before, and the unused part of
// this goroutine's stack, where calls have left secrets.
func (k *Key) Wipe() {
	// First: if more stack is needed, the runtime copies the used part, and leaves
	// the rest.
	if k.size > 0 && !clearStack() {
		panic("sivka: internal error: this version of Go has another kind of stacks")
	}
	if place := atomic.SwapPointer(&k.place, nil); place != nil && k.size > 0 {
		clear(unsafe.Slice((*byte)(place), k.size))
		k.cleanup.Stop()
	}
}
