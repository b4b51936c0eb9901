package tests

import (
	"bytes"
	"slices"
	"testing"

	"sivka.dev/go"
)

func TestBatchMisuse(t *testing.T) {
	for _, a := range algorithms {
		key := a.make(t, make([]byte, a.keySize))
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
				if panics(call) == "" {
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
