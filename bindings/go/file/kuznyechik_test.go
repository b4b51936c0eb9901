package file_test

import (
	"bytes"
	"errors"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/file"
)

func init() {
	if sivka.Tier() != "go" {
		suites = append(suites, file.KuznyechikMGM)
	}
}

func TestSuiteThatIsNotGivenIsUnknown(t *testing.T) {
	if sivka.Tier() == "go" {
		t.Skip("no Kuznyechik in plain Go")
	}
	from := sealed([]byte("meet at noon"), file.KuznyechikMGM)
	_, err := file.NewReader(bytes.NewReader(from), keysOf(testKey), nil)
	var details *file.Error
	if !errors.Is(err, file.ErrNewer) || !errors.As(err, &details) || details.Number != 3 {
		t.Error(err)
	}
}
