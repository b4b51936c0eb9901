package sivka_test

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sivka.dev/go"
)

func newKeys(t testing.TB) []cipher.AEAD {
	t.Helper()
	short, err := sivka.NewAES128GCMSIV(bytes.Repeat([]byte{1}, 16))
	if err != nil {
		t.Fatal(err)
	}
	long, err := sivka.NewAES256GCMSIV(bytes.Repeat([]byte{2}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return []cipher.AEAD{short, long}
}

func TestKeysOfAWrongSize(t *testing.T) {
	for size := range 66 {
		for right, err := range map[int]error{16: of128(size), 32: of256(size)} {
			var wrong sivka.KeySizeError
			if size == right && err != nil {
				t.Errorf("%d bytes: %v", size, err)
			}
			if size != right && (!errors.As(err, &wrong) || wrong.Given != size) {
				t.Errorf("%d bytes: %v", size, err)
			}
		}
	}
	if got := of256(5).Error(); got != "sivka: a key of 5 bytes was given; 32 bytes are expected" {
		t.Error(got)
	}
}

func of128(size int) error {
	_, err := sivka.NewAES128GCMSIV(make([]byte, size))
	return err
}

func of256(size int) error {
	_, err := sivka.NewAES256GCMSIV(make([]byte, size))
	return err
}

func TestSealAppends(t *testing.T) {
	nonce := make([]byte, 12)
	for _, key := range newKeys(t) {
		alone := key.Seal(nil, nonce, []byte("text"), nil)
		for _, capacity := range []int{4, 10, 24, 100} {
			dst := append(make([]byte, 0, capacity), "head"...)
			got := key.Seal(dst, nonce, []byte("text"), nil)
			if want := append([]byte("head"), alone...); !bytes.Equal(got, want) {
				t.Errorf("capacity %d: %x, %x expected", capacity, got, want)
			}
			if capacity >= 24 && &got[0] != &dst[0] {
				t.Errorf("capacity %d was not used", capacity)
			}
			opened, err := key.Open(dst, nonce, alone, nil)
			if err != nil || string(opened) != "headtext" {
				t.Errorf("capacity %d: opens to %q, %v", capacity, opened, err)
			}
		}
	}
}

func TestOpenFailsInOneWay(t *testing.T) {
	nonce := make([]byte, 12)
	for _, key := range newKeys(t) {
		sealed := key.Seal(nil, nonce, []byte("some text that is secret"), []byte("aad"))
		for bit := range 8 * len(sealed) {
			forged := bytes.Clone(sealed)
			forged[bit/8] ^= 1 << (bit % 8)
			room := bytes.Repeat([]byte{0xee}, 24)
			got, err := key.Open(room[:0], nonce, forged, []byte("aad"))
			if got != nil || !errors.Is(err, sivka.ErrOpen) {
				t.Fatalf("bit %d: %x, %v", bit, got, err)
			}
			if !bytes.Equal(room, make([]byte, 24)) {
				t.Fatalf("bit %d: %x was left", bit, room)
			}
		}
		for size := range 16 {
			if _, err := key.Open(nil, nonce, sealed[:size], nil); !errors.Is(err, sivka.ErrOpen) {
				t.Errorf("%d bytes: %v", size, err)
			}
		}
	}
}

// panics returns what a call panics with, or nothing.
func panics(call func()) (said string) {
	defer func() {
		if got := recover(); got != nil {
			said = fmt.Sprint(got)
		}
	}()
	call()
	return ""
}

func TestMisusePanics(t *testing.T) {
	nonce := make([]byte, 12)
	for _, key := range newKeys(t) {
		buffer := make([]byte, 200)
		sealed := key.Seal(nil, nonce, make([]byte, 40), nil)
		copy(buffer[20:], sealed)
		cases := map[string]struct {
			call func()
			said string
		}{
			"short nonce":      {func() { key.Seal(nil, nonce[:11], nil, nil) }, "incorrect nonce length"},
			"long nonce":       {func() { key.Open(nil, make([]byte, 13), sealed, nil) }, "incorrect nonce length"},
			"nonce, too short": {func() { key.Open(nil, nil, nil, nil) }, "incorrect nonce length"},
			"output after":     {func() { key.Seal(buffer[:1], nonce, buffer[:40], nil) }, "overlap of output and input"},
			"output before":    {func() { key.Seal(buffer[:0], nonce, buffer[1:40], nil) }, "overlap of output and input"},
			"tag over input":   {func() { key.Seal(buffer[:60], nonce, buffer[100:140], nil) }, "overlap of output and input"},
			"aad is output":    {func() { key.Seal(buffer[:0], nonce, make([]byte, 9), buffer[24:25]) }, "overlap of output and additional"},
			"opened after":     {func() { key.Open(buffer[:21], nonce, buffer[20:76], nil) }, "overlap of output and input"},
			"aad is opened":    {func() { key.Open(buffer[:100], nonce, sealed, buffer[139:140]) }, "overlap of output and additional"},
			"in place":         {func() { key.Seal(buffer[20:20], nonce, buffer[20:60], buffer[:20]) }, ""},
			"aad after":        {func() { key.Seal(buffer[20:20], nonce, buffer[20:60], buffer[76:]) }, ""},
			"nonce before":     {func() { key.Seal(buffer[:12], buffer[:12], buffer[100:140], nil) }, ""},
			"aad of no bytes":  {func() { key.Seal(buffer[:0], nonce, nil, buffer[3:3]) }, ""},
		}
		for name, c := range cases {
			if said := panics(c.call); !strings.Contains(said, c.said) || (said == "") != (c.said == "") {
				t.Errorf("%s: panics with %q, %q expected", name, said, c.said)
			}
		}
	}
}

func TestRandomNonces(t *testing.T) {
	key, err := sivka.NewAES256GCMSIV(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 1000 {
		sealed := key.SealRandom([]byte("head"), []byte("text"), []byte("aad"))
		if len(sealed) != 4+12+4+16 || string(sealed[:4]) != "head" {
			t.Fatalf("%x", sealed)
		}
		seen[string(sealed[4:16])] = true
		opened, err := key.OpenRandom(nil, sealed[4:], []byte("aad"))
		if err != nil || string(opened) != "text" {
			t.Fatalf("%q, %v", opened, err)
		}
	}
	if len(seen) != 1000 {
		t.Errorf("%d nonces in 1000 messages", len(seen))
	}
	for size := range 28 {
		if _, err := key.OpenRandom(nil, make([]byte, size), nil); !errors.Is(err, sivka.ErrOpen) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	buffer := make([]byte, 100)
	if said := panics(func() { key.SealRandom(buffer[:0], buffer[:10], nil) }); !strings.Contains(said, "overlap") {
		t.Errorf("in place: panics with %q", said)
	}
}

func TestKeysDoNotPrintThemselves(t *testing.T) {
	for _, key := range newKeys(t) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if got := fmt.Sprintf(verb, key); !strings.HasPrefix(got, "AES-") || strings.ContainsAny(got, "{&") {
				t.Errorf("%s prints %q", verb, got)
			}
		}
	}
}

func TestTierIsNamed(t *testing.T) {
	if sivka.Tier() == "" {
		t.Error("no name")
	}
}
