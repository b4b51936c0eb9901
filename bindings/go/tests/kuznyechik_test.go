package tests

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"sivka.dev/go"
)

// kuznyechik makes keys of the example of RFC 7801, and skips a test where
// there are none.
func kuznyechik(t *testing.T) (*sivka.Kuznyechik, *sivka.KuznyechikMGM) {
	t.Helper()
	key := unhex("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")
	block, err := sivka.NewKuznyechik(key)
	mgm, mgmErr := sivka.NewKuznyechikMGM(key)
	if !wipes() && errors.Is(err, sivka.ErrNoCode) && errors.Is(mgmErr, sivka.ErrNoCode) {
		t.Skip("no Kuznyechik in plain Go")
	}
	if err := errors.Join(err, mgmErr); err != nil {
		t.Fatal(err)
	}
	return block, mgm
}

func unhex(digits string) []byte {
	bytes, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return bytes
}

func TestMisuseOfKuznyechikPanicsAndWritesNothing(t *testing.T) {
	key, mgm := kuznyechik(t)
	wiped, _ := kuznyechik(t)
	wiped.Wipe()
	wiped.Wipe()
	nonce, memory := make([]byte, 16), bytes.Repeat([]byte{7}, 64)
	text, block, place := []byte("text"), make([]byte, 16), memory[:16]
	first := append([]byte{0x80}, nonce[1:]...)
	batchOf := func(nonce, text []byte) *sivka.Batch {
		return &sivka.Batch{Texts: [][]byte{text}, Nonces: nonce, Tags: memory[48:]}
	}
	for name, call := range map[string]func(){
		"not made":          func() { new(sivka.Kuznyechik).Encrypt(place, block) },
		"first bit":         func() { mgm.Seal(place[:0], first, text, nil) },
		"all empty":         func() { mgm.Seal(place[:0], nonce, nil, nil) },
		"nonce":             func() { mgm.Seal(place[:0], nonce[1:], text, nil) },
		"first bit, batch":  func() { mgm.SealBatch(batchOf(first, place)) },
		"all empty, batch":  func() { mgm.SealBatch(batchOf(nonce, nil)) },
		"all empty, random": func() { mgm.SealRandom(memory[:0], nil, nil) },
		"overlap, random":   func() { mgm.SealRandom(memory[:0], text, memory[4:8]) },
		"blocks, a part":    func() { key.EncryptBlocks(memory, make([]byte, 17)) },
		"blocks, too small": func() { key.EncryptBlocks(place, make([]byte, 32)) },
		"blocks, overlap":   func() { key.EncryptBlocks(memory[8:24], place) },
		"block, too small":  func() { key.Encrypt(place, block[1:]) },
		"wiped, Encrypt":    func() { wiped.Encrypt(place, block) },
		"wiped, Decrypt":    func() { wiped.Decrypt(place, block) },
	} {
		if panics(call) == "" {
			t.Error(name)
		}
		if !bytes.Equal(memory, bytes.Repeat([]byte{7}, 64)) {
			t.Error(name, "has written")
		}
	}
}
