package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"sivka.dev/go"
	"sivka.dev/go/internal/keys"
)

// The parts of a request, in bytes: words, padded with spaces, and a key.
const (
	wordsSize   = 96
	requestSize = 160
)

// kept is a control: its key must be found.
var kept []keys.Key

// hold answers requests until there are none, as
// evidence/leaks/src/zeroization/hold.rs does. Keys are wiped by Wipe, or by
// the collector; as a control, after another goroutine has used them, which
// does not wipe its stack.
func hold(wipes, elsewhere bool) {
	// The collector would make a stack smaller between a message and Wipe, and
	// leave the old one as it was.
	debug.SetGCPercent(-1)
	request := make([]byte, requestSize)
	for {
		if _, err := io.ReadFull(os.Stdin, request); err != nil {
			return
		}
		words := strings.Fields(string(request[:wordsSize]))
		size, err := strconv.Atoi(words[2])
		must(err)
		keySize, err := strconv.Atoi(words[3])
		must(err)
		place := message(keys.Find(words[0]), words[1], size, request[wordsSize:][:keySize], wipes, elsewhere)
		clear(request)
		if !wipes {
			waitForWipe(place)
		}
		fmt.Println("freed 0 0 0")
		_, err = os.Stdin.Read(request[:1])
		must(err)
		runtime.GC()
	}
}

// message makes a key, uses it, and returns where it is unless it is kept.
func message(a keys.Algorithm, act string, size int, bytes []byte, wipes, elsewhere bool) *byte {
	if act == "refused" {
		if _, err := a.New(bytes[1:]); err == nil {
			panic("a key of a wrong length")
		}
		return nil
	}
	k, err := a.New(bytes)
	must(err)
	if elsewhere {
		done := make(chan bool)
		go func() {
			use(k, act, size)
			done <- true
			// It goes on, and its stack is not used again.
			select {}
		}()
		<-done
	} else {
		use(k, act, size)
	}
	if act == "kept" {
		kept = append(kept, k)
		return nil
	}
	place := placeOf(k)
	if wipes {
		k.Wipe()
	}
	return place
}

// placeOf returns where the machine code keeps a key: each type begins with a
// pointer to a struct that begins with a pointer to it.
func placeOf(k keys.Key) *byte {
	value := (*[2]unsafe.Pointer)(unsafe.Pointer(&k))[1]
	return *(**byte)(*(*unsafe.Pointer)(value))
}

// roomWiped is how many bytes a key has at least.
const roomWiped = 64

// waitForWipe waits until a key is wiped that nothing refers to.
func waitForWipe(place *byte) {
	if place == nil {
		return
	}
	for range 1000 {
		runtime.GC()
		if bytes.Equal(unsafe.Slice(place, roomWiped), make([]byte, roomWiped)) {
			// The rest of it is wiped at the same time.
			time.Sleep(time.Millisecond)
			return
		}
		time.Sleep(time.Millisecond)
	}
	panic("a key that nothing refers to was not wiped")
}

func use(k keys.Key, act string, size int) {
	nonce := bytes.Repeat([]byte{1}, k.NonceSize())
	switch act {
	case "set-up":
	case "batch", "batch-forged":
		useBatch(k, act, size)
	default:
		sealed := k.Seal(nil, nonce, make([]byte, size), additionalData)
		if act == "seal" {
			return
		}
		if act == "forged" {
			sealed[0] ^= 1
		}
		if _, err := k.Open(nil, nonce, sealed, additionalData); (err == nil) == (act == "forged") {
			panic("not opened as it should")
		}
	}
}

func useBatch(k keys.Key, act string, size int) {
	b := batchOf(k, sizesOf(size))
	k.SealBatch(b)
	if act == "batch-forged" {
		b.Tags[0] ^= 1
	}
	if err := k.OpenBatch(b); (err == nil) == (act == "batch-forged") {
		panic("a batch was not opened as it should")
	}
}

// sizesOf returns those of a batch: of one length where a tier can take
// messages side by side, and of many.
func sizesOf(size int) []int {
	sizes := make([]int, 19)
	if size <= 64 {
		sizes = sizes[:17]
	}
	for i := range sizes {
		sizes[i] = size
		if size > 64 {
			sizes[i] = size * (i + 1) / 19
		}
	}
	return sizes
}

// batchOf returns messages of zeros.
func batchOf(k keys.Key, sizes []int) *sivka.Batch {
	b := &sivka.Batch{Tags: make([]byte, len(sizes)*k.Overhead()), AAD: additionalData, Offsets: []int{0}}
	for i, size := range sizes {
		b.Nonces = append(b.Nonces, bytes.Repeat([]byte{byte(i + 1)}, k.NonceSize())...)
		b.Offsets = append(b.Offsets, b.Offsets[i]+size)
	}
	b.Text = make([]byte, b.Offsets[len(sizes)])
	return b
}
