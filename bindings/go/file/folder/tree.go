package folder

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"
)

var (
	_ fs.DirEntry = (*entry)(nil)
	_ fs.FileInfo = info{}
)

// entry is a file, a folder or a symbolic link.
type entry struct {
	name    string
	parent  *entry
	mode    fs.FileMode
	modTime time.Time
	// content has what a file holds.
	content
	// target is where a symbolic link leads.
	target string
	// entries are what is in a folder.
	entries []fs.DirEntry
	// last is the name that came last in a folder, which may come again if its
	// file was taken back.
	last  string
	again bool
}

func (e *entry) Name() string               { return e.name }
func (e *entry) IsDir() bool                { return e.mode.IsDir() }
func (e *entry) Type() fs.FileMode          { return e.mode.Type() }
func (e *entry) Info() (fs.FileInfo, error) { return info{e, e.name}, nil }
func (e *entry) String() string             { return fs.FormatDirEntry(e) }

// info describes an entry by the name that was asked for.
type info struct {
	entry *entry
	name  string
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.entry.size }
func (i info) Mode() fs.FileMode  { return i.entry.mode }
func (i info) ModTime() time.Time { return i.entry.modTime }
func (i info) IsDir() bool        { return i.entry.mode.IsDir() }
func (i info) Sys() any           { return nil }
func (i info) String() string     { return fs.FormatFileInfo(i) }

// place is a name in a folder.
type place struct {
	folder *entry
	name   string
}

// tree is a folder of which not all entries are known yet.
type tree struct {
	archive io.ReaderAt
	// next is where the next entry is described.
	next int64
	root *entry
	// innermost is the folder whose entries are next.
	innermost *entry
	places    map[place]*entry
	leftOut   []string
	// last is the file that the entry before was, if it was one.
	last *entry
}

// add adds an entry of an archive of so many bytes.
func (t *tree) add(d *description, size int64) error {
	t.last = nil
	kind, path := d.header[kindAt], d.name
	e := &entry{mode: fs.FileMode(octal(d.header[modeAt:][:shortSize])) & fs.ModePerm, modTime: d.modTime}
	e.start = d.start
	isRoot := kind == tar.TypeDir && path == "./"
	switch kind {
	case tar.TypeDir:
		e.mode |= fs.ModeDir
		var found bool
		if path, found = strings.CutSuffix(path, "/"); !found {
			return malformed("a folder's name without a slash")
		}
	case tar.TypeReg:
		e.size, e.stored = d.size, d.size
	case tar.TypeGNUSparse:
		if err := e.readParts(d); err != nil {
			return err
		}
	case tar.TypeSymlink:
		e.mode |= fs.ModeSymlink
		e.target = d.target
		e.size = int64(len(e.target))
		if e.target == "" {
			return malformed("a link to nothing")
		}
	}
	if e.stored > size-e.start {
		return malformed("a content that is cut short")
	}
	t.next = e.start + inBlocks(e.stored)
	if kind == tar.TypeReg || kind == tar.TypeGNUSparse {
		t.last = e
	}
	if isRoot {
		return t.addRoot(e)
	}
	return t.put(e, path, kind, d.target)
}

// drop takes back the file before the next blocks, which say that it is void.
// Its name may come once more.
func (t *tree) drop() error {
	e := t.last
	t.last = nil
	blocks := make([]byte, len(void))
	size, err := t.archive.ReadAt(blocks, t.next)
	if err != nil && err != io.EOF {
		return err
	}
	if e == nil || size < len(blocks) || !bytes.Equal(blocks, void) {
		return malformed("a comment that is not after a file, or says something else")
	}
	t.next += int64(len(void))
	delete(t.places, place{e.parent, e.name})
	e.parent.again = true
	if siblings := e.parent.entries; len(siblings) > 0 && siblings[len(siblings)-1] == fs.DirEntry(e) {
		e.parent.entries = siblings[:len(siblings)-1]
	} else {
		t.leftOut = t.leftOut[:len(t.leftOut)-1]
	}
	return nil
}

func (t *tree) addRoot(e *entry) error {
	if t.root != nil {
		return malformed("the folder itself twice")
	}
	e.name = "."
	t.root, t.innermost = e, e
	return nil
}

// put puts an entry where its path says. What is in a folder comes after it,
// and nothing of another one between.
func (t *tree) put(e *entry, path string, kind byte, target string) error {
	if t.root == nil {
		return malformed("another entry than the folder itself first")
	}
	if !isPath(path) {
		return malformed("the name " + path)
	}
	within, name := "", path
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		within, name = path[:slash], path[slash+1:]
	}
	e.name, e.parent = name, t.find(within)
	if e.parent == nil || !e.parent.mode.IsDir() {
		return malformed(path + " before its folder")
	}
	for ; t.innermost != e.parent; t.innermost = t.innermost.parent {
		if t.innermost == t.root {
			return malformed(path + " apart from its folder")
		}
	}
	here := place{e.parent, name}
	if t.places[here] != nil {
		return malformed(path + " twice")
	}
	if last := e.parent.last; last > name || last == name && !e.parent.again {
		return malformed(path + " after a name that it goes before, or twice")
	}
	e.parent.last, e.parent.again = name, false
	switch kind {
	case tar.TypeFifo, tar.TypeChar, tar.TypeBlock:
		t.leftOut = append(t.leftOut, path)
		return nil
	case tar.TypeLink:
		first := t.find(target)
		if !isPath(target) || first == nil || first.mode.IsDir() {
			return malformed(path + " as another name of nothing before it")
		}
		if first.mode.Type() == fs.ModeSymlink && (first.leadsOutside(first.target) || e.leadsOutside(first.target)) {
			return malformed(path + " as another name of a link that leads outside")
		}
		e.mode, e.modTime, e.content, e.target = first.mode, first.modTime, first.content, first.target
	case tar.TypeDir:
		t.innermost = e
	}
	t.places[here] = e
	if utf8.ValidString(path) {
		e.parent.entries = append(e.parent.entries, e)
	} else {
		t.leftOut = append(t.leftOut, path)
	}
	return nil
}

// leadsOutside reports whether a symbolic link in the place of an entry may
// lead out of the folder. It does not if it goes up by no more levels than
// there are, and then only down: what is up from a name depends on whether
// that is a link. The command judges alike.
func (e *entry) leadsOutside(target string) bool {
	if strings.HasPrefix(target, "/") {
		return true
	}
	above, down := e.parent, false
	for part := range strings.SplitSeq(target, "/") {
		switch part {
		case "", ".":
		case "..":
			if down || above.parent == nil {
				return true
			}
			above = above.parent
		default:
			down = true
		}
	}
	return false
}

// isPath reports whether a path has names only. Unlike those of io/fs, they
// may be no text.
func isPath(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// find returns what has a path. No link is followed.
func (t *tree) find(path string) *entry {
	at := t.root
	for path != "" && at != nil {
		part, rest, _ := strings.Cut(path, "/")
		at, path = t.places[place{at, part}], rest
	}
	return at
}

// finish returns the folder. Its lists are sorted, as the archive is.
func (t *tree) finish() *FS {
	return &FS{archive: t.archive, root: t.root, places: t.places, leftOut: t.leftOut}
}
