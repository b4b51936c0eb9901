package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/c2sp/wycheproof"

	"sivka.dev/go"
)

// wycheproofFile is a file of Wycheproof's AEAD tests.
type wycheproofFile struct {
	NumberOfTests int
	TestGroups    []struct {
		KeySize int
		Tests   []struct {
			TcID                       int
			Comment, Result            string
			Key, IV, AAD, Msg, CT, Tag hexBytes
		}
	}
}

func TestWycheproof(t *testing.T) {
	text, err := fs.ReadFile(wycheproof.TestVectors, "aes_gcm_siv_test.json")
	if err != nil {
		t.Fatal(err)
	}
	var file wycheproofFile
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	onEveryTier(t, func(t *testing.T) {
		valid, invalid := 0, 0
		for _, group := range file.TestGroups {
			a := find(t, fmt.Sprintf("AES-%d-GCM-SIV", group.KeySize))
			for _, c := range group.Tests {
				key, sealed := a.make(t, c.Key), append(bytes.Clone(c.CT), c.Tag...)
				if c.Result == "invalid" {
					invalid++
					if _, err := key.Open(nil, c.IV, sealed, c.AAD); !errors.Is(err, sivka.ErrOpen) {
						t.Errorf("%d, %s: opens, %v", c.TcID, c.Comment, err)
					}
					continue
				}
				valid++
				if got := key.Seal(nil, c.IV, c.Msg, c.AAD); !bytes.Equal(got, sealed) {
					t.Errorf("%d, %s: seals to %x", c.TcID, c.Comment, got)
				}
				if got, err := key.Open(nil, c.IV, sealed, c.AAD); err != nil || !bytes.Equal(got, c.Msg) {
					t.Errorf("%d, %s: opens to %x, %v", c.TcID, c.Comment, got, err)
				}
			}
		}
		if valid != 136 || invalid != 66 || file.NumberOfTests != 202 {
			t.Errorf("%d valid and %d invalid cases ran", valid, invalid)
		}
	})
}
