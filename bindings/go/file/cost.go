package file

import (
	"fmt"
	"math"
)

// Cost is what one try of a passphrase costs: the parameters of Argon2id (RFC
// 9106).
type Cost struct {
	// MemoryKiB is the memory in KiB, at least 8 for each lane.
	MemoryKiB uint32
	// Passes over the memory, at least 1.
	Passes uint32
	// Lanes that can be computed at the same time, 1 to 255.
	Lanes uint32
}

// DefaultCost returns what a new slot costs unless [WriterOptions] say
// otherwise: 256 MiB, 3 passes, 4 lanes.
func DefaultCost() Cost { return Cost{256 << 10, 3, 4} }

// DefaultMaxCost returns what a slot may cost unless [ReaderOptions] say
// otherwise: 1 GiB, 16 passes, 255 lanes.
func DefaultMaxCost() Cost { return Cost{1 << 20, 16, 255} }

func (c Cost) String() string {
	return fmt.Sprintf("%d KiB, passes: %d, lanes: %d", c.MemoryKiB, c.Passes, c.Lanes)
}

// valid reports whether the format has this cost (section 5.3).
func (c Cost) valid() bool {
	return c.Passes >= 1 && c.Lanes >= 1 && c.Lanes <= 255 && c.MemoryKiB >= 8*c.Lanes
}

// work is the KiB written over all passes.
func (c Cost) work() uint64 { return uint64(c.MemoryKiB) * uint64(c.Passes) }

// within reports whether no parameter exceeds that of a limit, and this
// system can address the memory.
func (c Cost) within(limit Cost) bool {
	return c.MemoryKiB <= limit.MemoryKiB && c.Passes <= limit.Passes && c.Lanes <= limit.Lanes &&
		uint64(c.MemoryKiB) <= math.MaxInt>>10
}
