package tink_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/daead"
	"github.com/tink-crypto/tink-go/v2/daead/aessiv"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
	"github.com/tink-crypto/tink-go/v2/tink"
	"google.golang.org/protobuf/proto"
	"sivka.dev/go"
	sivkatink "sivka.dev/go/tink"
)

func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

// calls are both ways of a primitive.
type calls struct {
	encrypt, decrypt func(text, associatedData []byte) ([]byte, error)
}

func ours(handle *keyset.Handle) calls {
	return callsOf(handle, sivkatink.NewAEAD, sivkatink.NewDeterministicAEAD)
}

func theirs(handle *keyset.Handle) calls { return callsOf(handle, aead.New, daead.New) }

func callsOf(
	handle *keyset.Handle, newAEAD func(*keyset.Handle) (tink.AEAD, error),
	newDeterministic func(*keyset.Handle) (tink.DeterministicAEAD, error),
) calls {
	if isDeterministic(handle) {
		p := must(newDeterministic(handle))
		return calls{p.EncryptDeterministically, p.DecryptDeterministically}
	}
	p := must(newAEAD(handle))
	return calls{p.Encrypt, p.Decrypt}
}

func isDeterministic(handle *keyset.Handle) bool {
	_, is := must(handle.Primary()).Key().(*aessiv.Key)
	return is
}

// templates of the keys that are Sivka's.
func templates() map[string]*tinkpb.KeyTemplate {
	all := map[string]*tinkpb.KeyTemplate{}
	for name, template := range map[string]*tinkpb.KeyTemplate{
		"AES128_GCM_SIV": aead.AES128GCMSIVKeyTemplate(),
		"AES256_GCM_SIV": aead.AES256GCMSIVKeyTemplate(),
		"AES256_SIV":     daead.AESSIVKeyTemplate(),
	} {
		for _, prefix := range []tinkpb.OutputPrefixType{tinkpb.OutputPrefixType_TINK, tinkpb.OutputPrefixType_CRUNCHY, tinkpb.OutputPrefixType_RAW} {
			changed := proto.Clone(template).(*tinkpb.KeyTemplate)
			changed.OutputPrefixType = prefix
			all[name+" "+prefix.String()] = changed
		}
	}
	return all
}

// opensEverywhere checks what one of the two has sealed.
func opensEverywhere(t *testing.T, handle *keyset.Handle, sealed, text, associatedData []byte) {
	t.Helper()
	for name, p := range map[string]calls{"ours": ours(handle), "theirs": theirs(handle)} {
		if opened, err := p.decrypt(sealed, associatedData); err != nil || !bytes.Equal(opened, text) {
			t.Errorf("%s: %x, %v", name, opened, err)
		}
	}
	p := ours(handle)
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		if _, err := p.decrypt(changed, associatedData); err == nil {
			t.Errorf("byte %d changed: it opens", i)
		}
		if _, err := p.decrypt(sealed[:i], associatedData); err == nil {
			t.Errorf("cut after %d bytes: it opens", i)
		}
	}
	if _, err := p.decrypt(sealed, append([]byte{0}, associatedData...)); err == nil {
		t.Error("with other associated data it opens")
	}
}

func TestBothWaysWithTinkGo(t *testing.T) {
	for name, template := range templates() {
		t.Run(name, func(t *testing.T) {
			handle := must(keyset.NewHandle(template))
			mine, tinks := ours(handle), theirs(handle)
			for _, size := range []int{0, 1, 16, 1000} {
				text, associatedData := bytes.Repeat([]byte{5}, size), []byte("to: alice")[:size%10]
				sealed, expected := must(mine.encrypt(text, associatedData)), must(tinks.encrypt(text, associatedData))
				opensEverywhere(t, handle, sealed, text, associatedData)
				opensEverywhere(t, handle, expected, text, associatedData)
				if isDeterministic(handle) && !bytes.Equal(sealed, expected) {
					t.Error("other bytes")
				}
				// An empty text is not nil, or a program that asks for that sees another answer.
				if must(mine.decrypt(sealed, associatedData)) == nil {
					t.Error("opens to nil")
				}
				// Plain Go allocates.
				count := testing.AllocsPerRun(10, func() { must(mine.encrypt(text, associatedData)) })
				if sivka.Tier() != "go" && count > 1 {
					t.Errorf("%d bytes: %v allocations", size, count)
				}
			}
		})
	}
}

// A keyset with keys that are tink-go's and keys that are not, each as
// primary.
func TestKeysetsThatAreMixedAndRotated(t *testing.T) {
	manager := keyset.NewManager()
	var ids []uint32
	for _, template := range []*tinkpb.KeyTemplate{
		aead.AES256GCMKeyTemplate(), aead.AES256GCMSIVKeyTemplate(), aead.AES256GCMSIVNoPrefixKeyTemplate(),
		aead.ChaCha20Poly1305KeyTemplate(), aead.AES128GCMSIVKeyTemplate(), aead.AES256GCMNoPrefixKeyTemplate(),
	} {
		ids = append(ids, must(manager.Add(template)))
	}
	var sealed [][]byte
	text, associatedData := []byte("meet at noon"), []byte("to: alice")
	for _, id := range ids {
		if err := manager.SetPrimary(id); err != nil {
			t.Fatal(err)
		}
		handle := must(manager.Handle())
		sealed = append(sealed, must(ours(handle).encrypt(text, associatedData)), must(theirs(handle).encrypt(text, associatedData)))
	}
	handle := must(manager.Handle())
	for _, each := range sealed {
		opensEverywhere(t, handle, each, text, associatedData)
	}
	if err := manager.Disable(ids[1]); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]calls{"ours": ours(must(manager.Handle())), "theirs": theirs(must(manager.Handle()))} {
		if _, err := p.decrypt(sealed[2], associatedData); err == nil {
			t.Errorf("%s: a disabled key opens", name)
		}
		if _, err := p.decrypt(sealed[4], associatedData); err != nil {
			t.Errorf("%s: another key: %v", name, err)
		}
	}
}

func TestWhatTinkGoRefusesIsRefused(t *testing.T) {
	siv, gcmSIV := must(keyset.NewHandle(daead.AESSIVKeyTemplate())), must(keyset.NewHandle(aead.AES256GCMSIVKeyTemplate()))
	if _, err := sivkatink.NewAEAD(siv); err == nil {
		t.Error("AES-SIV is an AEAD")
	}
	if _, err := sivkatink.NewDeterministicAEAD(gcmSIV); err == nil {
		t.Error("AES-GCM-SIV is deterministic")
	}
	if _, err := sivkatink.NewAEAD(nil); err == nil {
		t.Error("no keyset")
	}
}

// The keysets of vectors/keyset/tink.json, each of which says its source.
func TestKeysetVectors(t *testing.T) {
	type message struct{ Plaintext, AAD, Ciphertext string }
	var file struct {
		Keysets []struct {
			Name, JSON        string
			Messages, Refused []message
		}
	}
	if err := json.Unmarshal(must(os.ReadFile("../../../vectors/keyset/tink.json")), &file); err != nil {
		t.Fatal(err)
	}
	played := 0
	for _, vector := range file.Keysets {
		handle := must(insecurecleartextkeyset.Read(keyset.NewJSONReader(strings.NewReader(vector.JSON))))
		for _, m := range vector.Messages {
			text, associatedData, sealed := must(hex.DecodeString(m.Plaintext)), must(hex.DecodeString(m.AAD)), must(hex.DecodeString(m.Ciphertext))
			opensEverywhere(t, handle, sealed, text, associatedData)
			if isDeterministic(handle) && !bytes.Equal(must(ours(handle).encrypt(text, associatedData)), sealed) {
				t.Error(vector.Name, "other bytes")
			}
			played++
		}
		for _, m := range vector.Refused {
			if _, err := ours(handle).decrypt(must(hex.DecodeString(m.Ciphertext)), must(hex.DecodeString(m.AAD))); err == nil {
				t.Error(vector.Name, "a disabled key opens")
			}
			played++
		}
	}
	if played != 11 {
		t.Errorf("%d messages, expected 11", played)
	}
}
