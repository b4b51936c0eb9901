package nts_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"sivka.dev/go/examples/nts"
)

// hexBytes is bytes that JSON has as hexadecimal digits.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) error {
	decoded, err := hex.DecodeString(string(text))
	*h = decoded
	return err
}

// The vectors of chrony, which the file names exactly.
func TestVectorsOfChrony(t *testing.T) {
	text, err := os.ReadFile("testdata/chrony.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Algorithm                          string
			Key, Nonce, AAD, Plaintext, Sealed hexBytes
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	algorithms := map[string]nts.Algorithm{
		"AEAD_AES_SIV_CMAC_256": nts.AESSIVCMAC256,
		"AEAD_AES_128_GCM_SIV":  nts.AES128GCMSIV,
	}
	for i, c := range file.Cases {
		key, err := nts.NewKey(algorithms[c.Algorithm], c.Key)
		if err != nil {
			t.Fatal(err)
		}
		if sealed := key.Seal(nil, c.Nonce, c.Plaintext, c.AAD); !bytes.Equal(sealed, c.Sealed) {
			t.Errorf("case %d: seals to %x", i, sealed)
		}
		if opened, err := key.Open(nil, c.Nonce, c.Sealed, c.AAD); err != nil || !bytes.Equal(opened, c.Plaintext) {
			t.Errorf("case %d: opens to %x, %v", i, opened, err)
		}
		if _, err := key.Open(nil, c.Nonce, c.Sealed, append(c.AAD, 0)); err == nil {
			t.Errorf("case %d: opens with other associated data", i)
		}
	}
	if len(file.Cases) != 14 {
		t.Errorf("%d cases, expected 14", len(file.Cases))
	}
}

func TestKeysOfOtherLengthsAndAlgorithmsAreRefused(t *testing.T) {
	for _, algorithm := range []nts.Algorithm{nts.AESSIVCMAC256, nts.AES128GCMSIV, 31} {
		for _, size := range []int{0, 15, 24, 48, 64} {
			if _, err := nts.NewKey(algorithm, make([]byte, size)); err == nil {
				t.Errorf("%d takes a key of %d bytes", algorithm, size)
			}
		}
	}
}

func TestCookiesOpenUntilTheirKeyIsForgotten(t *testing.T) {
	cookies, err := nts.NewCookies()
	if err != nil {
		t.Fatal(err)
	}
	for _, association := range []nts.Association{
		{nts.AESSIVCMAC256, bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)},
		{nts.AES128GCMSIV, bytes.Repeat([]byte{3}, 16), bytes.Repeat([]byte{4}, 16)},
	} {
		cookie, other := cookies.Seal(association), cookies.Seal(association)
		if bytes.Equal(cookie, other) {
			t.Error("two cookies are equal")
		}
		for i := range cookie {
			changed := slices.Clone(cookie)
			changed[i] ^= 1
			if _, err := cookies.Open(changed); err != nts.ErrCookie {
				t.Errorf("byte %d changed: %v", i, err)
			}
			if _, err := cookies.Open(cookie[:i]); err != nts.ErrCookie {
				t.Errorf("cut after %d: %v", i, err)
			}
		}
		for rotations := range 3 {
			opened, err := cookies.Open(cookie)
			if (err == nil) != (rotations < 2) {
				t.Errorf("after %d rotations: %v", rotations, err)
			}
			if err == nil && (opened.Algorithm != association.Algorithm ||
				!bytes.Equal(opened.C2S, association.C2S) || !bytes.Equal(opened.S2C, association.S2C)) {
				t.Errorf("after %d rotations: another association", rotations)
			}
			if err := cookies.Rotate(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func Example() {
	cookies, err := nts.NewCookies()
	if err != nil {
		panic(err)
	}
	// Both sides have these keys from their TLS connection.
	association := nts.Association{Algorithm: nts.AES128GCMSIV, C2S: make([]byte, 16), S2C: make([]byte, 16)}
	cookie := cookies.Seal(association)
	fmt.Println(len(cookie), "bytes")

	opened, err := cookies.Open(cookie)
	fmt.Println(opened.Algorithm, err)
	// Output:
	// 66 bytes
	// 30 <nil>
}

func BenchmarkOpen(b *testing.B) {
	cookies, err := nts.NewCookies()
	if err != nil {
		b.Fatal(err)
	}
	cookie := cookies.Seal(nts.Association{Algorithm: nts.AESSIVCMAC256, C2S: make([]byte, 32), S2C: make([]byte, 32)})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := cookies.Open(cookie); err != nil {
			b.Fatal(err)
		}
	}
}
