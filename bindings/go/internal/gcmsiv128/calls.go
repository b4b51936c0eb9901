//go:build (amd64 || arm64) && !purego

package gcmsiv128

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
)

// In blob_amd64.s and blob_arm64.s. They keep none of what they are passed.

func knownAnswers(features, tier uint64) (ret uint64)

//go:noescape
func newKey(place unsafe.Pointer, key *[KeySize]byte, features, tier uint64) (ret uint64)

//go:noescape
func seal(call *machine.Call) (ret uint64)

//go:noescape
func open(call *machine.Call) (ret uint64)

//go:noescape
func sealBatch(key unsafe.Pointer, slab *batch.Slab) (ret uint64)

//go:noescape
func openBatch(key unsafe.Pointer, slab *batch.Slab) (ret uint64)
