package tests

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sivka.dev/go"
)

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

func key(t *testing.T) *sivka.AES256GCMSIV {
	key, err := sivka.NewAES256GCMSIV(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestKeysAndTagsOfOtherSizes(t *testing.T) {
	for size := range 70 {
		key := make([]byte, size)
		_, ofSIV := sivka.NewAESSIV(key)
		_, tags := sivka.NewXChaCha20BLAKE2bSIV(make([]byte, 32), size)
		right := size == 32 || size == 48 || size == 64
		if (tags == nil) != right || !right && tags != sivka.TagSizeError(size) {
			t.Errorf("tags of %d bytes: %v", size, tags)
		}
		var wrong sivka.KeySizeError
		if (ofSIV == nil) != right || !right && (!errors.As(ofSIV, &wrong) || wrong != sivka.KeySizeError{Given: size, Expected: "32, 48 or 64"}) {
			t.Errorf("a key of %d bytes: %v", size, ofSIV)
		}
	}
	_, err := sivka.NewAES256GCMSIV(make([]byte, 5))
	if got := err.Error(); got != "sivka: a key of 5 bytes was given; 32 bytes are expected" {
		t.Error(got)
	}
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

func TestKeysDoNotPrintThemselves(t *testing.T) {
	for _, key := range everyKind(t) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if got := fmt.Sprintf(verb, key); got != key.String() || strings.ContainsAny(got, "{&") {
				t.Errorf("%s prints %q", verb, got)
			}
		}
	}
}

// A text of AES-SIV in place is 16 bytes after its output, for the tag is in
// front.
func TestMisusePanics(t *testing.T) {
	key, buffer := key(t), make([]byte, 100)
	siv, err := sivka.NewAESSIV(make([]byte, 64))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		call func()
		said string
	}{
		"nonce, too short to open": {func() { key.Open(nil, nil, nil, nil) }, "incorrect nonce length"},
		"as GCM in place":          {func() { siv.Seal(buffer[:0], nil, buffer[:30], nil) }, "overlap"},
		"tag over the text":        {func() { siv.Seal(buffer[20:20], nil, buffer[20:21], nil) }, "overlap"},
		"aad is the tag":           {func() { siv.Seal(buffer[:0], nil, buffer[16:20], buffer[3:4]) }, "overlap"},
		"opened over tag":          {func() { _, _ = siv.Open(buffer[:0], nil, buffer[:40], nil) }, "overlap"},
		"opened over tag alone":    {func() { _, _ = siv.Open(buffer[:0], nil, buffer[:24], nil) }, "overlap"},
		"in place":                 {func() { siv.Seal(buffer[:0], nil, buffer[16:30], nil) }, ""},
	} {
		if said := panics(c.call); !strings.Contains(said, c.said) || (said == "") != (c.said == "") {
			t.Errorf("%s: panics with %q", name, said)
		}
	}
}

// The nonce would be written over additional data before it is read.
func TestSealRandomWritesNothingOverAdditionalData(t *testing.T) {
	const size = 12 + 5 + 16
	for at := range 60 {
		memory := bytes.Repeat([]byte{7}, 80)
		said := panics(func() { key(t).SealRandom(memory[:0:size], []byte("hello"), memory[at:at+12]) })
		if overlaps := at < size; (said != "") != overlaps || overlaps && !bytes.Equal(memory, bytes.Repeat([]byte{7}, 80)) {
			t.Errorf("at %d: %q, %x", at, said, memory)
		}
	}
}

func TestBatchMisuse(t *testing.T) {
	for _, a := range algorithms {
		key := a.make(t, make([]byte, a.KeySize))
		nonces, tags := make([]byte, 3*key.NonceSize()), make([]byte, 3*key.Overhead())
		buffer := make([]byte, 300)
		three := [][]byte{buffer[:10], buffer[10:20], buffer[20:30]}
		good := func(change func(b *sivka.Batch)) *sivka.Batch {
			b := &sivka.Batch{Nonces: nonces, Tags: tags, Texts: slices.Clone(three)}
			change(b)
			return b
		}
		cases := map[string]*sivka.Batch{
			"tags":                   good(func(b *sivka.Batch) { b.Tags = tags[1:] }),
			"nonces":                 good(func(b *sivka.Batch) { b.Nonces = append(slices.Clone(nonces), 1) }),
			"aads":                   good(func(b *sivka.Batch) { b.AADs = three[:2] }),
			"texts overlap":          good(func(b *sivka.Batch) { b.Texts[2] = buffer[5:6] }),
			"texts overlap, apart":   good(func(b *sivka.Batch) { b.Texts[0], b.Texts[2] = b.Texts[2], buffer[9:12] }),
			"tags overlap texts":     good(func(b *sivka.Batch) { b.Tags = buffer[29:][:len(tags)] }),
			"aad overlaps a text":    good(func(b *sivka.Batch) { b.AAD = buffer[15:16] }),
			"an aad overlaps a text": good(func(b *sivka.Batch) { b.AADs = [][]byte{nil, buffer[29:31], nil} }),
			"aad overlaps tags":      good(func(b *sivka.Batch) { b.AAD = tags[:1] }),
			"two kinds of texts":     good(func(b *sivka.Batch) { b.Text, b.Offsets = buffer, []int{0, 1, 2, 3} }),
			"no offsets":             {Text: buffer},
			"offsets descend":        {Nonces: nonces, Tags: tags, Text: buffer, Offsets: []int{0, 9, 8, 10}},
			"offsets beyond":         {Nonces: nonces, Tags: tags, Text: buffer, Offsets: []int{0, 9, 20, 301}},
			"offsets before":         {Nonces: nonces, Tags: tags, Text: buffer, Offsets: []int{-1, 9, 20, 21}},
		}
		for name, b := range cases {
			for direction, call := range map[string]func(){"seal": func() { key.SealBatch(b) }, "open": func() { _ = key.OpenBatch(b) }} {
				if panics(call) == "" {
					t.Errorf("%s: %s: %s does not panic", a.Name, name, direction)
				}
			}
		}
		if !bytes.Equal(buffer, make([]byte, 300)) {
			t.Errorf("%s: something was written", a.Name)
		}
		// What is empty overlaps nothing.
		for _, change := range []func(b *sivka.Batch){
			func(b *sivka.Batch) { b.AADs = [][]byte{buffer[30:40], buffer[40:50], nil} },
			func(b *sivka.Batch) { b.Texts[0], b.Texts[1], b.AAD = b.Texts[1], nil, []byte("aad") },
			func(b *sivka.Batch) { b.AAD = tags[5:5] },
			func(b *sivka.Batch) { b.AAD = buffer[25:25] },
			func(b *sivka.Batch) { b.AADs = [][]byte{tags[1:1], buffer[5:5], nil} },
			func(b *sivka.Batch) { b.Texts[1], b.AAD = buffer[5:5], []byte("aad") },
		} {
			b := good(change)
			key.SealBatch(b)
			if err := key.OpenBatch(b); err != nil {
				t.Error(a.Name, err)
			}
		}
		key.SealBatch(&sivka.Batch{})
	}
}

// Where a text, additional data and the output lie in some memory, an AEAD
// panics if Go's AES-GCM does.
func TestOverlapsPanicWhereGosDo(t *testing.T) {
	block, err := aes.NewCipher(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range newKeys(t) {
		tag := key.Overhead()
		for _, size := range []int{0, 1, 5, 40} {
			for at := range 2*(size+tag) + 2 {
				for _, aadAt := range []int{-1, 0, size, size + tag - 1, size + tag} {
					same(t, key, gcm, size, at, aadAt)
				}
			}
		}
	}
}

// same seals and opens with both: the input lies in the middle of memory, the
// output begins so far from its start, and additional data, too.
func same(t *testing.T, key, gcm cipher.AEAD, size, at, aadAt int) {
	t.Helper()
	tag := key.Overhead()
	try := func(key cipher.AEAD, open bool) bool {
		memory := make([]byte, 4*(size+tag)+10)
		input := size
		if open {
			input += tag
		}
		var aad []byte
		if aadAt >= 0 {
			aad = memory[at+aadAt:][:3]
		}
		middle := memory[size+tag:][:input]
		nonce := make([]byte, key.NonceSize())
		return panics(func() {
			if open {
				_, _ = key.Open(memory[at:at], nonce, middle, aad)
			} else {
				key.Seal(memory[at:at], nonce, middle, aad)
			}
		}) != ""
	}
	for _, open := range []bool{false, true} {
		if panic := try(gcm, open); try(key, open) != panic {
			t.Errorf("%v, %d bytes, open: %v, output at %d, additional data at %d: Go panics: %v", key, size, open, at, aadAt, panic)
		}
	}
}

// A nonce may lie where the output is written: a buffer that begins with the
// nonce is often the one that is appended to.
func TestANonceMayLieInTheOutput(t *testing.T) {
	for _, a := range algorithms {
		aead := a.make(t, make([]byte, a.KeySize))
		size := aead.NonceSize()
		for _, textSize := range []int{1, size, size + 1, 40, 1000} {
			plaintext, nonce := bytes.Repeat([]byte{7}, textSize), bytes.Repeat([]byte{9}, size)
			sealed := aead.Seal(nil, nonce, plaintext, nil)
			for at := range size {
				buffer := make([]byte, textSize+size+100)
				copy(buffer[at:], nonce)
				if again := aead.Seal(buffer[:0], buffer[at:at+size], plaintext, nil); !bytes.Equal(again, sealed) {
					t.Errorf("%s, %d bytes: sealed otherwise", a.Name, textSize)
				}
				copy(buffer[at:], nonce)
				if opened, err := aead.Open(buffer[:0], buffer[at:at+size], sealed, nil); err != nil || !bytes.Equal(opened, plaintext) {
					t.Errorf("%s, %d bytes: %v", a.Name, textSize, err)
				}
			}
		}
	}
}
