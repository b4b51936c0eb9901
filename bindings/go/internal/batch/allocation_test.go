//go:build !race

package batch

import "testing"

// With the race detector, a sync.Pool gives away some of what it has.
func TestScatteredTextsTakeNoMemory(t *testing.T) {
	for _, count := range []int{2, 20, 1000} {
		m := scattered(count)
		m.AADs.Slices = scattered(count).Texts.Slices
		if allocations := testing.AllocsPerRun(100, func() { m.Check(12, 16, 1<<36) }); allocations != 0 {
			t.Errorf("%d texts: %v allocations", count, allocations)
		}
	}
}
