// Package file seals files and streams of any length, and opens them as an
// [io.Reader] or an [io.ReaderAt]. The format is that of the command sivka and
// of Sivka's packages for other languages: each opens what the others seal.
//
// A file has 1 to 64 slots. Each opens with a key file, a passphrase or an
// identity; slots of the last kind are skipped here.
// The content is sealed in chunks of 16 KiB. Every change of a file is noticed:
// chunks cannot be altered, moved, repeated, removed or added. A file opens
// under one content key only (it is key-committing). Everybody can see its
// length, its suite, and the number and kinds of its slots, but not the [Kind]
// of its content. In Sivka's repository, docs/spec/file-format-v1.md defines
// every byte; its section 7 has the promises.
//
// Readers return no byte of a chunk that was not authenticated. Until a
// [Reader] has returned [io.EOF], the end of the file may still be missing: if
// a part of the content would do harm, wait for io.EOF.
//
// Package sivka.dev/go/file/folder opens sealed folders. A compressed content is
// [ErrCompressed], because the standard library of Go has no Zstandard.
//
// If there is enough work, several goroutines seal and open chunks. These never
// outlive the call that starts them, and only the caller's goroutine calls the
// caller's readers and writers.
//
// Keys are wiped when nothing refers to them. Buffers with plaintext are not,
// nor are the copies of crypto/hkdf and Argon2id of golang.org/x/crypto.
package file
