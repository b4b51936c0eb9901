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
			slab := Slab{Count: count, Nonces: make([]byte, count*nonceSize), Tags: make([]byte, count*tagSize)}
			contiguous, apart := slab, slab
			text := &contiguous.Texts
			text.Offsets = []int{0}
			for i := range count {
				text.Buffer = append(text.Buffer, make([]byte, size(i))...)
				text.Offsets = append(text.Offsets, len(text.Buffer))
				apart.Texts.Slices = append(apart.Texts.Slices, make([]byte, size(i)))
			}
			apart.AADs = apart.Texts
			slabs = append(slabs, &contiguous, &apart)
		}
	}
	return slabs
}
