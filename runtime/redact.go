package runtime

import (
	"errors"

	"github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

const redacted = "[redacted]"

// maxSpelling is more than any spelling of a secret is long.
const maxSpelling = 32 << 10

// redact takes secrets of the call out of what the server says of its failure,
// before anything of it is cut, so that no part of a secret is left at a cut.
func (a *attempt) redact(failed *CallError, r transport.Response) {
	failed.MediaType = bounded(string(a.prepared.Redact([]byte(r.MediaType))))
	if !failed.Outcome.Reflected {
		return
	}
	if failed.Excerpt != nil {
		failed.Excerpt = excerpt(a.prepared.Redact(r.Body[:min(len(r.Body), maxExcerpt+maxSpelling)]))
	}
	if remote := failed.Remote; remote != nil {
		remote.Message = string(a.prepared.Redact([]byte(remote.Message)))
		remote.Data = a.prepared.Redact(remote.Data)
		if remote.Truncated {
			remote.Message = redacted
		}
	}
	a.redactCause(failed.cause)
}

// redactCause keeps what a result breaks, and nothing of the result.
func (a *attempt) redactCause(err error) {
	var broken *schema.Error
	var unfit *schema.Unrepresentable
	switch {
	case errors.As(err, &broken):
		for i := range broken.Causes {
			broken.Causes[i].Pointer, broken.Causes[i].Found = redacted, ""
		}
	case errors.As(err, &unfit):
		unfit.Pointer, unfit.Raw = redacted, a.prepared.Redact(unfit.Raw)
	}
}
