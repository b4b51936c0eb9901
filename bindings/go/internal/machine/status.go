package machine

// What bindings/go/blob says of a call.
const (
	Done      = 0
	NotOpened = 1
)

// Must panics if a call refused what its caller had checked.
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
