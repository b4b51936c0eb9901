package machine

// NotMade panics for a key that no constructor has made.
func NotMade() {
	panic("sivka: use of a key that was not made by its constructor")
}

// Wiped panics for a key that was wiped.
func Wiped() {
	panic("sivka: use of a key that was wiped")
}

// WipedMeanwhile overwrites what a call wrote while its key was wiped, which
// may be a message under a key of zeros, and panics.
func WipedMeanwhile(written ...[]byte) {
	for _, bytes := range written {
		clear(bytes)
	}
	panic("sivka: a key was wiped while it was in use")
}
