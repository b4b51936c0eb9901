package file

import "strconv"

// Kind says what the content of a file is. It is authentic, and only who opens
// the file sees it.
type Kind byte

// The kinds of content (docs/spec/file-format-v1.md, section 5.1).
const (
	FileKind Kind = iota
	// FolderKind is an archive of a folder, which package
	// sivka.dev/go/file/folder reads.
	FolderKind
	// CompressedFileKind is a file in frames of Zstandard.
	CompressedFileKind
	// CompressedFolderKind is an archive of a folder in frames of Zstandard.
	CompressedFolderKind
)

// IsFolder reports whether the content is the archive of a folder.
func (k Kind) IsFolder() bool { return k == FolderKind || k == CompressedFolderKind }

// IsCompressed reports whether the content is compressed.
func (k Kind) IsCompressed() bool { return k == CompressedFileKind || k == CompressedFolderKind }

func (k Kind) String() string {
	names := []string{"file", "folder", "compressed file", "compressed folder"}
	if int(k) < len(names) {
		return names[k]
	}
	return "kind " + strconv.Itoa(int(k))
}
