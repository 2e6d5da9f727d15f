package replay

import (
	"strconv"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
)

// request judges the request.
func (j *judge) request() State {
	side := j.side(Request)
	read, ok := j.readRequest(side)
	if j.batch {
		side.misfit(CodeBatch, "", "several messages in one; a batch is not supported")
		return Unsupported
	}
	if !ok {
		return Misfit
	}
	j.read, j.id, j.notification, j.verdict.Method = true, read.ID, read.ID == nil, read.Method
	if !j.find(side, read.Method) {
		return Misfit
	}
	j.asks(side)
	j.params(side, read)
	return side.state(Fit)
}

// readRequest reads the envelope. One that only lacks its version is judged on.
func (j *judge) readRequest(side *side) (envelope.Request, bool) {
	read, err := envelope.ReadRequest(side.message.Body, envelope.Tolerance{})
	if err == nil {
		return read, true
	}
	if j.batch = side.violation(err) == envelope.Batch; j.batch {
		return read, false
	}
	read, err = envelope.ReadRequest(side.message.Body, envelope.Tolerance{NoVersion: true})
	return read, err == nil
}

// find looks the method up.
func (j *judge) find(side *side, name string) bool {
	m, known := j.replayer.methods[name]
	switch {
	case !known:
		side.misfit(CodeUnknownMethod, "/method", "the contract has no method "+quoted(name))
		return false
	case m.Authority.State == compiled.Uncompiled:
		reason := ""
		if len(m.Diagnostics) > 0 {
			reason = ": " + clip(m.Diagnostics[0].Code+": "+m.Diagnostics[0].Message)
		}
		side.misfit(CodeUncompiled, "/method", "the method could not be compiled"+reason)
		return false
	default:
		j.method = m
		return true
	}
}

// asks compares whether a result is asked for with whether there is one.
func (j *judge) asks(side *side) {
	switch {
	case j.method.Notification && !j.notification:
		side.misfit(CodeNotificationID, "/id", "the method has no result, so its requests have no id")
	case !j.method.Notification && j.notification:
		side.note(CodeNoID, "", "the method has a result, and the request has no id to ask for it")
	}
}

// params judges the params: left off, by position or by name.
func (j *judge) params(side *side, r envelope.Request) {
	m := j.method
	values := r.Values()
	switch positional := len(r.Params) > 0 && !r.Named(); {
	case len(m.Params) == 0 && len(values) > 0:
		j.surplus(side, r, len(values))
	case len(m.Params) == 0:
		// Left off, an empty array and an empty object are one.
	case positional && !m.Positional && !m.either:
		side.misfit(CodeParamsShape, "/params", "expected an object of params by name, found an array")
	case r.Named() && m.Positional:
		side.misfit(CodeParamsShape, "/params", "expected an array of params by position, found an object")
	case r.Named():
		side.params(m, check(&m.params, m.ParamsNode, r.Params), placesByName)
	default:
		if len(values) > len(m.Params) {
			j.surplus(side, r, len(values)-len(m.Params))
		}
		side.params(m, check(&m.params, m.ParamsNode, byName(m.Params, values)), placesByPosition(m.Params))
	}
}

// surplus reports values that no param is declared for.
func (j *judge) surplus(side *side, r envelope.Request, n int) {
	code := CodeTooManyParams
	if r.Named() {
		code = CodeUnknownParam
	}
	side.misfit(code, "/params", "the method has "+count(len(j.method.Params), "param")+", the request has "+strconv.Itoa(n)+" more")
}
