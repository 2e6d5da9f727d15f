// Command rpcgen compiles OpenRPC documents into typed Go packages whose
// methods stay closed until an amendment opens them.
package main

import (
	"context"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], terminal{out: os.Stdout, err: os.Stderr, ask: answerer(os.Stdin), now: time.Now}))
}
