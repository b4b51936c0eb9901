package folder_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"slices"

	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

// item is an entry of an archive, by its kind.
type item struct {
	kind   byte
	name   string
	text   string
	target string
}

var root = item{tar.TypeDir, "./", "", ""}

func folderOf(name string) item       { return item{tar.TypeDir, name + "/", "", ""} }
func fileOf(name, text string) item   { return item{tar.TypeReg, name, text, ""} }
func linkOf(name, target string) item { return item{tar.TypeSymlink, name, "", target} }

// mark is that of the first 1024 bytes of what the command writes.
func mark() []byte {
	mark := make([]byte, 1024)
	copy(mark, "pax_global_header")
	copy(mark[100:], "0000644\x000000000\x000000000\x0000000000043\x0000000000000\x000011374\x00gx")
	mark[157] = 0
	copy(mark[257:], "ustar\x0000")
	copy(mark[512:], "35 comment=sivka folder, version 1\n")
	return mark
}

// header is that of an entry, in the form of GNU tar, with what goes ahead of
// a long name. archive/tar would not write what is wrong.
func header(kind byte, name, target string, size int) []byte {
	var ahead []byte
	for kind, long := range map[byte]string{'L': name, 'K': target} {
		if len(long) > 100 {
			ahead = slices.Concat(ahead, header(kind, "././@LongLink", "", len(long)+1), padded(long+"\x00"))
		}
	}
	block := make([]byte, 512)
	copy(block[:100], name)
	copy(block[100:], "0004644\x000000000\x000000000\x00")
	copy(block[124:], fmt.Sprintf("%011o\x00%011o\x00", size, 0))
	block[156] = kind
	copy(block[157:257], target)
	copy(block[257:], "ustar  \x00")
	if kind == tar.TypeXHeader {
		copy(block[257:], "ustar\x0000")
	}
	return append(ahead, checked(block)...)
}

// checked sets the checksum of a header.
func checked(block []byte) []byte {
	copy(block[148:], "        ")
	sum := 0
	for _, b := range block {
		sum += int(b)
	}
	copy(block[148:], fmt.Sprintf("%06o\x00 ", sum))
	return block
}

func padded(text string) []byte {
	return append([]byte(text), make([]byte, (512-len(text)%512)%512)...)
}

// end is that of an archive.
var end = make([]byte, 1024)

// packed is the content of a sealed folder.
func packed(items ...item) []byte {
	return append(unended(items...), end...)
}

func unended(items ...item) []byte {
	archive := mark()
	for _, i := range items {
		archive = slices.Concat(archive, header(i.kind, i.name, i.target, len(i.text)), padded(i.text))
	}
	return archive
}

func sealed(content []byte) []byte {
	var sink bytes.Buffer
	must(file.Seal(&sink, bytes.NewReader(content), []file.Key{testKey}, nil))
	return sink.Bytes()
}

func open(content []byte) (*folder.FS, error) {
	from := sealed(content)
	return folder.Open(bytes.NewReader(from), int64(len(from)), []file.Key{testKey}, nil)
}

// gnuPrefixed is an entry of GNU tar with text where it has times, and where
// ustar has a prefix of names.
func gnuPrefixed(name, prefix string) []byte {
	block := header(tar.TypeReg, name, "", 0)
	copy(block[345:], prefix)
	return checked(block)
}
