package traffic

import (
	"errors"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// readLines reads JSON Lines.
func readLines(f *source.File, l Limits) (*Log, error) {
	p := newPairing()
	count := 0
	for at, line := range eachLine(f) {
		if count++; count > l.Exchanges {
			return nil, tooMany(f, at, l)
		}
		if len(line) == 0 {
			continue
		}
		if err := p.line(f, at, line, l); err != nil {
			return nil, err
		}
	}
	return &Log{Exchanges: p.exchanges}, nil
}

func (p *pairing) line(f *source.File, at int, line []byte, l Limits) error {
	start, ok := opens(line)
	if !ok {
		return fail(f, at+start, CodeLine, "expected a JSON object or array on one line")
	}
	value, err := source.Read(f.Name, line, l.source())
	if err != nil {
		return moved(err, f, at)
	}
	if request := value.Root.Get("request"); request != nil && value.Root.Get("jsonrpc") == nil && value.Root.Get("method") == nil {
		x, fault := pair(value.Root, f, at)
		if fault != nil {
			return moved(fault, f, at)
		}
		p.exchanges = append(p.exchanges, x)
		p.previous = -1
		return nil
	}
	m, o := part(f, at+start, at+len(line)), outlineOf(line)
	fault := (*source.Error)(nil)
	if o.request() {
		fault = p.request(m, o)
	} else {
		fault = p.response(m, o)
	}
	if fault != nil {
		return fault
	}
	return nil
}

// moved puts a fault of a line where it stands in the file.
func moved(err error, f *source.File, at int) error {
	fault, ok := errors.AsType[*source.Error](err)
	if !ok {
		return err
	}
	there := *fault
	there.Position = f.Position(at + fault.Position.Offset)
	if fault.Related != nil {
		related := f.Position(at + fault.Related.Offset)
		there.Related = &related
	}
	return &there
}
