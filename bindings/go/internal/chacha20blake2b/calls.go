//go:build (amd64 || arm64) && !purego

package chacha20blake2b

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
)

// In blob_amd64.s and blob_arm64.s. They keep none of what they are passed.

func knownAnswers(features, tier uint64) (ret uint64)

//go:noescape
func newShort(place unsafe.Pointer, key *[KeySize]byte, features, tier uint64, tagLen int) (ret uint64)

//go:noescape
func sealShort(key unsafe.Pointer, nonce *byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) (ret uint64)

//go:noescape
func openShort(key unsafe.Pointer, nonce *byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) (ret uint64)

//go:noescape
func newExtended(place unsafe.Pointer, key *[KeySize]byte, features, tier uint64, tagLen int) (ret uint64)

//go:noescape
func sealExtended(key unsafe.Pointer, nonce *byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) (ret uint64)

//go:noescape
func openExtended(key unsafe.Pointer, nonce *byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) (ret uint64)

//go:noescape
func newSIV(place unsafe.Pointer, key *[KeySize]byte, features, tier uint64, tagLen int) (ret uint64)

//go:noescape
func sealSIV(key unsafe.Pointer, nonce *byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) (ret uint64)

//go:noescape
func openSIV(key unsafe.Pointer, nonce *byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) (ret uint64)

//go:noescape
func sealBatchShort(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatchShort(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func sealBatchExtended(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatchExtended(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func sealBatchSIV(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatchSIV(key unsafe.Pointer, slab *batch.Slab) (ret uint64)
