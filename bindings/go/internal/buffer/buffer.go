// Package buffer lays out what calls append, and refuses buffers that overlap.
package buffer

import (
	"slices"
	"unsafe"
)

// Append returns dst with space for size more bytes, and that space. It
// allocates only if the capacity of dst does not suffice.
func Append(dst []byte, size int) (whole, room []byte) {
	whole = slices.Grow(dst, size)[:len(dst)+size]
	return whole, whole[len(dst):]
}

// HasRoom reports whether the call is of the usual kind: dst has the capacity,
// overlaps no input or is in place, and there is no additional data.
func HasRoom(dst []byte, size int, input, additionalData []byte) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(dst))) + uintptr(len(dst))
	from := start - uintptr(unsafe.Pointer(unsafe.SliceData(input)))
	aad := start - uintptr(unsafe.Pointer(unsafe.SliceData(additionalData)))
	return cap(dst)-len(dst) >= size &&
		(from == 0 || from >= uintptr(len(input)) && -from >= uintptr(size)) &&
		(aad >= uintptr(len(additionalData)) && -aad >= uintptr(size) || len(additionalData) == 0)
}

// Grow returns dst with the capacity for the output, for calls without
// [HasRoom]. It panics as [Check].
func Grow(dst []byte, size int, input, additionalData []byte) []byte {
	whole, room := Append(dst, size)
	Check(room, input, additionalData)
	return whole[:len(dst)]
}

// Check panics if the output overlaps an input and is not exactly at its place,
// as in crypto/cipher.
func Check(output, input, additionalData []byte) {
	if unsafe.SliceData(output) == unsafe.SliceData(input) {
		input = nil
	}
	CheckApart(output, input, additionalData)
}

// CheckApart panics where the output overlaps the input or the additional
// data at all.
func CheckApart(output, input, additionalData []byte) {
	if Overlap(output, input) {
		panic("sivka: invalid buffer overlap of output and input")
	}
	if Overlap(output, additionalData) {
		panic("sivka: invalid buffer overlap of output and additional data")
	}
}

// Overlap reports whether two slices share memory.
func Overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	startA := uintptr(unsafe.Pointer(unsafe.SliceData(a)))
	startB := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return startA < startB+uintptr(len(b)) && startB < startA+uintptr(len(a))
}
