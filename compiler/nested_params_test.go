package compiler_test

import "testing"

// TestNestedParamsAdvice: what the warning about a param called "params" advises
// is done with one correction, and then nothing is said any more.
func TestNestedParamsAdvice(t *testing.T) {
	const object = `{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}`
	document := rpc(method("tasks/get", param("params", object, `,"required":true`), `{"type":"string"}`, ``))
	c := compileFiles(t, map[string]string{"doc.json": document}, "")
	c.compiles()
	c.reports("nested-params", "/methods/0/params/0")

	amended := compileFiles(t, map[string]string{"doc.json": document}, `version: "1"
contract: inline
corrections:
  - at: "#/methods/tasks~1get/params"
    was: [{name: params, required: true, schema: {type: object, required: [id], properties: {id: {type: string}}}}]
    now: [{name: id, required: true, schema: {type: string}}]
    reason: "the server takes the object itself"
`)
	amended.refused()
	if got := amended.findings(); got != "" {
		t.Errorf("there is still said: %s", got)
	}
	amended.prints("ID string `json:\"id\"`")
}
