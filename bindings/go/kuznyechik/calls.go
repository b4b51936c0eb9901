package kuznyechik

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
func (none) newBlocks(place unsafe.Pointer, key *byte, features, tier uint64) uint64 {
	panic(machine.None)
}
func (none) encryptBlocks(key unsafe.Pointer, bytes *byte, bytesLen int) uint64 { panic(machine.None) }
func (none) decryptBlocks(key unsafe.Pointer, bytes *byte, bytesLen int) uint64 { panic(machine.None) }
func (none) newMGM(place unsafe.Pointer, key *byte, features, tier uint64) uint64 {
	panic(machine.None)
}
func (none) sealMGM(key unsafe.Pointer, nonce, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) uint64 {
	panic(machine.None)
}
func (none) openMGM(key unsafe.Pointer, nonce, aad *byte, aadLen int, from, to *byte, textLen int, tag *byte, tagLen int) uint64 {
	panic(machine.None)
}
func (none) sealBatchMGM(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
func (none) openBatchMGM(key unsafe.Pointer, slab *batch.Slab) uint64 { panic(machine.None) }
