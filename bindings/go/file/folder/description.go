package folder

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// Kinds of entries: those that the command writes, and named pipes and devices.
const kinds = "50S21346"

// The most bytes of an entry's records: 512 KiB of attributes, and a time. And
// of its long names together, each with the zero after it.
const (
	maxRecords = 512<<10 + blockSize
	maxNames   = 768<<10 + 2
)

const ustarMagic = "ustar\x0000"

// checkDescription checks the blocks of one entry, without what is stored of
// it. archive/tar reads more than GNU tar and the command do: what programs
// differ in is refused.
func checkDescription(blocks []byte) error {
	var seen []byte
	names := 0
	for {
		if len(blocks) < blockSize {
			return malformed("a description that is cut short")
		}
		header, rest := blocks[:blockSize], blocks[blockSize:]
		kind := header[kindAt]
		if kind == 'g' && len(seen) == 0 {
			return nil // drop compares every byte.
		}
		magic := gnuMagic
		if kind == 'x' {
			magic = ustarMagic
		}
		if string(header[magicAt:][:len(magic)]) != magic {
			return malformed("a header that is not GNU's")
		}
		if strings.IndexByte("xLK", kind) < 0 {
			return checkHeader(header)
		}
		size := octal(header[sizeAt:][:numberSize])
		if size < 0 || size > int64(len(rest)) {
			return malformed("a description that is cut short")
		}
		if slices.Contains(seen, kind) {
			return malformed("two descriptions of one kind for an entry")
		}
		seen = append(seen, kind)
		text := rest[:size]
		if kind == 'x' {
			if err := checkRecords(text); err != nil {
				return err
			}
		} else if names += len(text); names > maxNames {
			return malformed("names of more than 768 KiB")
		} else if end := bytes.IndexByte(text, 0); end < 0 || end+1 != len(text) {
			return malformed("a long name with zeros in it, or without one at its end")
		}
		blocks = rest[min(int64(len(rest)), (size+blockSize-1)/blockSize*blockSize):]
	}
}

// checkHeader checks the kind and the numbers of a header.
func checkHeader(header []byte) error {
	if strings.IndexByte(kinds, header[kindAt]) < 0 {
		return malformed("an entry of kind " + strconv.Itoa(int(header[kindAt])))
	}
	for _, field := range [][]byte{header[100:108], header[108:116], header[116:124], header[124:136], header[136:148]} {
		if field[0] != 0x80 && octal(field) < 0 || number(field) < 0 {
			return malformed("a number that is none")
		}
	}
	return nil
}

// checkRecords checks that each record of pax says its own length, is in one
// line, and comes once.
func checkRecords(records []byte) error {
	if len(records) > maxRecords {
		return malformed("records of more than 512 KiB")
	}
	keys := make(map[string]bool)
	for len(records) > 0 {
		record := records
		if end := bytes.IndexByte(records, '\n'); end >= 0 {
			record = records[:end+1]
		}
		records = records[len(record):]
		key := recordKey(string(record))
		if key == "" {
			return malformed("a record that is malformed")
		}
		if keys[key] {
			return malformed("a record twice")
		}
		keys[key] = true
	}
	return nil
}

// recordKey returns the key of a record with its line end. It is empty if the
// record is none.
func recordKey(record string) string {
	digits, rest, _ := strings.Cut(record, " ")
	size, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || strings.HasPrefix(digits, "0") || strings.HasPrefix(digits, "+") || int(size) != len(record) || !strings.HasSuffix(record, "\n") {
		return ""
	}
	key, value, found := strings.Cut(rest, "=")
	if !found || strings.IndexByte(key, 0) >= 0 {
		return ""
	}
	if key == "mtime" && !isTime(strings.TrimSuffix(value, "\n")) {
		return ""
	}
	return key
}

// isTime reports whether a text is a decimal number of seconds, as the command
// reads it.
func isTime(text string) bool {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	_, err := strconv.ParseInt(whole, 10, 64)
	return err == nil && strings.Trim(whole+fraction, "0123456789") == ""
}

// octal reads octal digits that fill a field up to one zero. It is -1 if they
// do not.
func octal(field []byte) int64 {
	digits, found := bytes.CutSuffix(field, []byte{0})
	if !found || len(bytes.Trim(digits, "01234567")) > 0 {
		return -1
	}
	value, err := strconv.ParseInt(string(digits), 8, 64)
	if err != nil {
		return -1
	}
	return value
}
