package metaschema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/config"
	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/metaschema"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// The published schemas serve editors, the readers decide. Both must say yes
// and no to the same files, as far as a schema can say it: every member of a
// full file is in turn renamed and given values of other types.

const fullConfig = `{"version":"1","contracts":{"billing":{
	"document":"contracts/billing.json","amendment":"contracts/billing.yaml","kind":"openrpc","package":"internal/billing",
	"server":"https://billing.example.com/rpc","origin":"https://docs.example.com/b.json","include":["invoice.*"],
	"exclude":["invoice.x"],"root":"contracts","undecided":"warn","refused":"fail","text":"allow"}}}`

const fullAmendment = `{"version":"1","contract":"billing","review":{"by":"ops","on":"2026-11-30","until":"2027-05-31"},
	"profiles":{"money":{"effect":"write","right":"write","code":"allow","agents":"allow","standing":"bounded",
		"flow":{"sends":"public","returns":"secret"},"rollback":{"class":"reversible","by":"undo"},"idempotent":true,
		"open_world":false,"results":"report","notification":"allow","reason":"r","note":"n",
		"budget":{"calls":20,"per":"24h"},"limits":{"request_bytes":5,"response_bytes":6,"timeout":"3s"},"param_structure":"by-name","params":"omit"}},
	"methods":{
		"a":{"use":"money","pin":"PIN","description":"d","review":{"by":"anna","on":"2026-11-30","until":"2026-12-31"},
			"id":"an_id","go_name":"Name","text":"TEXT","idempotency":{"key":"/request_id"},
			"read_back":{"method":"b","map":{"id":"/result/id"}},"exact":["/result/total"]},
		"b":{"effect":"write","right":"execute","code":"ask","agents":{"allow_if":{"x":1},"otherwise":"ask"},
			"flow":{"sends":"internal"},"rollback":{"class":"irreversible"},"idempotent":false,"note":"n","reason":"r"},
		"c":{"refused":"never","pin":"PIN","note":"n"}},
	"corrections":[{"at":"types.json#/a~1b","now":7,"reason":"r"},{"at":"#/x/","was":"x","reason":"r"},{"at":"#/methods/a","was":{"type":"string"},"now":{"type":"number"},"shared":true,"reason":"r"}]}`

type verdicts struct{ reader, schema diag.List }

func (v verdicts) agree() bool { return v.reader.HasErrors() == v.schema.HasErrors() }

func TestConfigParity(t *testing.T) {
	parity(t, fullConfig, func(f *source.File) verdicts {
		_, faults := config.Read(f)
		return verdicts{without(faults, config.Conflict, config.BadPackage), metaschema.Config(f)}
	})
}

func TestAmendmentParity(t *testing.T) {
	pin := "w:" + strings.Repeat("A", 43) + " r:" + strings.Repeat("A", 43)
	text := strings.NewReplacer("PIN", pin, "TEXT", "t:"+strings.Repeat("A", 43)).Replace(fullAmendment)
	parity(t, text, func(f *source.File) verdicts {
		_, faults := amendment.Read(f)
		beyond := without(faults, amendment.Contradiction, amendment.UnknownProfile, correct.Useless)
		return verdicts{beyond, metaschema.Amendment(f)}
	})
}

// without drops the faults that are beyond a schema: how members fit together.
func without(l diag.List, codes ...string) diag.List {
	return slices.DeleteFunc(l, func(d diag.Diagnostic) bool { return slices.Contains(codes, d.Code) })
}

func parity(t *testing.T, text string, judge func(*source.File) verdicts) {
	t.Helper()
	if v := judgeText(t, text, judge); v.reader.HasErrors() || v.schema.HasErrors() {
		t.Fatalf("the full file is refused: reader %v, schema %v", v.reader, v.schema)
	}
	var whole any
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		t.Fatal(err)
	}
	for _, m := range mutations("", whole) {
		if v := judgeText(t, m.text(whole), judge); !v.agree() {
			t.Errorf("%s: reader says %q, schema says %q", m.what, codes(v.reader), codes(v.schema))
		}
	}
}

func judgeText(t *testing.T, text string, judge func(*source.File) verdicts) verdicts {
	t.Helper()
	f, err := source.ReadOwn("in.json", []byte(text), source.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return judge(f)
}

func codes(l diag.List) []string {
	var out []string
	for _, d := range l {
		out = append(out, fmt.Sprintf("%s %s", d.Code, d.Pointer))
	}
	return out
}

// mutation changes one member in place and back again.
type mutation struct {
	what     string
	do, undo func()
}

func (m mutation) text(whole any) string {
	m.do()
	defer m.undo()
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(whole); err != nil {
		panic(err)
	}
	return b.String()
}

// wrongValues are one of each kind, none of them right for a member that is
// of another kind; the texts are right nowhere but where any text is.
var wrongValues = []any{true, 7, 1.5, "", "zz zz", []any{}, []any{7}, map[string]any{}, map[string]any{"zz": 7}}

func mutations(at string, value any) []mutation {
	var all []mutation
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			all = append(all, memberMutations(at, value, name)...)
			if name != "allow_if" && name != "was" && name != "now" {
				all = append(all, mutations(at+"/"+name, value[name])...)
			}
		}
	case []any:
		for i, item := range value {
			for _, wrong := range wrongValues {
				all = append(all, mutation{fmt.Sprintf("%s/%d = %v", at, i, wrong), func() { value[i] = wrong }, func() { value[i] = item }})
			}
			all = append(all, mutations(fmt.Sprintf("%s/%d", at, i), item)...)
		}
	}
	return all
}

func memberMutations(at string, object map[string]any, name string) []mutation {
	old := object[name]
	restore := func() { object[name] = old }
	all := []mutation{
		{fmt.Sprintf("%s without %q", at, name), func() { delete(object, name) }, restore},
		{fmt.Sprintf("%s with \"Zz %s\"", at, name), func() { object["Zz "+name] = old }, func() { delete(object, "Zz "+name) }},
	}
	for _, wrong := range wrongValues {
		all = append(all, mutation{fmt.Sprintf("%s/%s = %v", at, name, wrong), func() { object[name] = wrong }, restore})
	}
	return all
}
