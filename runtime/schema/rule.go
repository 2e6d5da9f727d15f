package schema

import (
	"fmt"
	"slices"
	"strings"
)

// rule is a Node made ready to run: names in tables, bounds as numbers,
// patterns compiled, allOf merged where that says the same. Rules form a
// graph like nodes do and are immutable once their program is built.
type rule struct {
	id        string
	any       bool // admits everything: only the syntax is read
	read      bool // a branch reads the value: the rule itself asks nothing of it
	slow      bool // has more than types, enum and the rules of one type
	never     bool
	nullable  bool // null is admitted whatever the rest says
	strictInt bool
	sensitive bool
	types     Types // never zero
	admits    Types // see mask, once masked
	masked    bool
	enum      *enumRule
	number    *numberRule
	str       *stringRule
	array     *arrayRule
	object    *objectRule

	all                 []*rule
	anyOf, oneOf        *branches
	not                 *rule
	ifRule              *rule
	thenRule, elseRule  *rule
	unevaluatedMembers  *rule
	unevaluatedElements *rule
}

const everyType = TypeNull | TypeBoolean | TypeInteger | TypeNumber | TypeString | TypeArray | TypeObject

// program turns nodes into rules, each node once.
type program struct {
	flat         *flattener
	rules        map[*Node]*rule
	patterns     map[Pattern]*pattern
	tableWork    int // that tables of patterns took
	instructions int // of all patterns
	unfilled     []unfilled
	unlinked     []*branches
	unchecked    []*rule // for loops
	checked      map[*rule]bool
	err          error
}

func newProgram() *program {
	return &program{flat: newFlattener(), rules: map[*Node]*rule{}, patterns: map[Pattern]*pattern{}, checked: map[*rule]bool{}}
}

// compile returns the rule of n and of everything reachable from it.
func (p *program) compile(n *Node) (*rule, error) {
	if n == nil {
		return nil, fmt.Errorf("schema: nil node")
	}
	r := p.rule(n)
	p.finish()
	if p.err != nil {
		return nil, p.err
	}
	return r, nil
}

// finish checks and links the rules made since the last time.
func (p *program) finish() {
	p.fillAll()
	if p.err == nil {
		p.err = p.checkLoops()
	}
	if p.err != nil {
		return
	}
	for _, b := range p.unlinked {
		b.link()
	}
	p.unlinked, p.unchecked = nil, nil
}

func (p *program) refuse(n *Node, format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("schema: node %q: %s", n.ID, fmt.Sprintf(format, args...))
	}
}

func (p *program) optional(n *Node) *rule {
	if n == nil {
		return nil
	}
	return p.rule(n)
}

func (p *program) list(nodes []*Node) []*rule {
	var rules []*rule
	for _, n := range nodes {
		rules = append(rules, p.rule(n))
	}
	return rules
}

// rule returns the rule of n; finish fills it. Long chains of references would
// run out of stack if it were filled here.
func (p *program) rule(n *Node) *rule {
	if r, ok := p.rules[n]; ok {
		return r
	}
	r := &rule{}
	p.rules[n] = r
	p.unfilled = append(p.unfilled, unfilled{r, n})
	return r
}

type unfilled struct {
	rule *rule
	node *Node
}

// fillAll fills all rules that were asked for.
func (p *program) fillAll() {
	for len(p.unfilled) > 0 {
		last := p.unfilled[len(p.unfilled)-1]
		p.unfilled = p.unfilled[:len(p.unfilled)-1]
		r := last.rule
		flat := p.flat.node(last.node)
		if inner, ok := p.flat.nullable(flat); ok {
			flat = p.flat.node(inner)
			r.nullable = true
		}
		sensitive := last.node.Sensitive || flat.Sensitive
		p.fill(r, flat, sensitive)
		p.unchecked = append(p.unchecked, r)
	}
}

func (p *program) fill(r *rule, n *Node, sensitive bool) {
	r.id, r.sensitive, r.strictInt = n.ID, sensitive, n.StrictInteger
	r.never = n.Never || n.Enum != nil && len(n.Enum) == 0
	if r.types = n.Types; r.types == 0 {
		r.types = everyType
	}
	if r.types&TypeNumber != 0 {
		r.types |= TypeInteger
	}
	r.enum = p.enum(n)
	r.number = p.number(n)
	r.str = p.string(n)
	r.array = p.array(n)
	r.object = p.object(n)
	p.combinators(r, n)
	r.slow = r.never || r.nullable || r.sensitive || len(r.all) > 0 || r.anyOf != nil || r.oneOf != nil || r.not != nil ||
		r.ifRule != nil || r.unevaluatedMembers != nil || r.unevaluatedElements != nil
	r.read = r.blank() && (len(r.all) > 0 || r.anyOf != nil || r.oneOf != nil)
	r.any = !r.slow && r.blank()
}

// blank reports whether r itself asks nothing, its combinators apart.
func (r *rule) blank() bool {
	return r.types == everyType && r.enum == nil && r.number == nil && r.str == nil && r.array == nil && r.object == nil
}

func (p *program) combinators(r *rule, n *Node) {
	r.all = p.list(n.AllOf)
	r.anyOf = p.branches(n, n.AnyOf)
	r.oneOf = p.branches(n, n.OneOf)
	r.not = p.optional(n.Not)
	if n.If != nil { // even alone: what it evaluates counts
		r.ifRule, r.thenRule, r.elseRule = p.rule(n.If), p.optional(n.Then), p.optional(n.Else)
	}
	if n.Object != nil && n.Object.Unevaluated != nil {
		r.unevaluatedMembers = p.rule(n.Object.Unevaluated)
	}
	if n.Array != nil && n.Array.Unevaluated != nil {
		r.unevaluatedElements = p.rule(n.Array.Unevaluated)
	}
}

// inPlaceRules lists the rules that r applies to the very value it stands for.
func (r *rule) inPlaceRules() []*rule {
	list := slices.Clone(r.all)
	for _, b := range []*branches{r.anyOf, r.oneOf} {
		if b != nil {
			list = append(list, b.rules...)
		}
	}
	for _, q := range []*rule{r.not, r.ifRule, r.thenRule, r.elseRule} {
		if q != nil {
			list = append(list, q)
		}
	}
	if r.object != nil {
		for _, d := range r.object.dependentSchemas {
			list = append(list, d.rule)
		}
	}
	return list
}

// checkLoops refuses a rule that applies itself to the same value: it would
// never say anything.
func (p *program) checkLoops() error {
	open := map[*rule]bool{}
	var visit func(r *rule) bool
	visit = func(r *rule) bool {
		if p.checked[r] || open[r] {
			return p.checked[r]
		}
		open[r] = true
		for _, q := range r.inPlaceRules() {
			if !visit(q) {
				return false
			}
		}
		p.checked[r] = true
		return true
	}
	var loops []string
	for _, r := range p.unchecked {
		if !visit(r) {
			loops = append(loops, r.id)
		}
	}
	if len(loops) == 0 {
		return nil
	}
	slices.Sort(loops)
	return fmt.Errorf("schema: node %q refers to itself without an array or object between: it has no meaning", strings.Join(slices.Compact(loops), ", "))
}

// children lists all rules that r leads to.
func (r *rule) children() []*rule {
	list := r.inPlaceRules()
	add := func(rules ...*rule) {
		for _, q := range rules {
			if q != nil {
				list = append(list, q)
			}
		}
	}
	add(r.unevaluatedElements, r.unevaluatedMembers)
	if a := r.array; a != nil {
		add(a.prefix...)
		add(a.items, a.contains)
	}
	if o := r.object; o != nil {
		for k := range o.known {
			add(o.known[k].rule)
		}
		for k := range o.patterns {
			add(o.patterns[k].rule)
		}
		add(o.additional, o.names)
	}
	return list
}

// branching counts how many rules are applied to values that were read
// already, over all of what r leads to, and adds what patterns cost.
func (r *rule) branching() (n int) {
	patterns := 0
	seen := map[*rule]bool{r: true}
	for queue := []*rule{r}; len(queue) > 0; {
		at := queue[0]
		queue = queue[1:]
		n += len(at.inPlaceRules())
		if at.array != nil && at.array.contains != nil {
			n++
		}
		patterns += at.patternCost()
		for _, q := range at.children() {
			if !seen[q] {
				seen[q] = true
				queue = append(queue, q)
			}
		}
	}
	return min(n, 4096) + patterns/16
}

func (r *rule) patternCost() (cost int) {
	if r.str != nil && r.str.pattern != nil {
		cost = r.str.pattern.cost
	}
	if r.object != nil {
		for _, q := range r.object.patterns {
			cost += q.pattern.cost
		}
	}
	return cost
}

// mask returns the types that a value admitted by r can have, or more. It
// must not be called before checkLoops.
func (r *rule) mask() Types {
	if !r.masked {
		r.masked, r.admits = true, r.computeMask()
	}
	return r.admits
}

func (r *rule) computeMask() Types {
	if r.never {
		return 0
	}
	m := r.types
	if r.enum != nil {
		m &= r.enum.types
	}
	for _, q := range r.all {
		m &= q.mask()
	}
	for _, b := range []*branches{r.anyOf, r.oneOf} {
		if b == nil {
			continue
		}
		var union Types
		for _, q := range b.rules {
			union |= q.mask()
		}
		m &= union
	}
	if r.nullable {
		m |= TypeNull
	}
	return m
}
