//go:build (amd64 || arm64) && !purego

package aessiv

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
)

// In blob_amd64.s and blob_arm64.s. They keep none of what they are passed.

func knownAnswers(features, tier uint64) (ret uint64)

//go:noescape
func new256(place unsafe.Pointer, key *[32]byte, features, tier uint64) (ret uint64)

//go:noescape
func seal256(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func open256(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func new384(place unsafe.Pointer, key *[48]byte, features, tier uint64) (ret uint64)

//go:noescape
func seal384(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func open384(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func new512(place unsafe.Pointer, key *[64]byte, features, tier uint64) (ret uint64)

//go:noescape
func seal512(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func open512(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[TagSize]byte) (ret uint64)

//go:noescape
func sealBatch256(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatch256(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func sealBatch384(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatch384(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func sealBatch512(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatch512(key unsafe.Pointer, slab *batch.Slab) (ret uint64)
