package canonical

import "testing"

func TestDigest(t *testing.T) {
	// Computed by another program; fixed for ever, pins and approvals hold these.
	for _, tt := range []struct {
		kind  string
		parts []string
		want  string
	}{
		{"wire", nil, "sha256:c6b6ba332d8446aa94be0ec8fcefd57565a0b46676bfd7b4cf69f1d52a1a47ab"},
		{"wire", []string{""}, "sha256:1dd742f4142fd2467e6516e9316128934b38298627b880773aa9e5d7552e4343"},
		{"wire", []string{"ab", "c"}, "sha256:15135816e19dc24fee1222b80853f4402922fd4d967855bef4242f383c44c792"},
		{"wire", []string{"a", "bc"}, "sha256:78f4d6094208abc741d03596dbe9b78c1df40551e17f2b6a762372ac8ecdf779"},
		{"result", []string{"a", "bc"}, "sha256:892688adf67238a0c5245bb2549883ff4458dc8fb4fe7569364a5038185a6f9c"},
	} {
		var parts [][]byte
		for _, p := range tt.parts {
			parts = append(parts, []byte(p))
		}
		if got := Digest(tt.kind, parts...); got != tt.want {
			t.Errorf("Digest(%q, %q) = %s; want %s", tt.kind, tt.parts, got, tt.want)
		}
	}
}
