package rpc

import (
	"context"

	"github.com/openrpc-go/rpcgen/runtime"

	"github.com/openrpc-go/rpcgen/testdata/bench/rpc/records"
)

// secret is resolved for every call, and looked for in every answer.
var secret = runtime.FromFunc("bench", func(context.Context) (string, error) { return "0123456789abcdef0123456789abcdef", nil })

func governedRead(headers ...runtime.Header) func(string) (Call, func(), error) {
	return func(url string) (Call, func(), error) {
		c, stop, err := governed(runtime.Binding{URL: url, Development: true, Headers: headers})
		if err != nil {
			return nil, nil, err
		}
		p := records.ListParams{Block: "latest", Limit: 100, Filter: true}
		return func(ctx context.Context) (int, error) {
			page, err := c.List(ctx, p)
			return len(page.Items), err
		}, stop, nil
	}
}

func governedWrite(reuse bool) func(string) (Call, func(), error) {
	return func(url string) (Call, func(), error) {
		b := runtime.Binding{URL: url, Development: true}
		if reuse {
			b.Connections = runtime.Reuse
		}
		c, stop, err := governed(b)
		if err != nil {
			return nil, nil, err
		}
		p := records.ClaimParams{Block: "latest", Limit: 100, Filter: true}
		return func(ctx context.Context) (int, error) {
			page, err := c.Claim(ctx, p)
			return len(page.Items), err
		}, stop, nil
	}
}

// governed registers the contract as a host does.
func governed(b runtime.Binding) (*records.Client, func(), error) {
	contract, err := records.Contract()
	if err != nil {
		return nil, nil, err
	}
	r := runtime.NewRegistry(runtime.Options{})
	if err := r.Register("records", contract, b); err != nil {
		return nil, nil, err
	}
	caller, err := r.Caller("records", runtime.Principal{Name: "bench", Kind: runtime.Code, Grants: runtime.Full("records")})
	if err != nil {
		return nil, nil, err
	}
	c, err := records.NewClient(caller)
	return c, r.Close, err
}
