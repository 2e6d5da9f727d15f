package traffic

import "github.com/openrpc-go/rpcgen/compiler/internal/source"

// pairing puts messages that came one by one into exchanges.
type pairing struct {
	exchanges []Exchange
	open      map[string]int // by id: the exchange that waits for a response
	ids       map[int]string // the other way round
	batches   []int          // exchanges of batches that wait, oldest first
	previous  int            // the exchange whose request was the message before, or -1
}

func newPairing() *pairing {
	return &pairing{open: map[string]int{}, ids: map[int]string{}, previous: -1}
}

func (p *pairing) request(m *Message, o outline) *source.Error {
	at := len(p.exchanges)
	if first, taken := p.open[o.id]; taken && o.id != "" {
		fault := fail(m.file, m.offset, CodeRepeatedID, "a request with this id is still without a response")
		earlier := m.file.Position(p.exchanges[first].Request.offset)
		fault.Related, fault.RelatedMessage = &earlier, "the request that waits"
		fault.Advice = "record one connection in one file"
		return fault
	}
	switch {
	case o.batch:
		p.batches = append(p.batches, at)
	case o.id != "":
		p.open[o.id], p.ids[at] = at, o.id
	}
	p.exchanges = append(p.exchanges, Exchange{Request: m})
	p.previous = at
	return nil
}

func (p *pairing) response(m *Message, o outline) *source.Error {
	at, ok := p.owner(o)
	if !ok {
		return fail(m.file, m.offset, CodeUnmatched, "a response to no request: none with its id is open, and no request stands directly before it")
	}
	p.exchanges[at].Response = m
	delete(p.open, p.ids[at])
	if len(p.batches) > 0 && p.batches[0] == at {
		p.batches = p.batches[1:]
	}
	p.previous = -1
	return nil
}

// owner finds the exchange that a response belongs to.
func (p *pairing) owner(o outline) (int, bool) {
	if at, ok := p.open[o.id]; ok && o.id != "" {
		return at, true
	}
	if o.batch && len(p.batches) > 0 {
		return p.batches[0], true
	}
	return p.previous, p.previous >= 0
}
