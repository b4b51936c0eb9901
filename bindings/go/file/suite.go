package file

import (
	"crypto/cipher"
	"strconv"

	"sivka.dev/go"
)

// Suite is an AEAD that seals the chunks of a file. Headers and slots have
// AES-256-GCM-SIV and SHA-512 with every suite. Suites are compared by ==.
// Only this package makes any: nil in a list, and what new makes, are
// [ErrSuite].
type Suite struct {
	// A row of section 3 of docs/spec/file-format-v1.md. Sizes are in bytes.
	number             uint32
	name               string
	aead               string
	nonceSize, tagSize int
	chunkAAD           string
	// clearsFirstBit says that nonces have a first bit of zero.
	clearsFirstBit bool
	newKey         func(key []byte) (aead, error)
}

// aead is a key of a suite, which has 32 bytes.
type aead interface {
	cipher.AEAD
	Wipe()
}

// Number returns the number that files state.
func (s *Suite) Number() uint32 { return s.number }

// String returns the name of the suite, as the command sivka has it.
func (s *Suite) String() string { return s.name }

// AES256GCMSIV is suite 1, which is used unless [WriterOptions] say otherwise.
var AES256GCMSIV = &Suite{
	number:    1,
	name:      "aes-256-gcm-siv",
	aead:      "AEAD_AES_256_GCM_SIV",
	nonceSize: 12,
	tagSize:   16,
	newKey:    func(key []byte) (aead, error) { return sivka.NewAES256GCMSIV(key) },
}

// XChaCha20BLAKE2b is suite 2, with tags of 32 bytes.
var XChaCha20BLAKE2b = &Suite{
	number:    2,
	name:      "xchacha20-blake2b",
	aead:      "private.sivka.AEAD_XCHACHA20_BLAKE2B_32",
	nonceSize: 24,
	tagSize:   32,
	newKey:    func(key []byte) (aead, error) { return sivka.NewXChaCha20BLAKE2b(key, 32) },
}

// KuznyechikMGM is suite 3, with Kuznyechik-MGM (RFC 9058). Where a program has
// no machine code, its keys are [sivka.ErrNoCode]. Programs that do not
// name it link no code of Kuznyechik: name it in [ReaderOptions] to open such
// files.
var KuznyechikMGM = &Suite{
	number:         3,
	name:           "kuznyechik-mgm",
	aead:           "private.sivka.AEAD_KUZNYECHIK_MGM",
	nonceSize:      16,
	tagSize:        16,
	chunkAAD:       "sivka.file.v1 chunk",
	clearsFirstBit: true,
	newKey:         func(key []byte) (aead, error) { return sivka.NewKuznyechikMGM(key) },
}

// checkSuites refuses suites that this package has not made.
func checkSuites(suites ...*Suite) error {
	for _, suite := range suites {
		if suite == nil || suite.newKey == nil {
			return ErrSuite
		}
	}
	return nil
}

// find returns the suite of a number, nil if there is none.
func find(number uint32, others []*Suite) *Suite {
	for _, suite := range append([]*Suite{AES256GCMSIV, XChaCha20BLAKE2b}, others...) {
		if suite.number == number {
			return suite
		}
	}
	return nil
}

// Kind is the kind of a file's content. It is authentic, and only a reader that
// opens the file sees it.
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
