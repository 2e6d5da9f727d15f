package replay

import (
	"strconv"

	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// response judges the response, after the request.
func (j *judge) response() State {
	if j.exchange.Response == nil {
		return j.unanswered()
	}
	side := j.side(Response)
	if j.batch {
		return Unsupported
	}
	if j.read && j.notification {
		side.misfit(CodeAnswered, "", "a notification is never answered")
		return Misfit
	}
	answer, ok := j.readResponse(side)
	switch {
	case !ok:
		return side.state(Unjudged)
	case answer.Error != nil:
		return j.failure(side, answer.Error)
	default:
		return j.result(side, answer.Result)
	}
}

// unanswered says why there is no response, where there should be one.
func (j *judge) unanswered() State {
	if j.read && !j.notification && !j.batch {
		j.side(Request).note(CodeNoResponse, "", "no response was recorded")
	}
	return None
}

// readResponse reads the envelope. One that only lacks its version, or has a
// null member too many, is judged on.
func (j *judge) readResponse(side *side) (envelope.Response, bool) {
	body := side.message.Body
	id := j.id
	if !j.read {
		id = side.tree().Get("id").JSON() // whose it is cannot be told
	}
	answer, err := envelope.ReadReply(body, id, envelope.Tolerance{})
	if err == nil {
		return answer, true
	}
	if j.failed() {
		side.status(j.exchange.Status)
		return answer, false
	}
	if side.violation(err) == envelope.Batch {
		side.misfit(CodeBatch, "", "a batch in response to one request")
		return answer, false
	}
	answer, err = envelope.ReadReply(body, id, envelope.Tolerance{NullError: true, NoVersion: true})
	return answer, err == nil
}

// failed reports whether the HTTP status says that there is no result.
func (j *judge) failed() bool {
	s := j.exchange.Status
	return s != 0 && (s < 200 || s > 299)
}

func (s *side) status(status int) {
	s.misfit(CodeHTTPStatus, "", "HTTP status "+strconv.Itoa(status)+" without an error of JSON-RPC")
}

// result judges a result.
func (j *judge) result(side *side, result []byte) State {
	switch {
	case j.failed():
		side.misfit(CodeHTTPStatus, "/result", "a result under HTTP status "+strconv.Itoa(j.exchange.Status)+", which calls do not take")
		return Misfit
	case j.method == nil || j.method.ResultNode == nil:
		return side.state(Unjudged)
	}
	side.values(check(&j.method.result, j.method.ResultNode, result), func(f *Finding) { f.Pointer = "/result" + f.Pointer })
	return side.state(Fit)
}

// failure judges an error by what the method declares for its code.
func (j *judge) failure(side *side, e *envelope.Error) State {
	if j.method == nil {
		return side.state(Undeclared)
	}
	for _, declared := range j.method.Errors {
		if declared.Code == int64(e.Code) {
			j.data(side, e, declared.Data)
			return side.state(Declared)
		}
	}
	side.note(CodeUndeclaredError, "/error/code", "the method declares no error of code "+strconv.Itoa(int(e.Code)))
	return side.state(Undeclared)
}

// data holds the data of an error against its schema. No data is no fault.
func (j *judge) data(side *side, e *envelope.Error, n *schema.Node) {
	switch {
	case n == nil:
	case e.Data != nil:
		side.values(j.method.checkFailure(n, e.Data), func(f *Finding) { f.Pointer = "/error/data" + f.Pointer })
	case e.Truncated && side.has("/error/data"):
		side.misfit(CodeUndecided, "/error/data", "the data is larger than calls keep")
	}
}
