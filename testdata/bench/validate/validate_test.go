package validate

import "testing"

// TestColumnsAgree keeps the figures honest: what accepts a bad text would be
// timed for nothing.
func TestColumnsAgree(t *testing.T) {
	list, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		for _, column := range c.Columns {
			if err := column.Read(c.Text); err != nil {
				t.Errorf("%s: %s: %v", c.Name, column.Name, err)
			}
			for what, text := range c.Bad {
				if column.Read(text) == nil && column.Strict {
					t.Errorf("%s: %s accepts a wrong %s: %.200s", c.Name, column.Name, what, text)
				}
			}
		}
	}
}

func Benchmark(b *testing.B) {
	list, err := Cases()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range list {
		for _, column := range c.Columns {
			b.Run(c.Name+"/"+column.Name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(c.Text)))
				for b.Loop() {
					if err := column.Read(c.Text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
