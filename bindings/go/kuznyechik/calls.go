//go:build (amd64 || arm64) && !purego

package kuznyechik

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
)

// In blob_amd64.s and blob_arm64.s. They keep none of what they are passed.

func knownAnswers(features, tier uint64) (ret uint64)

//go:noescape
func newBlocks(place unsafe.Pointer, key *[KeySize]byte, features, tier uint64, iv *[IVSize]byte, sectionLen int) (ret uint64)

//go:noescape
func encryptBlocks(key unsafe.Pointer, bytes *byte, bytesLen int) (ret uint64)

//go:noescape
func decryptBlocks(key unsafe.Pointer, bytes *byte, bytesLen int) (ret uint64)

//go:noescape
func newMGM(place unsafe.Pointer, key *[KeySize]byte, features, tier uint64, iv *[IVSize]byte, sectionLen int) (ret uint64)

//go:noescape
func sealMGM(key unsafe.Pointer, nonce *byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) (ret uint64)

//go:noescape
func openMGM(key unsafe.Pointer, nonce *byte, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) (ret uint64)

//go:noescape
func sealBatchMGM(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatchMGM(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func newCTR(place unsafe.Pointer, key *[KeySize]byte, features, tier uint64, iv *[IVSize]byte, sectionLen int) (ret uint64)

//go:noescape
func xorCTR(key unsafe.Pointer, bytes *byte, bytesLen int) (ret uint64)

//go:noescape
func newACPKM(place unsafe.Pointer, key *[KeySize]byte, features, tier uint64, iv *[IVSize]byte, sectionLen int) (ret uint64)

//go:noescape
func xorACPKM(key unsafe.Pointer, bytes *byte, bytesLen int) (ret uint64)

//go:noescape
func newOMAC(place unsafe.Pointer, key *[KeySize]byte, features, tier uint64, iv *[IVSize]byte, sectionLen int) (ret uint64)

//go:noescape
func writeOMAC(key unsafe.Pointer, bytes *byte, bytesLen int) (ret uint64)

//go:noescape
func sumOMAC(key unsafe.Pointer, bytes *byte, bytesLen int) (ret uint64)

//go:noescape
func resetOMAC(key unsafe.Pointer, bytes *byte, bytesLen int) (ret uint64)
