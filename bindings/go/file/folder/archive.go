package folder

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"

	"sivka.dev/go/file"
)

const blockSize = 512

// maxDescription is the most that may describe one entry, as in the command:
// archive/tar holds it in memory.
const maxDescription = 2 << 20

// versionAt is where the mark has the digit of its version.
const versionAt = blockSize + len("35 comment=sivka folder, version ")

// mark is what the content of a sealed folder begins with.
var mark = comment("35 comment=sivka folder, version 1\n")

// void comes after a file that was not read as a whole.
var void = comment("35 comment=the file before is void\n")

// comment is a global header of pax with a record of 35 bytes.
func comment(record string) []byte {
	blocks := make([]byte, 2*blockSize)
	copy(blocks, "pax_global_header")
	copy(blocks[100:], "0000644\x000000000\x000000000\x0000000000043\x0000000000000\x000011374\x00g")
	copy(blocks[257:], "ustar\x0000")
	copy(blocks[blockSize:], record)
	return blocks
}

// checkMark looks at what a content begins with.
func checkMark(archive io.ReaderAt) error {
	head := make([]byte, len(mark))
	size, err := archive.ReadAt(head, 0)
	if size < len(head) {
		if err != io.EOF {
			return err
		}
		return ErrNotFolder
	}
	version := head[versionAt]
	head[versionAt] = mark[versionAt]
	switch {
	case !bytes.Equal(head, mark) || version < '0' || version > '9':
		return ErrNotFolder
	case version != mark[versionAt]:
		return file.ErrNewer
	default:
		return nil
	}
}

// bounded is the archive as archive/tar reads it. Contents are passed over by
// Seek, and what is read between two entries has a bound.
type bounded struct {
	*io.SectionReader
	left int
	// at is where it is, and begin where the next description begins, of which
	// described was read.
	at, begin int64
	described []byte
	// failure is that of the sealed file: all others are the archive's.
	failure error
}

func (b *bounded) Read(bytes []byte) (int, error) {
	if b.left == 0 && len(bytes) > 0 {
		return 0, malformed("an entry whose description is longer than 2 MiB")
	}
	size, err := b.SectionReader.Read(bytes[:min(len(bytes), b.left)])
	b.left -= size
	b.keep(bytes[:size])
	if err != nil && err != io.EOF {
		b.failure = err
	}
	return size, err
}

// keep keeps what was read if it is of a description.
func (b *bounded) keep(bytes []byte) {
	stored := min(max(b.begin-b.at, 0), int64(len(bytes)))
	b.at += int64(len(bytes))
	if bytes = bytes[stored:]; len(bytes) > 0 {
		// Padding may have been passed over.
		begin := b.at - int64(len(bytes)) - b.begin
		if gap := begin - int64(len(b.described)); gap > 0 {
			b.described = append(b.described, make([]byte, gap)...)
		}
		b.described = append(b.described[:begin], bytes...)
	}
}

func (b *bounded) Seek(offset int64, whence int) (int64, error) {
	at, err := b.SectionReader.Seek(offset, whence)
	if err == nil {
		b.at = at
	}
	return at, err
}

// read reads the headers of an archive.
func read(archive io.ReaderAt, size int64) (*FS, error) {
	if err := checkMark(archive); err != nil {
		return nil, err
	}
	first := int64(len(mark))
	source := &bounded{SectionReader: io.NewSectionReader(archive, first, size-first)}
	entries := tar.NewReader(source)
	t := tree{archive: archive, next: first, places: make(map[place]*entry)}
	for {
		// With what archive/tar reads of the block before.
		source.left = maxDescription + 2*blockSize
		header, err := entries.Next()
		switch {
		case source.failure != nil:
			return nil, source.failure
		case err == io.EOF && len(bytes.Trim(source.described, "\x00")) > 0:
			return nil, malformed("a description without an entry")
		case err == io.EOF && t.root != nil:
			if err := onlyZeros(source.SectionReader); err != nil {
				return nil, err
			}
			return t.finish(), nil
		case errors.Is(err, ErrMalformed):
			return nil, err
		case err != nil:
			return nil, malformed("what is no entry: " + err.Error())
		}
		// Nothing of the content was read yet.
		if err := checkDescription(source.described); err != nil {
			return nil, err
		}
		if err := t.add(header, first+source.at); err != nil {
			return nil, err
		}
		source.begin, source.described = t.next-first, source.described[:0]
	}
}

// onlyZeros reads to the end: what follows the end of the archive would be
// seen by some programs only.
func onlyZeros(rest io.Reader) error {
	buffer := make([]byte, 1<<13)
	for {
		size, err := rest.Read(buffer)
		for _, b := range buffer[:size] {
			if b != 0 {
				return malformed("something after its end")
			}
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
