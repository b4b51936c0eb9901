package folder

import (
	"bytes"
	"io"

	"sivka.dev/go/file"
)

const blockSize = 512

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

// read reads what describes the entries of an archive, and passes over what is
// stored of them.
func read(archive io.ReaderAt, size int64) (*FS, error) {
	if err := checkMark(archive); err != nil {
		return nil, err
	}
	if size%blockSize != 0 {
		return nil, malformed("a part of a block at its end")
	}
	t := tree{archive: archive, next: int64(len(mark)), places: make(map[place]*entry)}
	for t.next < size {
		source := &blocks{archive, t.next, size}
		header, err := source.next(blockSize)
		if err != nil {
			return nil, err
		}
		if len(bytes.Trim(header, "\x00")) == 0 {
			break
		}
		if header[kindAt] == 'g' {
			err = t.drop()
		} else if described, describeErr := describe(header, source); describeErr != nil {
			err = describeErr
		} else {
			err = t.add(described, size)
		}
		if err != nil {
			return nil, err
		}
	}
	if t.root == nil {
		return nil, malformed("no entry")
	}
	if err := onlyZeros(io.NewSectionReader(archive, t.next, size-t.next)); err != nil {
		return nil, err
	}
	return t.finish(), nil
}

// blocks reads the blocks of an archive one after another.
type blocks struct {
	archive  io.ReaderAt
	at, size int64
}

// next reads so many bytes, and passes over what fills up their last block.
func (b *blocks) next(size int64) ([]byte, error) {
	if size > b.size-b.at {
		return nil, malformed("a description that is cut short")
	}
	read := make([]byte, size)
	if n, err := b.archive.ReadAt(read, b.at); n < len(read) {
		return nil, err
	}
	b.at += inBlocks(size)
	return read, nil
}

// inBlocks is how much of an archive so many bytes take.
func inBlocks(size int64) int64 { return (size + blockSize - 1) / blockSize * blockSize }

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
