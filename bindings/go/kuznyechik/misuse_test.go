package kuznyechik_test

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"sivka.dev/go"
	"sivka.dev/go/kuznyechik"
)

// panics reports whether a call does, in a way that a program can recover from.
func panics(call func()) (did bool) {
	defer func() { did = recover() != nil }()
	call()
	return false
}

// needsCode skips a test where there are no keys.
func needsCode(t *testing.T) {
	t.Helper()
	if sivka.Tier() == "go" {
		t.Skip("no Kuznyechik in plain Go")
	}
}

func TestWhatNothingMadePanicsLikeGo(t *testing.T) {
	var block [16]byte
	for name, call := range map[string]func(){
		"Cipher": func() { new(kuznyechik.Cipher).Encrypt(block[:], block[:]) },
		"MGM":    func() { new(kuznyechik.MGM).Seal(nil, block[:], block[:], nil) },
	} {
		if !panics(call) {
			t.Error(name)
		}
	}
}

func TestACopyKeepsItsKey(t *testing.T) {
	needsCode(t)
	made := func() *kuznyechik.Cipher {
		key, err := kuznyechik.NewCipher(bytes.Repeat([]byte{7}, kuznyechik.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	copied := *made()
	for range 5 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	var expected, got [16]byte
	made().Encrypt(expected[:], make([]byte, 16))
	copied.Encrypt(got[:], make([]byte, 16))
	if got != expected {
		t.Error("another key")
	}
}

func TestSealRandomHasWrittenNothingWhereItPanics(t *testing.T) {
	needsCode(t)
	key, err := kuznyechik.NewMGM(make([]byte, kuznyechik.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	memory := make([]byte, 64)
	if !panics(func() { key.SealRandom(memory[:0], nil, nil) }) || !panics(func() { key.SealRandom(memory[:0], []byte("text"), memory[4:8]) }) {
		t.Error("no panic")
	}
	if !bytes.Equal(memory, make([]byte, 64)) {
		t.Error("written")
	}
}

func TestWhatWasWipedPanics(t *testing.T) {
	needsCode(t)
	key, block := make([]byte, kuznyechik.KeySize), make([]byte, 16)
	made := func(made any, err error) any {
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	cipher := made(toAny(kuznyechik.NewCipher(key))).(*kuznyechik.Cipher)
	mgm := made(toAny(kuznyechik.NewMGM(key))).(*kuznyechik.MGM)
	sealed := mgm.Seal(nil, block, []byte("text"), nil)
	for _, each := range []interface{ Wipe() }{cipher, mgm} {
		each.Wipe()
		each.Wipe()
	}
	text := []byte("sixteen bytes...")
	written := make([]byte, 16)
	batch := &sivka.Batch{Texts: [][]byte{written}, Nonces: block, Tags: make([]byte, 16)}
	for name, call := range map[string]func(){
		"Encrypt":   func() { cipher.Encrypt(written, text) },
		"Decrypt":   func() { cipher.Decrypt(written, text) },
		"Seal":      func() { mgm.Seal(written[:0], block, []byte("text"), nil) },
		"Open":      func() { _, _ = mgm.Open(written[:0], block, sealed, nil) },
		"SealBatch": func() { mgm.SealBatch(batch) },
		"OpenBatch": func() { _ = mgm.OpenBatch(batch) },
	} {
		if !panics(call) {
			t.Error(name)
		}
		if !bytes.Equal(written, make([]byte, 16)) {
			t.Error(name, "has written")
		}
	}
}

func toAny[K any](key K, err error) (any, error) { return key, err }
