// Package machine knows what the CPU has, and how the machine code of the
// other packages is chosen by it.
package machine

import (
	"sync"
	"sync/atomic"
)

// Tier is the number of an instruction set, the narrowest first: the
// portable one, which every CPU has, is 0.
type Tier uint8

// Portable is the tier of every CPU.
const Portable Tier = 0

// code is the machine code that asks the CPU; `cargo xtask blob` writes a file
// with methods that hide those of none. Where there is no such file, the
// packages are plain Go.
type code struct{ none }

var asm code

type none struct{}

func (none) present() bool       { return false }
func (none) cpuFeatures() uint64 { panic(None) }

// features asks the CPU once: in a virtual machine, that takes longer than
// to make a key. Bit i is for tier i, bit 7 for what is beside a tier.
var features = sync.OnceValue(func() uint64 {
	if !asm.present() {
		return 1
	}
	return readFeatures()
})

// Features is what code that makes a key is told of this CPU.
func Features() uint64 {
	return features()
}

// Available returns every tier that this CPU can run, the narrowest first.
func Available() []Tier {
	var tiers []Tier
	for tier := range names {
		if Features()>>tier&1 == 1 {
			tiers = append(tiers, Tier(tier))
		}
	}
	return tiers
}

// chosen is the tier of new keys, plus one; zero until somebody asks.
var chosen atomic.Uint32

// Chosen returns the tier that new keys use: the widest of this CPU.
func Chosen() Tier {
	tier := chosen.Load()
	if tier == 0 {
		available := Available()
		tier = uint32(available[len(available)-1]) + 1
		chosen.Store(tier)
	}
	return Tier(tier - 1)
}

// Choose makes new keys use a tier of [Available]. It is for tests and
// benchmarks.
func Choose(tier Tier) {
	chosen.Store(uint32(tier) + 1)
}

// String returns the tier's name, such as "avx512": "go" without machine code.
func (t Tier) String() string {
	if !asm.present() {
		return "go"
	}
	return names[t]
}

// KnownAnswers remembers for each tier whether a family of algorithms gives
// its known answers there.
type KnownAnswers struct {
	asked [len(names)]sync.Once
	hold  [len(names)]bool
}

// Hold reports whether the known answers hold on a tier. It asks only once.
func (k *KnownAnswers) Hold(tier Tier, ask func(features uint64, tier Tier) bool) bool {
	k.asked[tier].Do(func() {
		k.hold[tier] = ask(Features(), tier)
	})
	return k.hold[tier]
}
