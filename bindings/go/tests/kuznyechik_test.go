package tests

import (
	"bytes"
	"crypto/cipher"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/kuznyechik"
)

// It has no plain Go, and so is no algorithm of every build.
func init() {
	if sivka.Tier() == "go" {
		return
	}
	algorithms = append(algorithms, algorithm{"Kuznyechik-MGM", 32, false, func(key []byte) (cipher.AEAD, error) {
		return kuznyechik.NewMGM(key)
	}})
	vectorFiles["kuznyechik/rfc9058.json"] = 2
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../../vectors/" + path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(path, err)
	}
}

// must returns a key that could be made.
func must[K any](key K, err error) K {
	if err != nil {
		panic(err)
	}
	return key
}

// skipInPlainGo checks that there is no Kuznyechik in plain Go.
func skipInPlainGo(t *testing.T) {
	t.Helper()
	if sivka.Tier() != "go" {
		return
	}
	if _, err := kuznyechik.NewMGM(make([]byte, 32)); !errors.Is(err, kuznyechik.ErrNoCode) {
		t.Error(err)
	}
	t.Skip("no Kuznyechik in plain Go")
}

func TestKuznyechikBlocks(t *testing.T) {
	var gost struct{ Key, Plaintext, ECB hexBytes }
	readJSON(t, "kuznyechik/gost-r-34.13-2015.json", &gost)
	onEveryTier(t, func(t *testing.T) {
		skipInPlainGo(t)
		block := must(kuznyechik.NewCipher(gost.Key))
		ecb := make([]byte, len(gost.Plaintext))
		block.EncryptBlocks(ecb, gost.Plaintext)
		if !bytes.Equal(ecb, gost.ECB) {
			t.Errorf("blocks encrypt to %x", ecb)
		}
		block.DecryptBlocks(ecb, ecb)
		block.Decrypt(ecb, ecb)
		block.Encrypt(ecb, ecb)
		if !bytes.Equal(ecb, gost.Plaintext) {
			t.Errorf("blocks decrypt to %x", ecb)
		}
	})
}

// Sixteen blocks, encrypted 65536 times over.
func TestKuznyechikChain(t *testing.T) {
	var chain struct {
		Key   hexBytes
		Times int
		Lanes []hexBytes
	}
	readJSON(t, "kuznyechik/chain.json", &chain)
	onEveryTier(t, func(t *testing.T) {
		skipInPlainGo(t)
		block := must(kuznyechik.NewCipher(chain.Key))
		lanes := make([]byte, 16*len(chain.Lanes))
		for i := range chain.Lanes {
			lanes[16*i] = byte(i)
		}
		for range chain.Times {
			block.EncryptBlocks(lanes, lanes)
		}
		for i, lane := range chain.Lanes {
			if !bytes.Equal(lanes[16*i:][:16], lane) {
				t.Fatalf("lane %d: %x, %x expected", i, lanes[16*i:][:16], lane)
			}
		}
	})
}

func TestKuznyechikMisuse(t *testing.T) {
	skipInPlainGo(t)
	source := rand.NewChaCha8([32]byte{9})
	key := must(kuznyechik.NewMGM(random(source, 32)))
	nonce := make([]byte, 16)
	first := append([]byte{0x80}, nonce[1:]...)
	calls := map[string]func(){
		"first bit":         func() { key.Seal(nil, first, []byte("text"), nil) },
		"all empty":         func() { key.Seal(nil, nonce, nil, nil) },
		"nonce":             func() { key.Seal(nil, nonce[1:], []byte("text"), nil) },
		"first bit, batch":  func() { key.SealBatch(&sivka.Batch{Nonces: first, Tags: make([]byte, 16), Texts: [][]byte{{1}}}) },
		"all empty, batch":  func() { key.SealBatch(&sivka.Batch{Nonces: nonce, Tags: make([]byte, 16), Texts: [][]byte{{}}}) },
		"blocks, a part":    func() { must(kuznyechik.NewCipher(make([]byte, 32))).EncryptBlocks(make([]byte, 17), make([]byte, 17)) },
		"blocks, too small": func() { must(kuznyechik.NewCipher(make([]byte, 32))).EncryptBlocks(make([]byte, 16), make([]byte, 32)) },
		"block, too small":  func() { must(kuznyechik.NewCipher(make([]byte, 32))).Encrypt(make([]byte, 16), make([]byte, 15)) },
	}
	for name, call := range calls {
		if !panics(call) {
			t.Errorf("%s: does not panic", name)
		}
	}
	for name, sealed := range map[string][]byte{"short": make([]byte, 15), "empty": make([]byte, 16)} {
		if _, err := key.Open(nil, nonce, sealed, nil); !errors.Is(err, sivka.ErrOpen) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range 100 {
		sealed := key.SealRandom(nil, []byte("text"), nil)
		if opened, err := key.OpenRandom(nil, sealed, nil); err != nil || string(opened) != "text" {
			t.Fatalf("%q, %v", opened, err)
		}
	}
}
