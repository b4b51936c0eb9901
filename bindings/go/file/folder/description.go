package folder

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kinds of entries: those that the command writes, and named pipes and devices.
const kinds = "50S21346"

// Where a header of GNU tar has what, in bytes. That of a file with holes has
// four parts; blocks with more come after it.
const (
	nameSize   = 100
	modeAt     = 100
	ownerAt    = 108
	groupAt    = 116
	sizeAt     = 124
	timeAt     = 136
	checksumAt = 148
	kindAt     = 156
	targetAt   = 157
	magicAt    = 257
	partsAt    = 386
	hasMoreAt  = 482
	lengthAt   = 483
	// hasStillMoreAt is where a block with parts says that another one follows.
	hasStillMoreAt = 504
	partsMost      = 4
	moreMost       = 21
	shortSize      = 8
	numberSize     = 12
	partSize       = 2 * numberSize
)

const (
	gnuMagic   = "ustar  \x00"
	ustarMagic = "ustar\x0000"
)

// The most bytes of an entry's records: 512 KiB of attributes, and a time. And
// of its long names together, without the zero after each.
const (
	maxRecords = 512<<10 + blockSize
	maxNames   = 768 << 10
)

// maxMore is the most bytes of blocks with parts.
const maxMore = (maxParts + 1 - partsMost + moreMost - 1) / moreMost * blockSize

// description is what describes an entry: its header, and what goes ahead of
// it and after it.
type description struct {
	header       []byte
	name, target string
	modTime      time.Time
	// size is what the header says of a content.
	size int64
	// more are the blocks with parts of a file with holes.
	more []byte
	// start is where the content begins.
	start int64
}

// describe reads what describes one entry, after the block that it begins
// with. Package archive/tar would read more than the command does, and less.
func describe(header []byte, source *blocks) (*description, error) {
	ahead, names := make(map[byte][]byte), 0
	for {
		if err := checkBlock(header); err != nil {
			return nil, err
		}
		kind := header[kindAt]
		if strings.IndexByte("xLK", kind) < 0 {
			break
		}
		size := octal(header[sizeAt:][:numberSize])
		if kind != 'x' {
			names += int(min(max(size-1, 0), maxNames+1))
		}
		switch {
		case size < 0:
			return nil, malformed("a number that is none")
		case ahead[kind] != nil:
			return nil, malformed("two descriptions of one kind for an entry")
		case kind == 'x' && size > maxRecords:
			return nil, malformed("records of more than 512 KiB")
		case names > maxNames:
			return nil, malformed("names of more than 768 KiB")
		}
		text, err := source.next(size)
		if err != nil {
			return nil, err
		}
		ahead[kind] = text
		if end := bytes.IndexByte(text, 0); kind != 'x' && (end < 0 || end+1 != len(text)) {
			return nil, malformed("a long name with zeros in it, or without one at its end")
		}
		if header, err = source.next(blockSize); err != nil {
			return nil, err
		}
	}
	d := &description{header: header}
	if err := d.readNumbers(); err != nil {
		return nil, err
	}
	d.name, d.target = text(header[:nameSize], ahead['L']), text(header[targetAt:][:nameSize], ahead['K'])
	if err := d.readRecords(ahead['x']); err != nil {
		return nil, err
	}
	if err := d.readMore(source); err != nil {
		return nil, err
	}
	d.start = source.at
	return d, nil
}

// text is a name up to its zero, if it is not ahead of the header.
func text(field, ahead []byte) string {
	if ahead != nil {
		field = ahead
	}
	name, _, _ := bytes.Cut(field, []byte{0})
	return string(name)
}

// checkBlock checks what is alike in each header: its form, and its checksum.
func checkBlock(header []byte) error {
	magic := gnuMagic
	if header[kindAt] == 'x' {
		magic = ustarMagic
	}
	if string(header[magicAt:][:len(magic)]) != magic {
		return malformed("a header that is not GNU's")
	}
	field := header[checksumAt:kindAt]
	// As many bytes of the field count as if they were spaces.
	sum := int64(len(field)) * ' '
	for i, b := range header {
		if i < checksumAt || i >= kindAt {
			sum += int64(b)
		}
	}
	if octal(bytes.TrimSuffix(field, []byte{' '})) != sum {
		return malformed("a wrong checksum")
	}
	return nil
}

// readNumbers reads the numbers of a header. Those of devices, and the times
// of access and change, are nobody's.
func (d *description) readNumbers() error {
	header := d.header
	if strings.IndexByte(kinds, header[kindAt]) < 0 {
		return malformed("an entry of kind " + strconv.Itoa(int(header[kindAt])))
	}
	owner, group := number(header[ownerAt:][:shortSize]), number(header[groupAt:][:shortSize])
	seconds := number(header[timeAt:][:numberSize])
	d.size = number(header[sizeAt:][:numberSize])
	if octal(header[modeAt:][:shortSize]) < 0 || min(owner, group, seconds, d.size) < 0 {
		return malformed("a number that is none")
	}
	// The last one is nobody's.
	if max(owner, group) >= math.MaxUint32 {
		return malformed("an owner beyond all numbers")
	}
	if d.size != 0 && strings.IndexByte("0S", header[kindAt]) < 0 {
		// Some programs would look for the next entry after so many bytes.
		return malformed("a size of what is no file")
	}
	d.modTime = time.Unix(seconds, 0)
	return nil
}

// readMore reads the blocks with parts that a file with holes says it has.
func (d *description) readMore(source *blocks) error {
	if d.header[kindAt] != 'S' {
		return nil
	}
	hasMore := d.header[hasMoreAt]
	for hasMore == 1 {
		if len(d.more) == maxMore {
			return malformed("too many parts of a file")
		}
		block, err := source.next(blockSize)
		if err != nil {
			return err
		}
		d.more, hasMore = append(d.more, block...), block[hasStillMoreAt]
	}
	if hasMore != 0 {
		return malformed("a file with parts at places where no program has them")
	}
	return nil
}

// meantByHeaders are records that say again what a header does.
var meantByHeaders = []string{"path", "linkpath", "size", "uid", "gid", "uname", "gname", "atime", "ctime"}

// readRecords reads the records of pax. Each says its own length, is in one
// line, and comes once.
func (d *description) readRecords(records []byte) error {
	keys, attributes := make(map[string]bool), make(map[string]bool)
	for len(records) > 0 {
		record := records
		if end := bytes.IndexByte(records, '\n'); end >= 0 {
			record = records[:end+1]
		}
		records = records[len(record):]
		key, value, isRecord := cutRecord(string(record))
		if !isRecord {
			return malformed("a record that is malformed")
		}
		if keys[key] {
			return malformed("a record twice")
		}
		keys[key] = true
		attribute, isTaken := attributeName(key, value)
		switch {
		case slices.Contains(meantByHeaders, key) || strings.HasPrefix(key, "GNU.sparse."):
			// Whoever passes over them reads another folder.
			return malformed("a record " + key)
		case !isTaken:
			return malformed("an attribute that is malformed")
		case attributes[attribute]:
			return malformed("an attribute twice")
		case attribute != "" && strings.IndexByte("50S", d.header[kindAt]) < 0:
			return malformed("attributes of what is no file or folder")
		case key == "mtime":
			if d.modTime, isRecord = parseTime(value); !isRecord {
				return malformed("a time that is no number below 2^63")
			}
		case attribute != "":
			attributes[attribute] = true
		}
	}
	return nil
}

// cutRecord returns the key and the value of a record with its line end, if it
// is one.
func cutRecord(record string) (key, value string, isRecord bool) {
	digits, rest, _ := strings.Cut(record, " ")
	size, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || strings.HasPrefix(digits, "0") || int(size) != len(record) {
		return "", "", false
	}
	rest, isLine := strings.CutSuffix(rest, "\n")
	key, value, found := strings.Cut(rest, "=")
	return key, value, isLine && found && key != "" && strings.IndexByte(key, 0) < 0
}

// parseTime reads a decimal number of seconds, as the command does: what is
// finer than a nanosecond is left off.
func parseTime(text string) (time.Time, bool) {
	digits, isNegative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || strings.Trim(whole+fraction, "0123456789") != "" {
		return time.Time{}, false
	}
	nanoseconds, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	if isNegative {
		seconds, nanoseconds = -seconds, -nanoseconds
	}
	return time.Unix(seconds, nanoseconds), true
}
