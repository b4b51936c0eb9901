// Package painted measures how much of the stack a call uses. It is for
// tests: the runtime does not know how deep machine code goes, and what goes
// deeper than its frame overwrites memory of others.
package painted

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"unsafe"
)

const (
	// area is more than any frame, in bytes.
	area = 256 << 10
	// own is more than the frames of the functions below.
	own = 512
	// word is the bytes that are painted at once.
	word = 8
	// mark is what unused stack holds.
	mark uint64 = 0xa5a5_5a5a_a5a5_5a5a
)

// below paints what lies below its frame, calls, and returns a copy of what
// lies there then. The collector must not run meanwhile, for it moves stacks.
func below(call func()) []byte {
	done, copied := make(chan bool), make([]byte, area-2*own)
	go func() {
		grow(area/frameOfGrow + 2)
		paint()
		call()
		copyDead(copied)
		done <- true
	}()
	<-done
	return copied
}

// linkWords are what a prologue writes to the low end of its frame: on arm64,
// the return address and the frame pointer.
var linkWords = map[string]int{"arm64": 2}[runtime.GOARCH]

// Depth returns how many bytes below its own frame call uses, frames of Go
// included, but for linkWords.
func Depth(call func()) int {
	stack, links := below(call), linkWords
	for i := 0; i < len(stack); i += word {
		if binary.NativeEndian.Uint64(stack[i:]) == mark {
			continue
		}
		if links == 0 {
			return area - own - i
		}
		links--
	}
	return 0
}

// Remains returns how many of some secrets a call has left on the stack below
// its own frame.
func Remains(call func(), secrets [][]byte) int {
	stack, found := below(call), 0
	for _, secret := range secrets {
		if bytes.Contains(stack, secret) {
			found++
		}
	}
	return found
}

const frameOfGrow = 32 << 10

// grow makes the stack of the goroutine so many frames deep, and returns.
//
//go:noinline
func grow(frames int) byte {
	var room [frameOfGrow]byte
	room[frames] = 1
	if frames > 0 {
		room[0] = grow(frames - 1)
	}
	return room[0] + room[frames]
}

// paint marks what lies below its frame.
//
//go:noinline
func paint() {
	var top uint64
	frame := hidden(&top)
	for i := own; i < area; i += word {
		*(*uint64)(unsafe.Add(frame, -i)) = mark
	}
}

// hidden returns an address of which the compiler does not know whose it is:
// it would leave out what is written to a variable that nobody reads.
//
//go:noinline
func hidden(variable *uint64) unsafe.Pointer {
	return unsafe.Pointer(variable)
}

// copyDead copies what lies below its frame.
//
//go:noinline
func copyDead(into []byte) {
	var top uint64
	frame := unsafe.Add(hidden(&top), -area+own)
	for i := 0; i < len(into); i += word {
		binary.NativeEndian.PutUint64(into[i:], *(*uint64)(unsafe.Add(frame, i)))
	}
}
