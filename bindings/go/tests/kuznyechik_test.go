package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/kuznyechik"
)

func TestKuznyechikBlocks(t *testing.T) {
	if sivka.Tier() == "go" {
		if _, err := kuznyechik.NewCipher(make([]byte, 32)); !errors.Is(err, kuznyechik.ErrNoCode) {
			t.Error(err)
		}
		return
	}
	text, err := os.ReadFile("../../../vectors/kuznyechik/gost-r-34.13-2015.json")
	if err != nil {
		t.Fatal(err)
	}
	var gost struct{ Key, Plaintext, ECB hexBytes }
	if err := json.Unmarshal(text, &gost); err != nil {
		t.Fatal(err)
	}
	onEveryTier(t, func(t *testing.T) {
		block, err := kuznyechik.NewCipher(gost.Key)
		if err != nil {
			t.Fatal(err)
		}
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
