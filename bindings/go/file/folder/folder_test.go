package folder_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

var testKey = must(file.ParseKeyFile(must(os.ReadFile("testdata/alice.key")), nil))

// photos has what this made, and the command sivka sealed:
//
//	mkdir -p photos/2025 photos/empty; printf 'the beach was empty\n' > photos/2025/notes
//	ln photos/2025/notes photos/2025/same; printf beach > photos/2025/beach
//	ln -s ../2025/notes photos/2025/up; ln -s 2025 photos/year
//	for i in 0 3 4 8 9 12 60; do printf "part $i" |
//	  dd of=photos/2025/sparse bs=4096 seek=$i conv=notrunc; done; truncate -s 300000 photos/2025/sparse
//	long=$(printf 'n%.0s' $(seq 120)); printf long > photos/$long; ln -s $long photos/to-long
//	printf odd > photos/$(printf 'not\377text'); chmod 600 photos/2025/notes; chmod 500 photos/empty
//	touch -d '2003-03-03 UTC' photos/$long photos/empty
//	touch -d '2001-02-03 04:05:06.789 UTC' photos/2025/notes
//	touch -d '1960-05-05 01:02:03.5 UTC' photos/2025/beach
//	sivka seal --key alice.key photos
func photos(t *testing.T) *folder.FS {
	t.Helper()
	sealed, err := os.ReadFile("testdata/photos.sivka")
	if err != nil {
		t.Fatal(err)
	}
	f, err := folder.Open(bytes.NewReader(sealed), int64(len(sealed)), []file.Key{testKey}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWhatTheCommandSealedIsAFileSystem(t *testing.T) {
	f := photos(t)
	if left := f.LeftOut(); !slices.Equal(left, []string{"not\xfftext"}) {
		t.Errorf("left out: %q", left)
	}
	for name, expected := range map[string]string{
		"2025/notes": "-rw------- 20 2001-02-03T04:05:06.789Z",
		"2025/same":  "-rw------- 20 2001-02-03T04:05:06.789Z",
		"year/up":    "-rw------- 20 2001-02-03T04:05:06.789Z",
		"2025/beach": "-rw-r--r-- 5 1960-05-05T01:02:03.5Z",
		"to-long":    "-rw-r--r-- 4 2003-03-03T00:00:00Z",
		"empty":      "dr-x------ 0 2003-03-03T00:00:00Z",
	} {
		about, err := f.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprint(about.Mode(), " ", about.Size(), " ", about.ModTime().UTC().Format(time.RFC3339Nano))
		if said != expected {
			t.Errorf("%s: %s, expected %s", name, said, expected)
		}
	}
	sparse := make([]byte, 300_000)
	for _, i := range []int{0, 3, 4, 8, 9, 12, 60} {
		copy(sparse[i*4096:], fmt.Sprint("part ", i))
	}
	if text, err := f.ReadFile("year/sparse"); err != nil || !bytes.Equal(text, sparse) {
		t.Errorf("%d bytes, %v, of a file with holes", len(text), err)
	}
	if target, err := f.ReadLink("2025/up"); target != "../2025/notes" || err != nil {
		t.Error(target, err)
	}
	if about, err := f.Lstat("2025/up"); err != nil || about.Mode().Type() != fs.ModeSymlink {
		t.Error(about, err)
	}
}

func TestOnlyFoldersAreOpened(t *testing.T) {
	newer, odd := packed(root), packed(root)
	newer[512+33], odd[512+33] = '2', 'x'
	for name, c := range map[string]struct {
		content  []byte
		expected error
	}{
		"empty":              {nil, folder.ErrNotFolder},
		"a file":             {[]byte("text"), folder.ErrNotFolder},
		"an archive":         {packed(root)[1024:], folder.ErrNotFolder},
		"half a mark":        {packed(root)[:1023], folder.ErrNotFolder},
		"no version":         {odd, folder.ErrNotFolder},
		"a newer version":    {newer, file.ErrNewer},
		"a mark and no more": {mark(), folder.ErrMalformed},
		"no entry":           {packed(), folder.ErrMalformed},
		"a cut header":       {packed(root, fileOf("a", ""))[:1024+700], folder.ErrMalformed},
		"a cut file":         {packed(root, fileOf("a", "text"))[:1024+1024+2], folder.ErrMalformed},
	} {
		if _, err := open(c.content); !errors.Is(err, c.expected) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for at := range 1024 {
		changed := packed(root)
		changed[at] ^= 3
		if _, err := open(changed); !errors.Is(err, folder.ErrNotFolder) && at != 512+33 {
			t.Errorf("byte %d: %v", at, err)
		}
	}
}

// What the command sivka refuses to unpack.
func TestHostileArchivesAreRefused(t *testing.T) {
	for name, items := range map[string][]item{
		"no folder itself":              {fileOf("a", "")},
		"the folder twice":              {root, root},
		"a folder called .":             {root, folderOf(".")},
		"up":                            {root, fileOf("../a", "")},
		"up inside":                     {root, folderOf("d"), fileOf("d/../a", "")},
		"..":                            {root, folderOf("..")},
		"absolute":                      {root, fileOf("/etc/passwd", "")},
		"dot":                           {root, fileOf("./a", "")},
		"two slashes":                   {root, folderOf("d"), fileOf("d//a", "")},
		"a slash at the end":            {root, fileOf("a/", "")},
		"twice":                         {root, fileOf("a", "1"), fileOf("a", "2")},
		"a folder twice":                {root, folderOf("d"), folderOf("d")},
		"a link over a file":            {root, fileOf("a", ""), linkOf("a", "b")},
		"before its folder":             {root, fileOf("d/a", ""), folderOf("d")},
		"in a file":                     {root, fileOf("d", ""), fileOf("d/a", "")},
		"through a link":                {root, folderOf("d"), linkOf("l", "d"), fileOf("l/a", "")},
		"apart from its folder":         {root, folderOf("d"), folderOf("e"), fileOf("d/a", "")},
		"a link to nothing":             {root, linkOf("a", "")},
		"a hard link to nothing":        {root, {tar.TypeLink, "a", "", "b"}},
		"a hard link to itself":         {root, {tar.TypeLink, "a", "", "a"}},
		"a hard link to later":          {root, {tar.TypeLink, "a", "", "b"}, fileOf("b", "")},
		"a hard link to a folder":       {root, folderOf("d"), {tar.TypeLink, "a", "", "d"}},
		"another name of a way out":     {root, folderOf("d"), linkOf("d/a", "../../x"), {tar.TypeLink, "d/b", "", "d/a"}},
		"another name that leads out":   {root, folderOf("d"), linkOf("d/a", "../x"), {tar.TypeLink, "e", "", "d/a"}},
		"another name of a down and up": {root, linkOf("a", "d/../x"), {tar.TypeLink, "b", "", "a"}},
		"a hard link up":                {root, {tar.TypeLink, "a", "", "../b"}},
		"a device with content":         {root, {tar.TypeChar, "d", "", ""}, fileOf("d/a", "")},
		"a kind of its own":             {root, {'Z', "a", "", ""}},
		"contiguous":                    {root, {tar.TypeCont, "a", "", ""}},
	} {
		if f, err := open(packed(items...)); !errors.Is(err, folder.ErrMalformed) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

func TestDescriptionsHaveALimit(t *testing.T) {
	deep := ""
	items := []item{root}
	for range 40 {
		deep += strings.Repeat("n", 255) + "/"
		items = append(items, item{tar.TypeDir, deep, "", ""})
	}
	if _, err := open(packed(items...)); err != nil {
		t.Error(err)
	}
	if _, err := open(packed(root, fileOf(strings.Repeat("n", 2<<20), ""))); !errors.Is(err, folder.ErrMalformed) {
		t.Error(err)
	}
	// A list of parts that never ends, up to which all is well.
	more := bytes.Repeat(append(bytes.Repeat([]byte("00000000000\x00"), 42), 1, 0, 0, 0, 0, 0, 0, 0), 100_000)
	endless := header('S', "a", "", 0)
	endless[482] = 1
	if _, err := open(withRoot(checked(endless), more)); !errors.Is(err, folder.ErrMalformed) || !strings.Contains(err.Error(), "too many parts") {
		t.Error(err)
	}
}

func TestLinksStayInside(t *testing.T) {
	f := must(open(packed(root, linkOf("a", "./d//e/./text"), linkOf("absolute", "/d/e/text"), linkOf("circle", "other"),
		folderOf("d"), folderOf("d/e"), fileOf("d/e/text", "text"), linkOf("d/e/up", "../../d/e/text"), linkOf("dangling", "d/none"),
		linkOf("down-and-up", "d/../d/e/text"), linkOf("folder", "d/e/"), linkOf("itself", "itself"), linkOf("other", "circle"), linkOf("out", "../d"),
		linkOf("root", "."), linkOf("slash", "a/"), linkOf("via", "root/folder/up"))))
	for name, expected := range map[string]error{
		"a": nil, "folder/text": nil, "folder/up": nil, "root/root/a": nil, "via": nil, "d/e/up": nil,
		"absolute": folder.ErrOutside, "down-and-up": folder.ErrOutside, "out": folder.ErrOutside, "root/out/e": fs.ErrNotExist,
		"circle": folder.ErrLinks, "itself": folder.ErrLinks, "dangling": fs.ErrNotExist, "slash": fs.ErrNotExist,
		"a/b": fs.ErrNotExist, "../d": fs.ErrInvalid, "/a": fs.ErrInvalid, "d/": fs.ErrInvalid, "": fs.ErrInvalid,
	} {
		text, err := f.ReadFile(name)
		if !errors.Is(err, expected) || (err == nil && string(text) != "text") {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		var path *fs.PathError
		if expected != nil && (!errors.As(err, &path) || path.Path != name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	items := []item{root}
	for i := range 42 {
		items = append(items, linkOf(fmt.Sprintf("l%02d", i), fmt.Sprintf("l%02d", i+1)))
	}
	chain := must(open(packed(append(items, fileOf("l42", "text"))...)))
	if _, err := chain.Stat("l02"); err != nil {
		t.Error(err)
	}
	if _, err := chain.Stat("l01"); !errors.Is(err, folder.ErrLinks) {
		t.Error(err)
	}
}

// What is no file has no size: whether its bytes are passed over or looked at
// for the next entry, programs differ.
func TestOnlyFilesHaveASize(t *testing.T) {
	for _, kind := range []byte{tar.TypeSymlink, tar.TypeLink, tar.TypeDir, tar.TypeFifo} {
		name := map[bool]string{true: "b/", false: "b"}[kind == tar.TypeDir]
		within := string(header(tar.TypeReg, "hidden", "", 0))
		archive := packed(root, fileOf("a", "1"), item{kind, name, within, "a"})
		if _, err := open(archive); !errors.Is(err, folder.ErrMalformed) {
			t.Errorf("%c: %v", kind, err)
		}
	}
}

func TestWhatIsNoFileIsLeftOut(t *testing.T) {
	f := must(open(packed(root, folderOf("a\xff"), fileOf("a\xff/a", "1"), item{tar.TypeLink, "b", "", "a\xff/a"},
		item{tar.TypeBlock, "disk", "", ""}, item{tar.TypeFifo, "pipe", "", ""}, linkOf("to-pipe", "pipe"))))
	if left := f.LeftOut(); !slices.Equal(left, []string{"a\xff", "a\xff/a", "disk", "pipe"}) {
		t.Errorf("%q", left)
	}
	if list := must(f.ReadDir(".")); len(list) != 2 {
		t.Error(list)
	}
	if text, err := f.ReadFile("b"); string(text) != "1" || err != nil {
		t.Error(text, err)
	}
	if _, err := f.Open("to-pipe"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	// A mode that lets a program run as somebody else is not believed.
	if about := must(f.Stat("b")); about.Mode() != 0o644 || about.Sys() != nil {
		t.Error(about)
	}
}

// counted counts what is read.
type counted struct {
	io.ReaderAt
	bytes atomic.Int64
}

func (c *counted) ReadAt(bytes []byte, offset int64) (int, error) {
	c.bytes.Add(int64(len(bytes)))
	return c.ReaderAt.ReadAt(bytes, offset)
}

func TestOnlyWhatIsAskedForIsRead(t *testing.T) {
	const sealedChunk = 16384 + 16
	large := strings.Repeat("large\n", 4<<20)
	from := sealed(packed(root, fileOf("a", "first"), fileOf("large", large), fileOf("small", strings.Repeat("s", 1000)), fileOf("z", large[:300_000])))
	source := &counted{ReaderAt: bytes.NewReader(from)}
	f, err := folder.Open(source, int64(len(from)), []file.Key{testKey}, nil)
	if err != nil {
		t.Fatal(err)
	}
	read := func(what string, limit int64) {
		t.Helper()
		if n := source.bytes.Swap(0); n > limit || n == 0 {
			t.Errorf("%s: %d bytes of %d were read, the limit is %d", what, n, len(from), limit)
		} else {
			t.Logf("%s: %d bytes of %d", what, n, len(from))
		}
	}
	// The header, the last chunk, the first, one or two where the large file
	// ends.
	read("open", 2104+5*sealedChunk)
	if _, err := f.ReadFile("small"); err != nil {
		t.Error(err)
	}
	read("a small file", 2*sealedChunk)
	part := make([]byte, 100)
	if _, err := must(f.Open("large")).(io.ReaderAt).ReadAt(part, 9_000_000); err != nil {
		t.Error(err)
	}
	read("100 bytes of a large file", 2*sealedChunk)
	if text, err := f.ReadFile("large"); err != nil || string(text) != large {
		t.Error(len(text), err)
	}
	read("the large file", int64(len(large))/16384*sealedChunk+3*sealedChunk)
	if n, err := io.Copy(io.Discard, must(f.Open("large"))); n != int64(len(large)) || err != nil {
		t.Error(n, err)
	}
	read("a copy of it", int64(len(large))/16384*sealedChunk+40*sealedChunk)
}

func TestDamageIsOfOneFile(t *testing.T) {
	from := sealed(packed(root, fileOf("a", strings.Repeat("a", 100_000)), fileOf("b", "b")))
	from[2104+3*16400] ^= 1
	f, err := folder.Open(bytes.NewReader(from), int64(len(from)), []file.Key{testKey}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := f.ReadFile("b"); string(text) != "b" || err != nil {
		t.Error(text, err)
	}
	if text, err := f.ReadFile("a"); text != nil || !errors.Is(err, file.ErrDamaged) {
		t.Error(len(text), err)
	}
	// The headers are in the first chunk.
	from[2104] ^= 1
	if _, err := folder.Open(bytes.NewReader(from), int64(len(from)), []file.Key{testKey}, nil); !errors.Is(err, file.ErrDamaged) {
		t.Error(err)
	}
}

func TestClosedIsClosed(t *testing.T) {
	f := photos(t)
	for _, name := range []string{"2025/notes", "2025"} {
		file := must(f.Open(name))
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		_, statErr := file.Stat()
		_, readErr := file.Read(make([]byte, 1))
		errs := []error{statErr, file.Close()}
		if name != "2025" {
			_, atErr := file.(io.ReaderAt).ReadAt(make([]byte, 1), 0)
			_, seekErr := file.(io.Seeker).Seek(0, io.SeekStart)
			_, writeErr := file.(io.WriterTo).WriteTo(io.Discard)
			errs = append(errs, readErr, atErr, seekErr, writeErr)
		} else {
			_, listErr := file.(fs.ReadDirFile).ReadDir(1)
			errs = append(errs, listErr)
		}
		for i, err := range errs {
			if !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s, %d: %v", name, i, err)
			}
		}
	}
	if _, err := f.ReadFile("2025"); err == nil {
		t.Error("a folder was read")
	}
	if _, err := f.ReadDir("2025/notes"); err == nil {
		t.Error("a file was listed")
	}
	if _, err := f.ReadLink("2025/notes"); err == nil {
		t.Error("a file is a link")
	}
	if _, err := must(f.Open("2025/notes")).(io.ReaderAt).ReadAt(nil, -1); err == nil {
		t.Error("a negative offset")
	}
}
