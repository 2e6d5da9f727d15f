package source_test

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

const largest = corpusFolder + "/openrpc/ethereum-execution-apis/openrpc.json"

func BenchmarkReadJSON(b *testing.B) {
	text, err := os.ReadFile(largest)
	if err != nil {
		b.Skip("the corpus of real documents is not here")
	}
	benchmarkRead(b, text)
}

func BenchmarkReadYAML(b *testing.B) {
	var text bytes.Buffer
	for i := range 20_000 {
		text.WriteString("name" + strconv.Itoa(i) + ":\n  type: string\n  maxLength: 20\n  examples: [one, two]\n")
	}
	benchmarkRead(b, text.Bytes())
}

func benchmarkRead(b *testing.B, text []byte) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := source.Read("document", text, source.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		f.Root.Position()
	}
}

func BenchmarkGet(b *testing.B) {
	for _, size := range []int{8, 10_000} {
		var text strings.Builder
		text.WriteString(`{"first":1`)
		for i := range size {
			text.WriteString(`,"name` + strconv.Itoa(i) + `":1`)
		}
		text.WriteString(`}`)
		f, err := source.Read("document", []byte(text.String()), source.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		last := "name" + strconv.Itoa(size-1)
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			for b.Loop() {
				if f.Root.Get(last) == nil {
					b.Fatal("not found")
				}
			}
		})
	}
}
