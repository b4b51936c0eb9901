package folder

import (
	"errors"
	"fmt"
	"io/fs"
)

// What is wrong with a folder. The content is authentic, and yet not one that
// this package opens.
var (
	// ErrNotFolder: what was sealed is a file, not a folder.
	ErrNotFolder = errors.New("folder: a file was sealed, not a folder")
	// ErrMalformed: the archive has what the command sivka does not write, such
	// as a name with "..", or one that comes twice.
	ErrMalformed = errors.New("folder: malformed")
)

// Why a symbolic link cannot be followed.
var (
	// ErrOutside: a symbolic link leads outside the folder, or up after it has
	// led down, as a/../b does. It is an [fs.ErrNotExist] as well.
	ErrOutside = fmt.Errorf("folder: a symbolic link leads outside: %w", fs.ErrNotExist)
	// ErrLinks: a path has more than 40 symbolic links, or a circle of them.
	ErrLinks = errors.New("folder: too many symbolic links")
)

// Why an entry cannot be read.
var (
	errIsFolder  = errors.New("is a folder")
	errNotFolder = errors.New("is no folder")
	errNotLink   = errors.New("is no symbolic link")
	errOffset    = errors.New("negative offset")
	errTooLong   = errors.New("too long for memory, or with holes of more than 1 GiB")
)

func malformed(what string) error { return fmt.Errorf("%w: it has %s", ErrMalformed, what) }
