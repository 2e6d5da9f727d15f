package traffic

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// parse reads text as the file called name.
func parse(name, text string, l Limits) (*Log, error) {
	f, err := source.Text(name, []byte(text))
	if err != nil {
		return nil, err
	}
	return Source{Name: name}.read(f, l.withDefaults())
}

// spell prints a log: an exchange a line, then what was skipped.
func spell(log *Log) string {
	var b strings.Builder
	for _, x := range log.Exchanges {
		at := x.Request.At(0)
		fmt.Fprintf(&b, "%d:%d %s", at.Line, at.Column, x.Request.Body)
		if x.Response != nil {
			at = x.Response.At(0)
			fmt.Fprintf(&b, " -> %d:%d %s", at.Line, at.Column, x.Response.Body)
		}
		if x.Status != 0 {
			fmt.Fprintf(&b, " (%d)", x.Status)
		}
		b.WriteByte('\n')
	}
	for _, s := range log.Skipped {
		fmt.Fprintf(&b, "skip %d:%d %s\n", s.Place.Line, s.Place.Column, s.Reason)
	}
	return b.String()
}

const (
	ask    = `{"jsonrpc":"2.0","id":1,"method":"m"}`
	ask2   = `{"jsonrpc":"2.0","id":2,"method":"m"}`
	tell   = `{"jsonrpc":"2.0","method":"m"}`
	reply  = `{"jsonrpc":"2.0","id":1,"result":0}`
	reply2 = `{"jsonrpc":"2.0","id":2,"result":0}`
)

func TestFormats(t *testing.T) {
	coded := base64.StdEncoding.EncodeToString([]byte(reply))
	rows := []struct{ name, file, text, want string }{
		{"pairs of arrows", "a.io", "// a comment\n\n>> " + ask + "\n<< " + reply + "\n>>" + ask + "\r\n<<  " + reply + "  \n",
			"3:4 " + ask + " -> 4:4 " + reply + "\n5:3 " + ask + " -> 6:5 " + reply + "\n"},
		{"no line end", "a.io", ">> " + ask + "\n<< " + reply, "1:4 " + ask + " -> 2:4 " + reply + "\n"},
		{"nothing", "a.io", "", ""},
		{"notification", "a.io", ">> " + tell + "\n>> " + ask + "\n<< " + reply, "1:4 " + tell + "\n2:4 " + ask + " -> 3:4 " + reply + "\n"},
		{"answers out of order", "a.io", ">> " + ask + "\n>> " + ask2 + "\n<< " + reply2 + "\n<< " + reply,
			"1:4 " + ask + " -> 4:4 " + reply + "\n2:4 " + ask2 + " -> 3:4 " + reply2 + "\n"},
		{"another id, directly behind", "a.io", ">> " + ask + "\n<< " + reply2, "1:4 " + ask + " -> 2:4 " + reply2 + "\n"},
		{"an id in another spelling", "a.io", `>> {"id":"a","method":"m"}` + "\n>> " + tell + "\n" + `<< {"id":"\u0061"}`,
			`1:4 {"id":"a","method":"m"} -> 3:4 {"id":"\u0061"}` + "\n2:4 " + tell + "\n"},
		{"broken messages", "a.io", ">> {oops\n<< <html>", "1:4 {oops -> 2:4 <html>\n"},
		{"the server starts", "a.io", ">> " + ask + "\n<< " + tell + "\n<< " + reply, "1:4 " + ask + " -> 3:4 " + reply + "\nskip 2:4 a message that the server started\n"},
		{"batch", "a.io", ">> [" + ask + "]\n>> " + ask2 + "\n<< " + reply2 + "\n<< [" + reply + "]",
			"1:4 [" + ask + "] -> 4:4 [" + reply + "]\n2:4 " + ask2 + " -> 3:4 " + reply2 + "\n"},

		{"pair lines", "a.jsonl", `{"request":` + ask + `,"response":` + reply + `}` + "\n\n" + ` {"statusCode":200,"response":null,"request": ` + ask + `,"took":3}`,
			"1:12 " + ask + " -> 1:61 " + reply + "\n3:47 " + ask + " (200)\n"},
		{"message lines", "a.ndjson", ask + "\n" + tell + "\n" + ask2 + "\n" + reply + "\n" + reply2 + "\n",
			"1:1 " + ask + " -> 4:1 " + reply + "\n2:1 " + tell + "\n3:1 " + ask2 + " -> 5:1 " + reply2 + "\n"},
		{"both kinds of lines", "a.jsonl", `{"request":` + ask + "}\n" + ask + "\n" + reply, "1:12 " + ask + "\n2:1 " + ask + " -> 3:1 " + reply + "\n"},
		{"batch lines", "a.jsonl", "[" + ask + "]\n[" + reply + "]\n", "1:1 [" + ask + "] -> 2:1 [" + reply + "]\n"},
		{"wide letters before a message", "a.jsonl", `{"x":"ééé","request":` + ask + "}", "1:22 " + ask + "\n"},

		{"pair file", "a.json", "{\"comment\": 1,\n \"request\": " + ask + ",\n \"response\": " + reply + ", \"statusCode\": 500}",
			"2:13 " + ask + " -> 3:14 " + reply + " (500)\n"},
		{"pair of batches", "a.json", `{"request":[` + ask + `],"response":[]}`, "1:12 [" + ask + "] -> 1:63 []\n"},

		{"archive", "a.har", `{"log":{"version":"1.2","entries":[
{"request":{"method":"POST","postData":{"mimeType":"x","text":` + quote(ask) + `}},"response":{"status":200,"content":{"text":` + quote(reply) + `}}},
{"request":{"method":"POST","postData":{"text":` + quote(ask) + `}},"response":{"status":200,"content":{"encoding":"base64","text":"` + coded + `"}}},
{"request":{"method":"POST","postData":{"text":` + quote(ask) + `}},"response":{"status":0}},
{"request":{"method":"GET"},"response":{}},
{"request":{"postData":{"text":"a=b"}}},
{"request":{"postData":{"text":"{\"a\":1}"}}},
{"request":{"postData":{"text":"[1]"}}},
{"request":{"postData":{"text":"{\"jsonrpc\":\"2.0\"}"}},"response":{"status":502,"content":{"text":"","encoding":""}}}]}}`,
			"2:63 " + ask + " -> 2:" + fmt.Sprint(63+len(quote(ask))+46) + " " + reply + " (200)\n" +
				"3:48 " + ask + " -> 3:" + fmt.Sprint(48+len(quote(ask))+66) + " " + reply + " (200)\n" +
				"4:48 " + ask + "\n9:32 {\"jsonrpc\":\"2.0\"} (502)\n" +
				"skip 5:1 the request has no body\nskip 6:1 the request body is no JSON object\n" +
				"skip 7:1 the request body is no JSON-RPC message\nskip 8:1 the request body is no JSON-RPC message\n"},
		{"archive by content", "a.json", `{"log":{"entries":[]}}`, ""},
	}
	for _, row := range rows {
		log, err := parse(row.file, row.text, Limits{})
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if got := spell(log); got != row.want {
			t.Errorf("%s: got\n%swant\n%s", row.name, got, row.want)
		}
	}
}

func quote(text string) string { return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"` }

func TestFaults(t *testing.T) {
	rows := []struct{ name, file, text, want string }{
		{"line of no kind", "a.io", ">> " + ask + "\nhello", "a.io:2:1: traffic-line"},
		{"indented arrow", "a.io", " >> " + ask, "a.io:1:1: traffic-line"},
		{"arrow without a message", "a.io", ">>  ", "a.io:1:3: traffic-line"},
		{"response first", "a.io", "<< " + reply, "a.io:1:4: unmatched-response"},
		{"two responses", "a.io", ">> " + ask + "\n<< " + reply + "\n<< " + reply, "a.io:3:4: unmatched-response"},
		{"foreign id, not directly behind", "a.jsonl", ask + "\n" + tell + "\n" + reply + "\n" + reply2, "a.jsonl:4:1: unmatched-response"},
		{"one id twice", "a.io", ">> " + ask + "\n>> " + ask, "a.io:2:4: repeated-request-id"},
		{"one id in two spellings", "a.jsonl", `{"id":"a","method":"m"}` + "\n" + `{"id":"\u0061","method":"m"}`, "a.jsonl:2:1: repeated-request-id"},
		{"not UTF-8", "a.io", ">> " + ask + "\n<< \xff", "a.io:2:4: invalid-utf8"},
		{"byte order mark", "a.jsonl", "\xef\xbb\xbf" + ask, "a.jsonl:1:1: byte-order-mark"},

		{"line that is no JSON", "a.jsonl", ask + "\n {oops}", "a.jsonl:2:3: json-syntax"},
		{"line that is YAML", "a.jsonl", "request: {}", "a.jsonl:1:1: traffic-line"},
		{"line that repeats a member", "a.jsonl", ask + "\n" + `{"request":{"id":1,"id":2}}`, "a.jsonl:2:20: duplicate-key"},
		{"line that is not whole", "a.jsonl", ask + "\n" + `{"request":{`, "a.jsonl:2:13: json-syntax"},
		{"request of a pair", "a.jsonl", "\n" + `{"request":1}`, "a.jsonl:2:12: traffic-shape"},
		{"null request", "a.jsonl", `{"request":null}`, "a.jsonl:1:12: traffic-shape"},
		{"status", "a.jsonl", `{"request":{},"statusCode":"200"}`, "a.jsonl:1:28: traffic-shape"},
		{"status beyond all", "a.jsonl", `{"request":{},"statusCode":20000}`, "a.jsonl:1:28: traffic-shape"},

		{"JSON that is YAML", "a.json", "a: 1", "a.json:1:1: json-syntax"},
		{"nothing", "a.json", " ", "a.json:1:2: json-syntax"},
		{"JSON of no format", "a.json", "{}", "a.json: unknown-traffic-format"},
		{"array", "a.json", "[]", "a.json: unknown-traffic-format"},
		{"a request that is a schema", "a.json", `{"request":{"type":"object"},"response":{}}`, "a.json: unknown-traffic-format"},
		{"JSON broken in the middle", "a.json", "{\"request\":\n{,", "a.json:2:2: json-syntax"},

		{"archive without entries", "a.har", `{"log":{}}`, "a.har:1:1: traffic-shape"},
		{"archive without log", "a.har", `[]`, "a.har:1:1: traffic-shape"},
		{"entries that are none", "a.har", `{"log":{"entries":{}}}`, "a.har:1:19: traffic-shape"},
		{"entry that is none", "a.har", `{"log":{"entries":[1]}}`, "a.har:1:20: traffic-shape"},
		{"body that is no text", "a.har", `{"log":{"entries":[{"request":{"postData":{"text":1}}}]}}`, "a.har:1:51: traffic-shape"},
		{"body that is not base64", "a.har", `{"log":{"entries":[{"request":{"postData":{"text":"*","encoding":"base64"}}}]}}`, "a.har:1:51: traffic-shape"},
		{"another encoding", "a.har", `{"log":{"entries":[{"request":{"postData":{"text":"x","encoding":"gzip"}}}]}}`, "a.har:1:66: traffic-shape"},
		{"archive status", "a.har", `{"log":{"entries":[{"request":{"postData":{"text":"{\"jsonrpc\":1}"}},"response":{"status":-1}}]}}`, "a.har:1:92: traffic-shape"},
	}
	for _, row := range rows {
		_, err := parse(row.file, row.text, Limits{})
		fault, ok := errors.AsType[*source.Error](err)
		if !ok {
			t.Errorf("%s: got %v, want %s", row.name, err, row.want)
			continue
		}
		if got := fault.Position.String() + ": " + fault.Code; got != row.want {
			t.Errorf("%s: got %s (%s), want %s", row.name, got, fault.Message, row.want)
		}
	}
}

func TestLimits(t *testing.T) {
	rows := []struct{ name, file, text string }{
		{"arrows", "a.io", strings.Repeat(">> "+tell+"\n", 4)},
		{"comments", "a.io", strings.Repeat("//\n", 4)},
		{"lines", "a.jsonl", strings.Repeat(tell+"\n", 4)},
		{"blank lines", "a.jsonl", "\n\n\n\n"},
		{"entries", "a.har", `{"log":{"entries":[{},{},{},{}]}}`},
	}
	for _, row := range rows {
		_, err := parse(row.file, row.text, Limits{Exchanges: 3})
		if fault, ok := errors.AsType[*source.Error](err); !ok || fault.Code != CodeTooMuch {
			t.Errorf("%s: four of three give %v", row.name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.io")
	if err := os.WriteFile(path, make([]byte, 11), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Source{Path: path, Name: "a.io"}).Read(Limits{Bytes: 10}); err == nil || !strings.Contains(err.Error(), source.CodeTooLarge) {
		t.Errorf("11 of 10 bytes give %v", err)
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.io": "", "a/z.har": `{"log":{"entries":[]}}`, "a/c.jsonl": "", "a/other.json": "{}", "notes.txt": "", "UP.JSON": "{}",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("b.io", filepath.Join(dir, "link.io")); err != nil {
		t.Log("no links here:", err)
	}
	t.Chdir(dir)
	files, skipped, err := List([]string{"b.io", "."}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		log, err := f.Read(Limits{})
		if err != nil {
			t.Fatal(err)
		}
		skipped = append(skipped, log.Skipped...)
		got = append(got, f.Name)
	}
	if want := "b.io UP.JSON a/c.jsonl a/other.json a/z.har b.io"; strings.Join(got, " ") != want {
		t.Errorf("List found %q, want %q", got, want)
	}
	var why []string
	for _, s := range skipped {
		why = append(why, s.Place.File)
	}
	if got := strings.Join(why, " "); got != "link.io notes.txt UP.JSON a/other.json" && got != "notes.txt UP.JSON a/other.json" {
		t.Errorf("skipped %s", got)
	}
	if _, _, err := List([]string{"."}, Limits{Files: 3}); err == nil {
		t.Error("seven files of three are no error")
	}
	if _, _, err := List([]string{"none"}, Limits{}); err == nil {
		t.Error("a file that is not there is no error")
	}
	if _, err := (Source{Path: "notes.txt", Name: "notes.txt"}).Read(Limits{}); err == nil || !strings.Contains(err.Error(), CodeUnknownFormat) {
		t.Errorf("a named file of no format gives %v", err)
	}
}
