package tests

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/internal/keys"
)

// hexBytes is bytes that JSON has as hexadecimal digits.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) error {
	decoded, err := hex.DecodeString(string(text))
	*h = decoded
	return err
}

// vectorFile is a file of vectors/, whose README describes the format.
type vectorFile struct {
	Source string
	Groups []struct {
		Algorithm, Section string
		CaseCount          int `json:"case_count"`
		Cases              []struct {
			Name                                        string
			Key, Nonce, AAD, Plaintext, Ciphertext, Tag hexBytes
		}
	}
}

func readVectors(t *testing.T, path string) vectorFile {
	t.Helper()
	text, err := os.ReadFile("../../../vectors/" + path)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var file vectorFile
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(path, err)
	}
	return file
}

// suffixes of the names of algorithms, by the lengths of their tags.
var suffixes = map[int]string{48: "-Tag48", 64: "-Tag64"}

// vectorFiles are the files of messages, and how many cases each has.
var vectorFiles = map[string]int{
	"aes-gcm-siv/rfc8452.json":              48,
	"aes-gcm-siv/rfc8452-counter-wrap.json": 2,
	"aes-siv/aead.json":                     26,
	"chacha20-blake2b/aead.json":            180,
	"kuznyechik/rfc9058.json":               2,
}

func TestVectors(t *testing.T) {
	for path, count := range vectorFiles {
		if sivka.Tier() == "go" && strings.HasPrefix(path, "kuznyechik") {
			continue
		}
		file := readVectors(t, path)
		onEveryTier(t, func(t *testing.T) {
			ran := 0
			for _, group := range file.Groups {
				for _, c := range group.Cases {
					a := algorithm(keys.Find(group.Algorithm + suffixes[len(c.Tag)]))
					key, sealed := a.make(t, c.Key), a.join(c.Ciphertext, c.Tag)
					if got := key.Seal(nil, c.Nonce, c.Plaintext, c.AAD); !bytes.Equal(got, sealed) {
						t.Errorf("%s: seals to %.32x", c.Name, got)
					}
					if got, err := key.Open(nil, c.Nonce, sealed, c.AAD); err != nil || !bytes.Equal(got, c.Plaintext) {
						t.Errorf("%s: opens to %.32x, %v", c.Name, got, err)
					}
					for _, count := range []int{3, 14} {
						b := &sivka.Batch{Nonces: bytes.Repeat(c.Nonce, count), Tags: make([]byte, count*len(c.Tag)), AAD: c.AAD}
						for range count {
							b.Texts = append(b.Texts, bytes.Clone(c.Plaintext))
						}
						key.SealBatch(b)
						if got := a.join(b.Texts[count-1], b.Tags[(count-1)*len(c.Tag):]); !bytes.Equal(got, sealed) {
							t.Errorf("%s: %d of it seal to %.32x", c.Name, count, got)
						}
						b.Tags[0] ^= 1
						var failed *sivka.BatchError
						if err := key.OpenBatch(b); !errors.As(err, &failed) || !slices.Equal(failed.Failed, []int{0}) || !bytes.Equal(b.Texts[count-1], c.Plaintext) {
							t.Errorf("%s: %d of it open to %.32x, %v", c.Name, count, b.Texts[count-1], err)
						}
					}
					sealed[len(sealed)-1] ^= 1
					if _, err := key.Open(nil, c.Nonce, sealed, c.AAD); !errors.Is(err, sivka.ErrOpen) {
						t.Errorf("%s: a forged tag opens: %v", c.Name, err)
					}
					ran++
				}
			}
			if ran != count {
				t.Errorf("%s: %d cases ran, %d expected", path, ran, count)
			}
		})
	}
}
