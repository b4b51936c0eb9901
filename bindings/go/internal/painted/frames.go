package painted

import (
	"bytes"
	"runtime/debug"
	"slices"
	"testing"
)

// Check fails where the frame of an entry is less than one and a half times
// what its calls were seen to use, or where nothing calls.
func Check(t *testing.T, name string, entry, frame int, calls []func()) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	deepest := 0
	for _, call := range calls {
		deepest = max(deepest, Depth(call))
	}
	t.Logf("%s, entry %d: %d of %d bytes", name, entry, deepest, frame)
	if deepest == 0 || deepest*3/2 > frame {
		t.Errorf("%s, entry %d: uses %d bytes of a frame of %d", name, entry, deepest, frame)
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
