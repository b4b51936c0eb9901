package tests

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/file"
	"sivka.dev/go/file/kuznyechikmgm"
)

// fileSuites are those of this build beside the two that are always there.
var fileSuites = func() []*file.Suite {
	if sivka.Tier() == "go" {
		return nil
	}
	return []*file.Suite{kuznyechikmgm.Suite}
}()

// fileVector is a file of vectors/file-v1, whose README describes the format.
type fileVector struct {
	expect, payload string
	key             file.Key
	sealed          []byte
}

func readFileVector(t *testing.T, path string) fileVector {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, sealed, _ := bytes.Cut(content, []byte("\n\n"))
	v := fileVector{sealed: sealed}
	for line := range strings.Lines(string(head)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "expect":
			v.expect = value
		case "payload":
			v.payload = value
		case "key":
			var secret []byte
			if secret, err = hex.DecodeString(value); err == nil {
				v.key, err = file.NewKeyFile(secret, "vector")
			}
		case "passphrase":
			v.key, err = file.NewPassphrase([]byte(value))
		case "identity":
			// Slots for identities are well formed, and open with no key here.
			v.key, err = file.GenerateKeyFile("another")
			v.expect, v.payload = "no-slot-opens", hex.EncodeToString(sumOfNothing[:])
		}
		if err != nil {
			t.Fatal(path, err)
		}
	}
	return v
}

// sumOfNothing is that of what a file releases that no key opens.
var sumOfNothing = sha256.Sum256(nil)

// named returns the name of an error in section 9 of the specification.
func named(err error) string {
	var details *file.Error
	if errors.As(err, &details) {
		return details.Name
	}
	if err == nil {
		return "success"
	}
	return err.Error()
}

func TestFileVectors(t *testing.T) {
	paths, err := filepath.Glob("../../../vectors/file-v1/*.vec")
	if err != nil {
		t.Fatal(err)
	}
	options := &file.ReaderOptions{Suites: fileSuites, Goroutines: 2}
	played := 0
	for _, path := range paths {
		if len(fileSuites) == 0 && strings.Contains(filepath.Base(path), "kuznyechik") {
			continue
		}
		played++
		t.Run(filepath.Base(path), func(t *testing.T) {
			v := readFileVector(t, path)
			keys := []file.Key{v.key}
			var streamed bytes.Buffer
			r, err := file.NewReader(bytes.NewReader(v.sealed), keys, options)
			if err == nil {
				_, err = io.Copy(&streamed, r)
			}
			if named(err) != v.expect {
				t.Errorf("%v, but expected %s", err, v.expect)
			}
			if sum := sha256.Sum256(streamed.Bytes()); hex.EncodeToString(sum[:]) != v.payload {
				t.Errorf("%d bytes are not those that may be released", streamed.Len())
			}
			// The end is looked at first, so the reason may be another one.
			var read []byte
			at, err := file.NewReaderAt(bytes.NewReader(v.sealed), int64(len(v.sealed)), keys, options)
			if err == nil {
				read, err = io.ReadAll(io.NewSectionReader(at, 0, at.Size()))
			}
			if (err == nil) != (v.expect == "success") || !bytes.HasPrefix(streamed.Bytes(), read) {
				t.Errorf("in parts: %d bytes, %v", len(read), err)
			}
			if v.expect == "success" && len(read) != streamed.Len() {
				t.Errorf("in parts: %d of %d bytes", len(read), streamed.Len())
			}
		})
	}
	if expected := map[bool]int{true: 141, false: 130}[len(fileSuites) > 0]; played != expected {
		t.Errorf("%d vectors, expected %d", played, expected)
	}
}
