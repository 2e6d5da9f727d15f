package canonical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// spell builds a graph from lines "name label edge=name edge=name" and returns
// the digest of each name.
func spell(t *testing.T, text string) map[string]Sum {
	t.Helper()
	var g Graph
	numbers := map[string]int{}
	lines := strings.Split(strings.TrimSpace(text), ";")
	for _, line := range lines {
		f := strings.Fields(line)
		numbers[f[0]] = g.Add([]byte(f[1]))
	}
	for _, line := range lines {
		f := strings.Fields(line)
		for _, e := range f[2:] {
			label, to, _ := strings.Cut(e, "=")
			n, ok := numbers[to]
			if !ok {
				t.Fatalf("no node %q", to)
			}
			g.Link(numbers[f[0]], label, n)
		}
	}
	sums := g.Digests("test")
	out := map[string]Sum{}
	for name, n := range numbers {
		out[name] = sums[n]
	}
	return out
}

func TestGraph(t *testing.T) {
	const list = "a list next=a item=s; s string"
	for _, tt := range []struct {
		name, one, two string
		equal          bool
	}{
		{"same", list, list, true},
		{"renamed and reordered", list, "q string; z list item=q next=z; a list next=a item=q", true},
		{"unrolled once", list, "a list next=b item=s; b list next=a item=s; s string", true},
		{"unrolled into a tail", list, "a list next=b item=s; b list next=c item=s; c list next=b item=s; s string", true},
		{"copied leaf", list, "a list next=b item=s; b list next=b item=r; s string; r string", true},
		{"three for two", "a x n=b; b y n=a", "a x n=b; b y n=c; c x n=d; d y n=e; e x n=f; f y n=a", true},
		{"unreachable part", list, list + "; u other n=a; v list next=v item=u", true},
		{"collection without order", "a x e=b e=c; b y; c z", "a x e=c e=b; b y; c z", true},
		{"order in the label", "a x 0=b 1=c; b y; c z", "a x 0=c 1=b; b y; c z", false},
		{"repeats count", "a x e=b e=b; b y", "a x e=b; b y", false},
		{"label", list, "a list next=a item=s; s strinq", false},
		{"edge label", list, "a list nexd=a item=s; s string", false},
		{"edge missing", list, "a list next=a; s string", false},
		{"odd one in a ring", "a x n=b; b x n=c; c x n=a", "a x n=b; b x n=c; c y n=a", false},
		{"place in a ring", "a x n=b; b x n=c; c y n=a", "a x n=b; b y n=c; c x n=a", false},
		{"two in for three", "a x n=b; b x n=c; c y n=a", "a x n=b; b y n=a", false},
		{"loop or leaf", "a x n=a", "a x n=b; b x", false},
		{"label is not an edge", "a x", "a xe e=b; b x", false},
	} {
		one, two := spell(t, tt.one)["a"], spell(t, tt.two)["a"]
		if (one == two) != tt.equal {
			t.Errorf("%s: equal is %v, want %v\n%s\n%s", tt.name, one == two, tt.equal, tt.one, tt.two)
		}
	}
}

// TestGraphGolden keeps the bytes: pins hold digests of graphs.
func TestGraphGolden(t *testing.T) {
	sums := spell(t, "a list next=a item=s; s string; c pair l=d r=s; d other l=c r=a")
	for name, want := range map[string]string{
		"s": "sha256:ed371b1f272e07540a1947d5492e2936d5619348ee141678cf2dfa92167956fe",
		"a": "sha256:bb26fc207a7cf89bd06290f23a632d9e068543fd0cdd6d40d0cdfdae42a76e76",
		"c": "sha256:a23a0e9edfac90acdcae24aba109e7bbf768d1501a313cbf6639d09e55273399",
		"d": "sha256:6b79289ee333257918762604de2151eca83634577d445046f9d05bab6cfaf0f3",
	} {
		if got := sums[name].String(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestGraphModel holds random graphs against a model that compares pairs of
// nodes until nothing changes.
func TestGraphModel(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := randomGraph(r, 1+r.IntN(12), 1+r.IntN(2), 1+r.IntN(3), r.IntN(3))
		differs := differences(g)
		sums := g.Digests("test")
		for a := range g.Len() {
			for b := range g.Len() {
				if (sums[a] != sums[b]) != differs[a][b] {
					t.Fatalf("seed %d: nodes %d and %d: digests differ: %v, want %v\n%v", seed, a, b, sums[a] != sums[b], differs[a][b], g)
				}
			}
		}
		checkRespelled(t, seed, r, g, sums)
	}
}

// checkRespelled copies nodes, shuffles everything and adds nodes that nobody
// reaches: no digest may move.
func checkRespelled(t *testing.T, seed uint64, r *rand.Rand, g *Graph, sums []Sum) {
	copies := 1 + r.IntN(3)
	order := r.Perm(g.Len() * copies)
	labels, edges := make([][]byte, len(order)), make([][]edge, len(order))
	at := func(v int) int { return order[v*copies+r.IntN(copies)] }
	for v := range g.Len() {
		for c := range copies {
			n := order[v*copies+c]
			labels[n] = g.labels[v]
			for _, e := range g.edges()[v] {
				edges[n] = append(edges[n], edge{e.label, at(e.to)})
			}
			r.Shuffle(len(edges[n]), func(i, j int) { edges[n][i], edges[n][j] = edges[n][j], edges[n][i] })
		}
	}
	h := &Graph{labels: labels}
	for v, es := range edges {
		for _, e := range es {
			h.Link(v, e.label, e.to)
		}
	}
	h.Link(h.Add([]byte("alone")), "to", 0)
	respelled := h.Digests("test")
	for v := range g.Len() {
		for c := range copies {
			if respelled[order[v*copies+c]] != sums[v] {
				t.Fatalf("seed %d: node %d has another digest in another spelling\n%v", seed, v, g)
			}
		}
	}
}

func randomGraph(r *rand.Rand, n, labels, names, degree int) *Graph {
	g := new(Graph)
	for range n {
		g.Add([]byte(fmt.Sprint(r.IntN(labels))))
	}
	for v := range n {
		for range r.IntN(degree + 1) {
			g.Link(v, fmt.Sprint(r.IntN(names)), r.IntN(n))
		}
	}
	return g
}

// differences says which pairs of nodes differ: by label, or by the multiset of
// (edge label, class of target), class being the nodes not known to differ.
func differences(g *Graph) [][]bool {
	n := g.Len()
	class := make([]string, n)
	for v := range class {
		class[v] = string(g.labels[v])
	}
	for range n {
		next := make([]string, n)
		for v := range next {
			var out []string
			for _, e := range g.edges()[v] {
				out = append(out, e.label+">"+class[e.to])
			}
			slices.Sort(out)
			next[v] = class[v] + fmt.Sprint(out)
		}
		names := map[string]string{}
		for v, c := range next {
			if names[c] == "" {
				names[c] = fmt.Sprintf("c%d", len(names))
			}
			class[v] = names[c]
		}
	}
	differs := make([][]bool, n)
	for a := range differs {
		differs[a] = make([]bool, n)
		for b := range differs[a] {
			differs[a][b] = class[a] != class[b]
		}
	}
	return differs
}

// large graphs of the shapes that make a careless method quadratic.
func largeGraphs(n int) map[string]*Graph {
	ring, chain, random, twins := new(Graph), new(Graph), randomGraph(rand.New(rand.NewPCG(1, 2)), n, 5, 4, 4), new(Graph)
	for v := range n {
		ring.Add([]byte{byte(min(v, 1))}) // one node differs
		chain.Add(nil)
		twins.Add(nil)
	}
	for v := range n {
		ring.Link(v, "n", (v+1)%n)
		if v > 0 {
			chain.Link(v, "n", v-1)
			twins.Link(v, "l", v-1)
			twins.Link(v, "r", v-1)
		}
	}
	twins.Link(0, "l", n-1)
	return map[string]*Graph{"ring": ring, "chain": chain, "random": random, "twins": twins}
}

func TestGraphLarge(t *testing.T) {
	for name, g := range largeGraphs(100_000) {
		start := time.Now()
		sums := g.Digests("test")
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s: 100,000 nodes took %v", name, d)
		}
		slices.SortFunc(sums, func(a, b Sum) int { return strings.Compare(string(a[:]), string(b[:])) })
		if distinct := len(slices.Compact(sums)); name != "random" && distinct != g.Len() {
			t.Errorf("%s: %d distinct digests of %d", name, distinct, g.Len())
		}
	}
}

func BenchmarkGraph(b *testing.B) {
	graphs := largeGraphs(100_000)
	for _, name := range []string{"ring", "chain", "random", "twins"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				graphs[name].Digests("bench")
			}
		})
	}
}
