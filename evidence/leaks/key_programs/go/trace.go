package main

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"sivka.dev/go"
	"sivka.dev/go/internal/keys"
)

func init() {
	// The thread that main runs on then is the one that is watched.
	runtime.LockOSThread()
}

// sizes reach every way that messages shorter than a table of first rounds go.
var sizes = []int{16, 600, 3000}

// call makes calls with secrets of its own and all that is public the same, in
// the same memory.
type call func(secrets *rand.ChaCha8)

// trace makes every call twice with secrets that differ, and marks when. Once
// before, so that stacks have grown and all that is done once is done.
func trace(planted bool) {
	// Nothing moves, and no key is wiped meanwhile.
	debug.SetGCPercent(-1)
	calls := all()
	if planted {
		calls = leaks()
	}
	for round, seed := range []byte{1, 1, 2} {
		if round > 0 {
			mark()
		}
		for i, call := range calls {
			call(rand.NewChaCha8([32]byte{seed, byte(i), byte(i >> 8)}))
		}
	}
	mark()
}

// mark stops this thread where it is watched.
func mark() {
	must(syscall.Tgkill(syscall.Getpid(), syscall.Gettid(), syscall.SIGTRAP))
}

func all() []call {
	var calls []call
	for _, a := range keys.All {
		if strings.Contains(a.Name, "-Tag") {
			// The same functions, which write less of a hash or more.
			continue
		}
		for _, size := range sizes {
			calls = append(calls, messages(a, size))
		}
		calls = append(calls, batches(a, 64), batches(a, 600))
	}
	return append(calls, blocks())
}

// apart makes memory that does not follow a key closely. Addresses are counted from the key as
// far as the longest key reaches, and each round makes its keys at other addresses.
func apart(size int) []byte {
	const longest = 4096
	return make([]byte, longest+size)[longest:]
}

func messages(a keys.Algorithm, size int) call {
	bytes, text := apart(a.KeySize), apart(size)
	sealed, opened := apart(size + 64)[:0], apart(size)[:0]
	nonce := apart(24)
	return func(secrets *rand.ChaCha8) {
		_, _ = secrets.Read(bytes)
		_, _ = secrets.Read(text)
		k, err := a.New(bytes)
		must(err)
		nonce := nonce[:k.NonceSize()]
		sealed := k.Seal(sealed, nonce, text, additionalData)
		_, err = k.Open(opened, nonce, sealed, additionalData)
		must(err)
		sealed[0] ^= 1
		if _, err := k.Open(opened, nonce, sealed, additionalData); err == nil {
			panic("a forgery opened")
		}
	}
}

func batches(a keys.Algorithm, size int) call {
	bytes := apart(a.KeySize)
	k, err := a.New(bytes)
	must(err)
	b := batchOf(k, sizesOf(size))
	for _, part := range []*[]byte{&b.Text, &b.Tags, &b.Nonces} {
		bytes := apart(len(*part))
		copy(bytes, *part)
		*part = bytes
	}
	b.Offsets = append(make([]int, 512), b.Offsets...)[512:]
	return func(secrets *rand.ChaCha8) {
		_, _ = secrets.Read(bytes)
		_, _ = secrets.Read(b.Text)
		k, err := a.New(bytes)
		must(err)
		k.SealBatch(b)
		must(k.OpenBatch(b))
	}
}

// blocks are Kuznyechik without a mode, one block and many.
func blocks() call {
	bytes, text := apart(32), apart(1008)
	return func(secrets *rand.ChaCha8) {
		_, _ = secrets.Read(bytes)
		_, _ = secrets.Read(text)
		block, err := sivka.NewKuznyechik(bytes)
		must(err)
		block.Encrypt(text[:16], text[:16])
		block.Decrypt(text[:16], text[:16])
		block.EncryptBlocks(text, text)
		block.DecryptBlocks(text, text)
	}
}

// leaks must be found: a secret decides the length of a text, or its address.
func leaks() []call {
	k, err := sivka.NewAES256GCMSIV(make([]byte, 32))
	must(err)
	text, sealed, nonce := make([]byte, 600), make([]byte, 0, 700), make([]byte, 12)
	secret := func(secrets *rand.ChaCha8) int { return int(secrets.Uint64() % 7) }
	return []call{
		func(secrets *rand.ChaCha8) { k.Seal(sealed, nonce, text[:16*secret(secrets)], nil) },
		func(secrets *rand.ChaCha8) { k.Seal(sealed, nonce, text[secret(secrets):][:100], nil) },
	}
}
