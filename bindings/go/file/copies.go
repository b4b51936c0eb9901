package file

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
)

// beginning is the part of a file that was read to find its header.
type beginning struct {
	source io.Reader
	bytes  []byte
	ended  bool
	// failure is the source's.
	failure error
}

// upTo returns so many bytes, or fewer if the file has fewer.
func (b *beginning) upTo(size int) []byte {
	if missing := size - len(b.bytes); missing > 0 && !b.ended && b.failure == nil {
		read, at := slices.Grow(b.bytes, missing)[:size], len(b.bytes)
		var n int
		n, b.ended, b.failure = readUpTo(b.source, read[at:], missing)
		b.bytes = read[:at+n]
	}
	return b.bytes[:min(size, len(b.bytes))]
}

// prefixAt returns the suite and the length of the copy whose prefix stands at
// a place, or why there is no valid one (section 4.4, steps 1 and 3).
func (b *beginning) prefixAt(at int, others []*Suite) (*Suite, int, error) {
	read := b.upTo(at + prefixSize)
	prefix := read[min(at, len(read)):]
	if len(prefix) < len(magic) || string(prefix[:len(magic)]) != magic {
		return nil, 0, &Error{Name: "not-sivka"}
	}
	if len(prefix) < prefixSize {
		return nil, 0, &Error{Name: "truncated"}
	}
	if number := binary.BigEndian.Uint32(prefix[8:]); number != version {
		return nil, 0, &Error{Name: "unknown-version", Number: number}
	}
	number := binary.BigEndian.Uint32(prefix[12:])
	suite := find(number, others)
	if suite == nil {
		return nil, 0, &Error{Name: "unknown-suite", Number: number}
	}
	size := binary.BigEndian.Uint32(prefix[16:])
	if size < sizeStep || size > maxCopySize || size%sizeStep != 0 {
		return nil, 0, &Error{Name: "header-damaged"}
	}
	return suite, int(size), nil
}

// copies returns the copies of the header, the one to try first ahead, and
// whether one is missing or differs (section 4.4, steps 1 to 4).
func (b *beginning) copies(others []*Suite) (copies []*header, differ bool, err error) {
	isFound := false
	add := func(at, size int, suite *Suite) {
		isFound = true
		if read := b.upTo(at + size); len(read) == at+size {
			copies = append(copies, &header{bytes: read[at:], suite: suite})
		}
	}
	suite, size, err := b.prefixAt(0, others)
	if err == nil {
		add(0, size, suite)
	}
	for _, at := range places(size) {
		if suite, size, err := b.prefixAt(at, others); err == nil && size == at {
			add(at, size, suite)
			break
		}
	}
	switch {
	case b.failure != nil:
		return nil, false, b.failure
	case !isFound:
		return nil, false, err
	case len(copies) == 0:
		return nil, false, &Error{Name: "truncated"}
	case len(copies) == 1:
		return copies, true, nil
	case bytes.Equal(copies[0].bytes, copies[1].bytes):
		return copies[:1], false, nil
	case copies[1].counter() > copies[0].counter():
		slices.Reverse(copies)
	}
	return copies, true, nil
}

// places are where the second copy may begin, in the order to look at them.
func places(sizeOfFirst int) []int {
	var all []int
	if sizeOfFirst > 0 {
		all = append(all, sizeOfFirst)
	}
	for at := sizeStep; at <= maxCopySize; at += sizeStep {
		all = append(all, at)
	}
	return all
}

// unlockCopies returns the first copy that opens, with the file key and the
// kind of the content behind it (section 4.4, steps 5 to 7).
func unlockCopies(copies []*header, u *unlocking) (*header, []byte, error) {
	var worst *Error
	for _, h := range copies {
		content, err := u.unlock(h)
		if failure, ok := err.(*Error); ok {
			if worst == nil || rank(failure) < rank(worst) {
				worst = failure
			}
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if kind := Kind(content[secretSize]); kind > CompressedFolderKind {
			clear(content)
			return nil, nil, &Error{Name: "unknown-kind", Number: uint32(kind)}
		}
		return h, content, nil
	}
	return nil, nil, worst
}

// rank is the index of an error in the list of section 4.4, step 6.
func rank(err *Error) int {
	return slices.Index([]string{"cost-too-high", "unknown-slot", "no-slot-opens", "header-damaged"}, err.Name)
}

// Header is what everybody sees of a file. None of it is authenticated.
type Header struct {
	Suite *Suite
	Slots []Slot
	// CopiesDiffer says that the two copies of the header are not equal: one is
	// older, damaged or missing.
	CopiesDiffer bool
}

// Inspect describes a file that begins so. Give at least both copies of its
// header, which have up to 131072 bytes together. The errors are those of
// [NewReader] that need no key; suites are as there.
func Inspect(source []byte, options *ReaderOptions) (*Header, error) {
	others := options.orDefault().Suites
	if err := checkSuites(others...); err != nil {
		return nil, err
	}
	b := &beginning{source: bytes.NewReader(source)}
	copies, differ, err := b.copies(others)
	for _, h := range copies {
		var slots []slotBytes
		if slots, err = slotsOf(h.beforeMAC()[slotsAt:]); err != nil {
			continue
		}
		shown := make([]Slot, len(slots))
		for i, slot := range slots {
			shown[i] = slot.shown()
		}
		return &Header{h.suite, shown, differ}, nil
	}
	return nil, err
}
