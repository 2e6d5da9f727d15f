package plan_test

import (
	"strings"
	"testing"
)

// TestErrorsInOtherAlphabets: an error whose message a name cannot hold is named
// by its code, not by the numbers of the letters.
func TestErrorsInOtherAlphabets(t *testing.T) {
	const document = `{"openrpc":"1.2.6","info":{"title":"t","version":"1"},"methods":[
		{"name":"m","params":[],"result":{"name":"r","schema":true},
		 "errors":[{"code":1,"message":"Größe ungültig"},{"code":2,"message":"配置未找到"},{"code":3,"message":"нет"},{"code":4,"message":"Not found — ‘id’ ✗"}]}]}`
	var errors []string
	for _, e := range built(t, "t", document).Errors {
		errors = append(errors, e.Go)
	}
	if got := strings.Join(errors, " "); got != "ErrGrösseUngültig ErrCode2 ErrCode3 ErrNotFoundID" {
		t.Errorf("the errors are called %s", got)
	}
}
