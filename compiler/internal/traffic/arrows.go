package traffic

import (
	"bytes"
	"iter"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// eachLine yields the lines of a file by offset, without their ends.
func eachLine(f *source.File) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for at := 0; at < len(f.Bytes); {
			end := bytes.IndexByte(f.Bytes[at:], '\n')
			if end < 0 {
				end = len(f.Bytes) - at
			}
			if !yield(at, bytes.TrimRight(f.Bytes[at:at+end], " \t\r")) {
				return
			}
			at += end + 1
		}
	}
}

// readArrows reads lines of ">>", "<<" and "//".
func readArrows(f *source.File, l Limits) (*Log, error) {
	p, log := newPairing(), &Log{}
	count := 0
	for at, line := range eachLine(f) {
		if count++; count > l.Exchanges {
			return nil, tooMany(f, at, l)
		}
		if len(line) == 0 || bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		sent, m, err := arrow(f, at, line)
		if err != nil {
			return nil, err
		}
		o := outlineOf(m.Body)
		switch {
		case sent:
			err = p.request(m, o)
		case o.method:
			log.Skipped = append(log.Skipped, Skip{m.At(0), "a message that the server started"})
		default:
			err = p.response(m, o)
		}
		if err != nil {
			return nil, err
		}
	}
	log.Exchanges = p.exchanges
	return log, nil
}

// arrow takes a line apart.
func arrow(f *source.File, at int, line []byte) (sent bool, m *Message, fault *source.Error) {
	sent = bytes.HasPrefix(line, []byte(">>"))
	if !sent && !bytes.HasPrefix(line, []byte("<<")) {
		return false, nil, fail(f, at, CodeLine, `expected a line that starts with ">>", "<<" or "//"`)
	}
	body := bytes.TrimLeft(line[2:], " \t")
	if len(body) == 0 {
		return false, nil, fail(f, at+2, CodeLine, "expected a message behind the arrow")
	}
	end := at + len(line)
	return sent, part(f, end-len(body), end), nil
}

func tooMany(f *source.File, at int, l Limits) *source.Error {
	return fail(f, at, CodeTooMuch, "more than %d exchanges or lines", l.Exchanges)
}
