package sivka

import (
	"slices"
	"unsafe"
)

// appended returns dst with room for size more bytes, and that room. It
// allocates only where the capacity of dst does not suffice.
func appended(dst []byte, size int) (whole, room []byte) {
	whole = slices.Grow(dst, size)[:len(dst)+size]
	return whole, whole[len(dst):]
}

// toSeal returns dst with room for a ciphertext and the tag after it, and
// the places of both.
func toSeal(dst, plaintext, additionalData []byte, tagSize int) (whole, text, tag []byte) {
	whole, room := appended(dst, len(plaintext)+tagSize)
	checkBuffers(room, plaintext, additionalData)
	return whole, room[:len(plaintext)], room[len(plaintext):]
}

// toOpen returns dst with room for a plaintext, and its place.
func toOpen(dst, ciphertext, additionalData []byte) (whole, text []byte) {
	whole, text = appended(dst, len(ciphertext))
	checkBuffers(text, ciphertext, additionalData)
	return whole, text
}

// checkBuffers panics where the output overlaps what a call reads and is not
// exactly where its input is, as crypto/cipher has it.
func checkBuffers(output, input, additionalData []byte) {
	if overlap(output, input) && unsafe.SliceData(output) != unsafe.SliceData(input) {
		panic("sivka: invalid buffer overlap of output and input")
	}
	if overlap(output, additionalData) {
		panic("sivka: invalid buffer overlap of output and additional data")
	}
}

// overlap reports whether two slices share memory.
func overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	startA := uintptr(unsafe.Pointer(unsafe.SliceData(a)))
	startB := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return startA < startB+uintptr(len(b)) && startB < startA+uintptr(len(a))
}
