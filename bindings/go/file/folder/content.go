package folder

import (
	"bytes"
	"io"
	"slices"
	"sort"
)

// maxParts is how many parts a file with holes has at most, besides an empty
// one at its end.
const maxParts = 8192

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

// readParts reads which parts of a file with holes are stored. They are those
// that the command or GNU tar writes, or it is an error.
func (c *content) readParts(d *description) error {
	places := slices.Clone(d.header[partsAt:][:partsMost*partSize])
	room := len(places)
	for more := d.more; len(more) > 0; more = more[blockSize:] {
		places = append(places, more[:moreMost*partSize]...)
		room = moreMost * partSize
	}
	used := 0
	for used < len(places) && len(bytes.Trim(places[used:][:partSize], "\x00")) > 0 {
		used += partSize
	}
	// Each block but the last is full, and the last is not empty.
	if rest := places[used:]; len(rest) >= room || len(bytes.Trim(rest, "\x00")) > 0 {
		return malformed("a file with parts at places where no program has them")
	}
	c.size, c.stored = number(d.header[lengthAt:][:numberSize]), number(d.header[sizeAt:][:numberSize])
	return c.addParts(places[:used])
}

// addParts adds the parts of a list, which are in order. The last one ends
// where the file does, and alone may be empty.
func (c *content) addParts(list []byte) error {
	end, stored := int64(0), int64(0)
	for ; len(list) > 0; list = list[partSize:] {
		p := part{number(list[:numberSize]), number(list[numberSize:partSize]), c.start + stored}
		isLast := len(list) == partSize
		// Each is whole blocks, but for the last.
		if p.offset < end || p.size < 0 || p.size == 0 && !isLast || p.size > 0 && stored%blockSize != 0 {
			return malformed("parts of a file that overlap, are empty or no blocks")
		}
		if p.size > c.size-p.offset || p.size > c.stored-stored {
			return malformed("parts that are not those of the file")
		}
		if end, stored = p.offset+p.size, stored+p.size; p.size > 0 {
			c.parts = append(c.parts, p)
		}
	}
	if end != c.size || stored != c.stored || len(c.parts) > maxParts {
		return malformed("parts that are not those of the file, or too many")
	}
	return nil
}
