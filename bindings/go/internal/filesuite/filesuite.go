// Package filesuite describes the AEADs that seal the chunks of files.
package filesuite

import "crypto/cipher"

// AEAD is a key of a suite.
type AEAD interface {
	cipher.AEAD
	Wipe()
}

// KeySize is the length in bytes of the keys of every suite.
const KeySize = 32

// Parameters are a row of section 3 of docs/spec/file-format-v1.md. Sizes are
// in bytes.
type Parameters struct {
	Number             uint32
	Name               string
	AEAD               string
	NonceSize, TagSize int
	ChunkAAD           string
	// ClearsFirstBit says that nonces have a first bit of zero.
	ClearsFirstBit bool
	New            func(key []byte) (AEAD, error)
}

// Suite is an AEAD for the chunks of files. Only packages of this module make
// one.
type Suite struct {
	parameters Parameters
}

// New makes a suite.
func New(parameters Parameters) *Suite {
	return &Suite{parameters}
}

// IsMade reports whether New has made a suite.
func IsMade(s *Suite) bool { return s != nil && s.parameters.New != nil }

// Of returns what a suite is.
func Of(s *Suite) *Parameters {
	return &s.parameters
}

// Number returns the number that files state.
func (s *Suite) Number() uint32 { return s.parameters.Number }

// String returns the name of the suite, as the command sivka has it.
func (s *Suite) String() string { return s.parameters.Name }
