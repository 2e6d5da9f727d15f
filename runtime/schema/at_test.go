package schema

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// What stands around a value changes neither the verdict on it nor what is
// decoded from it.
func TestAtSaysWhatTheValueAloneSays(t *testing.T) {
	u := testUnions(t)
	codec, err := BindType(reflect.TypeFor[everything](), everythingNode(), u)
	if err != nil {
		t.Fatal(err)
	}
	checker := codec.codec.Checker()
	const whole = `{"version":"1.0","name":"n","age":1,"ra,tio":0.5,"ok":true,"big":1e3,"at":"","data":"AQI=","tags":["a"],` +
		`"parent":null,"three":null,"list":null,"pay":"x","nothing":null,"shade":"red","q":1.5,"any":[{"a":{}}],"pays":["x",[1]],"labels":{"a":1}}`
	r := rand.New(rand.NewPCG(5, 6))
	fits := 0
	for range 5_000 {
		value := []byte(whole)
		for range r.IntN(3) {
			value[r.IntN(len(value))] = whole[r.IntN(len(whole))]
		}
		var alone, within everything
		wanted := codec.Decode(value, &alone)
		before := strings.Repeat(" [", r.IntN(3))
		text := append(append([]byte(before), value...), []string{"", ",", "}", " x", "]]"}[r.IntN(5)]...)
		end, ok := codec.DecodeAt(text, len(before), &within)
		if ok && end < len(before)+len(value) {
			continue // a shorter value stands in front
		}
		if ok != (wanted == nil) || !reflect.DeepEqual(alone, within) {
			t.Fatalf("%q in %q: %+v, ok %v; alone: %+v, %v", value, text, within, ok, alone, wanted)
		}
		if ok {
			fits++
		}
		checked := checker.Check(value)
		if end, ok := checker.CheckAt(text, len(before)); ok != (checked == nil) || ok && end != len(before)+len(value) {
			t.Fatalf("%q in %q: checked %v up to %d; alone: %v", value, text, ok, end, checked)
		}
	}
	if fits < 100 || fits > 4_900 {
		t.Errorf("%d values fit: the others or these are hardly looked at", fits)
	}
}

// What stands around a value buys it no steps: what is undecided alone is
// undecided everywhere.
func TestAtHasTheBudgetOfTheValue(t *testing.T) {
	checker, err := NewChecker(doubling())
	if err != nil {
		t.Fatal(err)
	}
	for depth := 1; depth <= 40; depth++ {
		value := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if !errors.As(checker.Check([]byte(value)), new(*BudgetError)) {
			continue
		}
		text := []byte(value + strings.Repeat(" ", 1<<20))
		if err := checker.Check(text); err != nil {
			t.Fatalf("%s is undecided even with the steps of a megabyte: %v", value, err)
		}
		if end, ok := checker.CheckAt(text, 0); ok {
			t.Errorf("%s fits up to %d because of what stands behind it", value, end)
		}
		return
	}
	t.Error("no value is undecided")
}
