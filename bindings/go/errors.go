package sivka

import (
	"errors"
	"runtime"
	"strconv"
)

// ErrOpen is the only error that the content of a sealed message can cause.
// It says nothing about why the message does not open: its key, its nonce,
// its additional data or its tag may be wrong, or it may be too short.
var ErrOpen = errors.New("sivka: message authentication failed")

// ErrSelfCheck says that the code for this CPU gave a wrong known answer, and
// refuses to run. No other code replaces it.
var ErrSelfCheck = errors.New("sivka: the code for this CPU failed its known-answer check")

// ErrNoCode says that this program has no machine code for its CPU. There is
// no Kuznyechik in plain Go.
var ErrNoCode = errors.New("sivka: this program has no machine code for " + runtime.GOARCH)

// KeySizeError says that a key has a length that its algorithm does not have.
type KeySizeError struct {
	// Given is the length in bytes, and Expected the ones that are allowed, as
	// "32, 48 or 64".
	Given    int
	Expected string
}

func (k KeySizeError) Error() string {
	return "sivka: a key of " + strconv.Itoa(k.Given) + " bytes was given; " + k.Expected + " bytes are expected"
}

func keySizeError(given, expected int) error {
	return KeySizeError{given, strconv.Itoa(expected)}
}
