// Package rpc compares JSON-RPC clients over loopback HTTP: raw net/http, the
// common client libraries, and calls through a client that rpcgen generated,
// governed and checked. prepare generates that client; table measures.
package rpc
