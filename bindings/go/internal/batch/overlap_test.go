package batch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// plain compares each with each.
func plain(uses []use) bool {
	for i, a := range uses {
		for _, b := range uses[:i] {
			apart := a.end>>1 <= b.start || b.end>>1 <= a.start
			if !apart && (a.end|b.end)&1 == 1 {
				return true
			}
		}
	}
	return false
}

func TestOverlapsAreThoseOfEveryPair(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 20_000 {
		count := 1 + random.IntN(3*fewUses)
		// Often so far apart that few meet; or one after the other.
		room := uint64(1) << (6 + random.IntN(40))
		var all []use
		at := uint64(0xc000000000)
		for i := range count {
			size := 1 + random.Uint64N(40)
			start := 0xc000000000 + random.Uint64N(room)
			if count%3 == 0 {
				start = at
				at += size
			}
			if i > 0 && random.IntN(50) == 0 {
				start = all[random.IntN(i)].start
			}
			all = add(all, span{uintptr(start), uintptr(start + size)}, random.Uint64N(2))
		}
		random.Shuffle(count, func(i, j int) { all[i], all[j] = all[j], all[i] })
		expected := plain(all)
		if count <= fewUses {
			insert(all)
		} else {
			s := &sorter{uses: all}
			s.sort()
			all = s.uses
		}
		if !slices.IsSortedFunc(all, func(a, b use) int { return int(a.start) - int(b.start) }) {
			t.Fatalf("%d are not sorted", count)
		}
		if overlap(all) != expected {
			t.Fatalf("%d: %v expected", count, expected)
		}
		seen[fmt.Sprint(expected, count > fewUses)]++
	}
	for _, what := range []string{"true true", "true false", "false true", "false false"} {
		if seen[what] < 100 {
			t.Errorf("%v", seen)
		}
	}
}
