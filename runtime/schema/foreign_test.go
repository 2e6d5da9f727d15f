package schema

import "testing"

// TestWithForeign encodes what an open schema admits without declaring it.
func TestWithForeign(t *testing.T) {
	type open struct {
		Name  string         `json:"name"`
		Extra map[string]Raw `json:",inline"`
	}
	codec, err := Bind[open](object(ObjectRules{Properties: []Property{{"name", true, typed(TypeString)}}}), nil)
	if err != nil {
		t.Fatal(err)
	}
	const text = `{"name":"n","a":1,"b":[2]}`
	v, err := codec.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		codec *Codec[open]
		want  string
	}{
		{codec, `{"name":"n"}`}, {codec.WithForeign(), text}, {codec.WithForeign().WithLimits(Limits{Depth: 3}).KeepUnknown(), text},
	} {
		if got, err := c.codec.Encode(nil, &v); err != nil || string(got) != c.want {
			t.Errorf("Encode = %s, %v, want %s", got, err, c.want)
		}
	}
}
