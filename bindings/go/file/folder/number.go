package folder

import (
	"bytes"
	"strconv"
)

// number reads a number of a header: octal digits that fill its field up to
// one zero, or bytes after a first one of 128. It is -1 if it is none, or 2^63
// and more.
func number(field []byte) int64 {
	if field[0] != 0x80 {
		return octal(field)
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
