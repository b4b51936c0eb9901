package file

import (
	"bytes"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sivka.dev/go"
)

// Key opens a slot of a file: a [*KeyFile] or a [*Passphrase]. Anything else
// is [ErrKey]. Slots that are sealed to public keys of age are kept from other
// slots, and not opened here.
type Key interface {
	isKey()
}

// checkKeys refuses types that only look like a key: a type that embeds one has
// its methods, too.
func checkKeys(keys []Key) error {
	for _, key := range keys {
		var secret *secretBytes
		switch key := key.(type) {
		case *KeyFile:
			if key != nil {
				secret = key.secret
			}
		case *Passphrase:
			if key != nil {
				secret = key.secret
			}
		}
		if secret == nil || secret.isWiped.Load() {
			return ErrKey
		}
	}
	return nil
}

// secretBytes are wiped when no key refers to them any more, which may be a
// copy of the first, or before.
type secretBytes struct {
	// Behind a pointer of its own: with a wrong verb, package fmt prints the
	// target of one pointer.
	place   *[]byte
	isWiped atomic.Bool
}

func newSecretBytes(bytes []byte) *secretBytes {
	held := slices.Clone(bytes)
	s := &secretBytes{place: &held}
	runtime.AddCleanup(s, func(bytes []byte) { clear(bytes) }, held)
	return s
}

func (s *secretBytes) bytes() []byte { return *s.place }

func (s *secretBytes) wipe() {
	if s != nil {
		s.isWiped.Store(true)
		clear(s.bytes())
	}
}

// KeySize is the length of a key file's key in bytes.
const KeySize = 32

// The most bytes of a name of a key, and of the text of a key file.
const (
	maxNameSize    = 64
	maxKeyFileSize = 1024
)

// KeyFile is a random key of 32 bytes, with a name that says whose it is. It
// is wiped when nothing refers to it any more.
type KeyFile struct {
	secret *secretBytes
	name   string
	id     [8]byte
}

// GenerateKeyFile makes a key of random bytes. The only error is
// [ErrKeyName].
func GenerateKeyFile(name string) (*KeyFile, error) {
	key := make([]byte, KeySize)
	defer clear(key)
	// It ends the program where the system gives no random bytes.
	_, _ = rand.Read(key)
	return NewKeyFile(key, name)
}

// NewKeyFile makes a key file of 32 uniformly random bytes, which it copies.
// The name has 1 to 64 bytes of UTF-8, without control characters, and
// without white space at its ends. The errors are [sivka.KeySizeError] and
// [ErrKeyName].
func NewKeyFile(key []byte, name string) (*KeyFile, error) {
	if len(key) != KeySize {
		return nil, sivka.KeySizeError{Given: len(key), Expected: strconv.Itoa(KeySize)}
	}
	if len(name) < 1 || len(name) > maxNameSize || !utf8.ValidString(name) ||
		strings.TrimFunc(name, isWhiteSpace) != name || strings.ContainsFunc(name, unicode.IsControl) {
		return nil, ErrKeyName
	}
	id, err := hkdf.Expand(sha512.New, key, "sivka.key.v1 id", 8)
	if err != nil {
		return nil, err
	}
	return &KeyFile{newSecretBytes(key), name, [8]byte(id)}, nil
}

func isWhiteSpace(r rune) bool { return unicode.Is(unicode.White_Space, r) }

// ParseKeyFile reads what [KeyFile.Text] returns, also with CR LF for LF,
// without the last line end, or with a byte order mark. The time does not
// depend on the bytes of the key. The error is [ErrKeyFile].
//
// The content may also be sealed, as "sivka keygen --protect" does, for the
// passphrase. Without one it is [ErrNeedsPassphrase], with a wrong one
// [ErrWrongKey]; the other errors are those of a [Reader] with the default
// options. A key file in the clear needs none, and nil is allowed.
func ParseKeyFile(text []byte, passphrase *Passphrase) (*KeyFile, error) {
	if !bytes.HasPrefix(text, []byte(magic)) {
		return parseKeyText(text)
	}
	if passphrase == nil {
		return nil, ErrNeedsPassphrase
	}
	r, err := NewReader(bytes.NewReader(text), []Key{passphrase}, nil)
	if err != nil {
		return nil, err
	}
	defer func() { clear(r.text[:cap(r.text)]) }()
	// With capacity for one byte more than any has: growing would leave copies.
	opened := make([]byte, maxKeyFileSize+1)
	defer clear(opened)
	switch size, err := io.ReadFull(r, opened); err {
	case io.EOF, io.ErrUnexpectedEOF:
		return parseKeyText(opened[:size])
	case nil:
		return nil, ErrKeyFile
	default:
		return nil, err
	}
}

func parseKeyText(text []byte) (*KeyFile, error) {
	if len(text) > maxKeyFileSize {
		return nil, ErrKeyFile
	}
	text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	defer clear(text)
	lines := bytes.SplitN(text, []byte("\n"), 6)
	if len(lines) < 5 {
		return nil, ErrKeyFile
	}
	name, hasName := bytes.CutPrefix(lines[1], []byte("name: "))
	digits, hasKey := bytes.CutPrefix(lines[3], []byte("key: "))
	var key [KeySize]byte
	defer clear(key[:])
	if !hasName || !hasKey || !parseDigits(key[:], digits) {
		return nil, ErrKeyFile
	}
	k, err := NewKeyFile(key[:], string(name))
	if err != nil {
		return nil, ErrKeyFile
	}
	// The other lines follow from these, and every rule for them too.
	expected := k.Text()
	defer clear(expected)
	given := bytes.TrimSuffix(text, []byte("\n"))
	if subtle.ConstantTimeCompare(given, expected[:len(expected)-1]) != 1 {
		return nil, ErrKeyFile
	}
	return k, nil
}

// Text returns the content of the key file: five lines, which hold the key.
// Keep it where only its owner reads, and a copy elsewhere.
func (k *KeyFile) Text() []byte {
	if k.secret.isWiped.Load() {
		panic("file: use of a key that was wiped")
	}
	// With capacity for all of it: growing would leave copies.
	text := make([]byte, 0, maxKeyFileSize)
	text = append(text, "sivka key file, version 1\nname: "+k.name+"\nid: "+k.ID()+"\nkey: "...)
	text = append(appendDigits(text, k.secret.bytes()), '\n')
	if k.secret.isWiped.Load() {
		// Meanwhile: it may be of zeros.
		clear(text)
		panic("file: use of a key that was wiped")
	}
	check := sha512.Sum512(text)
	text = append(appendDigits(append(text, "check: "...), check[:8]), '\n')
	runtime.KeepAlive(k)
	return text
}

// Wipe overwrites the key at once. To seal or to open with it is [ErrKey] from
// then on, and Text panics. Writers and readers that were made with it stay
// as they are.
func (k *KeyFile) Wipe() { k.secret.wipe() }

// Name returns the name that its owner gave it.
func (k *KeyFile) Name() string { return k.name }

// ID returns the 16 hexadecimal digits by which slots name the key. It links
// the files of one key for everybody who sees them.
func (k *KeyFile) ID() string { return hex.EncodeToString(k.id[:]) }

// String returns name and id, and nothing else of the key.
func (k *KeyFile) String() string { return k.name + " (" + k.ID() + ")" }

// GoString is as [KeyFile.String].
func (k *KeyFile) GoString() string { return k.String() }

func (*KeyFile) isKey() {}

// Passphrase opens files for people who know it. It is wiped when nothing
// refers to it any more.
type Passphrase struct {
	secret *secretBytes
	// given is the passphrase as it was given, if it was not normalised.
	given *Passphrase
}

// NewPassphrase copies a passphrase: the UTF-8 encoding of the typed text,
// without a line end. A slot is made with its normalisation form C, and opened
// with that or with the typed text.
//
// The errors are [ErrEmptyPassphrase] and, for text that is not UTF-8 or has
// more than 30 combining marks in a row, [ErrPassphrase]. Other languages take
// such marks, but golang.org/x/text does not make their form C.
func NewPassphrase(text []byte) (*Passphrase, error) {
	if len(text) == 0 {
		return nil, ErrEmptyPassphrase
	}
	if !utf8.Valid(text) {
		return nil, ErrPassphrase
	}
	passphrase := &Passphrase{secret: newSecretBytes(text)}
	if !norm.NFC.IsNormal(text) {
		// Three times the length is the most that form C needs: growing would
		// leave copies.
		normalised := norm.NFC.Append(make([]byte, 0, 3*len(text)), text...)
		defer clear(normalised)
		// The character that it puts between too many marks, and form C never does.
		joiner := []byte("\u034f")
		if bytes.Count(normalised, joiner) != bytes.Count(text, joiner) {
			return nil, ErrPassphrase
		}
		passphrase = &Passphrase{newSecretBytes(normalised), passphrase}
	}
	return passphrase, nil
}

// Wipe overwrites the passphrase at once, as [KeyFile.Wipe].
func (p *Passphrase) Wipe() {
	p.secret.wipe()
	if p.given != nil {
		p.given.Wipe()
	}
}

// String returns nothing of the passphrase.
func (*Passphrase) String() string { return "Passphrase" }

// GoString is as [Passphrase.String].
func (*Passphrase) GoString() string { return "Passphrase" }

func (*Passphrase) isKey() {}

// Hexadecimal digits of keys, without a branch or an address that depends on
// them: encoding/hex has a table.

// appendDigits appends the lower-case digits of bytes to text.
func appendDigits(text, bytes []byte) []byte {
	for _, b := range bytes {
		text = append(text, digit(int32(b>>4)), digit(int32(b&15)))
	}
	return text
}

// digit adds the distance from '9'+1 to 'a' for values of 10 and more.
func digit(value int32) byte {
	return byte('0' + value + (9-value)>>31&('a'-'0'-10))
}

// parseDigits writes what lower-case digits are to out, and reports whether
// there are exactly so many and nothing else.
func parseDigits(out, digits []byte) bool {
	if len(digits) != 2*len(out) {
		return false
	}
	valid := int32(-1)
	for i := range out {
		high, isHigh := valueOf(digits[2*i])
		low, isLow := valueOf(digits[2*i+1])
		out[i] = byte(high<<4 | low)
		valid &= isHigh & isLow
	}
	return valid == -1
}

// valueOf returns the value of a digit and -1, or the wrong character and 0.
func valueOf(digit byte) (value, is int32) {
	decimal, letter := int32(digit)-'0', int32(digit)-'a'
	isDecimal := ^((decimal | (9 - decimal)) >> 31)
	isLetter := ^((letter | (5 - letter)) >> 31)
	return decimal&isDecimal | (letter+10)&isLetter, isDecimal | isLetter
}
