package schema

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

type shade string

type payment interface{ isPayment() }

type card struct {
	Number string         `json:"number"`
	Extra  map[string]Raw `json:",inline"`
}

type transfer struct {
	IBAN string  `json:"iban"`
	Note *string `json:"note,omitzero"`
}

type paymentCode string

type paymentList []int64

func (card) isPayment()        {}
func (transfer) isPayment()    {}
func (paymentCode) isPayment() {}
func (paymentList) isPayment() {}

type branch struct {
	Value int64    `json:"value"`
	Kids  []branch `json:"kids,omitzero"`
	Next  *branch  `json:"next,omitzero"`
}

type everything struct {
	Name    string             `json:"name"`
	Age     int64              `json:"age"`
	Size    *uint64            `json:"size,omitzero"`
	Ratio   float64            `json:"'ra,tio'"`
	OK      bool               `json:"ok"`
	Big     Integer            `json:"big"`
	Price   *Decimal           `json:"price,omitzero"`
	At      Time               `json:"at"`
	Data    []byte             `json:"data"`
	Tags    []string           `json:"tags"`
	Opt     []string           `json:"opt,omitzero"`
	Parent  *string            `json:"parent"`
	Three   Nullable[string]   `json:"three,omitzero"`
	List    Nullable[[]int64]  `json:"list"`
	Pay     payment            `json:"pay"`
	Pays    []payment          `json:"pays,omitzero"`
	Labels  map[string]int64   `json:"labels,omitzero"`
	Any     Raw                `json:"any,omitzero"`
	Nothing Null               `json:"nothing"`
	Tree    *branch            `json:"tree,omitzero"`
	Shade   shade              `json:"shade"`
	Extra   map[string]float64 `json:",inline"`
}

func paymentNode() *Node {
	return &Node{ID: "payment", OneOf: []*Node{
		object(ObjectRules{Properties: []Property{{"type", true, constant(`"card"`)}, {"number", true, typed(TypeString)}}, AdditionalDeclared: true}),
		object(ObjectRules{Properties: []Property{{"type", true, constant(`"transfer"`)}, {"iban", true, typed(TypeString)}, {"note", false, typed(TypeString)}}, Additional: &Node{Never: true}}),
		typed(TypeString),
		array(ArrayRules{Items: typed(TypeInteger)}),
	}}
}

func branchNode() *Node {
	n := &Node{ID: "branch", Types: TypeObject}
	n.Object = &ObjectRules{Additional: &Node{Never: true}, Properties: []Property{
		{"value", true, typed(TypeInteger)}, {"kids", false, array(ArrayRules{Items: n})}, {"next", false, n},
	}}
	return n
}

func everythingNode() *Node {
	null := typed(TypeNull)
	str := typed(TypeString)
	return object(ObjectRules{Properties: []Property{
		{"version", true, constant(`"1.0"`)},
		{"name", true, str}, {"age", true, typed(TypeInteger)}, {"size", false, &Node{Types: TypeInteger, Number: &NumberRules{Minimum: "0"}}},
		{"ra,tio", true, typed(TypeNumber)}, {"ok", true, typed(TypeBoolean)}, {"big", true, typed(TypeInteger)}, {"price", false, typed(TypeNumber)},
		{"at", true, str}, {"data", true, &Node{Types: TypeString, String: &StringRules{ContentEncoding: "base64"}}},
		{"tags", true, array(ArrayRules{Items: str})}, {"opt", false, array(ArrayRules{Items: str})},
		{"parent", true, &Node{AnyOf: []*Node{str, null}}}, {"three", false, typed(TypeString | TypeNull)},
		{"list", true, &Node{OneOf: []*Node{array(ArrayRules{Items: typed(TypeInteger)}), null}}},
		{"pay", true, paymentNode()}, {"pays", false, array(ArrayRules{Items: paymentNode()})},
		{"labels", false, object(ObjectRules{Additional: typed(TypeInteger)})}, {"any", false, &Node{}}, {"nothing", true, null},
		{"tree", false, branchNode()}, {"shade", true, constant(`"red"`, `"blue"`)},
	}, Additional: typed(TypeNumber), AdditionalDeclared: true})
}

func testUnions(t *testing.T) *Unions {
	t.Helper()
	u, err := NewUnions(UnionOf[payment](card{}, transfer{}, paymentCode(""), paymentList(nil)))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func bind[T any](t *testing.T, n *Node) *Codec[T] {
	t.Helper()
	c, err := Bind[T](n, testUnions(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ptr[T any](v T) *T { return &v }

func TestDecodeAndEncodeEverything(t *testing.T) {
	c := bind[everything](t, everythingNode())
	text := `{"version":"1.0","name":"n\u00e9","age":1.0e1,"size":18446744073709551615,"ra,tio":0.5,"ok":true,"big":123456789012345678901234567890,` +
		`"price":1.10,"at":"2024-01-02T03:04:05Z","data":"AQI=","tags":[],"opt":["a","b"],"parent":null,"three":null,"list":[1,2,3],` +
		`"pay":{"number":"42","type":"card","more":[1]},"pays":["code",[7],{"type":"transfer","iban":"DE","note":"x"}],` +
		`"labels":{"b":2,"a\n":1},"any":{ "x" : 1 },"nothing":null,"tree":{"value":1,"kids":[{"value":2},{"value":3,"kids":[]}],"next":{"value":4}},"shade":"red","z":1,"y":2.5}`
	got, err := c.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := everything{
		Name: "né", Age: 10, Size: ptr(uint64(math.MaxUint64)), Ratio: 0.5, OK: true, Big: "123456789012345678901234567890",
		Price: ptr(Decimal("1.10")), At: "2024-01-02T03:04:05Z", Data: []byte{1, 2}, Tags: []string{}, Opt: []string{"a", "b"},
		Three: NullOf[string](), List: Value([]int64{1, 2, 3}), Pay: card{Number: "42", Extra: map[string]Raw{"more": Raw("[1]")}},
		Pays:   []payment{paymentCode("code"), paymentList{7}, transfer{IBAN: "DE", Note: ptr("x")}},
		Labels: map[string]int64{"b": 2, "a\n": 1}, Any: Raw(`{ "x" : 1 }`),
		Tree:  &branch{Value: 1, Kids: []branch{{Value: 2}, {Value: 3, Kids: []branch{}}}, Next: &branch{Value: 4}},
		Shade: "red", Extra: map[string]float64{"z": 1, "y": 2.5},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Decode =\n%+v, want\n%+v", got, want)
	}
	encoded, err := c.Encode([]byte("x"), &got)
	if err != nil {
		t.Fatal(err)
	}
	wantText := `x{"version":"1.0","name":"né","age":10,"size":18446744073709551615,"ra,tio":0.5,"ok":true,"big":123456789012345678901234567890,` +
		`"price":1.10,"at":"2024-01-02T03:04:05Z","data":"AQI=","tags":[],"opt":["a","b"],"parent":null,"three":null,"list":[1,2,3],` +
		`"pay":{"type":"card","number":"42","more":[1]},"pays":["code",[7],{"type":"transfer","iban":"DE","note":"x"}],` +
		`"labels":{"a\n":1,"b":2},"any":{ "x" : 1 },"nothing":null,"tree":{"value":1,"kids":[{"value":2},{"value":3,"kids":[]}],"next":{"value":4}},"shade":"red","y":2.5,"z":1}`
	if string(encoded) != wantText {
		t.Errorf("Encode =\n%s, want\n%s", encoded, wantText)
	}
	again, err := c.Decode(encoded[1:])
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("Decode(Encode) = %+v, %v", again, err)
	}
}

func TestZeroValueEncodes(t *testing.T) {
	c := bind[everything](t, everythingNode())
	v := everything{Pay: paymentCode(""), Shade: "blue", List: NullOf[[]int64]()}
	got, err := c.Encode(nil, &v)
	want := `{"version":"1.0","name":"","age":0,"ra,tio":0,"ok":false,"big":0,"at":"","data":"","tags":[],"parent":null,"list":null,"pay":"","nothing":null,"shade":"blue"}`
	if err != nil || string(got) != want {
		t.Errorf("Encode = %s, %v, want %s", got, err, want)
	}
}

func TestEncodeRefuses(t *testing.T) {
	c := bind[everything](t, everythingNode())
	good := everything{Pay: paymentCode(""), Shade: "blue"}
	for name, spoil := range map[string]func(*everything){
		"nil union":              func(v *everything) { v.Pay = nil },
		"unknown variant":        func(v *everything) { v.Pay = ptr(card{}) },
		"NaN":                    func(v *everything) { v.Ratio = math.NaN() },
		"infinity":               func(v *everything) { v.Ratio = math.Inf(1) },
		"UTF-8":                  func(v *everything) { v.Name = "\xff" },
		"key UTF-8":              func(v *everything) { v.Labels = map[string]int64{"\xff": 1} },
		"enum":                   func(v *everything) { v.Shade = "green" },
		"raw":                    func(v *everything) { v.Any = Raw("{") },
		"raw injects":            func(v *everything) { v.Any = Raw(`1,"name":"x"`) },
		"number text":            func(v *everything) { v.Big = "x" },
		"fraction":               func(v *everything) { v.Big = "1.5" },
		"extra repeats":          func(v *everything) { v.Extra = map[string]float64{"name": 1} },
		"extra takes a property": func(v *everything) { v.Extra = map[string]float64{"size": 5} },
		"cycle":                  func(v *everything) { b := &branch{}; b.Next = b; v.Tree = b },
	} {
		v := good
		spoil(&v)
		if got, err := c.Encode([]byte("x"), &v); err == nil || string(got) != "x" {
			t.Errorf("%s: Encode = %.40s, %v, want an error and the old bytes", name, got, err)
		}
	}
}

func TestUnrepresentable(t *testing.T) {
	one := func(n *Node) *Node { return object(ObjectRules{Properties: []Property{{"v", true, n}}}) }
	type small struct {
		V int64 `json:"v"`
	}
	type positive struct {
		V uint64 `json:"v"`
	}
	type float struct {
		V float64 `json:"v"`
	}
	type blob struct {
		V []byte `json:"v"`
	}
	type open struct {
		V Nullable[small] `json:"v"`
	}
	decode := func(f func([]byte) error) func(string) error {
		return func(s string) error { return f([]byte(`{"v":` + s + `}`)) }
	}
	integers := bind[small](t, one(typed(TypeInteger)))
	unsigned := bind[positive](t, one(typed(TypeInteger)))
	floats := bind[float](t, one(typed(TypeNumber)))
	blobs := bind[blob](t, one(&Node{Types: TypeString, String: &StringRules{ContentEncoding: "base64"}}))
	untyped := bind[open](t, one(&Node{Object: &ObjectRules{Properties: []Property{{"v", true, typed(TypeInteger)}}}}))
	for _, c := range []struct {
		name      string
		decode    func(string) error
		fit, fits string
	}{
		{"int64", decode(func(b []byte) error { _, err := integers.Decode(b); return err }), `9223372036854775807 -9223372036854775808 -92233720368547758080e-1`, `9223372036854775808 1e30 -9223372036854775809`},
		{"uint64", decode(func(b []byte) error { _, err := unsigned.Decode(b); return err }), `0 18446744073709551615`, `-1 18446744073709551616 -1e30`},
		{"float64", decode(func(b []byte) error { _, err := floats.Decode(b); return err }), `0.1 1e22 9007199254740992 0.10000000000000001 1e-300 -0 9007199254740994`, `9007199254740993 123456789012345678901 1e400 1e-400`},
		{"bytes", decode(func(b []byte) error { _, err := blobs.Decode(b); return err }), `"" "AQI="`, `"?" "AQI" "AQJ="`},
		{"untyped", decode(func(b []byte) error { _, err := untyped.Decode(b); return err }), `{"v":1} null`, `"x" 1 true []`},
	} {
		for _, s := range strings.Fields(c.fit) {
			if err := c.decode(s); err != nil {
				t.Errorf("%s: Decode(%s) = %v", c.name, s, err)
			}
		}
		for _, s := range strings.Fields(c.fits) {
			err := c.decode(s)
			var u *Unrepresentable
			if !errors.As(err, &u) || string(u.Raw) != s || u.Pointer != "/v" {
				t.Errorf("%s: Decode(%s) = %#v, want *Unrepresentable", c.name, s, err)
			}
		}
	}
	// What breaks the schema elsewhere is a violation, not a matter of Go types.
	var e *Error
	if _, err := integers.Decode([]byte(`{"v":1e30,"v2":1}`)); errors.As(err, &e) {
		t.Errorf("open object: %v", err)
	}
	two := bind[struct {
		V int64  `json:"v"`
		W string `json:"w"`
	}](t, object(ObjectRules{Properties: []Property{{"v", true, typed(TypeInteger)}, {"w", true, typed(TypeString)}}}))
	if _, err := two.Decode([]byte(`{"v":1e30,"w":1}`)); !errors.As(err, &e) {
		t.Errorf("Decode = %v, want *Error", err)
	}
}

func TestBindRefuses(t *testing.T) {
	str, integer := typed(TypeString), typed(TypeInteger)
	required := func(n *Node) *Node { return object(ObjectRules{Properties: []Property{{"v", true, n}}}) }
	optional := func(n *Node) *Node { return object(ObjectRules{Properties: []Property{{"v", false, n}}}) }
	try := func(name string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "does not fit node") {
			t.Errorf("%s: Bind = %v, want a refusal", name, err)
		}
	}
	_, err := Bind[string](integer, nil)
	try("kind", err)
	_, err = Bind[int64](typed(TypeNumber|TypeString), nil)
	if err != nil {
		t.Errorf("a wider node: %v", err)
	}
	_, err = Bind[struct {
		V *string `json:"v"`
	}](required(str), nil)
	try("pointer to required", err)
	_, err = Bind[struct {
		V string `json:"v"`
	}](optional(str), nil)
	try("optional without pointer", err)
	_, err = Bind[struct {
		V *string `json:"v"`
	}](optional(typed(TypeString|TypeNull)), nil)
	try("optional nullable pointer", err)
	_, err = Bind[struct {
		V []string `json:"v"`
	}](required(typed(TypeArray|TypeNull)), nil)
	try("nullable slice", err)
	_, err = Bind[struct{}](required(str), nil)
	try("missing field", err)
	_, err = Bind[struct {
		V string `json:"v"`
		W string `json:"w"`
	}](required(str), nil)
	try("foreign field", err)
	_, err = Bind[struct {
		V payment `json:"v"`
	}](required(paymentNode()), nil)
	try("unknown union", err)
	_, err = Bind[struct {
		V func() `json:"v"`
	}](required(str), nil)
	try("func", err)
	_, err = Bind[struct {
		V any `json:"v"`
	}](required(str), nil)
	try("any", err)
	_, err = Bind[map[string]string](object(ObjectRules{Properties: []Property{{"v", true, str}}, Additional: integer}), nil)
	try("map over properties", err)
	_, err = Bind[struct {
		v string //nolint:unused // the test is about it
	}](required(str), nil)
	try("unexported", err)
	u, _ := NewUnions(UnionOf[payment](card{}))
	_, err = Bind[payment](paymentNode(), u)
	try("too few variants", err)
	u, _ = NewUnions(UnionOf[payment](card{}, transfer{}, paymentCode(""), paymentList(nil), paymentCode("")))
	_, err = Bind[payment](paymentNode(), u)
	try("too many variants", err)
	if _, err := NewUnions(UnionOf[payment](), UnionOf[payment]()); err == nil {
		t.Error("a union given twice was accepted")
	}
	if _, err := NewUnions(UnionOf[string]("")); err == nil {
		t.Error("a union of a string was accepted")
	}
}

func TestEncodePositional(t *testing.T) {
	type params struct {
		A string            `json:"a"`
		B *int64            `json:"b,omitzero"`
		C Nullable[string]  `json:"c,omitzero"`
		E map[string]string `json:",inline"`
	}
	c := bind[params](t, object(ObjectRules{Properties: []Property{
		{"a", true, typed(TypeString)}, {"b", false, typed(TypeInteger)}, {"c", false, typed(TypeString | TypeNull)},
	}, Additional: typed(TypeString), AdditionalDeclared: true}))
	for _, k := range []struct {
		v    params
		want string
	}{
		{params{A: "x"}, `["x"]`},
		{params{A: "x", B: ptr(int64(1))}, `["x",1]`},
		{params{A: "x", B: ptr(int64(1)), C: NullOf[string]()}, `["x",1,null]`},
		{params{A: "x", C: Value("y")}, ``},
		{params{A: "x", E: map[string]string{"k": "v"}}, ``},
	} {
		got, err := c.EncodePositional(nil, &k.v)
		if (err == nil) != (k.want != "") || string(got) != k.want {
			t.Errorf("EncodePositional(%+v) = %s, %v, want %s", k.v, got, err, k.want)
		}
	}
}

func TestAllOfBindsOneStruct(t *testing.T) {
	type merged struct {
		A string  `json:"a"`
		B *int64  `json:"b,omitzero"`
		C []int64 `json:"c"`
	}
	base := object(ObjectRules{Properties: []Property{{"a", false, typed(TypeString)}, {"b", false, typed(TypeInteger)}}})
	more := object(ObjectRules{Properties: []Property{{"a", true, text(StringRules{MinLength: count64(1)})}, {"c", true, array(ArrayRules{Items: typed(TypeInteger)})}}})
	unmergeable := *more
	unmergeable.Not = object(ObjectRules{Required: []string{"bad"}})
	for name, n := range map[string]*Node{
		"merged":     {ID: "n", AllOf: []*Node{base, more}},
		"not merged": {ID: "n", AllOf: []*Node{base, &unmergeable}},
	} {
		c := bind[merged](t, n)
		got, err := c.Decode([]byte(`{"c":[1],"b":2,"a":"x"}`))
		if want := (merged{"x", ptr(int64(2)), []int64{1}}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: Decode = %+v, %v", name, got, err)
		}
		out, err := c.Encode(nil, &got)
		if err != nil || string(out) != `{"a":"x","b":2,"c":[1]}` {
			t.Errorf("%s: Encode = %s, %v", name, out, err)
		}
		var e *Error
		if _, err := c.Decode([]byte(`{"c":[1],"a":""}`)); !errors.As(err, &e) {
			t.Errorf("%s: Decode = %v, want *Error", name, err)
		}
	}
}

func TestDecodedValueOwnsItsMemory(t *testing.T) {
	c := bind[everything](t, everythingNode())
	v := everything{Pay: card{Number: "1", Extra: map[string]Raw{"k": Raw(`"v"`)}}, Shade: "red", Any: Raw(`[1]`), Data: []byte("d"), Name: "name", Big: "77"}
	text, err := c.Encode(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	for k := range text {
		text[k] = 'x'
	}
	other, _ := c.Encode(nil, &everything{Pay: paymentCode("zzzzzzzzzzzzzzzz"), Shade: "blue", Name: strings.Repeat("z", 200)})
	if _, err := c.Decode(other); err != nil {
		t.Fatal(err)
	}
	back, err := c.Encode(nil, &got)
	want, _ := c.Encode(nil, &v)
	if err != nil || !bytes.Equal(back, want) {
		t.Errorf("the value changed with its text: %s, %v", back, err)
	}
}

func TestLongSlices(t *testing.T) {
	c := bind[[][]int64](t, array(ArrayRules{Items: array(ArrayRules{Items: typed(TypeInteger)})}))
	var want [][]int64
	for k := range 300 {
		row := []int64{}
		for q := range k {
			row = append(row, int64(q*1000))
		}
		want = append(want, row)
	}
	text, err := c.Encode(nil, &want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Decode(text)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Decode differs: %v", err)
	}
}

func TestTimeAndNumbers(t *testing.T) {
	if at, err := TimeOf(time.Unix(1, 5).UTC()).Time(); err != nil || !at.Equal(time.Unix(1, 5)) {
		t.Errorf("Time = %v, %v", at, err)
	}
	for text, want := range map[Integer]string{"1e3": "1000", "-12.50e1": "-125", "": "0", "1.5": "", "x": "", "1e999": ""} {
		n, err := text.Int()
		if got := ""; err == nil {
			got = n.String()
			if got != want {
				t.Errorf("Integer(%q).Int() = %s, want %q", text, got, want)
			}
		} else if want != "" {
			t.Errorf("Integer(%q).Int() = %v", text, err)
		}
	}
	if r, err := Decimal("-1.10").Rat(); err != nil || r.String() != "-11/10" {
		t.Errorf("Rat = %v, %v", r, err)
	}
}
