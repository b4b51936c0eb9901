// Package room allocates memory for keys of machine code.
package room

import "unsafe"

// Align is the alignment of what New returns, in bytes: that of the widest
// vectors.
const Align = 64

// New returns so many aligned bytes of zeros, in memory that does not move
// and that has no pointers.
func New(size int) unsafe.Pointer {
	bytes := make([]byte, size+Align)
	start := unsafe.Pointer(unsafe.SliceData(bytes))
	return unsafe.Add(start, -uintptr(start)&(Align-1))
}
