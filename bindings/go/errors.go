package sivka

import (
	"errors"
	"strconv"
)

// ErrOpen is the only error that the content of a sealed message can cause.
// It says nothing about why the message does not open: its key, its nonce,
// its additional data or its tag may be wrong, or it may be too short.
var ErrOpen = errors.New("sivka: message authentication failed")

// ErrSelfCheck says that the code for this CPU gave a wrong known answer, and
// refuses to run. No other code replaces it.
var ErrSelfCheck = errors.New("sivka: the code for this CPU failed its known-answer check")

// KeySizeError is the number of bytes given for a key, which is not what its
// algorithm has.
type KeySizeError int

func (k KeySizeError) Error() string {
	return "sivka: invalid key size " + strconv.Itoa(int(k))
}
