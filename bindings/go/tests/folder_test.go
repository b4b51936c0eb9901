package tests

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

// archiveCount is how many archives vectors/folder-v1 has. Raise it with them.
const archiveCount = 361

// archives is the table of vectors/folder-v1, whose README describes the form.
type archives struct {
	Source    string
	CaseCount int `json:"case_count"`
	Pieces    map[string][]string
	Cases     []struct {
		Name             string
		Archive, Entries []string
	}
}

// bytesOf returns the bytes of some pieces.
func (a *archives) bytesOf(t *testing.T, list []string) []byte {
	t.Helper()
	var all []byte
	for _, piece := range list {
		if named := a.Pieces[piece]; named != nil {
			all = append(all, a.bytesOf(t, named)...)
			continue
		}
		digits, count, found := strings.Cut(piece, " * ")
		if !found {
			count = "1"
		}
		run, err := hex.DecodeString(digits)
		times, countErr := strconv.Atoi(count)
		if err := errors.Join(err, countErr); err != nil {
			t.Fatal(err)
		}
		all = append(all, bytes.Repeat(run, times)...)
	}
	return all
}

func TestArchivesOfFolders(t *testing.T) {
	text, err := os.ReadFile("../../../vectors/folder-v1/archives.json")
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var table archives
	if err := decoder.Decode(&table); err != nil {
		t.Fatal(err)
	}
	if len(table.Cases) != archiveCount || table.CaseCount != archiveCount {
		t.Fatalf("%d archives, and the table states %d", len(table.Cases), table.CaseCount)
	}
	key, err := file.NewKeyFile(bytes.Repeat([]byte{7}, 32), "archives")
	if err != nil {
		t.Fatal(err)
	}
	keys, options := []file.Key{key}, &file.WriterOptions{Kind: file.FolderKind}
	for _, c := range table.Cases {
		var sealed bytes.Buffer
		if _, err := file.Seal(&sealed, bytes.NewReader(table.bytesOf(t, c.Archive)), keys, options); err != nil {
			t.Fatal(err)
		}
		opened, err := folder.Open(bytes.NewReader(sealed.Bytes()), int64(sealed.Len()), keys, nil)
		if c.Entries == nil {
			if !errors.Is(err, folder.ErrMalformed) {
				t.Errorf("%s: malformed, and the error is %v", c.Name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: accepted, and the error is %v", c.Name, err)
			continue
		}
		leftOut := make(map[string]error)
		for _, each := range opened.LeftOut() {
			leftOut[each.Path] = each.Why
		}
		for _, line := range c.Entries {
			if err := check(opened, leftOut, latin1(line)); err != nil {
				t.Errorf("%s: %q: %v", c.Name, line, err)
			}
		}
	}
}

// latin1 returns the bytes that the characters of a line are.
func latin1(line string) string {
	var bytes []byte
	for _, character := range line {
		bytes = append(bytes, byte(character))
	}
	return string(bytes)
}

// check compares what an FS has of an entry with its line in the table.
func check(opened *folder.FS, leftOut map[string]error, line string) error {
	if name, isLost := strings.CutPrefix(line, "lost "); isLost {
		return expect("lost", leftOut[name], folder.ErrLost)
	}
	fields := strings.SplitN(line, " ", 9)
	kind, rest := fields[0], fields[8]
	name, target := rest, ""
	if at := strings.LastIndex(rest, " > "); at >= 0 && (kind == "1" || kind == "2") {
		name, target = rest[:at], rest[at+3:]
	}
	for _, attributes := range []string{" user.", " system."} {
		name, _, _ = strings.Cut(name, attributes)
	}
	name = strings.TrimSuffix(name, "/")
	if leftOut[name] != nil {
		return nil
	}
	about, err := opened.Lstat(name)
	if err != nil {
		return err
	}
	if kind == "2" {
		link, err := opened.ReadLink(name)
		return errors.Join(err, expect("link", link, target))
	}
	if kind == "1" {
		first, err := opened.Lstat(target)
		return errors.Join(err, expect("size", about.Size(), first.Size()))
	}
	mode, _ := strconv.ParseUint(fields[1], 8, 32)
	said := fmt.Sprint(about.ModTime().Unix(), about.ModTime().Nanosecond(), about.Size())
	err = errors.Join(expect("mode", about.Mode().Perm(), fs.FileMode(mode)&fs.ModePerm),
		expect("time and size", said, strings.Join(fields[4:7], " ")),
		expect("folder", about.IsDir(), kind == "5"))
	if kind == "0" {
		text, readErr := fs.ReadFile(opened, name)
		sum := sha256.Sum256(text)
		err = errors.Join(err, readErr, expect("content", hex.EncodeToString(sum[:8]), fields[7]))
	}
	return err
}

func expect[T comparable](what string, got, expected T) error {
	if got != expected {
		return fmt.Errorf("%s: %v, expected %v", what, got, expected)
	}
	return nil
}
