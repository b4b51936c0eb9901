// Package machine knows the CPU's features, and how they choose the machine
// code of the other packages.
package machine

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Tier is the number of an instruction set, the narrowest first: the
// portable one, which every CPU has, is 0.
type Tier uint8

// Portable is the tier of every CPU.
const Portable Tier = 0

// features asks the CPU once: in a virtual machine, that takes longer than to
// make a key. Bit i is for tier i, bit 7 for the feature beside a tier.
var features = sync.OnceValue(func() uint64 {
	if !HasCode() {
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
	if !HasCode() {
		return "go"
	}
	return names[t]
}

// Answers remembers for each tier whether an algorithm gives its known answers
// there.
type Answers struct {
	asked [len(names)]sync.Once
	hold  [len(names)]bool
}

// Hold reports whether the known answers hold on a tier. It asks only once.
func (a *Answers) Hold(tier Tier, entries *Entries) bool {
	a.asked[tier].Do(func() {
		asking := Asking{Features(), uint64(tier)}
		a.hold[tier] = entries[KnownAnswers].Run(unsafe.Pointer(&asking)) == Done
	})
	return a.hold[tier]
}
