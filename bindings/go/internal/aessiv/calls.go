package aessiv

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
func (none) new256(place unsafe.Pointer, key *byte, features, tier uint64) uint64 {
	panic(machine.None)
}
func (none) seal256(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[16]byte) uint64 {
	panic(machine.None)
}
func (none) open256(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[16]byte) uint64 {
	panic(machine.None)
}
func (none) sealBatch256(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) openBatch256(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) new384(place unsafe.Pointer, key *byte, features, tier uint64) uint64 {
	panic(machine.None)
}
func (none) seal384(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[16]byte) uint64 {
	panic(machine.None)
}
func (none) open384(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[16]byte) uint64 {
	panic(machine.None)
}
func (none) sealBatch384(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) openBatch384(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) new512(place unsafe.Pointer, key *byte, features, tier uint64) uint64 {
	panic(machine.None)
}
func (none) seal512(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[16]byte) uint64 {
	panic(machine.None)
}
func (none) open512(key unsafe.Pointer, aads *[]byte, aadCount int, from, to *byte, textLen int, tag *[16]byte) uint64 {
	panic(machine.None)
}
func (none) sealBatch512(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) openBatch512(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
