// Benchmark measures sivka beside other packages: short batches in turn, so
// that what disturbs the machine disturbs all of them. It prints the fastest
// and the median batch, in nanoseconds a message.
//
// With the tag sivka_c, and the C library installed where pkg-config finds it,
// it also calls that through cgo.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"sivka.dev/go"
	"sivka.dev/go/internal/machine"
)

// batch is how long a batch takes, about.
const batch = 200 * time.Microsecond

// measured is a call, and how long it took in each batch.
type measured struct {
	call  func()
	times int
	nanos []float64
}

func (m *measured) calibrate() {
	m.times = 1
	for {
		start := time.Now()
		m.run()
		if taken := time.Since(start); taken > batch/2 || m.times > 1<<20 {
			return
		}
		m.times *= 2
	}
}

func (m *measured) run() {
	for range m.times {
		m.call()
	}
}

// alternate runs one batch of each in turn, so many times.
func alternate(calls []*measured, rounds int) {
	for _, m := range calls {
		m.calibrate()
	}
	for range rounds {
		for _, m := range calls {
			start := time.Now()
			m.run()
			m.nanos = append(m.nanos, float64(time.Since(start).Nanoseconds())/float64(m.times))
		}
	}
	for _, m := range calls {
		slices.Sort(m.nanos)
	}
}

func main() {
	rounds := flag.Int("rounds", 200, "batches of each")
	only := flag.String("only", "", "the one comparison that is made: nonce, batch or siv")
	tier := flag.String("tier", "", "that of the keys: the widest of this CPU if it is empty")
	flag.Parse()
	for _, each := range machine.Available() {
		if each.String() == *tier {
			machine.Choose(each)
		}
	}
	if *tier != "" && *tier != sivka.Tier() {
		fmt.Fprintln(os.Stderr, "no such tier here:", *tier)
		os.Exit(2)
	}
	fmt.Printf("%s, %s/%s, tier %s; ns a message, fastest batch and median of %d; allocations a call\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, sivka.Tier(), *rounds)
	for _, c := range comparisons() {
		if *only != "" && c.name != *only {
			continue
		}
		for _, size := range c.sizes {
			for _, direction := range []string{"seal", "open"} {
				c.measure(size, direction, *rounds)
			}
		}
	}
}

func (c *comparison) measure(size int, direction string, rounds int) {
	var calls []*measured
	for _, p := range c.peers {
		seal, open := p.prepare(size)
		call := map[string]func(){"seal": seal, "open": open}[direction]
		calls = append(calls, &measured{call: call})
	}
	alternate(calls, rounds)
	for i, m := range calls {
		p := c.peers[i]
		fastest, median := m.nanos[0]/float64(p.messages), m.nanos[len(m.nanos)/2]/float64(p.messages)
		allocations := testing.AllocsPerRun(10, m.call)
		fmt.Printf("%-5s %7d %s %-30s %10.1f %10.1f %4.0f\n", c.name, size, direction, p.name, fastest, median, allocations)
	}
}
