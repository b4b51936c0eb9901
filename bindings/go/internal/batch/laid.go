package batch

// Laid returns slabs of many shapes, for tests: with slices and contiguous,
// of one length and of many.
func Laid(nonceSize, tagSize int) []*Slab {
	var slabs []*Slab
	for _, count := range []int{1, 3, 20, 100, SlabLen} {
		for _, size := range []func(i int) int{
			func(int) int { return 0 },
			func(int) int { return 64 },
			func(i int) int { return i * 3 },
			func(i int) int { return 1 + i%7*900 },
		} {
			slabs = append(slabs, laid(count, nonceSize, tagSize, size)...)
		}
	}
	return slabs
}

func laid(count, nonceSize, tagSize int, size func(i int) int) []*Slab {
	contiguous := &Slab{Count: count, Nonces: make([]byte, count*nonceSize), Tags: make([]byte, count*tagSize)}
	offsets, slices := []int{0}, [][]byte(nil)
	for i := range count {
		offsets = append(offsets, offsets[i]+size(i))
		slices = append(slices, make([]byte, size(i)))
	}
	contiguous.Texts = Strings{Buffer: make([]byte, offsets[count]), Offsets: offsets}
	apart := *contiguous
	apart.Texts, apart.AADs = Strings{Slices: slices}, Strings{Slices: slices}
	return []*Slab{contiguous, &apart}
}
