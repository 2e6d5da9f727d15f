package amendment

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// Counts says how many methods of a contract are in which class. Read, Write
// and Destructive count methods that somebody may call; what an entry denies to
// everybody is among the refused.
type Counts struct {
	Read, Write, Destructive int
	Refused                  int
	Undecided, Stale         int
	Uncompiled               int // not part of the authority line: no amendment can open them
}

// String is the authority line without its first word:
// "3 read, 2 write, 1 destructive, 1 refused; unclassified: 3 undecided, 0 stale".
func (c Counts) String() string {
	return fmt.Sprintf("%d read, %d write, %d destructive, %d refused; unclassified: %d undecided, %d stale",
		c.Read, c.Write, c.Destructive, c.Refused, c.Undecided, c.Stale)
}

// Open is the number of methods that somebody may call.
func (c Counts) Open() int { return c.Read + c.Write + c.Destructive }

func (c *Counts) add(a compiled.Authority) {
	switch a.Standing() {
	case compiled.Open:
		c.addOpen(a.Effect)
	case compiled.Refused:
		c.Refused++
	case compiled.Undecided:
		c.Undecided++
	case compiled.Stale:
		c.Stale++
	case compiled.Uncompiled:
		c.Uncompiled++
	default:
		panic(fmt.Sprintf("amendment: no state %q", a.State))
	}
}

func (c *Counts) addOpen(e effect.Effect) {
	switch e {
	case effect.Read:
		c.Read++
	case effect.Write:
		c.Write++
	case effect.Destructive:
		c.Destructive++
	default:
		panic(fmt.Sprintf("amendment: no effect %q", e))
	}
}
