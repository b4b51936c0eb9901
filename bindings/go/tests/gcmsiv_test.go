package tests

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

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
			"aad is output":    {func() { key.Seal(buffer[:0], nonce, make([]byte, 9), buffer[24:25]) }, "overlap of output and additional"},
			"aad is opened":    {func() { key.Open(buffer[:100], nonce, sealed, buffer[139:140]) }, "overlap of output and additional"},
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

func TestKeysDoNotPrintThemselves(t *testing.T) {
	for _, key := range newKeys(t) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if got := fmt.Sprintf(verb, key); !strings.HasPrefix(got, "AES-") || strings.ContainsAny(got, "{&") {
				t.Errorf("%s prints %q", verb, got)
			}
		}
	}
}
