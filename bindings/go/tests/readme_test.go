package tests

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// around is the program in which each later block of the README stands.
const around = `package main

import (
	"crypto/cipher"
	"fmt"
	"io"
	"io/fs"

	"github.com/tink-crypto/tink-go/v2/keyset"
	"sivka.dev/go"
	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
	"sivka.dev/go/tink"
)

func messages(key *sivka.AES256GCMSIV, sealed, nonce, plaintext, additionalData []byte) {
	BLOCK
}

func batch(key *sivka.AES256GCMSIV, texts [][]byte, nonces, tags, aad []byte) {
	BLOCK
}

func files(text []byte, sink io.Writer, source io.Reader) error {
	BLOCK
}

func folders(sealed io.ReaderAt, size int64, key file.Key) error {
	BLOCK
	fmt.Println(notes)
	return err
}

func keysets(handle *keyset.Handle) {
	BLOCK
	fmt.Println(primitive, tokens, err)
}

func main() {}
`

// The first block of the README is a program that runs, the others are parts of
// programs; modules have the package as the README says.
func TestTheProgramsOfTheREADME(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	root, err2 := filepath.Abs("../../..")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	// The line before makes the machine code, which is there.
	_, install, _ := strings.Cut(string(text), "xtask blob)\n")
	install, _, _ = strings.Cut(strings.ReplaceAll(install, "SIVKA", root), "```")
	blocks := strings.Split(string(text), "```go\n")[1:]
	if len(blocks) != 6 {
		t.Fatalf("%d blocks, 6 known", len(blocks))
	}
	parts := around
	for i, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		blocks[i] = block
		if i > 0 {
			block = strings.Replace(block, "...\n", "if err != nil {\nreturn err\n}\n", 1)
			parts = strings.Replace(parts, "BLOCK\n", block, 1)
		}
	}
	for program, expected := range map[string]string{blocks[0]: "meet at noon, <nil>\n", parts: ""} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		run := exec.CommandContext(ctx, "sh", "-ec", "cp "+root+"/bindings/go/tests/go.* .\n"+install+"go run .")
		run.Dir, run.Stderr = folder, os.Stderr
		// Also where the tests are for another CPU than this one.
		run.Env = append(os.Environ(), "GOARCH=")
		if said, err := run.Output(); err != nil || string(said) != expected {
			t.Errorf("%s, %v", said, err)
		}
	}
}
