package file

import (
	"bytes"
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
