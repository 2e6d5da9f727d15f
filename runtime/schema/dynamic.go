package schema

// resource is one schema resource: what its dynamic anchors name.
type resource struct {
	anchors map[string]*rule
}

// dynamic prepares $dynamicRef and the anchors that one may find.
func (p *program) dynamic(r *rule, n *Node) {
	r.dynamicRef = n.DynamicRef
	if n.Resource == nil {
		if n.DynamicRef != "" {
			p.refuse(n, "$dynamicRef %q without a resource", n.DynamicRef)
		}
		return
	}
	r.resource = p.resource(n.Resource)
	if n.DynamicAnchor != "" && r.resource.anchors[n.DynamicAnchor] == nil {
		r.resource.anchors[n.DynamicAnchor] = r
	}
}

func (p *program) resource(root *Node) *resource {
	if found, ok := p.resources[root]; ok {
		return found
	}
	found := &resource{anchors: map[string]*rule{}}
	p.resources[root] = found
	p.rule(root)
	return found
}

// enter puts r's resource on the dynamic scope and reports whether it did.
func (m *machine) enter(r *rule) bool {
	if r.resource == nil || len(m.scope) > 0 && m.scope[len(m.scope)-1] == r.resource {
		return false
	}
	m.scope = append(m.scope, r.resource)
	return true
}

func (m *machine) leave() { m.scope = m.scope[:len(m.scope)-1] }

// dynamicTarget finds the outermost resource of the dynamic scope that has
// the anchor. Without one nothing is admitted: the engine cannot decide.
func (m *machine) dynamicTarget(anchor string) *rule {
	for _, r := range m.scope {
		if target := r.anchors[anchor]; target != nil {
			return target
		}
	}
	return nil
}
