package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Scope is a thing that a Budget counts apart.
type Scope string

const (
	PerEndpoint  Scope = "endpoint"
	PerMethod    Scope = "method"
	PerPrincipal Scope = "principal"
)

// Budget bounds what calls may use within any span of time as long as Window.
// It is reserved before a call is sent and settled when it ended; what is not
// known then counts as much as it could have been. Zero bounds nothing.
type Budget struct {
	Name      string  // told to callers that may inspect; what was used belongs to the name
	Per       []Scope // each has a budget of its own; a budget of a binding is always per endpoint
	Method    string  // wire name; "" is all
	Principal string  // "" is all

	Window   time.Duration // a second to 366 days
	Calls    int64
	Sent     int64 // request bytes
	Received int64 // response bytes
	Time     time.Duration
}

func checkBudgets(list []Budget) error {
	seen := map[string]bool{}
	for _, b := range list {
		if b.Name == "" || seen[b.Name] {
			return fmt.Errorf("budget %q: no name, or the name is taken", b.Name)
		}
		seen[b.Name] = true
		if b.Time < 0 || b.limit() == (store.Use{}) {
			return fmt.Errorf("budget %q bounds nothing", b.Name)
		}
		for _, s := range b.Per {
			if s != PerEndpoint && s != PerMethod && s != PerPrincipal {
				return fmt.Errorf("budget %q: per %q is not endpoint, method or principal", b.Name, s)
			}
		}
		charge := store.Charge{Key: "-", Name: b.Name, Window: b.Window, Limit: b.limit()}
		if err := charge.Check(); err != nil {
			return err
		}
	}
	return nil
}

func (b Budget) limit() store.Use {
	atLeast := b.Time + time.Microsecond - 1 // a bound that is given never becomes none
	return store.Use{Calls: b.Calls, Sent: b.Sent, Received: b.Received, Time: atLeast.Microseconds()}
}

// stepBudget works out what the call will take and looks whether it is there.
// Nothing is reserved yet.
func (a *attempt) stepBudget(ctx context.Context) error {
	a.charges = a.allCharges()
	if len(a.charges) == 0 {
		return nil
	}
	return a.spent(ctx, a.caller.registry.store.Check(ctx, a.now, store.Consumption{Tuple: a.tuple, Charges: a.charges}))
}

// allCharges lists the budgets of the registry, the binding and the amendment
// that the call comes under.
func (a *attempt) allCharges() []store.Charge {
	own := a.compiled.Authority.Budget
	if own == nil && len(a.endpoint.budgets)+len(a.caller.registry.budgets) == 0 {
		return nil
	}
	var list []store.Charge
	for _, b := range a.caller.registry.budgets {
		list = a.charge(list, "registry", b)
	}
	for _, b := range a.endpoint.budgets {
		b.Per = append([]Scope{PerEndpoint}, b.Per...)
		list = a.charge(list, "binding", b)
	}
	if own != nil {
		list = a.charge(list, "amendment", Budget{
			Name: "of the amendment", Per: []Scope{PerEndpoint, PerMethod},
			Window: time.Duration(own.Seconds) * time.Second, Calls: own.Calls,
		})
	}
	return list
}

// charge adds the charge of one budget where the call comes under it.
func (a *attempt) charge(list []store.Charge, owner string, b Budget) []store.Charge {
	if b.Method != "" && b.Method != a.compiled.Name || b.Principal != "" && b.Principal != a.caller.name {
		return list
	}
	parts := [][]byte{[]byte(owner), []byte(b.Name), []byte(b.Window.String())}
	for _, scope := range []struct {
		is   Scope
		name string
	}{{PerEndpoint, a.endpoint.id}, {PerMethod, a.compiled.Name}, {PerPrincipal, a.caller.name}} {
		if slices.Contains(b.Per, scope.is) {
			parts = append(parts, []byte(scope.is), []byte(scope.name))
		}
	}
	l := limits(a.endpoint, a.compiled)
	return append(list, store.Charge{
		Key: canonical.Digest("budget", parts...), Name: b.Name, Window: b.Window, Limit: b.limit(),
		Use: store.Use{Calls: 1, Sent: int64(len(a.method.prefix) + len(a.wire) + frame), Received: l.Response, Time: l.Timeout.Microseconds()},
	})
}

// requestSize is at least the size of the request's body.
func (a *attempt) requestSize() int64 { return int64(len(a.method.prefix) + len(a.wire) + frame) }

// exhausted refuses a call whose budget is spent. Which one it is concerns who
// may inspect the endpoint.
func (a *attempt) exhausted(err error) error {
	var spent *store.BudgetError
	detail := ""
	if errors.As(err, &spent) && a.inspector {
		detail = fmt.Sprintf("the budget %q for %s is spent", spent.Name, spent.Window)
	}
	return a.refuse(ReasonBudget, detail, nil)
}
