package schema

import rt "github.com/openrpc-go/rpcgen/runtime/schema"

// Samples returns the schemas whose documents give a default or examples with
// them, in the order in which they were first met. A schema with a fault is not
// among them: nothing fits it.
func (g *Graph) Samples() []*rt.Node {
	g.mutex.RLock()
	defer g.mutex.RUnlock()
	var found []*rt.Node
	for _, e := range g.entries {
		if (e.info.Default != nil || len(e.info.Examples) > 0) && !e.own.HasErrors() {
			found = append(found, e.node)
		}
	}
	return found
}

// Broken returns the ids of the schemas that have a fault of their own, and
// therefore admit nothing.
func (g *Graph) Broken() map[string]bool {
	g.mutex.RLock()
	defer g.mutex.RUnlock()
	broken := map[string]bool{}
	for _, e := range g.entries {
		if e.own.HasErrors() {
			broken[e.node.ID] = true
		}
	}
	return broken
}
