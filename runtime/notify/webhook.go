// Package notify tells people that an approval waits for them: Webhook posts
// signed messages to one address, beside the calls that ask, within bounds and
// under the same rules about addresses as every call. It decides nothing, and
// what comes back opens nothing. Start with New.
package notify

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

// Config of a Webhook. Zero values are the safest useful settings.
type Config struct {
	URL string // https, public, or what the next members admit
	// Key signs every message: text, or "whsec_" and base64.
	Key transport.Secret

	Development         bool // loopback may be dialled, and by http
	Networks, Plaintext []netip.Prefix
	Roots               *x509.CertPool // nil: the system's

	// View sends what the person will read, which holds params. Without it the
	// message says that there is something to decide, and what it is about.
	View bool

	Waiting  int           // messages that wait at most; 0 is 64. One more is given up.
	Attempts int           // for each message; 0 is 5, at most 10
	Pause    time.Duration // after the first attempt, then twice as long each time; 0 is 1 s
	Timeout  time.Duration // of one attempt; 0 is 10 s
	// GivenUp is told of every message that could not be delivered. It must
	// return at once.
	GivenUp func(approvalID string)

	// Now is the clock, and Dial the TCP dialer; nil are the usual ones. Tests
	// set them.
	Now  func() time.Time
	Dial transport.DialFunc
}

// Message is the body of a message.
type Message struct {
	Type      string    `json:"type"` // "approval.requested"
	Timestamp time.Time `json:"timestamp"`
	Data      Data      `json:"data"`
}

// Data says what waits.
type Data struct {
	ApprovalID string    `json:"approval_id"`
	Kind       string    `json:"kind"`
	Principal  string    `json:"principal"`
	Endpoint   string    `json:"endpoint_id"`
	Method     string    `json:"method"`
	ViewDigest string    `json:"view_digest"`
	View       string    `json:"view,omitzero"`
	Expires    time.Time `json:"expires"`
}

// Webhook delivers messages, one after the other. It may be used by any number
// of goroutines.
type Webhook struct {
	config   Config
	endpoint *transport.Endpoint
	waiting  chan store.Approval
	stop     context.CancelFunc
	done     sync.WaitGroup
}

// New checks a Config and starts to wait for messages. It contacts nothing yet.
func New(c Config) (*Webhook, error) {
	if c.Key.Reference() == "" {
		return nil, errors.New("notify: a webhook needs a key to sign with")
	}
	if err := c.defaults(); err != nil {
		return nil, err
	}
	w := &Webhook{config: c, waiting: make(chan store.Approval, c.Waiting)}
	endpoint, err := transport.New(transport.Config{
		URL: c.URL, Sign: w.sign, SignName: "webhook", Development: c.Development, Networks: c.Networks, Plaintext: c.Plaintext,
		Roots: c.Roots, Dial: c.Dial, Now: c.Now,
		Limits: transport.Limits{Request: 1 << 20, Response: 4 << 10, Timeout: c.Timeout, InFlight: 1},
	})
	if err != nil {
		return nil, err
	}
	w.endpoint = endpoint
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.done.Go(func() { w.work(ctx) })
	return w, nil
}

func (c *Config) defaults() error {
	for _, n := range []struct {
		value       *int
		usual, most int
	}{{&c.Waiting, 64, 4096}, {&c.Attempts, 5, 10}} {
		if *n.value == 0 {
			*n.value = n.usual
		}
		if *n.value < 0 || *n.value > n.most {
			return errors.New("notify: a bound is below zero or too high")
		}
	}
	if c.Pause == 0 {
		c.Pause = time.Second
	}
	if c.Timeout == 0 {
		c.Timeout = 10 * time.Second
	}
	if c.Pause < 0 || c.Pause > time.Minute {
		return errors.New("notify: the pause is not within 0 and a minute")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.GivenUp == nil {
		c.GivenUp = func(string) {}
	}
	return nil
}

// Notify has a message sent and returns at once.
func (w *Webhook) Notify(a store.Approval) {
	select {
	case w.waiting <- a:
	default:
		w.config.GivenUp(a.ID)
	}
}

// Close gives up what waits and ends the message under way.
func (w *Webhook) Close() {
	w.stop()
	w.done.Wait()
	w.endpoint.Close()
}

func (w *Webhook) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-w.waiting:
			if !w.deliver(ctx, a) {
				w.config.GivenUp(a.ID)
			}
		}
	}
}

// deliver tries until somebody took the message, nobody will, or nobody could
// decide in time any more.
func (w *Webhook) deliver(ctx context.Context, a store.Approval) bool {
	body, err := w.body(a)
	if err != nil {
		return false
	}
	pause := w.config.Pause
	for range w.config.Attempts {
		if !w.config.Now().Before(a.Expires) {
			return false
		}
		switch w.attempt(ctx, a.ID, body) {
		case taken:
			return true
		case refused:
			return false
		}
		if !sleep(ctx, pause) {
			return false
		}
		pause = min(2*pause, time.Minute)
	}
	return false
}

func (w *Webhook) body(a store.Approval) ([]byte, error) {
	d := Data{
		ApprovalID: a.ID, Kind: a.Tuple.Kind, Principal: a.Tuple.Principal, Endpoint: a.Tuple.Endpoint, Method: a.Tuple.Method,
		ViewDigest: a.ViewDigest, Expires: a.Expires,
	}
	if w.config.View {
		d.View = a.View
	}
	return json.Marshal(Message{"approval.requested", a.Requested, d})
}

type result int

const (
	again result = iota
	taken
	refused
)

// attempt sends the message once.
func (w *Webhook) attempt(ctx context.Context, id string, body []byte) result {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, idKey{}, id), w.config.Timeout)
	defer cancel()
	prepared, err := w.endpoint.Prepare(ctx, transport.Request{Body: body})
	if err != nil {
		return again
	}
	response, err := prepared.Send(ctx)
	status := response.Status
	var failure *transport.Failure
	if errors.As(err, &failure) {
		status = failure.Status // what it says beyond that is not read
	}
	switch {
	case 200 <= status && status < 300:
		return taken
	case status == 0, status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout:
		return again
	default:
		return refused
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

type idKey struct{}

// sign signs id, time and body in the manner of Standard Webhooks. The id is
// that of the approval: who is told twice knows it.
func (w *Webhook) sign(ctx context.Context, o transport.Outgoing) ([]transport.Field, error) {
	id, _ := ctx.Value(idKey{}).(string)
	key, err := w.config.Key.Resolve(ctx)
	if err != nil {
		return nil, err
	}
	at := strconv.FormatInt(w.config.Now().Unix(), 10)
	signature, err := Signature(key, id, at, o.Body)
	if err != nil {
		return nil, err
	}
	return []transport.Field{{Name: "webhook-id", Value: id}, {Name: "webhook-timestamp", Value: at}, {Name: "webhook-signature", Value: signature}}, nil
}

// Signature returns what the header webhook-signature must be for a key, the
// headers webhook-id and webhook-timestamp and a body. Receivers compare it with
// hmac.Equal, and refuse old timestamps.
func Signature(key, id, timestamp string, body []byte) (string, error) {
	secret := []byte(key)
	if encoded, ok := strings.CutPrefix(key, "whsec_"); ok {
		var err error
		if secret, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			return "", errors.New("notify: the key is not base64 after whsec_")
		}
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}
