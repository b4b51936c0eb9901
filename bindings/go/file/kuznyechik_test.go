//go:build (amd64 || arm64) && !purego

package file_test

import (
	"bytes"
	"errors"
	"testing"

	"sivka.dev/go/file"
	"sivka.dev/go/file/kuznyechikmgm"
)

func init() { suites = append(suites, kuznyechikmgm.Suite) }

func TestSuiteThatIsNotGivenIsUnknown(t *testing.T) {
	from := sealed([]byte("meet at noon"), kuznyechikmgm.Suite)
	_, err := file.NewReader(bytes.NewReader(from), keysOf(testKey), nil)
	var details *file.Error
	if !errors.Is(err, file.ErrNewer) || !errors.As(err, &details) || details.Number != 3 {
		t.Error(err)
	}
}
