// Package folder opens a sealed folder as an [io/fs.FS]: every function that
// takes one walks, lists, serves and reads what the command sivka has sealed.
//
// The content of a sealed folder is an archive, by docs/spec/folder-v1.md in
// Sivka's repository. To open one, its headers are read, and no contents. To
// read a file, the chunks that hold it are opened, and no others. Each byte is
// authenticated before it is returned.
package folder

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"sivka.dev/go/file"
)

// Errors of a folder. The content is authentic, but this package does not open
// it.
var (
	// ErrNotFolder: the sealed content is a file, not a folder.
	ErrNotFolder = errors.New("folder: a file was sealed, not a folder")
	// ErrMalformed: the archive breaks a rule of docs/spec/folder-v1.md, such as
	// a name with "..", or one that comes twice.
	ErrMalformed = errors.New("folder: the archive is malformed")
	// ErrLinks: a path has more than 40 symbolic links, or a circle of them.
	ErrLinks = errors.New("folder: too many symbolic links")
)

// Why an entry is not in an [FS].
var (
	// ErrLost: who sealed the folder could not read the file to its end. The
	// archive has a part of it, filled up with zeros.
	ErrLost = errors.New("folder: the file was not read to its end when the folder was sealed")
	// ErrOutside: a symbolic link leads outside the folder, or up after it has
	// led down, as a/../b does.
	ErrOutside = errors.New("folder: the symbolic link leads outside")
	// ErrName: the name is not UTF-8, or that of a folder in which it is.
	ErrName = errors.New("folder: the name is not UTF-8")
)

// LeftOut is an entry of the archive that is not in an [FS], and why:
// [ErrLost], [ErrOutside] or [ErrName].
type LeftOut struct {
	Path string
	Why  error
}

// FS is the content of a sealed folder. Any number of goroutines may use one.
//
// Names are those of [fs.ValidPath]. Symbolic links are followed, and none
// leads outside: those that would are left out. So [os.CopyFS] of Go 1.25 or
// newer makes a copy in which every link stays inside; older ones refuse
// folders with links. Modes are the nine bits of who may do what. What
// [fs.FileInfo] calls Sys is nil.
//
// A file is an [io.ReaderAt] and an [io.Seeker] as well, a folder an
// [fs.ReadDirFile]. Errors are [*fs.PathError]s; of contents, they hold the
// [*file.Error].
type FS struct {
	archive io.ReaderAt
	root    *entry
	byPath  map[string]*entry
	leftOut []LeftOut
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
// The error is [ErrNotFolder], [file.ErrCompressed], [ErrMalformed], an
// [*file.Error], or that of the source. The command refuses the same archives.
func New(r *file.ReaderAt) (*FS, error) {
	switch {
	case !r.Kind().IsFolder():
		return nil, ErrNotFolder
	case r.Kind().IsCompressed():
		return nil, file.ErrCompressed
	}
	return read(r, r.Size())
}

// LeftOut returns the entries of the archive that are not in the FS, in the
// order of the archive. Look at it before you take the FS for the whole folder.
func (f *FS) LeftOut() []LeftOut { return slices.Clone(f.leftOut) }

// Open opens a file or a folder.
func (f *FS) Open(name string) (fs.File, error) {
	e, err := f.find("open", name, true)
	if err != nil {
		return nil, err
	}
	about := info{e, path.Base(name)}
	if e.IsDir() {
		return &openFolder{about, e.entries}, nil
	}
	content := &content{archive: f.archive, entry: e}
	return &openFile{io.NewSectionReader(content, 0, e.size), about, content}, nil
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
	if e.link == "" {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: errors.New("is no symbolic link")}
	}
	return e.link, nil
}

// maxLinks is how many symbolic links are followed, as Linux does.
const maxLinks = 40

// find returns the entry of a name. With follows, a link at the end of the name
// is followed.
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
		if !at.IsDir() {
			return failed(fs.ErrNotExist)
		}
		switch part {
		case "", ".":
			continue
		case "..":
			// No link is in the FS that goes up from the root.
			at = at.parent
			continue
		}
		next := f.byPath[path.Join(at.path, part)]
		if next == nil {
			return failed(fs.ErrNotExist)
		}
		if next.link == "" || left == "" && !follows {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return failed(ErrLinks)
		}
		left = next.link + "/" + left
	}
	return at, nil
}

// content reads a file out of the archive.
type content struct {
	archive io.ReaderAt
	entry   *entry
	closed  atomic.Bool
}

func (c *content) ReadAt(bytes []byte, offset int64) (int, error) {
	size, err := 0, fs.ErrClosed
	if !c.closed.Load() {
		size, err = c.archive.ReadAt(bytes, c.entry.start+offset)
	}
	if err != nil && err != io.EOF {
		err = &fs.PathError{Op: "read", Path: c.entry.path, Err: err}
	}
	return size, err
}

// openFile is a file that is read.
type openFile struct {
	*io.SectionReader
	about   info
	content *content
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.about, nil }

func (f *openFile) Close() error {
	f.content.closed.Store(true)
	return nil
}

// openFolder is a folder that is listed.
type openFolder struct {
	about info
	left  []fs.DirEntry
}

func (d *openFolder) Stat() (fs.FileInfo, error) { return d.about, nil }

func (d *openFolder) Close() error { return nil }

func (d *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.about.entry.path, Err: errors.New("is a folder")}
}

func (d *openFolder) ReadDir(count int) ([]fs.DirEntry, error) {
	if count > 0 && len(d.left) == 0 {
		return nil, io.EOF
	}
	if count <= 0 {
		count = len(d.left)
	}
	listed := slices.Clone(d.left[:min(count, len(d.left))])
	d.left = d.left[len(listed):]
	return listed, nil
}
