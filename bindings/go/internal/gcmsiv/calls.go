//go:build (amd64 || arm64) && !purego

package gcmsiv

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
)

// In blob_amd64.s and blob_arm64.s. They keep none of what they are passed.

func knownAnswers(features, tier uint64) (ret uint64)

//go:noescape
func new128(place unsafe.Pointer, key *[16]byte, features, tier uint64) (ret uint64)

//go:noescape
func wipe128(place unsafe.Pointer) (ret uint64)

//go:noescape
func seal128(key unsafe.Pointer, nonce *[NonceSize]byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func open128(key unsafe.Pointer, nonce *[NonceSize]byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func new256(place unsafe.Pointer, key *[32]byte, features, tier uint64) (ret uint64)

//go:noescape
func wipe256(place unsafe.Pointer) (ret uint64)

//go:noescape
func seal256(key unsafe.Pointer, nonce *[NonceSize]byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func open256(key unsafe.Pointer, nonce *[NonceSize]byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func sealBatch128(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatch128(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func sealBatch256(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatch256(key unsafe.Pointer, slab *batch.Slab) (ret uint64)
