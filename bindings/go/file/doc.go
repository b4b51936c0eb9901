// Package file seals files and streams of any length, and opens them as an
// [io.Reader] or an [io.ReaderAt]. The format is that of the command sivka and
// of Sivka's packages for other languages: each opens what the others seal.
//
// A file has 1 to 64 slots. Each opens with a key file, a passphrase or an
// identity; slots of the last kind are skipped here.
// The content is sealed in chunks of 16 KiB. No change of a file stays
// unnoticed: chunks cannot be altered, moved, repeated, removed or added. A
// file opens under one content key only (it is key-committing). Its length,
// its suite, and the number and kinds of its slots can be seen by everybody,
// but not the [Kind] of its content.
// docs/spec/file-format-v1.md in Sivka's repository defines every byte, and
// says in section 7 what is promised.
//
// Readers return no byte of a chunk that was not authenticated. Until a
// [Reader] has returned [io.EOF], the end of the file may still be missing: if
// you act on the content as a whole, wait for that.
//
// Package sivka.dev/go/file/folder opens sealed folders. A compressed content is
// [ErrCompressed], because the standard library of Go has no Zstandard.
//
// Chunks are sealed and opened by several goroutines where there is enough to
// do. These never outlive the call that starts them, and readers and writers
// that others gave are only called from the goroutine of the caller.
//
// Keys are wiped when nothing refers to them. Buffers with plaintext are not,
// nor is what crypto/hkdf and Argon2id of golang.org/x/crypto leave.
package file
