package painted

import (
	"bytes"
	"maps"
	"runtime/debug"
	"slices"
	"testing"
)

// Check fails where a frame is less than one and a half times what its calls
// were seen to use, or where nothing calls.
func Check(t *testing.T, frames map[string]int, calls map[string][]func()) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, name := range slices.Sorted(maps.Keys(frames)) {
		deepest := 0
		for _, call := range calls[name] {
			deepest = max(deepest, Depth(call))
		}
		t.Logf("%s: %d of %d bytes", name, deepest, frames[name])
		if deepest == 0 || deepest*3/2 > frames[name] {
			t.Errorf("%s: uses %d bytes of a frame of %d", name, deepest, frames[name])
		}
	}
}

// Messages calls with additional data and texts of many sizes, in place and
// apart, which between them reach every kernel.
func Messages(call func(aad, from, to []byte)) {
	aad, from, to := make([]byte, 300), make([]byte, 200<<10), make([]byte, 200<<10)
	for _, size := range []int{0, 1, 16, 17, 47, 64, 65, 96, 128, 200, 255, 256, 272, 500, 1031, 2112, 5000, 16464, 40000, 70000, 200 << 10} {
		for _, aadSize := range []int{0, 5, 64, 300} {
			call(aad[:aadSize], from[:size], from[:size])
			call(aad[:aadSize], from[:size], to[:size])
		}
	}
}

// Parts returns the parts of 16 bytes of secrets that could be told from
// anything else: not of few different bytes.
func Parts(secrets ...[]byte) [][]byte {
	var parts [][]byte
	for _, secret := range secrets {
		for part := range slices.Chunk(secret, 16) {
			different := map[byte]bool{}
			for _, each := range part {
				different[each] = true
			}
			if len(different) > 8 {
				parts = append(parts, bytes.Clone(part))
			}
		}
	}
	return parts
}

// Leave copies secrets to its own frame and leaves them there.
//
//go:noinline
func Leave(secrets []byte) byte {
	var frame [8192]byte
	copy(frame[1000:], secrets)
	return frame[len(secrets)%100]
}
