package folder

import (
	"errors"
	"testing"
)

// archive/tar has refused these before.
func TestPartsDoNotOverlap(t *testing.T) {
	for name, parts := range map[string][]part{
		"overlap":       {{0, 512, 0}, {511, 512, 512}},
		"another order": {{1024, 512, 0}, {0, 512, 512}},
		"negative":      {{-1, 512, 0}, {512, 512, 512}},
		"no size":       {{0, -1, 0}, {512, 1025, 0}},
		"after the end": {{0, 512, 0}, {8193, 512, 512}},
	} {
		c := content{size: 8704, stored: 1024, parts: parts}
		if err := c.checkParts(1024); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := content{size: 8704, stored: 1024, parts: []part{{0, 512, 0}, {8192, 512, 512}}}
	if err := c.checkParts(1024); err != nil {
		t.Error(err)
	}
}
