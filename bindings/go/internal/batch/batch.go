// Package batch hands many messages to machine code, some hundred at a time,
// and checks that their parts match.
package batch

import (
	"fmt"

	"sivka.dev/go/internal/machine"
)

// SlabLen is the most messages of one call of machine code.
const SlabLen = 256

// Messages are many messages that are sealed or opened in place. Nonces and
// tags are one after the other.
type Messages struct {
	Nonces, Tags []byte
	Texts        Strings
	AADs         Strings
}

// Strings are one for each message: slices, or one buffer with offsets, one
// more than strings. Without either, the buffer is one for all.
type Strings struct {
	Slices  [][]byte
	Buffer  []byte
	Offsets []int
}

// Slab is the messages of one call, as bindings/go/blob has them.
type Slab struct {
	Count        int
	Nonces, Tags []byte
	Texts, AADs  Strings
	// Statuses says what became of each: 0 if it was done.
	Statuses [SlabLen]byte
}

// Slab returns the messages from number first on, of messages that were
// checked.
func (m *Messages) Slab(first, nonceSize, tagSize int) Slab {
	end := min(first+SlabLen, m.Count())
	return Slab{
		Count:  end - first,
		Nonces: m.Nonces[first*nonceSize : end*nonceSize],
		Tags:   m.Tags[first*tagSize : end*tagSize],
		Texts:  m.Texts.part(first, end),
		AADs:   m.AADs.part(first, end),
	}
}

// fewest is how many messages of AES-GCM-SIV are sealed faster together than
// one by one: a call for many wipes ten times as much of its stack.
const fewest = 13

// OneByOne reports whether messages of AES-GCM-SIV are faster one by one, from
// number first to the one before end: they are few, or so long that each
// fills the CPU itself. The longest that gain, in bytes on average, were
// measured on every tier of an AMD Zen 5 (evidence/record). In bits, on the
// portable tier, all gain.
func (m *Messages) OneByOne(first, end int, tier machine.Tier) bool {
	return tier != machine.Portable && (end-first < fewest || m.areLong(first, end, tier))
}

func (m *Messages) areLong(first, end int, tier machine.Tier) bool {
	longest := 768
	if tier.String() == "avx2" {
		longest = 384
	}
	return m.Texts.size(first, end) > (end-first)*longest
}

// AppendFailed appends the numbers of the messages that were not done. first is
// the number of the first message.
func (s *Slab) AppendFailed(failed []int, first int) []int {
	for i, status := range s.Statuses[:s.Count] {
		if status != 0 {
			failed = append(failed, first+i)
		}
	}
	return failed
}

// Count returns how many messages there are, by their texts.
func (m *Messages) Count() int {
	if len(m.Texts.Offsets) > 0 {
		return len(m.Texts.Offsets) - 1
	}
	return len(m.Texts.Slices)
}

// WipedMeanwhile overwrites every text and tag, and panics, as machine's.
func (s *Slab) WipedMeanwhile() {
	for i := range s.Count {
		clear(s.Texts.At(i))
	}
	machine.WipedMeanwhile(s.Tags)
}

// At returns the string of message i.
func (s *Strings) At(i int) []byte {
	if len(s.Offsets) > 0 {
		return s.Buffer[s.Offsets[i]:s.Offsets[i+1]]
	}
	if len(s.Slices) > 0 {
		return s.Slices[i]
	}
	return s.Buffer
}

// size returns how long strings are together.
func (s *Strings) size(first, end int) int {
	if len(s.Offsets) > 0 {
		return s.Offsets[end] - s.Offsets[first]
	}
	size := 0
	for _, bytes := range s.Slices[first:end] {
		size += len(bytes)
	}
	return size
}

func (s Strings) part(first, end int) Strings {
	if len(s.Offsets) > 0 {
		s.Offsets = s.Offsets[first : end+1]
	} else if len(s.Slices) > 0 {
		s.Slices = s.Slices[first:end]
	}
	return s
}

// Check panics if the parts do not match, or if an output overlaps an input. No
// string has more than maxSize bytes.
func (m *Messages) Check(nonceSize, tagSize int, maxSize uint64) {
	count := m.Count()
	m.Texts.check("texts", count, maxSize)
	if len(m.Texts.Buffer) > 0 && len(m.Texts.Offsets) == 0 {
		panic("sivka: batch does not fit together: one buffer of texts without offsets")
	}
	m.AADs.check("additional data", count, maxSize)
	if len(m.Nonces) != count*nonceSize {
		differ("bytes", "nonces", count*nonceSize, len(m.Nonces))
	}
	if len(m.Tags) != count*tagSize {
		differ("bytes", "tags", count*tagSize, len(m.Tags))
	}
	m.checkOverlap()
}

// differ panics for a wrong number of units.
func differ(units, what string, expected, given int) {
	panic(fmt.Sprintf("sivka: batch does not fit together: %d %s of %s, %d expected", given, units, what, expected))
}

func (s *Strings) check(what string, count int, maxSize uint64) {
	switch {
	case len(s.Offsets) > 0:
		s.checkOffsets(what, count, maxSize)
	case len(s.Slices) > 0:
		if len(s.Slices) != count {
			differ("slices", what, count, len(s.Slices))
		}
		if len(s.Buffer) != 0 {
			differ("bytes beside slices", what, 0, len(s.Buffer))
		}
		longest := 0
		for _, bytes := range s.Slices {
			longest = max(longest, len(bytes))
		}
		checkSize(longest, maxSize)
	default:
		checkSize(len(s.Buffer), maxSize)
	}
}

func (s *Strings) checkOffsets(what string, count int, maxSize uint64) {
	if len(s.Offsets) != count+1 {
		differ("offsets", what, count+1, len(s.Offsets))
	}
	if len(s.Slices) != 0 {
		differ("slices beside offsets", what, 0, len(s.Slices))
	}
	before := s.Offsets[0]
	if before < 0 || s.Offsets[count] > len(s.Buffer) {
		panic("sivka: batch does not fit together: offsets outside of the buffer")
	}
	for _, offset := range s.Offsets {
		if offset < before || uint64(offset-before) > maxSize {
			panic("sivka: batch does not fit together: offsets that descend or are too far apart")
		}
		before = offset
	}
}

func checkSize(size int, maxSize uint64) {
	if uint64(size) > maxSize {
		panic("sivka: message too large for a batch")
	}
}

// Laid returns slabs of many kinds, for tests: with slices and contiguous, of
// one length and of many.
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
