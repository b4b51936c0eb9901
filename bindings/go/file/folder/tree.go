package folder

import (
	"bytes"
	"io"
	"io/fs"
	"runtime"
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
	path, name string
	parent     *entry
	mode       fs.FileMode
	modTime    time.Time
	// start is where in the archive a file's content begins.
	start, size int64
	// link is where a symbolic link leads.
	link    string
	entries []fs.DirEntry
	// last is the name of the entry of a folder that came last.
	last string
	// first is the entry that a hard link is another name of.
	first *entry
	// whyLeftOut is nil for entries in the FS.
	whyLeftOut error
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

// tree is a folder whose entries are not all known yet.
type tree struct {
	archive archive
	root    *entry
	// first is the header of the root.
	first []byte
	// innermost is the folder whose entries are next.
	innermost *entry
	byPath    map[string]*entry
	inOrder   []*entry
}

// read reads all headers of an archive.
func read(source io.ReaderAt, size int64) (*FS, error) {
	t := tree{archive: archive{source: source, size: size}, byPath: make(map[string]*entry)}
	h, err := t.archive.next()
	for ; err == nil && h.lost == ""; h, err = t.archive.next() {
		if err = t.add(h); err != nil {
			return nil, err
		}
	}
	for ; err == nil; h, err = t.archive.next() {
		if err = t.addLost(h); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	if t.root == nil {
		return nil, malformed(0, "there is no entry")
	}
	return t.finish(), nil
}

// add adds the entry of a header, and passes over its content.
func (t *tree) add(h *header) error {
	failed := func(what string) error { return malformed(h.at, what) }
	e := &entry{mode: fs.FileMode(h.mode) & fs.ModePerm, modTime: h.modTime, start: h.start, size: h.size}
	path, isFolder := strings.CutSuffix(h.name, "/")
	hasLink := h.kind == typeLink || h.kind == typeName
	switch {
	case isFolder != (h.kind == typeFolder):
		return failed("the name of a folder has no slash at its end, or another one has")
	case h.size != 0 && h.kind != typeFile:
		return failed("what is no file has a size")
	case hasLink != (h.link != ""):
		return failed("a link leads nowhere, or what is no link leads somewhere")
	case (t.root == nil) != (h.name == "./"):
		return failed("the folder itself is not the first entry, and it alone")
	case t.root != nil && !isPath(path):
		return failed("a name is absolute, or has an empty part, . or ..")
	}
	switch h.kind {
	case typeFolder:
		e.mode |= fs.ModeDir
	case typeLink:
		e.mode |= fs.ModeSymlink
		e.link, e.size = h.link, int64(len(h.link))
	case typeName:
		first := t.byPath[h.link]
		if first == nil || first.IsDir() {
			return failed("a hard link is of no file or symbolic link before it")
		}
		if first.first != nil {
			first = first.first
		}
		e.mode, e.modTime, e.start, e.size, e.link = first.mode, first.modTime, first.start, first.size, first.link
		e.first = first
	}
	if t.root == nil {
		t.first = h.block
	}
	if wrong := t.put(e, path); wrong != "" {
		return failed(wrong)
	}
	return t.archive.skip(h.size)
}

// put puts an entry at its path. The entries of a folder come directly after
// it. It returns the error, if there is one.
func (t *tree) put(e *entry, path string) (wrong string) {
	e.path, e.name = path, path
	if t.root == nil {
		t.root, t.innermost = e, e
		return ""
	}
	t.inOrder = append(t.inOrder, e)
	e.parent = t.root
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		e.parent, e.name = t.byPath[path[:slash]], path[slash+1:]
	}
	if e.parent == nil || !e.parent.IsDir() {
		return "a name is in no folder before it"
	}
	for ; t.innermost != e.parent; t.innermost = t.innermost.parent {
		if t.innermost == t.root {
			return "a name is apart from others of its folder"
		}
	}
	if e.name <= e.parent.last {
		return "a name comes twice, or after one that it goes before"
	}
	e.parent.last = e.name
	t.byPath[path] = e
	if e.IsDir() {
		t.innermost = e
	}
	return ""
}

// isPath reports whether a path has names only. Unlike those of io/fs, they
// may be no text.
func isPath(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." || strings.Contains(part, "\x00") {
			return false
		}
	}
	return true
}

// addLost takes out the files that the writer could not read to their end. The
// last entries, which are the folder itself again, name them.
func (t *tree) addLost(h *header) error {
	failed := malformed(h.at, "a list of lost files is not at the end, or has other names than those of files here")
	names, isEnded := strings.CutSuffix(h.lost, "\x00")
	if t.root == nil || !bytes.Equal(h.block, t.first) || !isEnded {
		return failed
	}
	for name := range strings.SplitSeq(names, "\x00") {
		lost := t.byPath[name]
		if lost == nil || !lost.mode.IsRegular() {
			return failed
		}
		lost.whyLeftOut = ErrLost
	}
	return nil
}

// finish returns the folder without the entries that an FS cannot have.
func (t *tree) finish() *FS {
	f := &FS{archive: t.archive.source, root: t.root, byPath: t.byPath}
	t.root.name = "."
	for _, e := range t.inOrder {
		switch {
		case e.whyLeftOut != nil:
		case e.first != nil && e.first.whyLeftOut == ErrLost:
			e.whyLeftOut = ErrLost
		case !utf8.ValidString(e.path):
			e.whyLeftOut = ErrName
		case e.mode.Type() == fs.ModeSymlink && e.leadsOutside():
			e.whyLeftOut = ErrOutside
		}
		if e.whyLeftOut != nil {
			f.leftOut = append(f.leftOut, LeftOut{e.path, e.whyLeftOut})
			delete(f.byPath, e.path)
		} else {
			e.parent.entries = append(e.parent.entries, e)
		}
	}
	return f
}

// leadsOutside reports whether a symbolic link may lead out of the folder. It
// does not if it first goes up by no more levels than there are, and then only
// down: whether a name is a link decides what is above it.
func (e *entry) leadsOutside() bool {
	if strings.HasPrefix(e.link, "/") || runtime.GOOS == "windows" && strings.ContainsAny(e.link, `\:`) {
		return true
	}
	above, down := e.parent, false
	for part := range strings.SplitSeq(e.link, "/") {
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
