package machine

// Statuses of bindings/go/blob.
const (
	Done      = 0
	NotOpened = 1
)

// Must panics if a call refused arguments that its caller had checked.
func Must(status uint64) {
	if status != Done {
		refused()
	}
}

// Opened reports whether a message opened, and panics as Must does.
func Opened(status uint64) bool {
	if status > NotOpened {
		refused()
	}
	return status == Done
}

func refused() {
	panic("sivka: internal error: the machine code refused a call")
}

// NotMade panics for a key that no constructor has made.
func NotMade() {
	panic("sivka: use of a key that was not made by its constructor")
}

// Wiped panics for a key that was wiped.
func Wiped() {
	panic("sivka: use of a key that was wiped")
}

// WipedMeanwhile overwrites the output of a call whose key was wiped meanwhile,
// which may be a message under a key of zeros, and panics.
func WipedMeanwhile(written ...[]byte) {
	for _, bytes := range written {
		clear(bytes)
	}
	panic("sivka: a key was wiped while it was in use")
}
