// Command leaks uses keys as it is told, so that evidence/leaks can search its
// memory and watch its machine code.
package main

import (
	"fmt"
	"os"
	"strings"

	"sivka.dev/go/internal/machine"
)

// additionalData is that of every message.
var additionalData = []byte("associated data of 33 bytes, long")

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	if name := os.Getenv("SIVKA_TIER"); name != "" {
		choose(name)
	}
	switch word := strings.Join(os.Args[1:], " "); word {
	case "hold":
		hold(false, false)
	case "hold wiped":
		hold(true, false)
	case "hold planted":
		hold(true, true)
	case "trace":
		trace(false)
	case "trace planted":
		trace(true)
	default:
		fmt.Fprintln(os.Stderr, "usage: leaks hold [wiped | planted] | trace [planted]")
		os.Exit(2)
	}
}

// choose makes new keys use the tier of a name.
func choose(name string) {
	for _, tier := range machine.Available() {
		if tier.String() == name {
			machine.Choose(tier)
			return
		}
	}
	panic("no tier " + name)
}
