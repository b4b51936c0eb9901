// Package buffer lays out what calls append, and refuses buffers that overlap.
package buffer

import (
	"slices"
	"unsafe"
)

// Append returns dst with room for size more bytes, and that room. It
// allocates only where the capacity of dst does not suffice.
func Append(dst []byte, size int) (whole, room []byte) {
	whole = slices.Grow(dst, size)[:len(dst)+size]
	return whole, whole[len(dst):]
}

// ToSeal returns dst with room for a ciphertext and the tag after it, and
// the places of both.
func ToSeal(dst, plaintext, additionalData []byte, tagSize int) (whole, text, tag []byte) {
	whole, room := Append(dst, len(plaintext)+tagSize)
	Check(room, plaintext, additionalData)
	return whole, room[:len(plaintext)], room[len(plaintext):]
}

// ToOpen returns dst with room for a plaintext, and its place.
func ToOpen(dst, ciphertext, additionalData []byte) (whole, text []byte) {
	whole, text = Append(dst, len(ciphertext))
	Check(text, ciphertext, additionalData)
	return whole, text
}

// Check panics where the output overlaps what a call reads and is not
// exactly where its input is, as crypto/cipher has it.
func Check(output, input, additionalData []byte) {
	if Overlap(output, input) && unsafe.SliceData(output) != unsafe.SliceData(input) {
		panic("sivka: invalid buffer overlap of output and input")
	}
	if Overlap(output, additionalData) {
		panic("sivka: invalid buffer overlap of output and additional data")
	}
}

// CheckApart panics where the output overlaps the input at all.
func CheckApart(output, input []byte) {
	if Overlap(output, input) {
		panic("sivka: invalid buffer overlap of output and input")
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
