package sivka

import (
	"fmt"

	"sivka.dev/go/internal/batch"
)

// Batch is many messages under one key that are sealed or opened in one
// call, in place. Messages share the CPU: several times as many short ones
// are done in a second as one by one. The bytes are the same.
//
// Texts, nonces, tags and additional data must not overlap each other.
type Batch struct {
	// Nonces has the nonces, one after the other.
	Nonces []byte
	// Tags has the tags, one after the other.
	Tags []byte

	// Texts has a slice for each message.
	Texts [][]byte
	// Text has all texts one after the other, if Texts has none: message i is
	// Text[Offsets[i]:Offsets[i+1]], so there is one offset more.
	Text    []byte
	Offsets []int

	// AAD is the additional data of every message, if there is nothing below.
	AAD []byte
	// AADs has additional data for each message.
	AADs [][]byte
	// AADOffsets says where that of each message is in AAD, as Offsets.
	AADOffsets []int
}

// BatchError says which messages of a batch did not open. All others did.
type BatchError struct {
	// Failed has their numbers, ascending from 0. Their texts are zeros.
	Failed []int
}

func (e *BatchError) Error() string {
	if len(e.Failed) == 0 {
		return "sivka: authentication failed in a batch"
	}
	return fmt.Sprintf("sivka: authentication failed for %d messages of a batch, first for message %d", len(e.Failed), e.Failed[0])
}

// Unwrap returns [ErrOpen].
func (e *BatchError) Unwrap() error { return ErrOpen }

// check says what the messages of b are, and panics if they do not fit
// together. It writes where it is told: to return them would copy them.
func (b *Batch) check(m *batch.Messages, nonceSize, tagSize int, maxSize uint64) {
	m.Nonces, m.Tags = b.Nonces, b.Tags
	m.Texts.Slices, m.Texts.Buffer, m.Texts.Offsets = b.Texts, b.Text, b.Offsets
	m.AADs.Slices, m.AADs.Buffer, m.AADs.Offsets = b.AADs, b.AAD, b.AADOffsets
	m.Check(nonceSize, tagSize, maxSize)
}

// opened returns the error for messages that did not open.
func opened(failed []int) error {
	if failed == nil {
		return nil
	}
	return &BatchError{failed}
}

// SealBatch is as [AES256GCMSIV.SealBatch]. Each message has one string of
// additional data.
func (k *AESSIV) SealBatch(b *Batch) {
	var messages batch.Messages
	b.check(&messages, 0, k.Overhead(), maxSIVSize)
	for first := 0; first < messages.Count(); first += batch.SlabLen {
		slab := messages.Slab(first, 0, k.Overhead())
		k.key.SealBatch(&slab)
	}
}

// OpenBatch is as [AES256GCMSIV.OpenBatch].
func (k *AESSIV) OpenBatch(b *Batch) error {
	var messages batch.Messages
	b.check(&messages, 0, k.Overhead(), maxSIVSize)
	var failed []int
	for first := 0; first < messages.Count(); first += batch.SlabLen {
		slab := messages.Slab(first, 0, k.Overhead())
		k.key.OpenBatch(&slab)
		failed = slab.AppendFailed(failed, first)
	}
	return opened(failed)
}

// SealBatch is as [AES256GCMSIV.SealBatch].
func (k family) SealBatch(b *Batch) {
	var messages batch.Messages
	b.check(&messages, k.NonceSize(), k.Overhead(), maxFamilySize)
	for first := 0; first < messages.Count(); first += batch.SlabLen {
		slab := messages.Slab(first, k.NonceSize(), k.Overhead())
		k.key.SealBatch(&slab)
	}
}

// OpenBatch is as [AES256GCMSIV.OpenBatch].
func (k family) OpenBatch(b *Batch) error {
	var messages batch.Messages
	b.check(&messages, k.NonceSize(), k.Overhead(), maxFamilySize)
	var failed []int
	for first := 0; first < messages.Count(); first += batch.SlabLen {
		slab := messages.Slab(first, k.NonceSize(), k.Overhead())
		k.key.OpenBatch(&slab)
		failed = slab.AppendFailed(failed, first)
	}
	return opened(failed)
}
