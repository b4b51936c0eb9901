//go:build linux

package tests

import (
	"os"
	"syscall"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/internal/keys"
)

// room returns bytes that end where no memory is, and bytes that begin after
// such a place. Go's heap has both: a slice may be the last before a gap.
func room(t *testing.T, size int) (last, first func(size int) []byte) {
	t.Helper()
	page := os.Getpagesize()
	inner := (size + page - 1) / page * page
	pages, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(pages); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{pages[:page], pages[page+inner:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	memory := pages[page : page+inner]
	last = func(size int) []byte { return memory[inner-size : inner : inner] }
	first = func(size int) []byte { return memory[:size:size] }
	return last, first
}

// What is next to a slice is not read: every part of a message is once the
// last before a gap in memory, and once the first after one.
func TestNothingBesideASliceIsTouched(t *testing.T) {
	const longest = 1100
	last, first := room(t, longest+200)
	lens := []int{1023, 1024, 1025, longest}
	for size := range 560 {
		lens = append(lens, size)
	}
	onEveryTier(t, func(t *testing.T) {
		for _, a := range algorithms {
			aead := a.make(t, make([]byte, a.KeySize))
			nonce := make([]byte, aead.NonceSize())
			plaintext, aad := make([]byte, longest), make([]byte, 5)
			sealed := make([]byte, 0, longest+aead.Overhead())
			for _, size := range lens {
				for _, at := range []func(size int) []byte{last, first} {
					edge := at(size)
					aead.Seal(sealed, nonce, edge, aad)
					aead.Seal(sealed, nonce, plaintext[:21], edge)
					ciphertext := aead.Seal(at(size + aead.Overhead())[:0], nonce, plaintext[:size], aad)
					if _, err := aead.Open(sealed, nonce, ciphertext, aad); err != nil {
						t.Fatalf("%s, %d bytes: %v", a.Name, size, err)
					}
					ciphertext = append(sealed, ciphertext...)
					if _, err := aead.Open(at(size)[:0], nonce, ciphertext, aad); err != nil {
						t.Fatalf("%s, %d bytes: %v", a.Name, size, err)
					}
				}
			}
			copy(last(len(nonce)), nonce)
			aead.Seal(sealed, last(len(nonce)), plaintext, aad)
		}
	})
}

// The same for batches of texts in one buffer.
func TestNothingBesideABatchIsTouched(t *testing.T) {
	const count = 33
	last, first := room(t, 1<<15)
	onEveryTier(t, func(t *testing.T) {
		key := algorithm(keys.Find("AES-256-GCM-SIV")).make(t, make([]byte, 32))
		for size := range 530 {
			for _, at := range []func(size int) []byte{last, first} {
				b := &sivka.Batch{Text: at(size * count), Nonces: make([]byte, count*12), Tags: make([]byte, count*16)}
				for i := range count + 1 {
					b.Offsets = append(b.Offsets, size*i)
				}
				key.SealBatch(b)
				if err := key.OpenBatch(b); err != nil {
					t.Fatalf("%d bytes: %v", size, err)
				}
			}
		}
	})
}
