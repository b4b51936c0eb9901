package chacha20blake2b

import (
	"unsafe"

	"sivka.dev/go/internal/batch"
	"sivka.dev/go/internal/machine"
)

// code is the machine code. `cargo xtask blob` writes a file with methods of
// it, which hide those of none. Where there is no such file, nothing calls
// them, and the package is plain Go.
type code struct{ none }

var asm code

type none struct{}

func (none) present() bool          { return false }
func (none) frames() map[string]int { return nil }

func (none) knownAnswers(features, tier uint64) uint64 { panic(machine.None) }
func (none) newShort(place unsafe.Pointer, key *byte, features, tier uint64, tagLen int) uint64 {
	panic(machine.None)
}
func (none) sealShort(key unsafe.Pointer, nonce, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) uint64 {
	panic(machine.None)
}
func (none) openShort(key unsafe.Pointer, nonce, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) uint64 {
	panic(machine.None)
}
func (none) sealBatchShort(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) openBatchShort(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) newExtended(place unsafe.Pointer, key *byte, features, tier uint64, tagLen int) uint64 {
	panic(machine.None)
}
func (none) sealExtended(key unsafe.Pointer, nonce, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) uint64 {
	panic(machine.None)
}
func (none) openExtended(key unsafe.Pointer, nonce, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) uint64 {
	panic(machine.None)
}
func (none) sealBatchExtended(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) openBatchExtended(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) newSIV(place unsafe.Pointer, key *byte, features, tier uint64, tagLen int) uint64 {
	panic(machine.None)
}
func (none) sealSIV(key unsafe.Pointer, nonce, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) uint64 {
	panic(machine.None)
}
func (none) openSIV(key unsafe.Pointer, nonce, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) uint64 {
	panic(machine.None)
}
func (none) sealBatchSIV(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) openBatchSIV(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
