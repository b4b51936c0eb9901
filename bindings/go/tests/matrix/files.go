package main

import (
	"errors"
	"io"
	"os"

	"sivka.dev/go/file"
)

var fileOptions = &file.ReaderOptions{Suites: []*file.Suite{file.KuznyechikMGM}, Compressed: true}

// ofFiles answers a line about sealed files, and says whether it is one.
func ofFiles(command string, words []string) (answer string, is bool) {
	switch command {
	case "seal-file":
		return sealFile(words[0], secret(words[1:3]), words[3], words[4]), true
	case "verify-file":
		return stream(secret(words[:2]), words[2], io.Discard), true
	case "open-stream", "read-file", "open-file":
		output := must(os.OpenFile(words[3], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600))
		defer output.Close()
		if command == "read-file" {
			return inParts(secret(words[:2]), words[2], output), true
		}
		answer := stream(secret(words[:2]), words[2], output)
		if command == "open-file" && answer != "done" {
			// What opens to a path is whole, or not there.
			if err := os.Remove(words[3]); err != nil {
				panic(err)
			}
		}
		return answer, true
	}
	return "", false
}

func secret(words []string) []file.Key {
	switch words[0] {
	case "key-file":
		return []file.Key{must(file.ParseKeyFile(must(os.ReadFile(words[1])), nil))}
	case "key":
		return []file.Key{must(file.NewKeyFile(unhex(words[1]), "vector"))}
	case "passphrase":
		return []file.Key{must(file.NewPassphrase(unhex(words[1])))}
	}
	panic("no secret: " + words[0])
}

func sealFile(suite string, keys []file.Key, from, to string) string {
	options := new(file.WriterOptions)
	for _, each := range []*file.Suite{file.AES256GCMSIV, file.XChaCha20BLAKE2b, file.KuznyechikMGM} {
		if each.String() == suite {
			options.Suite = each
		}
	}
	source, sink := must(os.Open(from)), must(os.Create(to))
	defer source.Close()
	must(file.Seal(sink, source, keys, options))
	if err := sink.Close(); err != nil {
		panic(err)
	}
	return "done"
}

func stream(keys []file.Key, from string, sink io.Writer) string {
	source := must(os.Open(from))
	defer source.Close()
	r, err := file.NewReader(source, keys, fileOptions)
	if err == nil {
		_, err = io.Copy(sink, r)
	}
	return failure(err)
}

func inParts(keys []file.Key, from string, sink io.Writer) string {
	source := must(os.Open(from))
	defer source.Close()
	r, err := file.NewReaderAt(source, must(source.Stat()).Size(), keys, fileOptions)
	if err == nil {
		_, err = io.Copy(sink, io.NewSectionReader(r, 0, r.Size()))
	}
	return failure(err)
}

func failure(err error) string {
	for kind, name := range map[error]string{
		file.ErrNotSivka:    "not-sivka",
		file.ErrNewer:       "newer",
		file.ErrDamaged:     "damaged",
		file.ErrTruncated:   "truncated",
		file.ErrWrongKey:    "wrong-key",
		file.ErrCostTooHigh: "cost-limit",
	} {
		if errors.Is(err, kind) {
			return name
		}
	}
	return must("done", err)
}
