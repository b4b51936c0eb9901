// Answers keyset/tests/tink.rs with tink-go: the protocol stands there.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/core/registry"
	"github.com/tink-crypto/tink-go/v2/daead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/streamingaead"
	"github.com/tink-crypto/tink-go/v2/testing/fakekms"
)

func bytesOf(word string) []byte {
	if word == "-" {
		return nil
	}
	return must(hex.DecodeString(word))
}

func wordOf(bytes []byte) string {
	if len(bytes) == 0 {
		return "-"
	}
	return hex.EncodeToString(bytes)
}

// Refuses by a panic, which is answered.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func reader(word string) keyset.Reader {
	return keyset.NewJSONReader(bytes.NewReader(bytesOf(word)))
}

func read(word string) *keyset.Handle {
	return must(insecurecleartextkeyset.Read(reader(word)))
}

func written(handle *keyset.Handle, json bool) string {
	var out bytes.Buffer
	var writer keyset.Writer = keyset.NewBinaryWriter(&out)
	if json {
		writer = keyset.NewJSONWriter(&out)
	}
	must(0, insecurecleartextkeyset.Write(handle, writer))
	return wordOf(out.Bytes())
}

// Seals or opens a text with associated data.
type work func(text, aad []byte) ([]byte, error)

func workOf(question string, handle *keyset.Handle) work {
	verb, kind, _ := strings.Cut(question, "-")
	var seal, open work
	switch kind {
	case "":
		primitive := must(aead.New(handle))
		seal, open = primitive.Encrypt, primitive.Decrypt
	case "daead":
		primitive := must(daead.New(handle))
		seal, open = primitive.EncryptDeterministically, primitive.DecryptDeterministically
	case "stream":
		primitive := must(streamingaead.New(handle))
		seal = func(text, aad []byte) ([]byte, error) {
			var sealed bytes.Buffer
			writer := must(primitive.NewEncryptingWriter(&sealed, aad))
			must(writer.Write(text))
			err := writer.Close()
			return sealed.Bytes(), err
		}
		open = func(sealed, aad []byte) ([]byte, error) {
			reader, err := primitive.NewDecryptingReader(bytes.NewReader(sealed), aad)
			if err != nil {
				return nil, err
			}
			return io.ReadAll(reader)
		}
	}
	if verb == "seal" {
		return func(text, aad []byte) ([]byte, error) { return must(seal(text, aad)), nil }
	}
	return open
}

func answer(words []string) (answered string) {
	defer func() {
		if refused := recover(); refused != nil {
			fmt.Fprintln(os.Stderr, refused)
			answered = "refused"
		}
	}()
	handle := read(words[1])
	if words[0] == "binary" {
		return written(handle, false)
	}
	aad := bytesOf(words[2])
	switch words[0] {
	case "encrypt":
		var out bytes.Buffer
		writer, master := keyset.NewJSONWriter(&out), must(aead.New(handle))
		must(0, read(words[3]).WriteWithAssociatedData(writer, master, aad))
		return wordOf(out.Bytes())
	case "decrypt":
		master := must(aead.New(handle))
		handle, err := keyset.ReadWithAssociatedData(reader(words[3]), master, aad)
		if err != nil {
			return "forged"
		}
		return written(handle, true)
	}
	text, err := workOf(words[0], handle)(bytesOf(words[3]), aad)
	if err != nil {
		return "forged"
	}
	return wordOf(text)
}

func main() {
	registry.RegisterKMSClient(must(fakekms.NewClient("fake-kms://")))
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		fmt.Println(answer(strings.Fields(lines.Text())))
	}
}
