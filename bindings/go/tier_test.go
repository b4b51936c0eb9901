package sivka_test

import (
	"os"
	"testing"

	"sivka.dev/go"
)

// Who runs the tests may say which code it has to be.
func TestTier(t *testing.T) {
	tier := sivka.Tier()
	t.Log("tier", tier)
	if code := os.Getenv("SIVKA_GO_CODE"); code != "" && (code == "plain") != (tier == "go") {
		t.Errorf("the tier is %s, but the code has to be %s", tier, code)
	}
}
