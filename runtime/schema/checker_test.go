package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func typed(t Types) *Node { return &Node{ID: "n", Types: t} }

func count64(n uint64) *uint64 { return &n }

func constant(json ...string) *Node { return &Node{ID: "const", Enum: json} }

func object(o ObjectRules) *Node { return &Node{ID: "object", Types: TypeObject, Object: &o} }

func array(a ArrayRules) *Node { return &Node{ID: "array", Types: TypeArray, Array: &a} }

func number(r NumberRules) *Node { return &Node{ID: "number", Number: &r} }

func text(r StringRules) *Node { return &Node{ID: "text", String: &r} }

// tree is a recursive node: {value: integer, kids: [tree]}.
func tree() *Node {
	n := &Node{ID: "tree", Types: TypeObject}
	n.Object = &ObjectRules{Additional: &Node{Never: true}, Properties: []Property{
		{"value", true, typed(TypeInteger)},
		{"kids", false, array(ArrayRules{Items: n})},
	}}
	return n
}

func TestKeywords(t *testing.T) {
	never := &Node{ID: "never", Never: true}
	str, integer := typed(TypeString), typed(TypeInteger)
	cat := object(ObjectRules{Properties: []Property{{"kind", true, constant(`"cat"`)}, {"lives", true, integer}}})
	dog := object(ObjectRules{Properties: []Property{{"kind", true, constant(`"dog"`)}, {"tail", true, str}}})
	huge := "123456789012345678901234567890"
	for _, c := range []struct {
		name string
		node *Node
		good string // separated by white space
		bad  string
	}{
		{"any", &Node{}, `null true 1 "a" [] {}`, ``},
		{"never", never, ``, `null 1 {}`},
		{"null", typed(TypeNull), `null`, `false 0 "" [] {}`},
		{"boolean", typed(TypeBoolean), `true false`, `null 0 "true"`},
		{"integer", integer, `0 -0 1 1.0 1e2 10e-1 -12.50e1 ` + huge, `1.5 1e-1 "1" null true`},
		{"strict integer", &Node{Types: TypeInteger, StrictInteger: true}, `0 -12 ` + huge, `1.0 1e2`},
		{"number", typed(TypeNumber), `0 1.5 1e-300`, `"1" null`},
		{"string", str, `"" "a\u0000"`, `1 null`},
		{"string or null", typed(TypeString | TypeNull), `"" null`, `1`},
		{"enum", &Node{Enum: []string{`"a"`, `1`, `null`, `{"a":[1,2]}`, `[]`, `1.5`}}, `"a" "\u0061" 1 1.0 10e-1 null {"a":[1.0,2]} [] 1.50`,
			`"b" 2 true {"a":[2,1]} {"a":[1,2],"b":1} [1] {}`},
		{"enum of objects ignores order", constant(`{"a":1,"b":{"c":2,"d":3}}`), `{"b":{"d":3,"c":2},"a":1}`, `{"b":{"d":3,"c":2}}`},
		{"enum with a type", &Node{Types: TypeString, Enum: []string{`"a"`, `1`}}, `"a"`, `1`},
		{"empty enum", &Node{Enum: []string{}}, ``, `1 null`},
		{"large enum", constant(strings.Split(`"a" "b" "c" "d" "e" "f" "g" "h" "i" "j"`, " ")...), `"a" "\u006a"`, `"k" ""`},
		{"enum false is not 0", constant(`false`), `false`, `0 null true`},

		{"minimum", number(NumberRules{Minimum: "1"}), `1 1.0 2 1e400 "x"`, `0 0.999 -1e400`},
		{"minimum fraction", number(NumberRules{Minimum: "0.5"}), `1 0.5 0.50`, `0 0.49 -1`},
		{"minimum negative fraction", number(NumberRules{Minimum: "-1.5"}), `-1 -1.5 0`, `-2 -1.51`},
		{"maximum", number(NumberRules{Maximum: "-1.5"}), `-2 -1.5`, `-1 -1.49 0`},
		{"exclusive minimum", number(NumberRules{ExclusiveMinimum: "1"}), `2 1.0000001`, `1 1.0 0`},
		{"exclusive maximum", number(NumberRules{ExclusiveMaximum: "1"}), `0 0.999`, `1 1e0`},
		{"exact beyond float64", number(NumberRules{Maximum: "9007199254740993"}), `9007199254740993`, `9007199254740994`},
		{"exact beyond int64", number(NumberRules{Maximum: huge, Minimum: huge}), huge + ` 1.2345678901234567890123456789e29`, `123456789012345678901234567891 0`},
		{"bound beyond int64", number(NumberRules{Maximum: "1e30"}), `9223372036854775807`, `1e31`},
		{"low bound beyond int64", number(NumberRules{Minimum: "1e30"}), `1e30`, `9223372036854775807 5`},
		{"bounds at int64", number(NumberRules{ExclusiveMinimum: "-9223372036854775808", ExclusiveMaximum: "9223372036854775807"}),
			`-9223372036854775807 9223372036854775806`, `-9223372036854775808 9223372036854775807`},
		{"multipleOf", number(NumberRules{MultipleOf: "2"}), `4 0 -2 4.0 1e300`, `3 4.5`},
		{"multipleOf 0.01", number(NumberRules{MultipleOf: "0.01"}), `0.01 4.35 1 19.99 0`, `0.001 4.355`},
		{"multipleOf 1e-8", number(NumberRules{MultipleOf: "1e-8"}), `12391239123`, `1e-9`},
		{"multipleOf 0.3", number(NumberRules{MultipleOf: "0.3"}), `0.9 3 -1.2 6e2`, `1 0.1 10`},
		{"multipleOf large", number(NumberRules{MultipleOf: huge}), huge + ` 0 246913578024691357802469135780`, `123456789012345678901234567891`},
		{"multipleOf 7", number(NumberRules{MultipleOf: "7"}), `7e50 49`, `1e50 8`},

		{"minLength", text(StringRules{MinLength: count64(2)}), `"ab" "éé" "😀😀" "\ud83d\ude00a"`, `"a" "é" "😀" "\u0061" ""`},
		{"maxLength", text(StringRules{MaxLength: count64(2)}), `"" "ab" "😀😀" "\u0061\u0062"`, `"abc" "ééé"`},
		{"pattern", text(StringRules{Pattern: &Pattern{"^a+$", `\Aa+\z`}}), `"aa" "\u0061" 1`, `"" "ab" "aa\n"`},
		{"format asserted", text(StringRules{Format: "date", AssertFormat: true}), `"2024-02-29"`, `"2023-02-29" "x"`},
		{"format annotated", text(StringRules{Format: "date"}), `"x"`, ``},
		{"contentEncoding annotates", text(StringRules{ContentEncoding: "base64"}), `"?"`, ``},

		{"items", array(ArrayRules{Items: integer}), `[] [1] [1,2.0]`, `["a"] [1,null] {} 1`},
		{"prefix", array(ArrayRules{Prefix: []*Node{str, integer}}), `[] ["a"] ["a",1] ["a",1,null]`, `[1] ["a","b"]`},
		{"prefix closed", array(ArrayRules{Prefix: []*Node{str}, Items: never}), `[] ["a"]`, `["a",1]`},
		{"minItems", array(ArrayRules{MinItems: count64(1)}), `[1]`, `[]`},
		{"maxItems", array(ArrayRules{MaxItems: count64(1)}), `[] [1]`, `[1,2]`},
		{"unique", array(ArrayRules{Unique: true}), `[] [1] [1,2] [1,true,"1",[1],{"a":1},{"a":2}] [0,false,null]`,
			`[1,1.0] ["a","\u0061"] [{"a":1,"b":2},{"b":2.0,"a":1}] [[1],[1]] [null,null]`},
		{"contains", array(ArrayRules{Contains: integer}), `[1] ["a",1]`, `[] ["a"]`},
		{"contains 0", array(ArrayRules{Contains: integer, MinContains: count64(0)}), `[] ["a"]`, ``},
		{"contains 2 to 3", array(ArrayRules{Contains: integer, MinContains: count64(2), MaxContains: count64(3)}), `[1,2] [1,"a",2,3]`, `[1] [1,2,3,4]`},

		{"required", object(ObjectRules{Properties: []Property{{"a", true, str}, {"b", false, str}}}), `{"a":""} {"b":"","a":""} {"a":"","x":1}`, `{} {"b":""} {"a":1}`},
		{"required without property", object(ObjectRules{Required: []string{"a"}}), `{"a":null} {"\u0061":1}`, `{} {"b":1}`},
		{"additional false", object(ObjectRules{Properties: []Property{{"a", false, str}}, Additional: never}), `{} {"a":""} {"\u0061":""}`, `{"b":1} {"A":""}`},
		{"additional", object(ObjectRules{Properties: []Property{{"a", false, str}}, Additional: integer}), `{"a":"","b":1}`, `{"b":"x"}`},
		{"patterns", object(ObjectRules{Properties: []Property{{"ab", false, integer}}, Patterns: []PatternProperty{{Pattern{"^a", `\Aa`}, typed(TypeInteger | TypeNull)}, {Pattern{"b$", `b\z`}, typed(TypeInteger)}}, Additional: never}),
			`{"ab":1,"ac":null,"cb":1} {"\u0061c":null}`, `{"ab":null} {"acb":null} {"x":1} {"a":"x"}`},
		{"names", object(ObjectRules{Names: text(StringRules{MaxLength: count64(2)})}), `{"ab":1}`, `{"abc":1}`},
		{"minProperties", object(ObjectRules{MinProperties: count64(1)}), `{"a":1}`, `{}`},
		{"maxProperties", object(ObjectRules{MaxProperties: count64(1)}), `{} {"a":1}`, `{"a":1,"b":2}`},
		{"dependentRequired", object(ObjectRules{DependentRequired: []Dependency{{"a", []string{"b", "c"}}}}), `{} {"b":1} {"c":1,"b":1,"a":1}`, `{"a":1} {"a":1,"b":1}`},
		{"dependentSchemas", object(ObjectRules{DependentSchemas: []Property{{"a", false, object(ObjectRules{MinProperties: count64(2)})}}}), `{} {"b":1} {"a":1,"b":1}`, `{"a":1}`},

		{"allOf merged", &Node{AllOf: []*Node{object(ObjectRules{Properties: []Property{{"a", true, str}}}), object(ObjectRules{Properties: []Property{{"b", true, integer}, {"a", false, text(StringRules{MinLength: count64(1)})}}})}},
			`{"a":"x","b":1}`, `{"a":"x"} {"b":1} {"a":"","b":1} {"a":1,"b":1} 1`},
		{"allOf of bounds", &Node{AllOf: []*Node{number(NumberRules{Minimum: "1"}), number(NumberRules{Maximum: "2"})}}, `1 2 1.5`, `0 3`},
		{"allOf closed", &Node{AllOf: []*Node{object(ObjectRules{Properties: []Property{{"a", false, str}}, Additional: never}), object(ObjectRules{Properties: []Property{{"b", false, str}}})}},
			`{} {"a":"x"}`, `{"b":"x"} {"c":1}`},
		{"anyOf", &Node{AnyOf: []*Node{integer, number(NumberRules{Minimum: "2"})}}, `1 2.5 "x"`, `1.5`},
		{"oneOf", &Node{OneOf: []*Node{integer, number(NumberRules{Minimum: "2"})}}, `1 2.5`, `1.5 3`},
		{"oneOf by constant", &Node{OneOf: []*Node{cat, dog}}, `{"kind":"cat","lives":9} {"tail":"x","kind":"dog"} {"k\u0069nd":"c\u0061t","lives":1}`,
			`{"kind":"cat","tail":"x"} {"kind":"cow"} {"lives":9} {"kind":1} 5`},
		{"discriminator", &Node{OneOf: []*Node{object(ObjectRules{Properties: []Property{{"t", true, str}}}), object(ObjectRules{Required: []string{"x"}})},
			Discriminator: &Discriminator{Property: "t", Mapping: nil}}, ``, `{"t":"a"} {} {"x":1}`},
		{"nullable", &Node{AnyOf: []*Node{integer, typed(TypeNull)}}, `1 null`, `"x"`},
		{"nullable object", &Node{OneOf: []*Node{typed(TypeNull), cat}}, `null {"kind":"cat","lives":1}`, `{} 1`},
		{"oneOf null twice", &Node{OneOf: []*Node{typed(TypeNull), typed(TypeNull | TypeString)}}, `"x"`, `null 1`},
		{"not", &Node{Not: integer}, `"x" 1.5`, `1`},
		{"if then else", &Node{If: integer, Then: number(NumberRules{Minimum: "5"}), Else: str}, `5 "x"`, `4 1.5 null`},
		{"then without if", &Node{Then: never, Else: never}, `1`, ``},
		{"recursion", tree(), `{"value":1} {"value":1,"kids":[{"value":2,"kids":[]}]}`, `{} {"value":1,"kids":[{}]} {"value":1,"kids":[{"value":2,"x":1}]}`},

		{"unevaluatedProperties", &Node{Object: &ObjectRules{Properties: []Property{{"a", false, str}}, Unevaluated: never},
			AnyOf: []*Node{object(ObjectRules{Properties: []Property{{"b", true, str}}}), object(ObjectRules{Properties: []Property{{"c", true, str}}})}},
			`{"a":"","b":""} {"b":"","c":""}`, `{"b":"","x":1} {"a":""} {"a":"","c":"","b":1}`},
		{"unevaluatedProperties sees if", &Node{Object: &ObjectRules{Unevaluated: never}, If: object(ObjectRules{Properties: []Property{{"a", true, constant(`1`)}}}),
			Then: object(ObjectRules{Properties: []Property{{"b", false, str}}}), Else: object(ObjectRules{Properties: []Property{{"c", false, str}}})},
			`{"a":1,"b":""} {"c":""}`, `{"a":1,"c":""} {"b":""} {"a":2}`},
		{"unevaluatedProperties ignores not", &Node{Object: &ObjectRules{Unevaluated: never}, Not: &Node{Not: object(ObjectRules{Properties: []Property{{"a", false, str}}})}}, `{}`, `{"a":""}`},
		{"unevaluatedItems", &Node{Array: &ArrayRules{Prefix: []*Node{str}, Unevaluated: never}, AllOf: []*Node{array(ArrayRules{Prefix: []*Node{&Node{}, integer}})}},
			`["a"] ["a",1]`, `["a",1,2]`},
		{"unevaluatedItems sees contains", &Node{Array: &ArrayRules{Contains: str, Unevaluated: integer}}, `["a",1,"b"]`, `["a",null]`},
		{"unevaluated nested", &Node{Object: &ObjectRules{Unevaluated: never}, AllOf: []*Node{{Object: &ObjectRules{Properties: []Property{{"a", false, str}}, Unevaluated: &Node{}}}}}, `{"a":"","x":1}`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			checker, err := NewChecker(c.node)
			if err != nil {
				t.Fatal(err)
			}
			for _, good := range strings.Fields(c.good) {
				if err := checker.Check([]byte(good)); err != nil {
					t.Errorf("Check(%s) = %v, want nil", good, err)
				}
			}
			for _, bad := range strings.Fields(c.bad) {
				err := checker.Check([]byte(bad))
				var e *Error
				if !errors.As(err, &e) || len(e.Causes) == 0 {
					t.Errorf("Check(%s) = %v, want an *Error with causes", bad, err)
				}
			}
		})
	}
}

func TestCheckRefusesBadText(t *testing.T) {
	checker, err := NewChecker(tree())
	if err != nil {
		t.Fatal(err)
	}
	for text, code := range map[string]string{
		``:                               "unexpected-end",
		`{"value":1}x`:                   "trailing-data",
		`{"value":1,"value":1}`:          "duplicate-member",
		`{"value":1,"v\u0061lue":1}`:     "duplicate-member",
		`{"value":01}`:                   "leading-zero",
		`{"value":1,}`:                   "unexpected-byte",
		`{"value"1}`:                     "unexpected-byte",
		`{"value":"` + "\xff" + `"}`:     "invalid-utf8",
		`{"value":1e401}`:                "number-too-long",
		`{"value":1,"value":"x"` + "\n}": "duplicate-member",
		"\uFEFF{}":                       "unexpected-byte",
		`{"value":1,"kids":[` + strings.Repeat(`{"value":1,"kids":[`, 40): "too-deep",
		`{"x":{"a":1,"a":2}}`: "duplicate-member",
	} {
		err := checker.Check([]byte(text))
		var e *SyntaxError
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("Check(%.40q) = %v, want a *SyntaxError with code %s", text, err, code)
		}
	}
}

func TestNewCheckerRefuses(t *testing.T) {
	loop := &Node{ID: "loop"}
	loop.AnyOf = []*Node{typed(TypeString), {ID: "step", AllOf: []*Node{loop, {ID: "x", Not: typed(TypeNull)}}}}
	for name, n := range map[string]*Node{
		"nil":               nil,
		"loop":              loop,
		"minimum":           number(NumberRules{Minimum: "x"}),
		"minimum too big":   number(NumberRules{Minimum: "1e401"}),
		"multipleOf 0":      number(NumberRules{MultipleOf: "0"}),
		"pattern":           text(StringRules{Pattern: &Pattern{Source: "(?=a)"}}),
		"bad pattern":       text(StringRules{Pattern: &Pattern{Source: "(", RE2: "("}}),
		"format":            text(StringRules{Format: "colour", AssertFormat: true}),
		"enum":              constant(`{`),
		"property twice":    object(ObjectRules{Properties: []Property{{"a", false, typed(0)}, {"a", false, typed(0)}}}),
		"mapping":           {OneOf: []*Node{typed(0)}, Discriminator: &Discriminator{Property: "t", Mapping: []DiscriminatorCase{{"a", typed(0)}}}},
		"patterns together": hugePatterns(),
		"deep inside":       object(ObjectRules{Properties: []Property{{"a", false, array(ArrayRules{Items: constant(`nul`)})}}}),
	} {
		if _, err := NewChecker(n); err == nil {
			t.Errorf("%s: NewChecker = nil error", name)
		}
	}
}

func hugePatterns() *Node {
	var o ObjectRules
	for k := range 12 {
		re2 := strings.Repeat("(?:a?b?){1000}", 100+k)
		o.Properties = append(o.Properties, Property{fmt.Sprint(k), false, text(StringRules{Pattern: &Pattern{re2, re2}})})
	}
	return object(o)
}

func TestErrors(t *testing.T) {
	secret := &Node{ID: "secret", Types: TypeObject, Sensitive: true, Object: &ObjectRules{Additional: typed(TypeString)}}
	node := object(ObjectRules{Properties: []Property{
		{"a/b~", true, array(ArrayRules{Items: object(ObjectRules{Properties: []Property{{"n", true, number(NumberRules{Maximum: "3"})}}})})},
		{"color", false, &Node{ID: "color", Enum: []string{`"red"`, `"blue"`}}},
		{"secret", false, secret},
	}})
	checker, err := NewChecker(node)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 100)
	for _, c := range []struct{ text, want string }{
		{`{"a/b~":[{"n":1},{"n":4}],"color":"green"}`,
			`"/a~1b~0/1/n": expected a number ≤ 3, found 4 (maximum of "number")|"/color": expected one of "red", "blue", found "green" (enum of "color")`},
		{`{"color":"` + long + `"}`, `"/color": expected one of "red", "blue", found a string (enum of "color")|the value: expected member "a/b~", found an object (required of "object")`},
		{`{"a/b~":{},"secret":{"pin":1234}}`, `"/a~1b~0": expected an array, found an object (type of "array")|"/secret": expected a string (type of "n")`},
		{`[]`, `the value: expected an object, found an array (type of "object")`},
	} {
		err := checker.Check([]byte(c.text))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("Check(%s) = %v", c.text, err)
			continue
		}
		var got []string
		for _, cause := range e.Causes {
			got = append(got, cause.String())
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("Check(%s)\n got %s\nwant %s", c.text, s, c.want)
		}
	}
}

func TestErrorsAreCapped(t *testing.T) {
	checker, err := NewChecker(array(ArrayRules{Items: typed(TypeString)}))
	if err != nil {
		t.Fatal(err)
	}
	var e *Error
	err = checker.Check([]byte("[" + strings.Repeat("1,", 999) + "1]"))
	if !errors.As(err, &e) || len(e.Causes) != MaxCauses || e.More != 1000-MaxCauses {
		t.Fatalf("%d causes and %d more, want %d and %d", len(e.Causes), e.More, MaxCauses, 1000-MaxCauses)
	}
	if e.Causes[0].Pointer != "/0" || e.Causes[15].Pointer != "/15" {
		t.Errorf("causes are not in the order of the text: %v", e.Causes)
	}
}

// doubling is a node of arrays: every level doubles what is read again.
func doubling() *Node {
	deep := &Node{ID: "deep"}
	deep.AllOf = []*Node{
		{ID: "left", AnyOf: []*Node{array(ArrayRules{Items: deep}), typed(TypeInteger)}},
		{ID: "right", AnyOf: []*Node{array(ArrayRules{Items: deep}), typed(TypeInteger)}},
	}
	return deep
}

// TestBudget holds adversarial pairs of schema and value to a clear end.
func TestBudget(t *testing.T) {
	checker, err := NewChecker(doubling())
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	err = checker.Check([]byte(strings.Repeat("[", 60) + strings.Repeat("]", 60)))
	var e *BudgetError
	if !errors.As(err, &e) {
		t.Errorf("Check = %v, want a *BudgetError", err)
	}
	if spent := time.Since(start); spent > 10*time.Second {
		t.Errorf("Check took %v", spent)
	}
	if err := checker.Check([]byte("[[1],[2,[3]]]")); err != nil {
		t.Errorf("a small value: %v", err)
	}
}

// TestBudgetOfPatterns: a pattern too large for a table is charged for.
func TestBudgetOfPatterns(t *testing.T) {
	re2 := `\A` + strings.Repeat(`(?:.{0,999}a?)`, 20) + `x\z`
	checker, err := NewChecker(text(StringRules{Pattern: &Pattern{"large", re2}}))
	if err != nil {
		t.Fatal(err)
	}
	if err := checker.Check([]byte(`"` + strings.Repeat("b", 100) + `x"`)); err != nil {
		t.Errorf("a short string: %v", err)
	}
	start := time.Now()
	if err := checker.Check([]byte(`"` + strings.Repeat("b", 4<<20) + `"`)); !errors.As(err, new(*BudgetError)) {
		t.Errorf("Check = %v, want a *BudgetError", err)
	}
	if spent := time.Since(start); spent > 10*time.Second {
		t.Errorf("Check took %v", spent)
	}
}

func TestMemberOrderDoesNotMatter(t *testing.T) {
	node := &Node{Object: &ObjectRules{Unevaluated: &Node{Never: true}}, OneOf: []*Node{
		object(ObjectRules{Properties: []Property{{"k", true, constant(`1`)}, {"a", false, typed(TypeString)}}}),
		object(ObjectRules{Properties: []Property{{"k", true, constant(`2`)}, {"b", false, typed(TypeString)}}}),
	}}
	checker, err := NewChecker(node)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		members []string
		fits    bool
	}{
		{[]string{`"k":1`, `"a":""`}, true},
		{[]string{`"k":2`, `"a":""`}, false},
		{[]string{`"k":2`, `"b":""`}, true},
	} {
		for range 2 {
			c.members[0], c.members[1] = c.members[1], c.members[0]
			text := "{" + strings.Join(c.members, ",") + "}"
			if err := checker.Check([]byte(text)); (err == nil) != c.fits {
				t.Errorf("Check(%s) = %v, want fits %v", text, err, c.fits)
			}
		}
	}
}

func TestManyProperties(t *testing.T) {
	var o ObjectRules
	var members []string
	for k := range 200 {
		o.Properties = append(o.Properties, Property{fmt.Sprintf("member%d", k), true, typed(TypeInteger)})
		members = append(members, fmt.Sprintf(`"member%d":%d`, 199-k, k))
	}
	checker, err := NewChecker(object(o))
	if err != nil {
		t.Fatal(err)
	}
	if err := checker.Check([]byte("{" + strings.Join(members, ",") + "}")); err != nil {
		t.Error(err)
	}
	if err := checker.Check([]byte("{" + strings.Join(members[:199], ",") + "}")); err == nil {
		t.Error("a missing member was accepted")
	}
	if err := checker.Check([]byte("{" + strings.Join(append(members, members[0]), ",") + "}")); err == nil {
		t.Error("a repeated member was accepted")
	}
}
