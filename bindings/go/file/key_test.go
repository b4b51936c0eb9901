package file_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sivka.dev/go/file"
)

// The example of section 8.1 of the specification.
const keyText = `sivka key file, version 1
name: example
id: 3ab042dce2170ba7
key: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
check: f846336fe29176f8
`

func TestKeyFileOfTheSpecification(t *testing.T) {
	var secret []byte
	for i := range 32 {
		secret = append(secret, byte(i))
	}
	key := must(file.NewKeyFile(secret, "example"))
	if string(key.Text()) != keyText {
		t.Errorf("written:\n%s", key.Text())
	}
	for what, text := range map[string]string{
		"as it is":                  keyText,
		"lines of Windows":          strings.ReplaceAll(keyText, "\n", "\r\n"),
		"without the last line end": strings.TrimSuffix(keyText, "\n"),
		"byte order mark":           "\ufeff" + keyText,
	} {
		if read, err := file.ParseKeyFile([]byte(text), nil); err != nil || !bytes.Equal(read.Text(), key.Text()) {
			t.Error(what, err)
		}
	}
	if shown := fmt.Sprintf("%v %+v %#v %s", key, key, key, key); strings.Contains(shown, "0102") || strings.Contains(shown, "1, 2") {
		t.Error("the key is shown:", shown)
	}
}

func TestKeyFileThatDiffersIsRefused(t *testing.T) {
	for i := range keyText {
		for _, bit := range []byte{1, 2, 4, 8, 16, 32, 64, 128} {
			changed := []byte(keyText)
			changed[i] ^= bit
			if _, err := file.ParseKeyFile(changed, nil); err != file.ErrKeyFile {
				t.Errorf("byte %d changed to %q: %v", i, changed[i], err)
			}
		}
		if i < len(keyText)-1 {
			if _, err := file.ParseKeyFile([]byte(keyText[:i]), nil); err != file.ErrKeyFile {
				t.Errorf("cut after %d: %v", i, err)
			}
		}
	}
	for what, text := range map[string]string{
		"a line more":      keyText + "\n",
		"a bare CR":        strings.TrimSuffix(keyText, "\n") + "\r",
		"two marks":        "\ufeff\ufeff" + keyText,
		"upper-case":       strings.Replace(keyText, "0a0b", "0A0B", 1),
		"too long":         keyText + strings.Repeat(" ", 1024),
		"space before":     " " + keyText,
		"another name":     strings.Replace(keyText, "example", "examples", 1),
		"no name":          strings.Replace(keyText, "example", "", 1),
		"digits that fall": strings.Replace(keyText, "1f\n", "1\n", 1),
	} {
		if _, err := file.ParseKeyFile([]byte(text), nil); err != file.ErrKeyFile {
			t.Error(what, err)
		}
	}
}

// A key file that a passphrase protects is one call, and whose fault it is can
// be told.
func TestProtectedKeyFile(t *testing.T) {
	passphrase := must(file.NewPassphrase([]byte("correct horse")))
	seal := func(text []byte, key file.Key) []byte {
		var sealed bytes.Buffer
		must(file.Seal(&sealed, bytes.NewReader(text), keysOf(key), &file.WriterOptions{Cost: cheap}))
		return sealed.Bytes()
	}
	protected := seal([]byte(keyText), passphrase)
	key, err := file.ParseKeyFile(protected, passphrase)
	if err != nil || string(key.Text()) != keyText {
		t.Error("protected:", err)
	}
	if _, err := file.ParseKeyFile([]byte(keyText), passphrase); err != nil {
		t.Error("in the clear, with a passphrase:", err)
	}
	changed := bytes.Clone(protected)
	changed[len(changed)-1] ^= 1
	other := must(file.NewPassphrase([]byte("wrong horse")))
	for what, refused := range map[string]struct {
		text       []byte
		passphrase *file.Passphrase
		expected   error
	}{
		"no passphrase":      {protected, nil, file.ErrNeedsPassphrase},
		"a wrong passphrase": {protected, other, file.ErrWrongKey},
		"another slot":       {seal([]byte(keyText), key), passphrase, file.ErrWrongKey},
		"damaged":            {changed, passphrase, file.ErrTruncated},
		"cut off":            {protected[:len(protected)-1], passphrase, file.ErrTruncated},
		"cut in the header":  {protected[:100], passphrase, file.ErrTruncated},
		"no key file":        {seal([]byte("a letter"), passphrase), passphrase, file.ErrKeyFile},
		"empty":              {seal(nil, passphrase), passphrase, file.ErrKeyFile},
		"a long text":        {seal(make([]byte, 70_000), passphrase), passphrase, file.ErrKeyFile},
		"a key file and more": {
			seal(append([]byte(keyText), make([]byte, 970)...), passphrase), passphrase, file.ErrKeyFile,
		},
	} {
		if _, err := file.ParseKeyFile(refused.text, refused.passphrase); !errors.Is(err, refused.expected) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestNamesOfKeys(t *testing.T) {
	secret := make([]byte, 32)
	for name, allowed := range map[string]bool{
		"a": true, strings.Repeat("a", 64): true, "Ключ № 1": true, "a b": true,
		"": false, strings.Repeat("a", 65): false, " a": false, "a\u00a0": false, "a\nb": false,
		"a\u0085b": false, "\xff": false,
	} {
		if _, err := file.NewKeyFile(secret, name); (err == nil) != allowed {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := file.NewKeyFile(secret[1:], "a"); err == nil {
		t.Error("a key of 31 bytes")
	}
	if _, err := file.NewPassphrase(nil); err != file.ErrEmptyPassphrase {
		t.Error("an empty passphrase:", err)
	}
}

// No verb of package fmt prints a key, whatever holds it.
func TestNoVerbPrintsAKey(t *testing.T) {
	key := must(file.NewKeyFile(bytes.Repeat([]byte("k"), file.KeySize), "mine"))
	passphrase := must(file.NewPassphrase(bytes.Repeat([]byte("k"), 20)))
	for _, holds := range []any{key, *key, passphrase, *passphrase, []any{*key, *passphrase}, struct{ Key file.KeyFile }{*key}} {
		for _, verb := range "vTtbcdoOqxXUeEfFgGsp" {
			for _, flag := range []string{"", "+", "#", " "} {
				printed := fmt.Sprintf("%"+flag+string(verb), holds)
				for _, leaked := range []string{"kkkk", "6b6b", "6B6B", "6b 6b", "107 107", "0x6b, ", "U+006B U+006B"} {
					if strings.Contains(printed, leaked) {
						t.Errorf("%%%s%c of %T: %s", flag, verb, holds, printed)
					}
				}
			}
		}
	}
}
