package folder

import (
	"bytes"
	"io"
	"sort"
	"strconv"
	"strings"
)

// content is where an archive holds a file.
type content struct {
	// size is the file's length, stored how much of it the archive holds, and
	// start where. They differ by holes, which read as zeros.
	size, stored, start int64
	// parts are what is stored of a file with holes, in order.
	parts []part
}

// part is what is between two holes of a file.
type part struct {
	// offset is where it is in the file, start where in the archive.
	offset, size, start int64
}

// reader reads a content.
func (c *content) reader(archive io.ReaderAt) io.ReaderAt {
	if c.stored == c.size {
		return io.NewSectionReader(archive, c.start, c.size)
	}
	return &holeReader{archive, c}
}

// holeReader reads a file with holes.
type holeReader struct {
	archive io.ReaderAt
	*content
}

func (h *holeReader) ReadAt(bytes []byte, offset int64) (int, error) {
	if offset >= h.size {
		return 0, io.EOF
	}
	wanted := bytes[:min(int64(len(bytes)), h.size-offset)]
	next := sort.Search(len(h.parts), func(i int) bool { return h.parts[i].offset+h.parts[i].size > offset })
	done := 0
	for done < len(wanted) {
		at, left := offset+int64(done), wanted[done:]
		if next == len(h.parts) {
			clear(left)
			done = len(wanted)
			break
		}
		p := h.parts[next]
		if at < p.offset {
			hole := left[:min(int64(len(left)), p.offset-at)]
			clear(hole)
			done += len(hole)
			continue
		}
		within := at - p.offset
		size, err := h.archive.ReadAt(left[:min(int64(len(left)), p.size-within)], p.start+within)
		done += size
		if within+int64(size) < p.size && done < len(wanted) {
			return done, err
		}
		next++
	}
	if done < len(bytes) {
		return done, io.EOF
	}
	return done, nil
}

// Where a header of GNU tar has what describes a file with holes, in bytes.
// Blocks with more parts come after it.
const (
	sizeAt     = 124
	kindAt     = 156
	partsAt    = 386
	partsMost  = 4
	moreMost   = 21
	numberSize = 12
	partSize   = 2 * numberSize
)

// description returns the header of an entry that is described from an offset
// to another one, and the blocks after it; and the kinds of what is before it.
// archive/tar has read the same, and does not say it.
func description(archive io.ReaderAt, begin, end int64) (described, before []byte, err error) {
	described = make([]byte, end-begin)
	if n, err := archive.ReadAt(described, begin); n < len(described) {
		return nil, nil, err
	}
	for len(described) > blockSize && strings.IndexByte("xLK", described[kindAt]) >= 0 {
		before = append(before, described[kindAt])
		meta := number(described[sizeAt:][:numberSize])
		if meta < 0 || meta > int64(len(described)-2*blockSize) {
			return nil, nil, malformed("a long name without an entry")
		}
		described = described[blockSize+(meta+blockSize-1)/blockSize*blockSize:]
	}
	return described, before, nil
}

// readParts reads which parts of a file of so many bytes are stored: the
// entry is described from an offset on, up to its start.
func (c *content) readParts(archive io.ReaderAt, begin, size int64) error {
	described, _, err := description(archive, begin, c.start)
	if err != nil {
		return err
	}
	if len(described) < blockSize || described[kindAt] != 'S' {
		return malformed("a file with holes that no header describes")
	}
	c.size, c.stored = size, number(described[sizeAt:][:numberSize])
	at := c.addParts(described[partsAt:][:partsMost*partSize], c.start)
	for described = described[blockSize:]; len(described) >= blockSize; described = described[blockSize:] {
		at = c.addParts(described[:moreMost*partSize], at)
	}
	return c.checkParts(at)
}

// addParts adds parts that are stored from a place on, and returns their end.
func (c *content) addParts(list []byte, at int64) int64 {
	for ; len(list) > 0 && list[0] != 0; list = list[partSize:] {
		p := part{number(list[:numberSize]), number(list[numberSize:partSize]), at}
		if p.size != 0 {
			c.parts = append(c.parts, p)
		}
		at += p.size
	}
	return at
}

// checkParts looks at what archive/tar has checked as well, because of all
// that depends on it.
func (c *content) checkParts(end int64) error {
	last := int64(0)
	for _, p := range c.parts {
		if p.offset < last || p.size < 0 || p.size > c.size-p.offset {
			return malformed("parts of a file that overlap")
		}
		last = p.offset + p.size
	}
	if c.stored < 0 || end-c.start != c.stored {
		return malformed("another size of a file with holes than that of its parts")
	}
	return nil
}

// number reads a number of a header: octal digits, or bytes after a first one
// of 128. It is -1 if it is none.
func number(field []byte) int64 {
	if field[0] != 0x80 {
		digits := string(bytes.Trim(field, " \x00"))
		value, err := strconv.ParseInt(digits, 8, 64)
		if err != nil && digits != "" {
			return -1
		}
		return value
	}
	value := int64(0)
	for _, digit := range field[1:] {
		if value>>55 != 0 {
			return -1
		}
		value = value<<8 | int64(digit)
	}
	return value
}
