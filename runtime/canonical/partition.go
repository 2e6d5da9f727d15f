package canonical

import (
	"cmp"
	"slices"
)

// partition is a partition of the nodes 0..n-1 into blocks that only ever gets
// finer, by the method of Valmari and Franceschinis (2010): blocks are split
// by how many arrows of each label lead from a node into a splitter, and of
// the parts of a split block all but the largest become splitters.
//
// Block numbers depend on nothing but the shape of the graph: blocks wait in
// one queue, the blocks that a splitter touches are taken by number, and their
// parts are numbered by what tells them apart. Renumbered nodes give the same
// numbers, which is what makes them an order for hashCycle.
type partition struct {
	in     arrows
	order  []int // the nodes, block by block
	place  []int // of each node in order
	block  []int // of each node
	blocks []span
	queue  []int
	queued []bool

	labels  [][]int32 // of the arrows from each touched node into the splitter, ascending
	touched []int
}

// span is the part of order that a block holds.
type span struct{ start, end int }

func (s span) size() int { return s.end - s.start }

// newPartition starts with one block for each rank. Ranks have no gaps.
func newPartition(ranks []int, in arrows) *partition {
	n := len(ranks)
	p := &partition{in: in, order: make([]int, n), place: make([]int, n), block: slices.Clone(ranks), labels: make([][]int32, n)}
	for v := range p.order {
		p.order[v] = v
	}
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	for i, v := range p.order {
		p.place[v] = i
		if ranks[v] == len(p.blocks) {
			p.addBlock(i)
			p.push(ranks[v])
		}
		p.blocks[ranks[v]].end = i + 1
	}
	return p
}

// addBlock adds an empty block that starts at a place in order.
func (p *partition) addBlock(start int) {
	p.blocks = append(p.blocks, span{start, start})
	p.queued = append(p.queued, false)
}

func (p *partition) push(block int) {
	p.queued[block] = true
	p.queue = append(p.queue, block)
}

// refine splits until no block tells the nodes of another apart.
func (p *partition) refine() {
	for next := 0; next < len(p.queue); next++ {
		splitter := p.queue[next]
		p.queued[splitter] = false
		p.collect(splitter)
		p.split()
	}
}

// collect notes the arrows that lead into the splitter, by their source.
func (p *partition) collect(splitter int) {
	p.touched = p.touched[:0]
	at := p.blocks[splitter]
	for _, v := range p.order[at.start:at.end] {
		for a := p.in.start[v]; a < p.in.start[v+1]; a++ {
			from := int(p.in.from[a])
			if len(p.labels[from]) == 0 {
				p.touched = append(p.touched, from)
			}
			p.labels[from] = append(p.labels[from], p.in.label[a])
		}
	}
	for _, v := range p.touched {
		slices.Sort(p.labels[v])
	}
}

// split splits every touched block by the labels noted, and forgets them.
func (p *partition) split() {
	slices.SortFunc(p.touched, func(a, b int) int {
		return cmp.Or(cmp.Compare(p.block[a], p.block[b]), slices.Compare(p.labels[a], p.labels[b]))
	})
	for i := 0; i < len(p.touched); {
		j := i + 1
		for j < len(p.touched) && p.block[p.touched[j]] == p.block[p.touched[i]] {
			j++
		}
		p.splitBlock(p.block[p.touched[i]], p.touched[i:j])
		i = j
	}
	for _, v := range p.touched {
		p.labels[v] = p.labels[v][:0]
	}
}

// splitBlock splits one block by its touched nodes, which come sorted. Nodes
// that were not touched keep the block's number; if there are none, the first
// part does.
func (p *partition) splitBlock(block int, touched []int) {
	whole := p.blocks[block]
	if len(touched) == whole.size() && slices.Equal(p.labels[touched[0]], p.labels[touched[len(touched)-1]]) {
		return
	}
	parts := []int{block}
	at := whole.end - len(touched)
	p.blocks[block].end = at
	keep := at == whole.start // the first part stays in the block
	for i, v := range touched {
		if i > 0 && !slices.Equal(p.labels[v], p.labels[touched[i-1]]) || i == 0 && !keep {
			parts = append(parts, len(p.blocks))
			p.addBlock(at + i)
		}
		current := parts[len(parts)-1]
		p.swap(v, at+i)
		p.block[v] = current
		p.blocks[current].end = at + i + 1
	}
	p.pushParts(parts)
}

// swap moves node v to a place in order.
func (p *partition) swap(v, to int) {
	from, other := p.place[v], p.order[to]
	p.order[from], p.order[to] = other, v
	p.place[other], p.place[v] = from, to
}

// pushParts queues what a split left to look at: every part of a block that
// still waits; of any other, all parts but the largest, because the arrows
// into that one follow from those into the rest.
func (p *partition) pushParts(parts []int) {
	largest := parts[0]
	for _, b := range parts[1:] {
		if p.blocks[b].size() > p.blocks[largest].size() {
			largest = b
		}
	}
	waits := p.queued[parts[0]]
	for _, b := range parts {
		if !p.queued[b] && (waits || b != largest) {
			p.push(b)
		}
	}
}
