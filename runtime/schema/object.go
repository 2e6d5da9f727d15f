package schema

import (
	"encoding/binary"
	"math"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// objectRule holds the rules of objects. known lists the properties and, after
// them, the names that other keywords ask for; each has one bit in a set of
// members seen.
type objectRule struct {
	known      []known
	declared   int      // of known, those that are properties
	table      []int32  // open addressing over known: index + 1
	required   []uint64 // bits of known
	patterns   []patternRule
	additional *rule // nil: anything, and not evaluated
	names      *rule
	min, max   int

	dependentRequired []dependency
	dependentSchemas  []dependentSchema
	eachMember        bool // members need more than their property's rule
	tail              bool // something is left to check once all members are read
}

type known struct {
	name   string
	quoted string // as it stands in most texts, with its colon
	rule   *rule  // nil for a name that is no property
}

type patternRule struct {
	pattern *pattern
	rule    *rule
}

type dependency struct {
	name  string
	bit   int
	needs []int // bits
}

type dependentSchema struct {
	name string
	bit  int
	rule *rule
}

func (p *program) object(n *Node) *objectRule {
	rules := n.Object
	if rules == nil {
		return nil
	}
	o := &objectRule{additional: p.optional(rules.Additional), names: p.optional(rules.Names)}
	o.min, o.max = limitOf(rules.MinProperties, 0), limitOf(rules.MaxProperties, math.MaxInt)
	index := map[string]int{}
	add := func(name string, r *rule) int {
		k, ok := index[name]
		if !ok {
			k = len(o.known)
			index[name] = k
			o.known = append(o.known, known{name, string(append(scan.AppendQuote(nil, name), ':')), r})
		}
		return k
	}
	for _, q := range rules.Properties {
		if _, twice := index[q.Name]; twice {
			p.refuse(n, "property %q is declared twice", q.Name)
		}
		add(q.Name, p.rule(q.Node))
	}
	o.declared = len(o.known)
	var required []int
	for _, q := range rules.Properties {
		if q.Required {
			required = append(required, index[q.Name])
		}
	}
	for _, name := range rules.Required {
		required = append(required, add(name, nil))
	}
	p.dependencies(o, rules, add)
	for _, q := range rules.Patterns {
		o.patterns = append(o.patterns, patternRule{p.pattern(n, q.Pattern), p.rule(q.Node)})
	}
	o.required = make([]uint64, (len(o.known)+63)/64)
	for _, k := range required {
		o.required[k/64] |= 1 << (k % 64)
	}
	o.eachMember = len(o.patterns) > 0 || o.names != nil
	o.tail = o.min > 0 || o.max < math.MaxInt || len(o.dependentRequired) > 0 || len(o.dependentSchemas) > 0
	o.index()
	return o
}

func (p *program) dependencies(o *objectRule, rules *ObjectRules, add func(string, *rule) int) {
	for _, d := range rules.DependentRequired {
		needs := make([]int, len(d.Needs))
		for k, name := range d.Needs {
			needs[k] = add(name, nil)
		}
		o.dependentRequired = append(o.dependentRequired, dependency{d.Name, add(d.Name, nil), needs})
	}
	for _, d := range rules.DependentSchemas {
		o.dependentSchemas = append(o.dependentSchemas, dependentSchema{d.Name, add(d.Name, nil), p.rule(d.Node)})
	}
}

// index builds the table of names.
func (o *objectRule) index() {
	size := 4
	for size < 2*len(o.known) {
		size *= 2
	}
	o.table = make([]int32, size)
	for k := range o.known {
		at := int(nameHash([]byte(o.known[k].name))) & (size - 1)
		for o.table[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		o.table[at] = int32(k + 1)
	}
}

// nameHash takes length, first and last bytes: enough to tell apart the names
// of one object, and a foreign name costs one probe.
func nameHash(s []byte) uint32 {
	var w uint64
	switch {
	case len(s) >= 8:
		w = binary.LittleEndian.Uint64(s) ^ binary.LittleEndian.Uint64(s[len(s)-8:])*31
	case len(s) >= 4:
		w = uint64(binary.LittleEndian.Uint32(s)) | uint64(binary.LittleEndian.Uint32(s[len(s)-4:]))<<32
	default:
		for _, c := range s {
			w = w<<8 | uint64(c)
		}
	}
	w = (w ^ uint64(len(s))) * 0x9E3779B97F4A7C15
	return uint32(w >> 33)
}

// find returns the index of a name in known, or -1.
func (o *objectRule) find(name []byte) int {
	mask := len(o.table) - 1
	for at := int(nameHash(name)) & mask; o.table[at] != 0; at = (at + 1) & mask {
		if k := int(o.table[at]) - 1; o.known[k].name == string(name) {
			return k
		}
	}
	return -1
}

// anyObject stands in where a rule has no object rules.
var anyObject = func() *objectRule {
	o := &objectRule{max: math.MaxInt}
	o.index()
	return o
}()
