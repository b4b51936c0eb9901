package sivka_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sivka.dev/go"
)

func newAESSIV(t testing.TB, size int) *sivka.AESSIV {
	t.Helper()
	key, err := sivka.NewAESSIV(bytes.Repeat([]byte{5}, size))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Number, order and bounds of strings count.
func TestAESSIVStrings(t *testing.T) {
	for _, size := range []int{32, 48, 64} {
		key := newAESSIV(t, size)
		many := make([][]byte, 126)
		lists := [][][]byte{nil, {nil}, {nil, nil}, {[]byte("ab"), []byte("c")}, {[]byte("a"), []byte("bc")}, {[]byte("c"), []byte("ab")}, {[]byte("abc")}, many}
		seen := map[string]int{}
		for i, list := range lists {
			for _, length := range []int{0, 1, 15, 16, 17, 300} {
				text := bytes.Repeat([]byte{7}, length)
				sealed := key.SealStrings(nil, text, list...)
				if before, found := seen[string(sealed)]; found {
					t.Errorf("lists %d and %d seal to the same", before, i)
				}
				seen[string(sealed)] = i
				opened, err := key.OpenStrings(nil, sealed, list...)
				if err != nil || !bytes.Equal(opened, text) {
					t.Errorf("list %d, %d bytes: opens to %x, %v", i, length, opened, err)
				}
				other := lists[(i+1)%len(lists)]
				if _, err := key.OpenStrings(nil, sealed, other...); !errors.Is(err, sivka.ErrOpen) {
					t.Errorf("list %d opens as another: %v", i, err)
				}
			}
		}
		if said := panics(func() { key.SealStrings(nil, nil, make([][]byte, 127)...) }); !strings.Contains(said, "too many strings") {
			t.Errorf("127 strings: panics with %q", said)
		}
	}
}

// The tag is in front: a text in place is 16 bytes after its output.
func TestAESSIVInPlace(t *testing.T) {
	key := newAESSIV(t, 64)
	text := []byte("some text to be sealed in place")
	want := key.Seal(nil, nil, text, []byte("aad"))
	buffer := append(make([]byte, 16, 100), text...)
	if got := key.Seal(buffer[:0], nil, buffer[16:], []byte("aad")); !bytes.Equal(got, want) {
		t.Errorf("seals to %x, %x expected", got, want)
	}
	opened, err := key.Open(buffer[16:16], nil, buffer[:16+len(text)], []byte("aad"))
	if err != nil || !bytes.Equal(opened, text) {
		t.Errorf("opens to %q, %v", opened, err)
	}
	overlaps := map[string]func(){
		"as GCM in place":   func() { key.Seal(buffer[:0], nil, buffer[:30], nil) },
		"tag over the text": func() { key.Seal(buffer[20:20], nil, buffer[20:21], nil) },
		"aad is the tag":    func() { key.Seal(buffer[:0], nil, buffer[16:20], buffer[3:4]) },
		"opened over tag":   func() { _, _ = key.Open(buffer[:0], nil, buffer[:40], nil) },
	}
	for name, call := range overlaps {
		if said := panics(call); !strings.Contains(said, "overlap") {
			t.Errorf("%s: panics with %q", name, said)
		}
	}
	if said := panics(func() { key.Seal(nil, []byte{1}, nil, nil) }); !strings.Contains(said, "without nonces") {
		t.Errorf("a nonce: panics with %q", said)
	}
}

func TestKeysAndTagsOfOtherSizes(t *testing.T) {
	for size := range 70 {
		_, err := sivka.NewAESSIV(make([]byte, size))
		if right := size == 32 || size == 48 || size == 64; right != (err == nil) {
			t.Errorf("AES-SIV, %d bytes: %v", size, err)
		}
		_, err = sivka.NewXChaCha20BLAKE2b(make([]byte, size), 32)
		if (size == 32) != (err == nil) {
			t.Errorf("XChaCha20-BLAKE2b, %d bytes: %v", size, err)
		}
		_, err = sivka.NewXChaCha20BLAKE2bSIV(make([]byte, 32), size)
		var wrong sivka.TagSizeError
		if right := size == 32 || size == 48 || size == 64; right != (err == nil) || !right && !errors.As(err, &wrong) {
			t.Errorf("tags of %d bytes: %v", size, err)
		}
	}
}

func ExampleAESSIV_SealStrings() {
	key, err := sivka.NewAESSIV([]byte("64 bytes that should be random!! And these are the other 32 bytes"[:64]))
	if err != nil {
		panic(err)
	}
	// A token of a value: the same one every time, for this column.
	token := key.SealStrings(nil, []byte("alice@example.org"), []byte("users"), []byte("email"))
	opened, err := key.OpenStrings(nil, token, []byte("users"), []byte("email"))
	fmt.Printf("%s, %v\n", opened, err)
	// Output: alice@example.org, <nil>
}

func ExampleAES256GCMSIV_SealBatch() {
	key, err := sivka.NewAES256GCMSIV([]byte("32 bytes that should be random!!"))
	if err != nil {
		panic(err)
	}
	batch := &sivka.Batch{
		Texts:  [][]byte{[]byte("first"), []byte("second")},
		Nonces: make([]byte, 2*key.NonceSize()), // random bytes in earnest
		Tags:   make([]byte, 2*key.Overhead()),
		AAD:    []byte("for all"),
	}
	key.SealBatch(batch)
	batch.Tags[0] ^= 1
	fmt.Println(key.OpenBatch(batch))
	fmt.Printf("%q\n", batch.Texts)
	// Output:
	// sivka: authentication failed for 1 messages of a batch, first for message 0
	// ["\x00\x00\x00\x00\x00" "second"]
}
