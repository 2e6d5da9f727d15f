package compiled

import (
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestStanding: open is what some kind of caller may call.
func TestStanding(t *testing.T) {
	rule := &schema.Node{}
	for _, c := range []struct {
		a    Authority
		want State
	}{
		{Authority{State: Undecided}, Undecided},
		{Authority{State: Refused, Code: effect.Allow}, Refused},
		{Authority{State: Open, Code: effect.Allow, Agents: effect.Deny}, Open},
		{Authority{State: Open, Code: effect.Deny, Agents: effect.Ask}, Open},
		{Authority{State: Open, Code: effect.Allow, Agents: effect.Allow, ClosedTo: []string{"agent"}}, Open},
		{Authority{State: Open, Code: effect.Deny, Agents: effect.Allow, ClosedTo: []string{"agent"}}, Stale},
		{Authority{State: Open, Code: effect.Deny, Agents: effect.Allow, ClosedTo: []string{"robot"}}, Open},
		{Authority{State: Open, Code: effect.Deny, Agents: effect.Deny}, Refused},
		{Authority{State: Open, Code: effect.Deny, Agents: effect.Deny, ClosedTo: []string{"agent"}}, Refused},
		{Authority{State: Open, Code: effect.Deny, Agents: effect.Deny, Terms: Terms{AllowIf: rule}}, Open},
	} {
		if got := c.a.Standing(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.a, got, c.want)
		}
	}
}
