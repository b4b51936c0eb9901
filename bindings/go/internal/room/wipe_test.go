//go:build (amd64 || arm64) && !purego

package room

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
	"unsafe"

	"sivka.dev/go/internal/painted"
)

var secret = []byte("a key that no other memory holds")

func made() *Key {
	k := new(Key)
	k.Make(len(secret), func(place unsafe.Pointer) uint64 {
		copy(unsafe.Slice((*byte)(place), len(secret)), secret)
		return 0
	})
	return k
}

func TestWipeOverwritesKeyAndStack(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	k := made()
	bytes := unsafe.Slice((*byte)(k.Place()), len(secret))
	parts := painted.Parts(secret)
	used := func() { painted.Leave(bytes) }
	if left := painted.Remains(used, parts); left != len(parts) {
		t.Fatalf("%d of %d parts were seen", left, len(parts))
	}
	wiped := func() {
		used()
		k.Wipe()
	}
	if left := painted.Remains(wiped, parts); left != 0 {
		t.Errorf("%d parts of %d are left on the stack", left, len(parts))
	}
	for _, each := range bytes {
		if each != 0 {
			t.Fatalf("the key is %x", bytes)
		}
	}
	if !k.IsWiped() {
		t.Error("nobody knows that it is wiped")
	}
}

// Frames that are in use stay as they are, wherever the stack ends.
func TestFramesInUseStay(t *testing.T) {
	done := make(chan bool)
	for depth := range 300 {
		go func() { done <- deep(depth) }()
		if !<-done {
			t.Errorf("%d frames deep, one changed", depth)
		}
	}
}

func deep(depth int) bool {
	var frame [100]byte
	for i := range frame {
		frame[i] = byte(i + depth)
	}
	whole := true
	if depth == 0 {
		made().Wipe()
	} else {
		whole = deep(depth - 1)
	}
	for i := range frame {
		whole = whole && frame[i] == byte(i+depth)
	}
	return whole
}

func TestAKeyIsWipedWithNothingThatRefersToIt(t *testing.T) {
	k := made()
	kept := unsafe.Slice((*byte)(k.Place()), len(secret))
	if !bytes.Equal(kept, secret) {
		t.Fatal("no key")
	}
	runtime.KeepAlive(k)
	for range 1000 {
		runtime.GC()
		if bytes.Equal(kept, make([]byte, len(secret))) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("it was not wiped")
}
