// Package aead calls AEADs: their machine code, or plain Go where a program has
// none.
//
// A key lies in memory that Go allocates and does not move. A call reads and
// writes what it is passed and keeps nothing.
package aead

import (
	"fmt"
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
	"sivka.dev/go/internal/room"
)

// Algorithm is an AEAD. Sizes are in bytes.
type Algorithm struct {
	Name               string
	KeySize, NonceSize int
	// MaxSize is the most of a plaintext, and of each string of additional data.
	MaxSize uint64
	// Room is the most memory of a key; bindings/go/blob checks it.
	Room int
	// Entries returns those of the machine code. A program links only the used
	// ones.
	Entries func() *machine.Entries
	// Plain returns the algorithm in plain Go; nil where there is none.
	Plain func() *pure.Algorithm
	// FewAreFaster says that few messages, and long ones, are sealed faster one
	// by one.
	FewAreFaster bool
	// HasLists says that additional data is a list of strings.
	HasLists bool
	answers  machine.Answers
}

// Key is a key of an algorithm. It is wiped by Wipe, or when nothing refers to
// it.
type Key struct {
	room room.Key
	*Algorithm
	// Those of the algorithm, where they are read in one step.
	NonceSize int
	MaxSize   uint64
	// entries are nil in plain Go.
	entries    *machine.Entries
	seal, open func(arguments unsafe.Pointer) uint64
	TagSize    int
	tier       machine.Tier
}

// New makes a key of as many bytes as the algorithm has, and reports whether
// its known answers hold.
func New(a *Algorithm, key []byte, tagSize int) (made *Key, holds bool) {
	k := &Key{Algorithm: a, NonceSize: a.NonceSize, MaxSize: a.MaxSize, TagSize: tagSize, tier: machine.Chosen()}
	if !machine.HasCode() {
		plain := a.Plain()
		k.seal, k.open = plain.Seal, plain.Open
		// A copy: the caller's may stay where it is.
		k.room.Keep(plain.New(append([]byte(nil), key...), tagSize))
		return k, true
	}
	k.entries = a.Entries()
	if !a.answers.Hold(k.tier, k.entries) {
		return nil, false
	}
	k.seal, k.open = k.entries[machine.Seal].Run, k.entries[machine.Open].Run
	k.room.Make(a.Room, func(place unsafe.Pointer) uint64 {
		making := machine.Making{Place: place, Key: unsafe.SliceData(key), Features: machine.Features(), Tier: uint64(k.tier), TagSize: tagSize}
		return k.entries[machine.NewKey].Run(machine.Code.Arguments(unsafe.Pointer(&making)))
	})
	return k, true
}

// Wipe overwrites the key, and what calls have left on this goroutine's stack.
// Plain Go lets go of the key, and overwrites nothing.
func (k *Key) Wipe() {
	if k != nil {
		k.room.Wipe()
	}
}

// Made returns the key, and panics if nothing made it.
func (k *Key) Made() *Key {
	if k == nil {
		machine.NotMade()
	}
	return k
}

// Usable panics if nothing made the key, or if it was wiped.
func (k *Key) Usable() { k.Made().room.Place() }

// Seal encrypts and authenticates plaintext, and appends ciphertext and tag to
// dst. It panics as [crypto/cipher.AEAD] says.
func (k *Key) Seal(dst, nonce, plaintext, data []byte) []byte {
	k.Made()
	size := len(plaintext)
	if !k.isUsual(nonce, size, data) || !buffer.HasRoom(dst, size+k.TagSize, plaintext, data) {
		k.check(nonce, plaintext, data)
		dst = buffer.Grow(dst, size+k.TagSize, plaintext, data)
	}
	whole := dst[:len(dst)+size+k.TagSize]
	// A literal is made elsewhere and copied, and the copy waits for its words. What only a wiped key
	// needs is found from the call, and not kept.
	var call machine.Call
	call.Key, call.Nonce, call.AAD, call.AADSize = k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(data), len(data)
	call.From, call.To, call.Size, call.Tag, call.TagSize = unsafe.SliceData(plaintext), unsafe.SliceData(whole[len(dst):]), size, &whole[len(dst)+size], k.TagSize
	status := k.seal(machine.Code.Arguments(unsafe.Pointer(&call)))
	if k.room.IsWiped() {
		machine.WipedMeanwhile(whole[len(whole)-call.Size-call.TagSize:])
	}
	machine.Must(status)
	return whole
}

// Open decrypts and authenticates what Seal appended, and appends the plaintext
// to dst. If it is not authentic, zeros are there.
func (k *Key) Open(dst, nonce, ciphertext, data []byte) (opened []byte, isAuthentic bool) {
	k.Made()
	size := len(ciphertext) - k.TagSize
	if !k.isUsual(nonce, size, data) || !buffer.HasRoom(dst, size, ciphertext, data) {
		k.check(nonce, ciphertext[:max(0, size)], data)
		if size < 0 {
			return nil, false
		}
		dst = buffer.Grow(dst, size, ciphertext, data)
	}
	whole := dst[:len(dst)+size]
	var call machine.Call
	call.Key, call.Nonce, call.AAD, call.AADSize = k.room.Place(), unsafe.SliceData(nonce), unsafe.SliceData(data), len(data)
	call.From, call.To, call.Size = unsafe.SliceData(ciphertext), unsafe.SliceData(whole[len(dst):]), size
	call.Tag, call.TagSize = &ciphertext[size], k.TagSize
	status := k.open(machine.Code.Arguments(unsafe.Pointer(&call)))
	if k.room.IsWiped() {
		machine.WipedMeanwhile(whole[len(whole)-call.Size:])
	}
	if !machine.Opened(status) {
		return nil, false
	}
	return whole, true
}

// isUsual reports what nearly every call has: nothing that check would refuse.
func (k *Key) isUsual(nonce []byte, size int, data []byte) bool {
	return len(nonce) == k.NonceSize && uint64(size) <= k.MaxSize && uint64(len(data)) <= k.MaxSize
}

// check panics for a message that may not be sealed.
func (k *Key) check(nonce, text, data []byte) {
	if len(nonce) != k.NonceSize {
		panic(fmt.Sprintf("sivka: incorrect nonce length given to %s: %d bytes, %d expected", k.Name, len(nonce), k.NonceSize))
	}
	k.checkSize("message", text)
	k.checkSize("additional data", data)
}

func (k *Key) checkSize(what string, bytes []byte) {
	if uint64(len(bytes)) > k.MaxSize {
		k.tooLarge(what, len(bytes))
	}
}

func (k *Key) tooLarge(what string, size int) {
	panic(fmt.Sprintf("sivka: %s too large for %s: %d bytes, %d are the most", what, k.Name, size, k.MaxSize))
}

// CheckBatch panics if messages do not match.
func (k *Key) CheckBatch(m *batch.Messages) {
	k.Made()
	m.Check(k.NonceSize, k.TagSize, k.MaxSize)
}

// SealBatch seals messages, which were checked, in place.
func (k *Key) SealBatch(m *batch.Messages) { k.many(m, machine.SealBatch) }

// OpenBatch opens checked messages in place. It returns the numbers of those
// that do not open.
func (k *Key) OpenBatch(m *batch.Messages) (failed []int) { return k.many(m, machine.OpenBatch) }

func (k *Key) many(m *batch.Messages, entry int) (failed []int) {
	for first := 0; first < m.Count(); first += batch.SlabLen {
		end := min(first+batch.SlabLen, m.Count())
		if k.entries == nil || k.FewAreFaster && m.OneByOne(first, end, k.tier) {
			failed = k.oneByOne(m, first, end, entry, failed)
			continue
		}
		slab := m.Slab(first, k.NonceSize, k.TagSize)
		call := machine.BatchCall{Key: k.room.Place(), Slab: unsafe.Pointer(&slab)}
		status := k.entries[entry].Run(machine.Code.Arguments(unsafe.Pointer(&call)))
		if k.room.IsWiped() {
			slab.WipedMeanwhile()
		}
		machine.Must(status)
		failed = slab.AppendFailed(failed, first)
	}
	return failed
}

func (k *Key) oneByOne(m *batch.Messages, first, end, entry int, failed []int) []int {
	run := k.seal
	if entry == machine.OpenBatch {
		run = k.open
	}
	for i := first; i < end; i++ {
		data, text, tag := m.AADs.At(i), m.Texts.At(i), m.Tags[i*k.TagSize:][:k.TagSize]
		place := unsafe.SliceData(text)
		call := machine.Call{
			Key: k.room.Place(), Nonce: unsafe.SliceData(m.Nonces[i*k.NonceSize:]), AAD: unsafe.SliceData(data), AADSize: len(data),
			From: place, To: place, Size: len(text), Tag: &tag[0], TagSize: k.TagSize,
		}
		arguments := unsafe.Pointer(&call)
		if k.HasLists {
			arguments = unsafe.Pointer(&machine.ListCall{Key: call.Key, AADs: &data, AADCount: 1, From: place, To: place, Size: len(text), Tag: &tag[0]})
		}
		status := run(machine.Code.Arguments(arguments))
		if k.room.IsWiped() {
			machine.WipedMeanwhile(text, tag)
		}
		if entry == machine.SealBatch {
			machine.Must(status)
		} else if !machine.Opened(status) {
			failed = append(failed, i)
		}
	}
	return failed
}

// RunBlocks encrypts or decrypts blocks in place: by [machine.Seal] or
// [machine.Open] of a block cipher.
func (k *Key) RunBlocks(entry int, bytes []byte) {
	call := machine.BlocksCall{Key: k.Made().room.Place(), Bytes: unsafe.SliceData(bytes), Size: len(bytes)}
	status := k.entries[entry].Run(machine.Code.Arguments(unsafe.Pointer(&call)))
	if k.room.IsWiped() {
		machine.WipedMeanwhile(bytes)
	}
	machine.Must(status)
}
