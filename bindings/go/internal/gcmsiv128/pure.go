//go:build purego || !(amd64 || arm64)

// Package gcmsiv128 is AES-128-GCM-SIV in plain Go: there is no machine code
// for this build.
package gcmsiv128

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
)

// Lengths in bytes.
const (
	KeySize   = 16
	NonceSize = 12
	TagSize   = 16
)

// Checked reports that there is no machine code to be checked.
func Checked(machine.Tier) bool { return true }

// Key is a key.
type Key struct {
	pure pure.Key[pure.GCMSIV]
}

// NewKey makes a key.
func NewKey(key *[KeySize]byte, _ machine.Tier) *Key {
	k := &Key{}
	k.pure.Set(pure.NewGCMSIV(key[:]))
	return k
}

// Wipe lets go of the key, which is not overwritten: crypto/aes has it.
func (k *Key) Wipe() {
	if k != nil {
		k.pure.Drop()
	}
}

func (k *Key) use() *pure.GCMSIV {
	if k == nil {
		machine.NotMade()
	}
	return k.pure.Get()
}

// Seal encrypts so many bytes to a place that may be the same, and writes
// the tag.
func (k *Key) Seal(nonce *[NonceSize]byte, aad []byte, from, to *byte, size int, tag *[TagSize]byte) {
	k.use().Seal(nonce[:], aad, unsafe.Slice(from, size), unsafe.Slice(to, size), tag[:])
}

// Open decrypts so many bytes to a place that may be the same, and reports
// whether the tag is right. If not, there are zeros.
func (k *Key) Open(nonce *[NonceSize]byte, aad []byte, from, to *byte, size int, tag *[TagSize]byte) bool {
	return k.use().Open(nonce[:], aad, unsafe.Slice(from, size), unsafe.Slice(to, size), tag[:])
}

// SealBatch seals messages, which were checked, in place.
func (k *Key) SealBatch(m *batch.Messages) {
	for i := range m.Count() {
		text := m.Texts.At(i)
		k.use().Seal(m.Nonces[i*NonceSize:][:NonceSize], m.AADs.At(i), text, text, m.Tags[i*TagSize:][:TagSize])
	}
}

// OpenBatch opens messages, which were checked, in place. It returns the
// numbers of those that do not open.
func (k *Key) OpenBatch(m *batch.Messages) (failed []int) {
	for i := range m.Count() {
		text := m.Texts.At(i)
		if !k.use().Open(m.Nonces[i*NonceSize:][:NonceSize], m.AADs.At(i), text, text, m.Tags[i*TagSize:][:TagSize]) {
			failed = append(failed, i)
		}
	}
	return failed
}
