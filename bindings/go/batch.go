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

// describe describes the messages of b. It writes its result to an argument:
// returning it would copy it.
func (b *Batch) describe(m *batch.Messages) {
	m.Nonces, m.Tags = b.Nonces, b.Tags
	m.Texts = batch.Strings{Slices: b.Texts, Buffer: b.Text, Offsets: b.Offsets}
	m.AADs = batch.Strings{Slices: b.AADs, Buffer: b.AAD, Offsets: b.AADOffsets}
}

// opened returns the error for messages that did not open.
func opened(failed []int) error {
	if failed == nil {
		return nil
	}
	return &BatchError{failed}
}
