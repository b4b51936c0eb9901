package tests

import (
	"bytes"
	"testing"

	"sivka.dev/go"
)

func key(t *testing.T) *sivka.AES256GCMSIV {
	key, err := sivka.NewAES256GCMSIV(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// The nonce would be written over additional data before it is read.
func TestSealRandomWritesNothingOverAdditionalData(t *testing.T) {
	for at := range 60 {
		memory := bytes.Repeat([]byte{7}, 80)
		before := bytes.Clone(memory)
		const size = 12 + 5 + 16
		overlaps := at < size
		said := panics(func() { key(t).SealRandom(memory[:0:size], []byte("hello"), memory[at:at+12]) })
		if (said != "") != overlaps {
			t.Error("at", at)
		}
		if overlaps && !bytes.Equal(memory, before) {
			t.Error("written at", at)
		}
	}
}

func TestEmptyPartsOfABatchOverlapNothing(t *testing.T) {
	memory := make([]byte, 100)
	texts := [][]byte{memory[0:10], memory[10:10], memory[20:40]}
	nonces, tags := make([]byte, 3*12), make([]byte, 3*16)
	for _, batch := range []*sivka.Batch{
		{Texts: texts, Nonces: nonces, Tags: tags, AAD: tags[5:5]},
		{Texts: texts, Nonces: nonces, Tags: tags, AAD: memory[25:25]},
		{Texts: texts, Nonces: nonces, Tags: tags, AADs: [][]byte{tags[1:1], memory[5:5], nil}},
		{Texts: [][]byte{memory[0:10], memory[5:5], memory[20:40]}, Nonces: nonces, Tags: tags},
	} {
		key(t).SealBatch(batch)
		if err := key(t).OpenBatch(batch); err != nil {
			t.Error(err)
		}
	}
}

func TestTextsWithoutOffsetsAreNotLeftAsTheyAre(t *testing.T) {
	if panics(func() { key(t).SealBatch(&sivka.Batch{Text: []byte("secret")}) }) == "" {
		t.Error("nothing was sealed, without a word")
	}
}
