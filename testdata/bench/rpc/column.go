package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/jhttp"
	"github.com/ethereum/go-ethereum/rpc"
	filecoin "github.com/filecoin-project/go-jsonrpc"
	ybbus "github.com/ybbus/jsonrpc/v3"

	"github.com/openrpc-go/rpcgen/runtime"
)

// Call makes one call and returns how many records came; Bytes when the column
// looks at none.
type Call func(context.Context) (records int, err error)

// Bytes is the count of a column that reads the answer and no more.
const Bytes = -1

// Column is one client. Make returns its call to the server at url, and what
// ends it.
type Column struct {
	Name string
	Make func(url string) (call Call, stop func(), err error)
}

// The names of columns that ratios and demands are about.
const (
	Floor0     = "net/http, bytes (floor 0)"
	Floor1     = "net/http + encoding/json (floor 1)"
	FloorFresh = "net/http, bytes, fresh connection"
	GoEthereum = "go-ethereum"
	Read       = "rpcgen, governed read"
	ReadSecret = "rpcgen, governed read, secret header"
	WriteReuse = "rpcgen, governed write, reused"
	WriteFresh = "rpcgen, governed write, fresh"
)

// Columns are measured in this order.
func Columns() []Column {
	return []Column{
		{Floor0, floor0(false)},
		{Floor1, floor1},
		{GoEthereum, goEthereum},
		{"jrpc2 + jhttp", jrpc2Client},
		{"ybbus/jsonrpc", ybbusClient},
		{"filecoin go-jsonrpc", filecoinClient},
		{Read, governedRead()},
		{ReadSecret, governedRead(runtime.Header{Name: "Authorization", Prefix: "Bearer ", Value: secret})},
		{WriteReuse, governedWrite(true)},
		{FloorFresh, floor0(true)},
		{WriteFresh, governedWrite(false)},
	}
}

// The values that the other clients move. They check none of it.
type (
	params struct {
		Block  string `json:"block"`
		Limit  int64  `json:"limit"`
		Filter bool   `json:"filter"`
	}
	record struct {
		ID     int64   `json:"id"`
		Name   string  `json:"name"`
		Hash   string  `json:"hash"`
		Value  float64 `json:"value"`
		Active bool    `json:"active"`
	}
	page struct {
		Items []record `json:"items"`
	}
)

const method = "records.list"

var given = params{Block: "latest", Limit: 100, Filter: true}

// client has room for all callers, and reads bodies as they come.
func client(fresh bool) *http.Client {
	return &http.Client{Transport: &http.Transport{
		MaxIdleConns: 64, MaxIdleConnsPerHost: 64, DisableCompression: true, DisableKeepAlives: fresh,
	}}
}

func nothing() {}

var rooms = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// floor0 sends fixed bytes and looks at none that come.
func floor0(fresh bool) func(string) (Call, func(), error) {
	const request = `{"jsonrpc":"2.0","method":"` + method + `","params":{"block":"latest","limit":100,"filter":true},"id":1}`
	return func(url string) (Call, func(), error) {
		c := client(fresh)
		return func(ctx context.Context) (int, error) {
			response, err := post(ctx, c, url, strings.NewReader(request))
			if err != nil {
				return 0, err
			}
			defer response.Body.Close()
			b := rooms.Get().(*bytes.Buffer)
			defer rooms.Put(b)
			b.Reset()
			_, err = b.ReadFrom(response.Body)
			return Bytes, err
		}, c.CloseIdleConnections, nil
	}
}

func post(ctx context.Context, c *http.Client, url string, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, "POST", url, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	return c.Do(r)
}

// floor1 is what somebody writes by hand.
func floor1(url string) (Call, func(), error) {
	c := client(false)
	return func(ctx context.Context) (int, error) {
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": given, "id": 1})
		if err != nil {
			return 0, err
		}
		response, err := post(ctx, c, url, bytes.NewReader(body))
		if err != nil {
			return 0, err
		}
		defer response.Body.Close()
		var answer struct {
			Version string          `json:"jsonrpc"`
			ID      int64           `json:"id"`
			Result  page            `json:"result"`
			Error   json.RawMessage `json:"error"`
		}
		if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
			return 0, err
		}
		_, err = io.Copy(io.Discard, response.Body)
		if answer.Version != "2.0" || answer.ID != 1 || answer.Error != nil {
			return 0, errors.New("not an answer")
		}
		return len(answer.Result.Items), err
	}, c.CloseIdleConnections, nil
}

func goEthereum(url string) (Call, func(), error) {
	c, err := rpc.DialOptions(context.Background(), url, rpc.WithHTTPClient(client(false)))
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context) (int, error) {
		var p page
		err := c.CallContext(ctx, &p, method, given)
		return len(p.Items), err
	}, c.Close, nil
}

func jrpc2Client(url string) (Call, func(), error) {
	c := jrpc2.NewClient(jhttp.NewChannel(url, &jhttp.ChannelOptions{Client: client(false)}), nil)
	return func(ctx context.Context) (int, error) {
		var p page
		err := c.CallResult(ctx, method, given, &p)
		return len(p.Items), err
	}, func() { c.Close() }, nil
}

func ybbusClient(url string) (Call, func(), error) {
	c := ybbus.NewClientWithOpts(url, &ybbus.RPCClientOpts{HTTPClient: client(false)})
	return func(ctx context.Context) (int, error) {
		var p page
		err := c.CallFor(ctx, &p, method, given)
		return len(p.Items), err
	}, nothing, nil
}

func filecoinClient(url string) (Call, func(), error) {
	var api struct {
		List func(context.Context, params) (page, error) `rpc_method:"records.list"`
	}
	stop, err := filecoin.NewMergeClient(context.Background(), url, "bench", []any{&api}, nil, filecoin.WithHTTPClient(client(false)))
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context) (int, error) {
		p, err := api.List(ctx, given)
		return len(p.Items), err
	}, stop, nil
}
