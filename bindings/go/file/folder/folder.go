package folder

import (
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"sivka.dev/go/file"
)

var (
	_ fs.ReadDirFS  = (*FS)(nil)
	_ fs.ReadFileFS = (*FS)(nil)
	_ fs.StatFS     = (*FS)(nil)
)

// FS is what is in a sealed folder. Any number of goroutines may use one.
//
// Names are those of [fs.ValidPath]. Symbolic links are followed as far as
// they stay in the folder: see [ErrOutside] and [ErrLinks]. [os.CopyFS] of Go
// 1.25 or newer copies links as they are, wherever they lead. Errors are
// [*fs.PathError]s; of contents, they hold the [*file.Error]. Modes are the
// nine bits of who may do what. What [fs.FileInfo] calls Sys is nil.
type FS struct {
	archive io.ReaderAt
	root    *entry
	places  map[place]*entry
	leftOut []string
}

// Open opens a sealed folder of so many bytes with one of the keys, and reads
// the headers of its archive. Source stays in use. The errors are those of
// [file.NewReaderAt] and [New].
func Open(source io.ReaderAt, size int64, keys []file.Key, options *file.ReaderOptions) (*FS, error) {
	r, err := file.NewReaderAt(source, size, keys, options)
	if err != nil {
		return nil, err
	}
	return New(r)
}

// New reads the headers of the archive in a sealed file that is open already.
// The error is [ErrNotFolder], [file.ErrNewer] of a folder in a form that is
// not known, [ErrMalformed], an [*file.Error], or that of the source.
//
// The content is malformed as a whole if the command sivka would not unpack
// it: if a name is absolute, has "..", comes twice or before its folder, or a
// hard link leads to no file or symbolic link before it.
func New(r *file.ReaderAt) (*FS, error) {
	return read(r, r.Size())
}

// LeftOut returns the paths that are in the archive and not in the FS, in the
// order of the archive: io/fs has no names that are not UTF-8, and named pipes
// and devices have no contents.
func (f *FS) LeftOut() []string { return slices.Clone(f.leftOut) }

// Open opens a file or a folder. A file is an [io.ReaderAt], an [io.Seeker]
// and an [io.WriterTo], a folder an [fs.ReadDirFile].
func (f *FS) Open(name string) (fs.File, error) {
	e, err := f.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if e.mode.IsDir() {
		return &openFolder{entry: e, path: name}, nil
	}
	return newOpenFile(e, name, f.archive), nil
}

// ReadDir returns what is in a folder, sorted by name.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := f.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	if !e.mode.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNotFolder}
	}
	return slices.Clone(e.entries), nil
}

// maxHoles is the most that [FS.ReadFile] makes up.
const maxHoles = 1 << 30

// ReadFile returns all of a file. One with holes of more than 1 GiB is an
// error, because a short archive can describe any length: use [FS.Open].
func (f *FS) ReadFile(name string) ([]byte, error) {
	e, err := f.find("read", name, true)
	if err != nil {
		return nil, err
	}
	switch {
	case e.mode.IsDir():
		err = errIsFolder
	case e.size-e.stored > maxHoles || e.size > math.MaxInt:
		err = errTooLong
	default:
		bytes := make([]byte, e.size)
		var size int
		size, err = e.reader(f.archive).ReadAt(bytes, 0)
		if int64(size) == e.size {
			return bytes, nil
		}
	}
	return nil, &fs.PathError{Op: "read", Path: name, Err: err}
}

// Stat describes a file or a folder. It follows symbolic links.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	e, err := f.find("stat", name, true)
	if err != nil {
		return nil, err
	}
	// As what was asked for is called, not what a link leads to.
	return info{e, path.Base(name)}, nil
}

// Lstat describes an entry, also a symbolic link.
func (f *FS) Lstat(name string) (fs.FileInfo, error) {
	e, err := f.find("lstat", name, false)
	if err != nil {
		return nil, err
	}
	return info{e, e.name}, nil
}

// ReadLink returns where a symbolic link leads, as it says.
func (f *FS) ReadLink(name string) (string, error) {
	e, err := f.find("readlink", name, false)
	if err != nil {
		return "", err
	}
	if e.mode.Type() != fs.ModeSymlink {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: errNotLink}
	}
	return e.target, nil
}

// maxLinks is how many symbolic links are followed, as Linux does.
const maxLinks = 40

// find returns what has a name. A link at the end of it is followed if so
// said.
func (f *FS) find(operation, name string, follows bool) (*entry, error) {
	failed := func(err error) (*entry, error) {
		return nil, &fs.PathError{Op: operation, Path: name, Err: err}
	}
	if !fs.ValidPath(name) {
		return failed(fs.ErrInvalid)
	}
	at, left, links := f.root, name, 0
	for left != "" {
		part, rest, _ := strings.Cut(left, "/")
		left = rest
		if !at.mode.IsDir() {
			return failed(fs.ErrNotExist)
		}
		switch part {
		case "", ".":
			continue
		case "..":
			if at == f.root {
				return failed(ErrOutside)
			}
			at = at.parent
			continue
		}
		next := f.places[place{at, part}]
		if next == nil {
			return failed(fs.ErrNotExist)
		}
		if next.mode.Type() != fs.ModeSymlink || (left == "" && !follows) {
			at = next
			continue
		}
		if next.leadsOutside(next.target) {
			return failed(ErrOutside)
		}
		if links++; links > maxLinks {
			return failed(ErrLinks)
		}
		left = next.target + "/" + left
	}
	return at, nil
}
