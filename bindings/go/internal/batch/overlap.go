package batch

import (
	"math/bits"
	"slices"
	"sync"
	"unsafe"
)

// span is memory, from its first byte to the one after its last.
type span struct{ start, end uintptr }

func spanOf(bytes []byte) span {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(bytes)))
	return span{start, start + uintptr(len(bytes))}
}

// overlaps reports whether both share a byte; an empty one shares none.
func (s span) overlaps(other span) bool {
	return s.start < other.end && other.start < s.end && s.start < s.end && other.start < other.end
}

// checkOverlap panics if a text overlaps another one or anything else, or
// tags anything.
func (m *Messages) checkOverlap() {
	extent, ascend := m.Texts.extent()
	tags := spanOf(m.Tags)
	if m.readOverlaps(tags) {
		overlapping()
	}
	if !ascend || tags.overlaps(extent) || m.readOverlaps(extent) {
		m.checkEach()
	}
}

// readOverlaps reports whether an input beside texts and tags overlaps
// something.
func (m *Messages) readOverlaps(s span) bool {
	if s.overlaps(spanOf(m.Nonces)) || s.overlaps(spanOf(m.AADs.Buffer)) {
		return true
	}
	for _, aad := range m.AADs.Slices {
		if s.overlaps(spanOf(aad)) {
			return true
		}
	}
	return false
}

// use is a span that is written to or only read.
type use struct {
	start uint64
	// end is twice the number of a span, and one more if it is written to.
	end uint64
}

// add appends a span that has bytes; written is 1 or 0.
func add(all []use, s span, written uint64) []use {
	if s.start < s.end {
		all = append(all, use{uint64(s.start), uint64(s.end)<<1 | written})
	}
	return all
}

// uses appends all that is read or written.
func (m *Messages) uses(all []use) []use {
	all = add(all, spanOf(m.Tags), 1)
	if len(m.Texts.Offsets) > 0 {
		extent, _ := m.Texts.extent()
		all = add(all, extent, 1)
	}
	for _, text := range m.Texts.Slices {
		all = add(all, spanOf(text), 1)
	}
	all = add(all, spanOf(m.Nonces), 0)
	all = add(all, spanOf(m.AADs.Buffer), 0)
	for _, aad := range m.AADs.Slices {
		all = add(all, spanOf(aad), 0)
	}
	return all
}

// checkEach goes through all that is read or written in the order of memory.
func (m *Messages) checkEach() {
	var overlaps bool
	if m.Count()+len(m.AADs.Slices)+3 <= fewUses {
		var room [fewUses]use
		few := m.uses(room[:0])
		insert(few)
		overlaps = overlap(few)
	} else {
		s := kept.Get().(*sorter)
		s.uses = m.uses(s.uses[:0])
		s.sort()
		overlaps = overlap(s.uses)
		kept.Put(s)
	}
	if overlaps {
		overlapping()
	}
}

// overlap reports whether anything overlaps an output.
func overlap(sorted []use) bool {
	writtenEnd, anyEnd := uint64(0), uint64(0)
	for _, each := range sorted {
		end := each.end >> 1
		if each.start < writtenEnd {
			return true
		}
		if each.end&1 == 1 {
			if each.start < anyEnd {
				return true
			}
			writtenEnd = end
		}
		anyEnd = max(anyEnd, end)
	}
	return false
}

// fewUses are sorted by comparing them, and need no memory.
const fewUses = 48

// insert sorts by inserting each among those before it.
func insert(all []use) {
	for i, each := range all {
		for ; i > 0 && all[i-1].start > each.start; i-- {
			all[i] = all[i-1]
		}
		all[i] = each
	}
}

// sorter has memory that is kept for the next check.
type sorter struct{ uses, scratch []use }

var kept = sync.Pool{New: func() any { return new(sorter) }}

// sort sorts by the digits of where each begins, the last first, which takes
// a fifth of the time that comparing takes for a thousand.
func (s *sorter) sort() {
	first, differ := s.uses[0].start, uint64(0)
	for _, each := range s.uses {
		differ |= each.start ^ first
	}
	s.scratch = slices.Grow(s.scratch[:0], len(s.uses))[:len(s.uses)]
	for shift := bits.TrailingZeros64(differ); differ>>shift != 0; shift += digitBits {
		if differ>>shift&(1<<digitBits-1) != 0 {
			s.sortBy(shift)
		}
	}
}

// digitBits is how much of an address is sorted by at a time.
const digitBits = 8

func (s *sorter) sortBy(shift int) {
	var places [1 << digitBits]int
	for _, each := range s.uses {
		places[each.start>>shift&(1<<digitBits-1)]++
	}
	next := 0
	for i, count := range places {
		places[i] = next
		next += count
	}
	for _, each := range s.uses {
		digit := each.start >> shift & (1<<digitBits - 1)
		s.scratch[places[digit]] = each
		places[digit]++
	}
	s.uses, s.scratch = s.scratch, s.uses
}

func overlapping() {
	panic("sivka: invalid buffer overlap of a batch")
}

// extent returns the memory from the first string to the last, and whether
// they are one after the other in it.
func (s *Strings) extent() (extent span, ascend bool) {
	if len(s.Offsets) > 0 {
		return spanOf(s.Buffer[s.Offsets[0]:s.Offsets[len(s.Offsets)-1]]), true
	}
	ascend = true
	for _, bytes := range s.Slices {
		if len(bytes) == 0 {
			continue
		}
		each := spanOf(bytes)
		if extent == (span{}) {
			extent = each
			continue
		}
		ascend = ascend && each.start >= extent.end
		extent = span{min(extent.start, each.start), max(extent.end, each.end)}
	}
	return extent, ascend
}
