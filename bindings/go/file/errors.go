package file

import (
	"errors"
	"fmt"
)

// Errors of a sealed file, for [errors.Is]. An [*Error] has the details.
var (
	// ErrNotSivka: it is no sealed file.
	ErrNotSivka = errors.New("file: not a sealed file of Sivka")
	// ErrNewer: its version, its suite or the kind of its content is not known,
	// or no slot opens and one is of a kind that is not known. See
	// [ReaderOptions] for suites.
	ErrNewer = errors.New("file: of a newer version, or with a suite or a slot that is not known here")
	// ErrUnknownKind: the content is of a kind that is not known. It is an
	// ErrNewer as well; of [WriterOptions], it is this one alone.
	ErrUnknownKind = errors.New("file: the content is of a kind that is not known here")
	// ErrDamaged: it was damaged or tampered with, ahead of its end.
	ErrDamaged = errors.New("file: damaged")
	// ErrTruncated: its end is missing or damaged. Nobody can tell which.
	ErrTruncated = errors.New("file: the end is missing or damaged")
	// ErrWrongKey: none of the keys opens a slot. The slot may be damaged, too:
	// nobody can tell.
	ErrWrongKey = errors.New("file: no slot opens with the given keys")
	// ErrCostTooHigh: no slot opens, and a passphrase slot was not tried,
	// because it asks for more than [ReaderOptions] allow.
	ErrCostTooHigh = errors.New("file: a passphrase slot costs too much")
)

// Errors of a call.
var (
	// ErrCompressed: see [ReaderOptions].
	ErrCompressed = errors.New("file: the content is compressed, and this package has no Zstandard; ReaderOptions.Compressed gives it as it is")
	// ErrTooLong: a file has at most 2^38 chunks, which are 4 PiB.
	ErrTooLong = errors.New("file: longer than 2^38 chunks")
	// ErrUnfinished is what [Writer.Close] returns unless [Writer.Finish] has
	// ended the file.
	ErrUnfinished = errors.New("file: given up before its end was written")
	// ErrFinished: the Writer has ended its file already.
	ErrFinished = errors.New("file: already finished")
	// ErrKeyCount: a new file has 1 to 64 keys.
	ErrKeyCount = errors.New("file: a file has 1 to 64 slots")
	// ErrKey: a key is nil, was not made by a function of this package, or was
	// wiped.
	ErrKey = errors.New("file: not a key that a function of this package made")
	// ErrSuite: a suite is nil, or none that this module has made.
	ErrSuite = errors.New("file: not a suite that this module has made")
	// ErrEmptyPassphrase: an empty passphrase seals nothing.
	ErrEmptyPassphrase = errors.New("file: the passphrase is empty")
	// ErrPassphrase: see [NewPassphrase].
	ErrPassphrase = errors.New("file: the passphrase is not UTF-8, or has more than 30 combining marks in a row")
	// ErrBadCost: the format does not have this [Cost].
	ErrBadCost = errors.New("file: the cost is outside the limits of the format")
	// ErrKeyFile: a text is no key file, or a damaged one. The text is not
	// quoted.
	ErrKeyFile = errors.New("file: not a key file of version 1, or a damaged one")
	// ErrNeedsPassphrase: a key file is sealed for a passphrase, and none was
	// given.
	ErrNeedsPassphrase = errors.New("file: a passphrase protects the key file, and none was given")
	// ErrKeyName: see [NewKeyFile].
	ErrKeyName = errors.New("file: a key needs a name of 1 to 64 bytes, without control characters and space at its ends")
)

// Error is an error of a sealed file, and never reveals anything about a key.
type Error struct {
	// Name is that of section 9 of the specification, such as "unknown-slot".
	Name string
	// Number is the version, the suite, the kind of slot or the kind of content
	// that is not known.
	Number uint32
	// Slot is the one that is not known, costs too much or does not unwrap, from
	// 0 on.
	Slot int
	// Chunk is the damaged one, from 0 on. Of a truncated file, it is the one
	// that is missing or does not open.
	Chunk int64
	// Asked is the cost of a slot, and Limit the allowed cost.
	Asked, Limit Cost
}

// kinds are the errors that those of other names are than damage.
var kinds = map[string]error{
	"not-sivka":       ErrNotSivka,
	"unknown-version": ErrNewer,
	"unknown-suite":   ErrNewer,
	"unknown-slot":    ErrNewer,
	"unknown-kind":    ErrUnknownKind,
	"truncated":       ErrTruncated,
	"no-slot-opens":   ErrWrongKey,
	"cost-too-high":   ErrCostTooHigh,
}

// Unwrap returns ErrNotSivka, ErrNewer, ErrUnknownKind, ErrDamaged,
// ErrTruncated, ErrWrongKey or ErrCostTooHigh.
func (e *Error) Unwrap() error {
	if kind := kinds[e.Name]; kind != nil {
		return kind
	}
	return ErrDamaged
}

// Is makes an ErrUnknownKind an ErrNewer as well.
func (e *Error) Is(target error) bool {
	return target == ErrNewer && e.Name == "unknown-kind"
}

func (e *Error) Error() string {
	switch e.Name {
	case "unknown-version":
		return fmt.Sprintf("file: version %d of the format is not known here", e.Number)
	case "unknown-suite":
		return fmt.Sprintf("file: the suite %d is not known here", e.Number)
	case "unknown-slot":
		return fmt.Sprintf("file: no slot opens, and slot %d is of the kind %d, which is not known here", e.Slot, e.Number)
	case "unknown-kind":
		return fmt.Sprintf("file: the content is of the kind %d, which is not known here", e.Number)
	case "cost-too-high":
		return fmt.Sprintf("file: slot %d asks for Argon2id with %v; the limit for all slots together is %v", e.Slot, e.Asked, e.Limit)
	case "truncated":
		return fmt.Sprintf("file: the end is missing or damaged, from chunk %d on", e.Chunk)
	case "damaged":
		return fmt.Sprintf("file: chunk %d is damaged", e.Chunk)
	case "header-damaged":
		return "file: the header is damaged in both copies"
	case "payload-mismatch":
		return "file: the chunks are damaged at their beginning, or another file's"
	default:
		return e.Unwrap().Error()
	}
}
