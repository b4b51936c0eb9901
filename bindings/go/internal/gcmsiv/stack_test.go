//go:build (amd64 || arm64) && !purego

package gcmsiv

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/painted"
	"sivka.dev/go/internal/room"
)

// A frame is one and a half times what its call was seen to use, or more.
func TestFramesHaveReserve(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	deepest := map[string]int{}
	for _, tier := range machine.Available() {
		for name, calls := range callsOn(tier) {
			for _, call := range calls {
				deepest[name] = max(deepest[name], painted.Depth(call))
			}
		}
	}
	for name, frame := range frames {
		depth, measured := deepest[name]
		if !measured {
			t.Errorf("%s: nothing calls it", name)
		}
		t.Logf("%s: %d of %d bytes", name, depth, frame)
		if depth*3/2 > frame {
			t.Errorf("%s: uses %d bytes of a frame of %d", name, depth, frame)
		}
	}
}

// callsOn returns calls of every entry, which between them reach its kernels.
func callsOn(tier machine.Tier) map[string][]func() {
	features, number := machine.Features(), uint64(tier)
	short, long := &[16]byte{1}, &[32]byte{2}
	calls := map[string][]func(){
		"knownAnswers": {func() { knownAnswers(features, number) }},
		"new128":       {func() { new128(room.New(keyRoom), short, features, number) }},
		"new256":       {func() { new256(room.New(keyRoom), long, features, number) }},
	}
	place128, place256 := room.New(keyRoom), room.New(keyRoom)
	new128(place128, short, features, number)
	new256(place256, long, features, number)
	calls["wipe128"] = []func(){func() { wipe128(place128); new128(place128, short, features, number) }}
	calls["wipe256"] = []func(){func() { wipe256(place256); new256(place256, long, features, number) }}
	nonce, tag, aad := &[NonceSize]byte{3}, &[TagSize]byte{}, make([]byte, 300)
	from, to := make([]byte, 200<<10), make([]byte, 200<<10)
	for _, size := range []int{0, 1, 16, 17, 47, 64, 65, 96, 128, 200, 255, 256, 272, 500, 1031, 2112, 5000, 16464, 40000, 70000, 200 << 10} {
		for _, aadSize := range []int{0, 5, 64, 300} {
			for _, output := range [][]byte{from, to} {
				in, out := unsafe.SliceData(from), unsafe.SliceData(output)
				associated := unsafe.SliceData(aad)
				calls["seal128"] = append(calls["seal128"], func() { seal128(place128, nonce, associated, aadSize, in, out, size, tag) })
				calls["open128"] = append(calls["open128"], func() { open128(place128, nonce, associated, aadSize, in, out, size, tag) })
				calls["seal256"] = append(calls["seal256"], func() { seal256(place256, nonce, associated, aadSize, in, out, size, tag) })
				calls["open256"] = append(calls["open256"], func() { open256(place256, nonce, associated, aadSize, in, out, size, tag) })
			}
		}
	}
	return calls
}
