package folder

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// isAttribute reports whether a record is no attribute that the command would
// refuse. This package has no attributes otherwise.
func isAttribute(key, value string) bool {
	if !utf8.ValidString(key) {
		return true
	}
	if key == "SCHILY.acl.access" || key == "SCHILY.acl.default" {
		return isList(value)
	}
	if name, found := strings.CutPrefix(key, "SCHILY.xattr."); found {
		return name != ""
	}
	name, found := strings.CutPrefix(key, "LIBARCHIVE.xattr.")
	if !found {
		return true
	}
	// Package base64 passes over this one.
	_, err := base64.RawStdEncoding.Strict().DecodeString(strings.ReplaceAll(value, "\r", "?"))
	return err == nil && isEscaped(name)
}

// isEscaped reports whether a name has something in it, no zero, and two
// hexadecimal digits after each %.
func isEscaped(name string) bool {
	for i, part := range strings.Split(name, "%") {
		if i == 0 {
			continue
		}
		if digits, err := hex.DecodeString(part[:min(2, len(part))]); err != nil || len(digits) == 0 || digits[0] == 0 {
			return false
		}
	}
	return name != ""
}

// isList reports whether a text is an access control list, with numbers for
// users and groups.
func isList(text string) bool {
	for entry := range strings.SplitSeq(text, ",") {
		parts := strings.Split(entry, ":")
		if len(parts) != 3 || len(parts[2]) != 3 {
			return false
		}
		name, number := parts[0], parts[1]
		_, err := strconv.ParseUint(number, 10, 32)
		switch {
		case name != "user" && name != "group" && (number != "" || name != "mask" && name != "other"):
			return false
		case number != "" && err != nil:
			return false
		}
		for i, letter := range []byte(parts[2]) {
			if letter != '-' && letter != "rwx"[i] {
				return false
			}
		}
	}
	return true
}
