package compiled

import (
	"slices"

	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// Standing is the state that callers find. A classified method that no kind of
// caller may call is not open: it counts as Stale where only its moved result
// closed it, and else as Refused.
func (a *Authority) Standing() State {
	agents := a.Agents != effect.Deny || a.AllowIf != nil
	switch {
	case a.State != Open, a.Code != effect.Deny, agents && len(a.ClosedTo) == 0:
		return a.State
	case agents && !slices.Contains(a.ClosedTo, "agent"):
		return Open
	case agents:
		return Stale
	default:
		return Refused
	}
}
