package traffic

import (
	"bytes"
	"errors"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// FuzzRead holds every reader to its promises: no panic, faults with a place,
// messages that are parts of the file where they say so, and a second reading
// that says the same.
func FuzzRead(f *testing.F) {
	names := []string{"a.io", "a.jsonl", "a.json", "a.har"}
	for _, s := range []string{
		">> " + ask + "\n<< " + reply + "\n// x\n", ask + "\n" + reply + "\n", "[" + ask + "]\n[]\n",
		`{"request":` + ask + `,"response":` + reply + `,"statusCode":200}`,
		`{"log":{"entries":[{"request":{"postData":{"text":` + quote(ask) + `}},"response":{"status":200,"content":{"text":"e30=","encoding":"base64"}}}]}}`,
	} {
		for i := range names {
			f.Add(uint8(i), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		name := names[int(which)%len(names)]
		log, err := parse(name, string(text), Limits{Exchanges: 100})
		if err != nil {
			fault, ok := errors.AsType[*source.Error](err)
			if !ok || fault.Position.File == nil || fault.Position.Line == 0 && fault.Code != CodeUnknownFormat {
				t.Fatalf("%s: a fault without a place: %v", name, err)
			}
			return
		}
		if len(log.Exchanges) > 100 {
			t.Fatalf("%s: %d exchanges of 100", name, len(log.Exchanges))
		}
		for _, x := range log.Exchanges {
			for _, m := range []*Message{x.Request, x.Response} {
				if m == nil {
					continue
				}
				if len(m.Body) == 0 || m.exact && !bytes.Equal(m.Body, text[m.offset:m.offset+len(m.Body)]) || m.At(len(m.Body)).Line == 0 {
					t.Fatalf("%s: message %q stands at %v", name, m.Body, m.At(0))
				}
			}
		}
		again, err := parse(name, string(text), Limits{Exchanges: 100})
		if err != nil || spell(again) != spell(log) {
			t.Fatalf("%s: read twice, read differently: %v", name, err)
		}
	})
}
