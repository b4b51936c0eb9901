package folder

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	blockSize = 512
	// maxRecords is the most bytes of the records ahead of an entry.
	maxRecords = 1 << 20
)

// Types of headers, as POSIX has them.
const (
	typeFile   = '0'
	typeName   = '1'
	typeLink   = '2'
	typeFolder = '5'
	typePAX    = 'x'
)

// header is a header of an archive, with the records ahead of it.
type header struct {
	kind       byte
	name, link string
	mode, size int64
	modTime    time.Time
	// block is the header, and lost the value of its record SIVKA.lost.
	block []byte
	lost  string
	// at is its offset in the archive, start the offset of its content.
	at, start int64
}

// archive reads the headers of an archive one after another, and refuses what
// docs/spec/folder-v1.md does. Package archive/tar would read more than that,
// and some of it otherwise than other programs.
type archive struct {
	source   io.ReaderAt
	at, size int64
	// mark is what all headers have.
	mark []byte
}

func malformed(at int64, what string) error {
	return fmt.Errorf("%w: at byte %d, %s", ErrMalformed, at, what)
}

// next returns the next entry. At the end it returns io.EOF.
func (a *archive) next() (*header, error) {
	block, err := a.read(blockSize)
	if err != nil {
		return nil, err
	}
	if isZero(block) {
		return nil, a.end()
	}
	h, err := a.parse(block)
	if err != nil || h.kind != typePAX {
		return h, err
	}
	records, err := a.records(h)
	if err != nil {
		return nil, err
	}
	if block, err = a.read(blockSize); err != nil {
		return nil, err
	}
	if h, err = a.parse(block); err != nil {
		return nil, err
	}
	if h.kind == typePAX {
		return nil, malformed(h.at, "records stand before it, and they are not those of an entry")
	}
	if len(records) == 1 && records[0].key == "SIVKA.lost" {
		h.lost = records[0].value
		return h, nil
	}
	for _, r := range records {
		if !h.apply(r.key, r.value) {
			return nil, malformed(h.at, fmt.Sprintf("the entry has a record that is not allowed: %.100q", r.key))
		}
	}
	return h, nil
}

// read returns so many bytes.
func (a *archive) read(size int64) ([]byte, error) {
	if size > a.size-a.at {
		return nil, malformed(a.at, "the archive is cut short")
	}
	read := make([]byte, size)
	if n, err := a.source.ReadAt(read, a.at); n < len(read) {
		return nil, err
	}
	a.at += size
	return read, nil
}

// skip passes over a content, and what fills up its last block.
func (a *archive) skip(size int64) error {
	if size > a.size-a.at {
		return malformed(a.at, "a content is cut short")
	}
	a.at += size
	fill, err := a.read(-size & (blockSize - 1))
	if err == nil && !isZero(fill) {
		err = malformed(a.at, "what fills up a block is not zero")
	}
	return err
}

// end checks that at least one more block follows, and zeros only.
func (a *archive) end() error {
	if a.size-a.at < blockSize {
		return malformed(a.at, "the end is cut short")
	}
	for a.at < a.size {
		rest, err := a.read(min(1<<16, a.size-a.at))
		if err != nil {
			return err
		}
		if !isZero(rest) {
			return malformed(a.at, "something follows the end")
		}
	}
	return io.EOF
}

func isZero(bytes []byte) bool {
	for _, b := range bytes {
		if b != 0 {
			return false
		}
	}
	return true
}

// parse reads a header, which ends where the archive was read to.
func (a *archive) parse(block []byte) (*header, error) {
	h := &header{kind: block[156], block: block, at: a.at - blockSize, start: a.at}
	failed := func(what string) (*header, error) { return nil, malformed(h.at, what) }
	if string(block[257:265]) != "ustar\x0000" {
		return failed("a header is not of ustar, version 00")
	}
	// As many bytes of the field count as if they were spaces.
	sum := int64(8 * ' ')
	for i, b := range block {
		if i < 148 || i >= 156 {
			sum += int64(b)
		}
	}
	_, isUID := octal(block[108:116])
	_, isGID := octal(block[116:124])
	seconds, isTime := octal(block[136:148])
	checksum, isSum := octal(block[148:155])
	var isMode, isSize bool
	h.mode, isMode = octal(block[100:108])
	h.size, isSize = octal(block[124:136])
	switch {
	case !isMode || !isUID || !isGID || !isSize || !isTime || !isSum || block[155] != ' ':
		return failed("a number is not octal digits and a NUL, which a space follows in the checksum")
	case sum != checksum:
		return failed("the checksum is wrong")
	case !isText(block[:100]) || !isText(block[157:257]) || !isZero(block[508:]):
		return failed("a header has something in unused bytes")
	case !isZero(block[265:329]) || !isZero(block[345:500]) || !isNone(block[329:337]) || !isNone(block[337:345]):
		return failed("a header has names of owners, a device or a prefix")
	case strings.IndexByte("0125x", h.kind) < 0:
		return failed(fmt.Sprintf("an entry has the type %q, which no folder has", h.kind))
	case h.kind == typePAX && h.size > maxRecords:
		return failed("records have more than 1 MiB")
	case a.mark != nil && !bytes.Equal(a.mark, block[500:508]):
		return failed("a header is of another archive")
	}
	a.mark = block[500:508]
	h.modTime = time.Unix(seconds, 0)
	h.name, h.link = text(block[:100]), text(block[157:257])
	return h, nil
}

// octal reads octal digits that fill a field up to one NUL.
func octal(field []byte) (int64, bool) {
	digits, found := bytes.CutSuffix(field, []byte{0})
	value, err := strconv.ParseUint(string(digits), 8, 63)
	return int64(value), found && err == nil
}

// isNone reports whether a number is zero, or not there.
func isNone(field []byte) bool {
	value, is := octal(field)
	return isZero(field) || is && value == 0
}

// text is a field up to its first NUL.
func text(field []byte) string {
	before, _, _ := bytes.Cut(field, []byte{0})
	return string(before)
}

// isText reports whether a field is zeros from its first NUL on.
func isText(field []byte) bool { return isZero(field[len(text(field)):]) }

type record struct{ key, value string }

// records reads the records that follow a header. Each says its own length.
func (a *archive) records(h *header) ([]record, error) {
	body, err := a.read(h.size)
	if err != nil {
		return nil, err
	}
	var all []record
	for left := string(body); left != ""; {
		digits, rest, _ := strings.Cut(left, " ")
		size, err := strconv.ParseUint(digits, 10, 32)
		within := int(size) - len(digits) - 1
		if err != nil || digits[0] == '0' || within < 1 || within > len(rest) {
			return nil, malformed(h.at, "a record has a wrong length")
		}
		line, isLine := strings.CutSuffix(rest[:within], "\n")
		key, value, found := strings.Cut(line, "=")
		if !isLine || !found || strings.Contains(key, "\x00") {
			return nil, malformed(h.at, "a record is not a key, a value and the end of a line")
		}
		all = append(all, record{key, value})
		left = rest[within:]
	}
	a.at -= h.size
	return all, a.skip(h.size)
}

// apply applies a record to an entry, and reports whether it is allowed.
func (h *header) apply(key, value string) bool {
	is := value != "" && !strings.Contains(value, "\x00")
	switch key {
	case "path":
		h.name = value
	case "linkpath":
		h.link = value
	case "size":
		var size uint64
		size, is = decimal(value, math.MaxInt64)
		h.size = int64(size)
	case "uid", "gid":
		_, is = decimal(value, math.MaxUint32-1)
	case "mtime":
		h.modTime, is = parseTime(value)
	default:
		name, found := strings.CutPrefix(key, "SCHILY.xattr.")
		is = found && name != "" && (h.kind == typeFile || h.kind == typeFolder)
	}
	return is
}

// decimal reads decimal digits of a number up to a limit.
func decimal(digits string, most uint64) (uint64, bool) {
	value, err := strconv.ParseUint(digits, 10, 64)
	return value, err == nil && value <= most
}

// parseTime reads seconds since 1970, with up to nine digits after a point. A
// time beyond the range of Go becomes the last one in it.
func parseTime(value string) (time.Time, bool) {
	digits, isNegative := strings.CutPrefix(value, "-")
	whole, fraction, hasPoint := strings.Cut(digits, ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" || hasPoint && (fraction == "" || len(fraction) > 9) {
		return time.Time{}, false
	}
	// Of an error of range, the value is the largest number.
	seconds, _ := strconv.ParseInt(whole, 10, 63)
	nanoseconds, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	if isNegative {
		seconds, nanoseconds = -seconds, -nanoseconds
	}
	return time.Unix(seconds, nanoseconds), true
}
