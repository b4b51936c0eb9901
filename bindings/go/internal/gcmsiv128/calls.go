package gcmsiv128

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
func (none) newKey(place unsafe.Pointer, key *byte, features, tier uint64) uint64 {
	panic(machine.None)
}
func (none) seal(call *machine.Call) uint64                        { panic(machine.None) }
func (none) open(call *machine.Call) uint64                        { panic(machine.None) }
func (none) sealBatch(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) openBatch(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
