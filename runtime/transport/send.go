package transport

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Response is a whole HTTP answer.
type Response struct {
	Status    int
	MediaType string // as sent, untrusted
	Body      []byte // owned by the receiver; in Request.Room where that was large enough
	Sent      int64  // body bytes that left
}

// inlineWrite is the most that is written before anything is read. More could
// wait for ever on a server that answers without reading, so it is written
// beside the reading.
const inlineWrite = 16 << 10

// Send sends the request once and returns the answer, whatever its status.
// Every other end is a *Failure. Without a deadline in ctx the endpoint's
// Timeout applies.
func (p *Prepared) Send(ctx context.Context) (Response, error) {
	if p.spent {
		return Response{}, &Failure{Code: Canceled}
	}
	defer p.Release()
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.endpoint.config.Limits.Timeout)
		defer cancel()
	}
	if p.request.Reuse {
		if c := p.endpoint.idle.take(); c != nil {
			response, failure := p.exchange(ctx, c)
			if failure == nil {
				return response, nil
			}
			if failure.Started || ctx.Err() != nil {
				return response, failure
			}
		}
	}
	c, failure := p.endpoint.open(ctx, p)
	if failure != nil {
		return Response{}, failure
	}
	response, failure := p.exchange(ctx, c)
	if failure != nil {
		return response, failure
	}
	return response, nil
}

// past is a deadline that has passed.
var past = time.Unix(1, 0)

// exchange runs one request on c and then keeps or closes c.
func (p *Prepared) exchange(ctx context.Context, c *connection) (Response, *Failure) {
	deadline, _ := ctx.Deadline()
	c.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(past) })
	before := c.wire.written.Load()

	request := p.write(c)
	response, keep, code, err := p.read(c)
	if !keep || !request.ends(afterAnswer) {
		keep = false
		c.Close() // also ends a write that still waits
	}
	written, writeErr := request.wait()
	undisturbed := stop()
	if keep && p.request.Reuse && undisturbed && writeErr == nil {
		c.SetDeadline(time.Time{})
		p.endpoint.idle.put(c)
	} else if keep {
		c.Close()
	}
	response.Sent = max(0, int64(written)-int64(p.head))
	if code == "" && err == nil {
		return response, nil
	}
	failure := &Failure{
		Code: code, Status: response.Status, Sent: response.Sent, Received: int64(len(response.Body)),
		Started: c.wire.written.Load() != before,
	}
	if err != nil {
		failure.Code, failure.cause = diagnose(ctx, err, code)
	}
	return response, failure
}

// afterAnswer is how long a request may still be on its way once its answer is
// there. A server that answered before it read everything may read no more.
const afterAnswer = 100 * time.Millisecond

// writing is a request on its way.
type writing struct {
	done    chan struct{} // nil: it was written at once
	written int
	err     error
}

// write sends the payload, a small one at once.
func (p *Prepared) write(c *connection) *writing {
	p.sending = writing{}
	w := &p.sending
	if len(p.payload) <= inlineWrite {
		w.written, w.err = c.Write(p.payload)
		return w
	}
	w.done = make(chan struct{})
	go func() {
		defer close(w.done)
		w.written, w.err = c.Write(p.payload)
	}()
	return w
}

// ends reports whether the writing ends within d.
func (w *writing) ends(d time.Duration) bool {
	if w.done == nil {
		return true
	}
	select {
	case <-w.done:
		return true
	case <-time.After(d):
		return false
	}
}

// wait waits for the end, and returns how much was written.
func (w *writing) wait() (int, error) {
	if w.done != nil {
		<-w.done
	}
	return w.written, w.err
}

var post = &http.Request{Method: "POST"}

// read reads one response. keep says whether the connection may serve another.
// An error of the connection and a code of our own exclude each other; code is
// what an unknown error means.
func (p *Prepared) read(c *connection) (response Response, keep bool, code Code, err error) {
	c.limited.left, c.limited.failed = headerLimit, nil
	answer, code, err := readHead(c)
	if err != nil && c.limited.failed != nil {
		err = c.limited.failed
	}
	if err != nil || code != "" {
		return response, false, code, err
	}
	c.limited.left = -1
	response.Status = answer.StatusCode
	response.MediaType = answer.Header.Get("Content-Type")
	if encoded(answer.Header) {
		return response, false, ContentEncoding, nil
	}
	limit := p.endpoint.config.Limits.Response
	if own := p.request.Response; own > 0 {
		limit = min(limit, own)
	}
	if answer.ContentLength > limit {
		return response, false, TooLarge, nil
	}
	response.Body, err = readBody(answer.Body, p.request.Room, answer.ContentLength, limit)
	if err != nil {
		return response, false, Malformed, err
	}
	if int64(len(response.Body)) > limit {
		return response, false, TooLarge, nil
	}
	keep = !answer.Close && answer.ProtoAtLeast(1, 1) && c.reader.Buffered() == 0
	return response, keep, "", nil
}

// readHead reads past interim responses, all within one header limit.
func readHead(c *connection) (*http.Response, Code, error) {
	for range maxInterim + 1 {
		answer, err := http.ReadResponse(c.reader, post)
		switch {
		case err != nil:
			return nil, Malformed, err
		case answer.ProtoMajor != 1 || answer.StatusCode == http.StatusSwitchingProtocols:
			return nil, Malformed, nil
		case answer.StatusCode >= 200:
			return answer, "", nil
		}
	}
	return nil, HeaderTooLarge, nil
}

func encoded(h http.Header) bool {
	return slices.ContainsFunc(h.Values("Content-Encoding"), func(v string) bool {
		return !strings.EqualFold(v, "identity")
	})
}

// readBody reads at most limit+1 bytes, into room as far as it goes. A declared
// length is only believed as far as it saves growing.
func readBody(body io.Reader, room []byte, length, limit int64) ([]byte, error) {
	b := room[:0]
	if need := max(length+1, 512); length >= 0 && int64(cap(b)) < need || cap(b) == 0 {
		b = make([]byte, 0, need) // one more than declared, so that the end is seen without growing
	}
	for {
		if int64(len(b)) > limit {
			return b, nil
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := body.Read(b[len(b):min(int64(cap(b)), limit+1)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}
