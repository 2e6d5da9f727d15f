package transport

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkReflects is what every answer pays for a secret of the request.
func BenchmarkReflects(b *testing.B) {
	e, err := New(Config{URL: "https://8.8.8.8/", Headers: []Header{{"Authorization", "Bearer ", Text("tok_0123456789abcdefABCDEF")}}})
	if err != nil {
		b.Fatal(err)
	}
	p, err := e.Prepare(b.Context(), Request{})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Release()
	for _, n := range []int{100, 10_000, 1_000_000} {
		body := bytes.Repeat([]byte(`{"id":12345,"name":"some name","paid":true},`), n/44)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				if p.Reflects(body) {
					b.Fatal("it holds the secret")
				}
			}
		})
	}
}
