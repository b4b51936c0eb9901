package folder

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The forms in which a record has an attribute.
const (
	ofGNU        = "SCHILY.xattr."
	ofLibarchive = "LIBARCHIVE.xattr."
)

// lists are the records of access control lists, and what attributes they are.
var lists = map[string]string{
	"SCHILY.acl.access":  "system.posix_acl_access",
	"SCHILY.acl.default": "system.posix_acl_default",
}

// attributeName returns the name of the attribute that a record has, which is
// empty if it has none, and whether the command would take it. This package
// has no attributes otherwise.
func attributeName(key, value string) (name string, isTaken bool) {
	if name, found := lists[key]; found {
		return name, isList(value)
	}
	if name, found := strings.CutPrefix(key, ofGNU); found {
		isTaken = name != "" && utf8.ValidString(name) && !isListName(name)
		return strings.ReplaceAll(strings.ReplaceAll(name, "%3D", "="), "%25", "%"), isTaken
	}
	escaped, found := strings.CutPrefix(key, ofLibarchive)
	if !found {
		return "", true
	}
	// Package base64 passes over this one.
	_, err := base64.RawStdEncoding.Strict().DecodeString(strings.ReplaceAll(value, "\r", "?"))
	name, isName := unescaped(escaped)
	return name, err == nil && isName && utf8.ValidString(escaped) && !isListName(name)
}

// isListName reports whether an attribute is an access control list, which is
// in a record of its own.
func isListName(name string) bool {
	return name == lists["SCHILY.acl.access"] || name == lists["SCHILY.acl.default"]
}

// unescaped returns a name with a byte for each % and two hexadecimal digits,
// and whether it is one: it has something in it, and no zero.
func unescaped(text string) (name string, isName bool) {
	parts := strings.Split(text, "%")
	bytes := []byte(parts[0])
	for _, part := range parts[1:] {
		digits, err := hex.DecodeString(part[:min(2, len(part))])
		if err != nil || len(digits) == 0 || digits[0] == 0 {
			return "", false
		}
		bytes = append(append(bytes, digits...), part[2:]...)
	}
	return string(bytes), len(bytes) > 0
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
