package folder_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

var testKey = must(file.NewKeyFile(bytes.Repeat([]byte{7}, 32), "test"))

var root = entry(tar.TypeDir, "./", "", "")

func folderOf(name string) []byte       { return entry(tar.TypeDir, name+"/", "", "") }
func fileOf(name, text string) []byte   { return entry(tar.TypeReg, name, "", text) }
func linkOf(name, target string) []byte { return entry(tar.TypeSymlink, name, target, "") }
func nameOf(name, first string) []byte  { return entry(tar.TypeLink, name, first, "") }

// entry is one of an archive, with records ahead of it where it has some.
// archive/tar would not write the strict form, nor what is wrong.
func entry(kind byte, name, link, text string, records ...string) []byte {
	body := ""
	for _, record := range records {
		size := len(record) + 2
		for size != len(record)+2+len(strconv.Itoa(size)) {
			size = len(record) + 2 + len(strconv.Itoa(size))
		}
		body += fmt.Sprintf("%d %s\n", size, record)
	}
	var ahead []byte
	if len(records) > 0 {
		ahead = entry(tar.TypeXHeader, "", "", body)
	}
	block := make([]byte, 512)
	copy(block[:100], name)
	copy(block[100:], fmt.Sprintf("0004644\x000000000\x000000000\x00%011o\x00%011o\x00", len(text), 0))
	block[156] = kind
	copy(block[157:257], link)
	copy(block[257:], "ustar\x0000")
	return slices.Concat(ahead, checked(block), []byte(text), make([]byte, -len(text)&511))
}

// checked sets the checksum of a header.
func checked(block []byte) []byte {
	copy(block[148:156], "        ")
	sum := 0
	for _, b := range block {
		sum += int(b)
	}
	copy(block[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return block
}

// packed is the archive of a folder.
func packed(entries ...[]byte) []byte {
	return slices.Concat(root, slices.Concat(entries...), make([]byte, 1024))
}

func sealed(content []byte) []byte {
	var sink bytes.Buffer
	must(file.Seal(&sink, bytes.NewReader(content), []file.Key{testKey}, &file.WriterOptions{Kind: file.FolderKind}))
	return sink.Bytes()
}

func open(content []byte) (*folder.FS, error) {
	from := sealed(content)
	return folder.Open(bytes.NewReader(from), int64(len(from)), []file.Key{testKey}, nil)
}

// photos is a folder with all that one can have.
func photos() []byte {
	return packed(
		folderOf("2025"),
		fileOf("2025/beach", "the beach was empty\n"),
		entry(tar.TypeReg, "2025/notes", "", "rain", "mtime=-5.25", "SCHILY.xattr.user.a=1\n2", "uid=4000000000"),
		nameOf("2025/same", "2025/notes"),
		linkOf("2025/up", "../2025/notes"),
		folderOf("empty"),
		entry(tar.TypeReg, "", "", "long", "path="+long),
		entry(tar.TypeSymlink, "to-long", "x", "", "linkpath="+long),
		linkOf("year", "2025"),
	)
}
