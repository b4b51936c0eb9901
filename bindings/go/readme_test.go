package sivka_test

import (
	"bytes"
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sivka.dev/go"
	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

// pieces has the pieces of the README one after the other.
func pieces(secret, nonce, plaintext, additionalData []byte) error {
	key, err := sivka.NewAES256GCMSIV(secret)
	if err != nil {
		return err
	}
	sealed, opened := []byte(nil), []byte(nil)
	defer key.Wipe()

	var aead cipher.AEAD = key
	sealed = aead.Seal(sealed[:0], nonce, plaintext, additionalData)
	if opened, err = aead.Open(nil, nonce, sealed, additionalData); err != nil {
		return err
	}

	texts, aad := [][]byte{plaintext, opened}, additionalData
	nonces, tags := append(nonce, nonce...), make([]byte, 32)
	batch := &sivka.Batch{Texts: texts, Nonces: nonces, Tags: tags, AAD: aad}
	key.SealBatch(batch)
	if err := key.OpenBatch(batch); err != nil {
		failed := err.(*sivka.BatchError).Failed
		fmt.Println(failed, "do not open: their texts are zeros; all others are open")
	}
	return nil
}

// filePieces has those of the part on files.
func filePieces(text []byte, sink io.Writer, source io.Reader) error {
	key, err := file.ParseKeyFile(text, nil) // or file.GenerateKeyFile, file.NewPassphrase
	if err != nil {
		return err
	}
	w, err := file.NewWriter(sink, []file.Key{key}, nil)
	if err != nil {
		return err
	}
	defer w.Close() // gives the file up where Finish is not reached
	if _, err := io.Copy(w, source); err != nil {
		return err
	}
	return w.Finish() // nothing else ends a file
}

func folderPieces(sealed io.ReaderAt, size int64, key file.Key) error {
	photos, err := folder.Open(sealed, size, []file.Key{key}, nil)
	if err != nil {
		return err
	}
	notes, err := fs.ReadFile(photos, "2025/notes")
	fmt.Println(len(notes))
	return err
}

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The first block of the README is a program.
func TestTheProgramOfTheREADMERuns(t *testing.T) {
	_, rest, _ := strings.Cut(readme(t), "```go\n")
	program, _, _ := strings.Cut(rest, "```")
	path := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(path, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "go", "run", path)
	// Also where the tests are for another CPU than this one.
	run.Env = append(os.Environ(), "GOARCH=")
	said, err := run.CombinedOutput()
	if err != nil || string(said) != "meet at noon, <nil>\n" {
		t.Errorf("%s, %v", said, err)
	}
}

func TestPiecesOfTheREADMERun(t *testing.T) {
	if err := pieces(make([]byte, 32), make([]byte, 12), []byte("text"), []byte("aad")); err != nil {
		t.Fatal(err)
	}
	key, err := file.GenerateKeyFile("me")
	if err != nil {
		t.Fatal(err)
	}
	var sink bytes.Buffer
	if err := filePieces(key.Text(), &sink, strings.NewReader("text")); err != nil || sink.Len() == 0 {
		t.Fatal(err)
	}
	if err := folderPieces(bytes.NewReader(sink.Bytes()), int64(sink.Len()), key); !errors.Is(err, folder.ErrNotFolder) {
		t.Fatal(err)
	}
	source, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	code := strings.ReplaceAll(string(source), "\n\t", "\n")
	blocks := strings.Split(readme(t), "```go\n")[2:]
	known := 0
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		if strings.Contains(block, "tink.") {
			continue // A module of its own, which tests these calls.
		}
		for _, piece := range strings.Split(block, "...\n") {
			known++
			if !strings.Contains(code, "\n"+piece) {
				t.Errorf("not in this file:\n%s", piece)
			}
		}
	}
	if known != 5 {
		t.Errorf("%d pieces, 5 known", known)
	}
}
