package file

import (
	"bytes"
	"strings"
	"testing"
)

// A passphrase that is not in form C is kept in both forms, and wiped in both.
func TestBothFormsOfAPassphraseAreWiped(t *testing.T) {
	p, err := NewPassphrase([]byte("cafe\u0301"))
	if err != nil {
		t.Fatal(err)
	}
	if p.given == nil {
		t.Fatal("one form only")
	}
	p.Wipe()
	for _, form := range []*Passphrase{p, p.given} {
		if text := form.secret.bytes(); !bytes.Equal(text, make([]byte, len(text))) {
			t.Errorf("%q is left", text)
		}
	}
}

// golang.org/x/text puts U+034F after thirty combining marks, which form C does
// not have: such a passphrase would open nothing that others seal.
func TestAPassphraseWhoseFormCannotBeMade(t *testing.T) {
	marks := func(base string, acute, dot int) string {
		return base + strings.Repeat("\u0301", acute) + strings.Repeat("\u0323", dot)
	}
	for _, text := range []string{
		"\xff\xfe", "cut \xc3", marks("a", 0, 31), marks("a", 40, 0), marks("a", 20, 20),
		marks("", 31, 0), marks("\u034f", 31, 0),
	} {
		if _, err := NewPassphrase([]byte(text)); err != ErrPassphrase {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, form := range map[string]string{
		marks("a", 0, 30):      marks("\u1ea1", 0, 29),
		marks("a\u034f", 3, 0): marks("a\u034f", 3, 0),
		marks("a", 12, 12):     "\u1ea1" + strings.Repeat("\u0323", 11) + strings.Repeat("\u0301", 12),
	} {
		p, err := NewPassphrase([]byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := p.secret.bytes(); string(got) != form {
			t.Errorf("%q became %q", text, got)
		}
	}
}
