package tests

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"time"
)

// Goroutines seal and open while the collector runs all the time, stacks
// grow and shrink, keys come and go, and profiles and traces look at stacks.
func TestUnderLoad(t *testing.T) {
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	if err := trace.Start(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer trace.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			runtime.GC()
		}
	}()
	var workers sync.WaitGroup
	for worker := range 8 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			source := rand.NewChaCha8([32]byte{byte(worker)})
			for ctx.Err() == nil {
				// A goroutine of its own, whose stack begins small.
				done := make(chan bool)
				go func() { done <- sealAndOpen(t, source) }()
				if !<-done {
					return
				}
			}
		}()
	}
	workers.Wait()
}

// sealAndOpen seals some messages under a new key and reports whether all
// open. It holds pointers on its stack, which the collector must find.
func sealAndOpen(t *testing.T, source *rand.ChaCha8) bool {
	a := algorithms[source.Uint64()%uint64(len(algorithms))]
	key := a.make(t, random(source, a.KeySize))
	for range 10 {
		size := int(source.Uint64() % 300)
		if source.Uint64()%10 == 0 {
			size *= 500
		}
		text, nonce := random(source, 1+size), random(source, key.NonceSize())
		if len(nonce) > 0 {
			nonce[0] &= 0x7f // as MGM has it
		}
		witness := &[]byte{1, 2, 3}
		sealed := deep(int(source.Uint64()%20), func() []byte { return key.Seal(nil, nonce, text, nonce) })
		opened, err := key.Open(nil, nonce, sealed, nonce)
		if err != nil || !bytes.Equal(opened, text) || !bytes.Equal(*witness, []byte{1, 2, 3}) {
			t.Errorf("%s: %d bytes do not open: %v", a.Name, size, err)
			return false
		}
	}
	return true
}

// deep makes a call from further down the stack.
func deep(frames int, call func() []byte) []byte {
	var room [1024]byte
	if frames == 0 {
		return call()
	}
	room[frames] = byte(frames)
	result := deep(frames-1, call)
	if room[frames] != byte(frames) {
		panic("a frame was overwritten")
	}
	return result
}
