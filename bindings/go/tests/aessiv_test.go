package tests

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sivka.dev/go"
)

// The tag is in front: a text in place is 16 bytes after its output.
func TestAESSIVMisuse(t *testing.T) {
	key, err := sivka.NewAESSIV(make([]byte, 64))
	if err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 100)
	for name, c := range map[string]struct {
		call func()
		said string
	}{
		"as GCM in place":   {func() { key.Seal(buffer[:0], nil, buffer[:30], nil) }, "overlap"},
		"tag over the text": {func() { key.Seal(buffer[20:20], nil, buffer[20:21], nil) }, "overlap"},
		"aad is the tag":    {func() { key.Seal(buffer[:0], nil, buffer[16:20], buffer[3:4]) }, "overlap"},
		"opened over tag":   {func() { _, _ = key.Open(buffer[:0], nil, buffer[:40], nil) }, "overlap"},
		"in place":          {func() { key.Seal(buffer[:0], nil, buffer[16:30], nil) }, ""},
		"a nonce":           {func() { key.Seal(nil, []byte{1}, nil, nil) }, "without nonces"},
		"127 strings":       {func() { key.SealStrings(nil, nil, make([][]byte, 127)...) }, "too many strings"},
	} {
		if said := panics(c.call); !strings.Contains(said, c.said) || (said == "") != (c.said == "") {
			t.Errorf("%s: panics with %q", name, said)
		}
	}
}

func TestKeysAndTagsOfOtherSizes(t *testing.T) {
	for size := range 70 {
		key := make([]byte, size)
		_, of128 := sivka.NewAES128GCMSIV(key)
		_, of256 := sivka.NewAES256GCMSIV(key)
		_, ofSIV := sivka.NewAESSIV(key)
		_, ofChaCha := sivka.NewXChaCha20BLAKE2b(key, 32)
		_, tags := sivka.NewXChaCha20BLAKE2bSIV(make([]byte, 32), size)
		if right := size == 32 || size == 48 || size == 64; (tags == nil) != right || !right && tags != sivka.TagSizeError(size) {
			t.Errorf("tags of %d bytes: %v", size, tags)
		}
		for expected, err := range map[string]error{"16": of128, "32": errors.Join(of256, ofChaCha), "32, 48 or 64": ofSIV} {
			var wrong sivka.KeySizeError
			right := slices.Contains(strings.FieldsFunc(expected, func(r rune) bool { return r < '0' || r > '9' }), strconv.Itoa(size))
			if (err == nil) != right || !right && (!errors.As(err, &wrong) || wrong != sivka.KeySizeError{Given: size, Expected: expected}) {
				t.Errorf("%d bytes of %s: %v", size, expected, err)
			}
		}
	}
	_, err := sivka.NewAES256GCMSIV(make([]byte, 5))
	if got := err.Error(); got != "sivka: a key of 5 bytes was given; 32 bytes are expected" {
		t.Error(got)
	}
}
