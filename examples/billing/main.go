// Command billing is a host program that uses the generated billing package:
// it lists what it may call, reads, is refused a method that nobody decided
// about, and asks a person before it pays.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"

	"github.com/openrpc-go/rpcgen/examples/billing/internal/billing"
	"github.com/openrpc-go/rpcgen/examples/billing/service"
	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

//go:generate go run github.com/openrpc-go/rpcgen/cmd/rpcgen generate

func main() {
	remote := service.New()
	server := httptest.NewServer(remote) // somebody else's service, here in the same process
	defer server.Close()
	if err := tour(context.Background(), os.Stdout, server.URL); err != nil {
		log.Fatal(err)
	}
	fmt.Println("the service saw:", remote.Calls())
}

// tour shows the four things a host does.
func tour(ctx context.Context, w io.Writer, url string) error {
	registry, err := register(url)
	if err != nil {
		return err
	}
	defer registry.Close()
	caller, err := registry.Caller("billing", runtime.Principal{
		Name: "nightly-report", Kind: runtime.Code, Grants: runtime.Full("billing"),
	})
	if err != nil {
		return err
	}
	client, err := billing.NewClient(caller)
	if err != nil {
		return err
	}
	steps := []func(context.Context, io.Writer, *runtime.Registry, *runtime.Caller, *billing.Client) error{
		list, read, notFound, refused, pay,
	}
	for _, step := range steps {
		if err := step(ctx, w, registry, caller, client); err != nil {
			return err
		}
	}
	return nil
}

// register binds the contract to the service. Only the host says where a
// contract lives: the document's own servers are suggestions.
func register(url string) (*runtime.Registry, error) {
	contract, err := billing.Contract()
	if err != nil {
		return nil, err
	}
	registry := runtime.NewRegistry(runtime.Options{})
	return registry, registry.Register("billing", contract, runtime.Binding{URL: url, Development: true})
}

func list(ctx context.Context, w io.Writer, _ *runtime.Registry, caller *runtime.Caller, _ *billing.Client) error {
	for _, m := range caller.Methods() {
		fmt.Fprintf(w, "%-15s %s\n", m.Name, m.Decision)
	}
	return nil
}

func read(ctx context.Context, w io.Writer, _ *runtime.Registry, _ *runtime.Caller, client *billing.Client) error {
	invoice, err := client.InvoiceGet(ctx, billing.InvoiceGetParams{InvoiceID: "inv_0002"})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "invoice %s is %s: %d cents\n", invoice.ID, invoice.Status, invoice.Total.Cents)
	return nil
}

func notFound(ctx context.Context, w io.Writer, _ *runtime.Registry, _ *runtime.Caller, client *billing.Client) error {
	_, err := client.InvoiceGet(ctx, billing.InvoiceGetParams{InvoiceID: "inv_9999"})
	if !errors.Is(err, billing.ErrInvoiceNotFound) {
		return fmt.Errorf("want a declared error, got %w", err)
	}
	fmt.Fprintln(w, "invoice inv_9999:", err != nil)
	return nil
}

// refused calls a method that the amendment does not decide about. The call
// ends here; the service never hears of it.
func refused(ctx context.Context, w io.Writer, _ *runtime.Registry, _ *runtime.Caller, client *billing.Client) error {
	_, err := client.CustomerGet(ctx, billing.CustomerGetParams{CustomerID: "cus_7"})
	var refusal *runtime.RefusedError
	if !errors.As(err, &refusal) {
		return fmt.Errorf("want a refusal, got %w", err)
	}
	fmt.Fprintln(w, refusal)
	return nil
}

// pay is asked about: the first call returns the request that a person has to
// approve, the second spends the approval on exactly that call.
func pay(ctx context.Context, w io.Writer, registry *runtime.Registry, _ *runtime.Caller, client *billing.Client) error {
	params := billing.InvoicePayParams{
		InvoiceID: "inv_0002", RequestID: "pay-2026-11",
		Amount: billing.Money{Currency: "EUR", Cents: 1250},
		Method: billing.CardPayment{Token: "tok_4242424242"},
	}
	_, err := client.InvoicePay(ctx, params)
	var pending *runtime.PendingError
	if !errors.As(err, &pending) {
		return fmt.Errorf("want a pending approval, got %w", err)
	}
	fmt.Fprintf(w, "to approve:\n%s\n", pending.View)
	if _, err := registry.Decide(ctx, yes(pending)); err != nil {
		return err
	}
	payment, err := client.InvoicePay(ctx, params, runtime.WithApproval(pending.ID))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "paid: %s\n", payment.ID)
	_, err = client.InvoicePay(ctx, params, runtime.WithApproval(pending.ID))
	fmt.Fprintln(w, "again:", err)
	return nil
}

// yes is the answer of a person who read the view. The host knows who that is
// from its own login; nobody approves their own call.
func yes(pending *runtime.PendingError) store.Decision {
	return store.Decision{ID: pending.ID, By: "alice", Approve: true, ViewDigest: pending.ViewDigest}
}
