package tests

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"sivka.dev/go"
)

// batchAEAD is a key that takes many messages in a call.
type batchAEAD interface {
	cipher.AEAD
	SealBatch(b *sivka.Batch)
	OpenBatch(b *sivka.Batch) error
}

// forms are the ways to lay messages out, and to say their additional data.
var forms = map[string]func(b batch) *sivka.Batch{
	"slices": func(b batch) *sivka.Batch {
		laid := &sivka.Batch{AADs: b.aads}
		for _, text := range b.texts {
			laid.Texts = append(laid.Texts, bytes.Clone(text))
		}
		return laid
	},
	"contiguous": func(b batch) *sivka.Batch {
		laid := &sivka.Batch{}
		laid.Text, laid.Offsets = joined(b.texts)
		laid.AAD, laid.AADOffsets = joined(b.aads)
		return laid
	},
}

// joined puts strings one after the other, with bytes that are nobody's
// before and after them.
func joined(strings [][]byte) (buffer []byte, offsets []int) {
	buffer = []byte("before")
	offsets = []int{len(buffer)}
	for _, each := range strings {
		buffer = append(buffer, each...)
		offsets = append(offsets, len(buffer))
	}
	return append(buffer, "after"...), offsets
}

// texts returns the texts of a batch one by one.
func texts(b *sivka.Batch) [][]byte {
	if b.Texts != nil {
		return b.Texts
	}
	var found [][]byte
	for i := 1; i < len(b.Offsets); i++ {
		found = append(found, b.Text[b.Offsets[i-1]:b.Offsets[i]])
	}
	return found
}

// compareBatches seals and opens the messages of a batch in every form, and
// compares them with those sealed one by one.
func compareBatches(t *testing.T, a algorithm, key batchAEAD, b batch, sealed [][]byte) {
	t.Helper()
	count, tagSize := len(b.texts), key.Overhead()
	for name, form := range forms {
		laid := form(b)
		if b.oneAAD && name == "slices" {
			laid.AADs, laid.AAD = nil, b.aads[0]
		}
		laid.Nonces, laid.Tags = bytes.Join(b.nonces, nil), make([]byte, count*tagSize)
		key.SealBatch(laid)
		for i, text := range texts(laid) {
			tag := laid.Tags[i*tagSize:][:tagSize]
			if got := a.join(text, tag); !bytes.Equal(got, sealed[i]) {
				t.Fatalf("%s, %s: message %d of %d seals to %x, %x expected", a.name, name, i, count, got, sealed[i])
			}
		}
		forged := []int{0, count / 2, count - 1}
		forged = slices.Compact(forged)
		for _, i := range forged {
			laid.Tags[i*tagSize+5] ^= 1
		}
		err := key.OpenBatch(laid)
		var failure *sivka.BatchError
		if !errors.As(err, &failure) || !errors.Is(err, sivka.ErrOpen) || !slices.Equal(failure.Failed, forged) {
			t.Fatalf("%s, %s: %v", a.name, name, err)
		}
		for i, text := range texts(laid) {
			want := b.texts[i]
			if slices.Contains(forged, i) {
				want = make([]byte, len(want))
			}
			if !bytes.Equal(text, want) {
				t.Fatalf("%s, %s: message %d of %d opens to %x", a.name, name, i, count, text)
			}
		}
	}
}

func TestBatchMisuse(t *testing.T) {
	source := rand.NewChaCha8([32]byte{5})
	for _, a := range algorithms {
		key := a.make(t, random(source, a.keySize)).(batchAEAD)
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
			"offsets descend":        {Nonces: nonces, Tags: tags, Text: buffer, Offsets: []int{0, 9, 8, 10}},
			"offsets beyond":         {Nonces: nonces, Tags: tags, Text: buffer, Offsets: []int{0, 9, 20, 301}},
			"offsets before":         {Nonces: nonces, Tags: tags, Text: buffer, Offsets: []int{-1, 9, 20, 21}},
		}
		before := bytes.Clone(buffer)
		for name, b := range cases {
			for direction, call := range map[string]func(){"seal": func() { key.SealBatch(b) }, "open": func() { _ = key.OpenBatch(b) }} {
				if !panics(call) {
					t.Errorf("%s: %s: %s does not panic", a.name, name, direction)
				}
			}
		}
		if !bytes.Equal(buffer, before) {
			t.Errorf("%s: something was written", a.name)
		}
		key.SealBatch(&sivka.Batch{})
		key.SealBatch(good(func(b *sivka.Batch) { b.AADs = [][]byte{buffer[30:40], buffer[40:50], nil} }))
		key.SealBatch(good(func(b *sivka.Batch) { b.Texts[0], b.Texts[1], b.AAD = b.Texts[1], nil, []byte("aad") }))
	}
}

func panics(call func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	call()
	return false
}
