package example

import (
	"encoding/json"
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/schema"
)

// Play is a pairing that can be played through a client: every text is JSON.
type Play struct {
	Method int // index in the contract's methods
	Name   string
	Params string // an object by name; "" for none
	Wire   string // the params as they must arrive; "" for none at all
	Result string // "" for a notification
	Loose  bool   // members that no schema declares may be among the values
}

// Sizes from which a value is left out: beyond them calls are refused by the
// default limits.
const (
	mostParams = 60 << 10
	mostResult = 1000 << 10
)

// Plays returns the pairings that can be played, and how many cannot: those
// that do not fit, that say no result, or that are too large. empty tells
// whether a method sends an empty list where it has nothing to send.
func Plays(c *contract.Contract, g *schema.Graph, pairings []Pairing, empty func(index int) bool) (plays []Play, left int) {
	for _, p := range pairings {
		m := c.Methods[p.Method]
		if !p.Fits || m.Result != nil && p.Example.Result == nil {
			left++
			continue
		}
		play := p.play(m, g, empty(p.Method))
		if len(play.Wire) > mostParams || len(play.Result) > mostResult {
			left++
			continue
		}
		plays = append(plays, play)
	}
	return plays, left
}

func (p *Pairing) play(m *contract.Method, g *schema.Graph, empty bool) Play {
	play := Play{Method: p.Method, Name: p.Example.Name}
	play.Params, play.Wire = p.params(m, empty)
	for i, v := range p.Params {
		play.Loose = play.Loose || v != nil && !declared(g.Node(m.Params[i].Schema, m.Name+"/params/"+m.Params[i].Name), v)
	}
	if m.Result != nil {
		play.Result = string(p.Example.Result.JSON())
		play.Loose = play.Loose || !declared(g.Node(m.Result.Schema, m.Name+"/result"), p.Example.Result)
	}
	return play
}

// params writes the params by name, and as the method's structure sends them.
func (p *Pairing) params(m *contract.Method, empty bool) (object, wire string) {
	array := ""
	for i, v := range p.Params {
		if v == nil {
			continue // a gap by position does not fit
		}
		if object != "" {
			object, array = object+",", array+","
		}
		name, err := json.Marshal(m.Params[i].Name)
		if err != nil {
			panic(fmt.Sprintf("example: a name of a param cannot be written: %v", err))
		}
		text := string(v.JSON())
		object, array = object+string(name)+":"+text, array+text
	}
	switch {
	case object == "" && !empty:
		return "", ""
	case m.Structure == contract.ByPosition:
		return "{" + object + "}", "[" + array + "]"
	default:
		return "{" + object + "}", "{" + object + "}"
	}
}
