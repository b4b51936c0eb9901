// Benchmark measures sivka beside other packages: short batches in turn, so
// that what disturbs the machine disturbs all of them. It prints the columns
// that evidence/bench/README.md names. Before it measures, it compares what
// all of them seal.
//
// With the tag sivka_c, and the C library installed where pkg-config finds it,
// it also calls that through cgo.
package main

import (
	"flag"
	"fmt"
	"slices"
	"time"
)

// batch is how long a batch takes, about.
const batch = 200 * time.Microsecond

// measured is a call, and how long it took in each batch.
type measured struct {
	call  func()
	times int
	nanos []float64
}

func (m *measured) run() time.Duration {
	start := time.Now()
	for range m.times {
		m.call()
	}
	return time.Since(start)
}

// alternate runs one batch of each in turn, so many times.
func alternate(calls []*measured, rounds int) {
	for _, m := range calls {
		for m.times = 1; m.times < 1<<20 && m.run() < batch/2; {
			m.times *= 2
		}
	}
	for range rounds {
		for _, m := range calls {
			m.nanos = append(m.nanos, float64(m.run().Nanoseconds())/float64(m.times))
		}
	}
	for _, m := range calls {
		slices.Sort(m.nanos)
	}
}

func main() {
	rounds := flag.Int("rounds", 200, "batches of each")
	only := flag.String("only", "", "the one comparison that is made: nonce, batch or siv")
	flag.Parse()
	fmt.Println("algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns")
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
		fmt.Printf("%s,%s,%d,0,%d,%s,%s,%s,%.2f,%.2f\n", c.algorithm, direction, size, p.messages, p.name, p.kind(c), p.algorithm, fastest, median)
	}
}
