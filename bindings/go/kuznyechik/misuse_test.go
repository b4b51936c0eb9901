//go:build (amd64 || arm64) && !purego

package kuznyechik_test

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"sivka.dev/go/kuznyechik"
)

// panics reports whether a call does, in a way that a program can recover from.
func panics(call func()) (did bool) {
	defer func() { did = recover() != nil }()
	call()
	return false
}

func TestWhatNothingMadePanicsLikeGo(t *testing.T) {
	var block [16]byte
	for name, call := range map[string]func(){
		"Cipher":   func() { new(kuznyechik.Cipher).Encrypt(block[:], block[:]) },
		"MGM":      func() { new(kuznyechik.MGM).Seal(nil, block[:], block[:], nil) },
		"CTR":      func() { new(kuznyechik.CTR).XORKeyStream(block[:], block[:]) },
		"CTRACPKM": func() { new(kuznyechik.CTRACPKM).XORKeyStream(block[:], block[:]) },
		"OMAC":     func() { new(kuznyechik.OMAC).Sum(nil) },
	} {
		if !panics(call) {
			t.Error(name)
		}
	}
}

func TestACopyKeepsItsKey(t *testing.T) {
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
