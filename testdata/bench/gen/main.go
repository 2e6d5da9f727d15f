// Command gen compares generators on synthetic contracts: the same calls as an
// OpenRPC and as an OpenAPI document. run.sh installs the generators first.
//
//	gen -tools DIR -out MODULE [-runs 3] [-build] 100 1000
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// column is a generator; {spec}, {out} and {tools} are replaced in its command.
type column struct {
	name, format, command string
	builds                bool // its output is Go that out's module can build
}

var columns = []column{
	{"rpcgen", "openrpc", "{tools}/rpcgen generate --document {spec} --out {out} --package api", true},
	{"oapi-codegen 2.8.2, models and client", "openapi", "{tools}/oapi-codegen -generate types,client -package api -o {out}/api.go {spec}", true},
	{"ogen 1.24.0, client", "openapi", "{tools}/ogen --config {tools}/ogen.yml --target {out} --package api --clean {spec}", false},
	{"@open-rpc/generator 1.22.3, TypeScript types", "openrpc", "{tools}/node_modules/.bin/open-rpc-generator generate -d {spec} -o {out} -t client -l typescript -n c", false},
}

func main() {
	log.SetFlags(0)
	tools := flag.String("tools", "", "folder of the generators")
	out := flag.String("out", "", "folder of a Go module; each result gets a folder below it")
	runs := flag.Int("runs", 3, "counted runs, after one that is not")
	build := flag.Bool("build", false, "time go build of the results too")
	flag.Parse()
	b := bench{tools: *tools, out: *out, runs: *runs, build: *build}
	fmt.Println("| methods | generator | CPU s | ms a method | peak MiB | lines | lines a method | go build CPU s | note |")
	fmt.Println("|--:|---|--:|--:|--:|--:|--:|--:|---|")
	for _, arg := range flag.Args() {
		n, err := strconv.Atoi(arg)
		if err != nil {
			log.Fatal(err)
		}
		if err := b.size(n); err != nil {
			log.Fatal(err)
		}
	}
}

type bench struct {
	tools, out string
	runs       int
	build      bool
}

// size runs all generators on documents of n methods, in turn, so that a busy
// machine slows them all.
func (b bench) size(n int) error {
	specs := map[string]string{}
	for _, format := range []string{"openrpc", "openapi"} {
		specs[format] = filepath.Join(b.out, fmt.Sprintf("%s%d.json", format, n))
		if err := os.WriteFile(specs[format], document(format, n), 0o644); err != nil {
			return err
		}
	}
	samples := make([][]sample, len(columns))
	for r := range b.runs + 1 {
		for i, c := range columns {
			if len(samples[i]) > 0 && samples[i][len(samples[i])-1].fault != "" {
				continue
			}
			if s := b.generate(c, specs[c.format], b.folder(i, n)); r > 0 || s.fault != "" {
				samples[i] = append(samples[i], s)
			}
		}
	}
	for i, c := range columns {
		b.row(n, c, samples[i], b.folder(i, n))
	}
	return nil
}

func (b bench) folder(column, n int) string {
	return filepath.Join(b.out, fmt.Sprintf("c%d_%d", column, n))
}

func (b bench) generate(c column, spec, folder string) sample {
	if err := os.RemoveAll(folder); err != nil {
		return sample{fault: err.Error()}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return sample{fault: err.Error()}
	}
	command := strings.NewReplacer("{spec}", spec, "{out}", folder, "{tools}", b.tools).Replace(c.command)
	return run(b.out, strings.Fields(command))
}

func (b bench) row(n int, c column, samples []sample, folder string) {
	middle := median(samples)
	lines := countLines(folder)
	built, note := "", middle.fault
	if b.build && c.builds && note == "" {
		if s := b.compile(folder); s.fault != "" {
			note = s.fault
		} else {
			built = fmt.Sprintf("%.2f", s.cpu.Seconds())
		}
	}
	fmt.Printf("| %d | %s | %.2f | %.2f | %d | %d | %.0f | %s | %s |\n", n, c.name, middle.cpu.Seconds(),
		middle.cpu.Seconds()*1e3/float64(n), middle.peak>>20, lines, float64(lines)/float64(n), built, strings.ReplaceAll(note, "|", "/"))
}

// compile builds the package alone: the first build also builds its imports.
func (b bench) compile(folder string) sample {
	var last sample
	for range 2 {
		fresh := fmt.Sprintf("package api\n\nconst benchRun = %d\n", time.Now().UnixNano()) // nothing of it is in the cache
		if err := os.WriteFile(filepath.Join(folder, "zz_bench.go"), []byte(fresh), 0o644); err != nil {
			return sample{fault: err.Error()}
		}
		if last = run(folder, []string{"go", "build", "."}); last.fault != "" {
			break
		}
	}
	return last
}
