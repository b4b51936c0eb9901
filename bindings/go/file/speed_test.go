package file_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"sivka.dev/go/file"
)

func BenchmarkSeal(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20, 64 << 20} {
		text := randomBytes(size)
		for _, goroutines := range []int{1, 0} {
			b.Run(fmt.Sprint(size, "/", goroutines), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					must(file.Seal(io.Discard, bytes.NewReader(text), keysOf(testKey), &file.WriterOptions{Goroutines: goroutines}))
				}
			})
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20, 64 << 20} {
		from := sealed(randomBytes(size), file.AES256GCMSIV)
		for _, goroutines := range []int{1, 0} {
			b.Run(fmt.Sprint(size, "/", goroutines), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					r := must(file.NewReader(bytes.NewReader(from), keysOf(testKey), options(goroutines)))
					must(io.Copy(io.Discard, r))
				}
			})
		}
	}
}

func BenchmarkReadAt(b *testing.B) {
	from := sealed(randomBytes(64<<20), file.AES256GCMSIV)
	r := must(file.NewReaderAt(bytes.NewReader(from), int64(len(from)), keysOf(testKey), nil))
	part, i := make([]byte, 4096), int64(0)
	b.SetBytes(4096)
	b.ReportAllocs()
	for b.Loop() {
		i = (i + 7919*4096) % (60 << 20)
		must(r.ReadAt(part, i))
	}
}
