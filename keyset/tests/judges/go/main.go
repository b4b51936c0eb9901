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
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
	"github.com/tink-crypto/tink-go/v2/streamingaead"
	"github.com/tink-crypto/tink-go/v2/testing/fakekms"
)

var templates = map[string]func() *tinkpb.KeyTemplate{
	"AES128_GCM_SIV":             aead.AES128GCMSIVKeyTemplate,
	"AES256_GCM_SIV":             aead.AES256GCMSIVKeyTemplate,
	"AES256_SIV":                 daead.AESSIVKeyTemplate,
	"AES128_GCM":                 aead.AES128GCMKeyTemplate,
	"AES256_GCM":                 aead.AES256GCMKeyTemplate,
	"CHACHA20_POLY1305":          aead.ChaCha20Poly1305KeyTemplate,
	"XCHACHA20_POLY1305":         aead.XChaCha20Poly1305KeyTemplate,
	"XAES_256_GCM_192_BIT_NONCE": aead.XAES256GCM192BitNonceKeyTemplate,
	"XAES_256_GCM_160_BIT_NONCE": aead.XAES256GCM160BitNonceKeyTemplate,
	"AES128_CTR_HMAC_SHA256":     aead.AES128CTRHMACSHA256KeyTemplate,
	"AES256_CTR_HMAC_SHA256":     aead.AES256CTRHMACSHA256KeyTemplate,
	"AES128_GCM_HKDF_4KB":        streamingaead.AES128GCMHKDF4KBKeyTemplate,
	"AES128_GCM_HKDF_1MB":        streamingaead.AES128GCMHKDF1MBKeyTemplate,
	"AES256_GCM_HKDF_4KB":        streamingaead.AES256GCMHKDF4KBKeyTemplate,
	"AES256_GCM_HKDF_1MB":        streamingaead.AES256GCMHKDF1MBKeyTemplate,
	"AES128_CTR_HMAC_SHA256_4KB": streamingaead.AES128CTRHMACSHA256Segment4KBKeyTemplate,
	"AES128_CTR_HMAC_SHA256_1MB": streamingaead.AES128CTRHMACSHA256Segment1MBKeyTemplate,
	"AES256_CTR_HMAC_SHA256_4KB": streamingaead.AES256CTRHMACSHA256Segment4KBKeyTemplate,
	"AES256_CTR_HMAC_SHA256_1MB": streamingaead.AES256CTRHMACSHA256Segment1MBKeyTemplate,
}

func bytesOf(word string) []byte {
	if word == "-" {
		return nil
	}
	bytes, err := hex.DecodeString(word)
	if err != nil {
		panic(err)
	}
	return bytes
}

func wordOf(bytes []byte) string {
	if len(bytes) == 0 {
		return "-"
	}
	return hex.EncodeToString(bytes)
}

func read(word string) (*keyset.Handle, error) {
	return insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(bytesOf(word))))
}

func written(handle *keyset.Handle, json bool) (string, error) {
	var out bytes.Buffer
	var writer keyset.Writer = keyset.NewBinaryWriter(&out)
	if json {
		writer = keyset.NewJSONWriter(&out)
	}
	err := insecurecleartextkeyset.Write(handle, writer)
	return wordOf(out.Bytes()), err
}

func answer(words []string) (string, error) {
	if words[0] == "make" {
		template, known := templates[words[1]]
		if !known {
			return "unknown", nil
		}
		handle, err := keyset.NewHandle(template())
		if err != nil {
			return "", err
		}
		return written(handle, true)
	}
	handle, err := read(words[1])
	if err != nil {
		return "", err
	}
	switch words[0] {
	case "binary":
		return written(handle, false)
	case "encrypt", "decrypt":
		return underMaster(handle, words)
	case "seal", "open":
		primitive, err := aead.New(handle)
		if err != nil {
			return "", err
		}
		if words[0] == "seal" {
			sealed, err := primitive.Encrypt(bytesOf(words[3]), bytesOf(words[2]))
			return wordOf(sealed), err
		}
		opened, err := primitive.Decrypt(bytesOf(words[3]), bytesOf(words[2]))
		if err != nil {
			return "forged", nil
		}
		return wordOf(opened), nil
	case "seal-daead", "open-daead":
		primitive, err := daead.New(handle)
		if err != nil {
			return "", err
		}
		if words[0] == "seal-daead" {
			sealed, err := primitive.EncryptDeterministically(bytesOf(words[3]), bytesOf(words[2]))
			return wordOf(sealed), err
		}
		opened, err := primitive.DecryptDeterministically(bytesOf(words[3]), bytesOf(words[2]))
		if err != nil {
			return "forged", nil
		}
		return wordOf(opened), nil
	}
	if strings.HasSuffix(words[0], "-stream") {
		return stream(handle, words)
	}
	return "", fmt.Errorf("no such question")
}

func stream(handle *keyset.Handle, words []string) (string, error) {
	primitive, err := streamingaead.New(handle)
	if err != nil {
		return "", err
	}
	text, aad := bytesOf(words[3]), bytesOf(words[2])
	if words[0] == "seal-stream" {
		var sealed bytes.Buffer
		writer, err := primitive.NewEncryptingWriter(&sealed, aad)
		if err != nil {
			return "", err
		}
		if _, err := writer.Write(text); err != nil {
			return "", err
		}
		err = writer.Close()
		return wordOf(sealed.Bytes()), err
	}
	reader, err := primitive.NewDecryptingReader(bytes.NewReader(text), aad)
	if err != nil {
		return "forged", nil
	}
	opened, err := io.ReadAll(reader)
	if err != nil {
		return "forged", nil
	}
	return wordOf(opened), nil
}

// A keyset, which is the fourth word, under the master's AEAD.
func underMaster(master *keyset.Handle, words []string) (string, error) {
	primitive, err := aead.New(master)
	if err != nil {
		return "", err
	}
	aad := bytesOf(words[2])
	if words[0] == "encrypt" {
		handle, err := read(words[3])
		if err != nil {
			return "", err
		}
		var out bytes.Buffer
		err = handle.WriteWithAssociatedData(keyset.NewJSONWriter(&out), primitive, aad)
		return wordOf(out.Bytes()), err
	}
	reader := keyset.NewJSONReader(bytes.NewReader(bytesOf(words[3])))
	handle, err := keyset.ReadWithAssociatedData(reader, primitive, aad)
	if err != nil {
		return "forged", nil
	}
	return written(handle, true)
}

func main() {
	kms, err := fakekms.NewClient("fake-kms://")
	if err != nil {
		panic(err)
	}
	registry.RegisterKMSClient(kms)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		answered, err := answer(strings.Fields(lines.Text()))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			answered = "refused"
		}
		fmt.Println(answered)
	}
}
