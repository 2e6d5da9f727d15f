package validate

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/go-faster/jx"
	kaptinlin "github.com/kaptinlin/jsonschema"
	santhosh "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"

	"github.com/openrpc-go/rpcgen/testdata/bench/validate/ours"
	"github.com/openrpc-go/rpcgen/testdata/bench/validate/peer"
)

// The names of columns that the demands are about.
const (
	Check         = "rpcgen, check"
	Decode        = "rpcgen, decode"
	JSONValid     = "json.Valid"
	Written       = "json v2 + written checks"
	Ogen          = "ogen decode + validate"
	Santhosh      = "santhosh"
	SanthoshTyped = "santhosh, then encoding/json"
)

// generated is what ogen generates for a type.
type generated[T any] interface {
	*T
	Decode(*jx.Decoder) error
	Validate() error
}

func ogen[T any, P generated[T]](b []byte) error {
	p := P(new(T))
	if err := p.Decode(jx.DecodeBytes(b)); err != nil {
		return err
	}
	return p.Validate()
}

func paramsColumns() ([]Column, error) {
	return columns[ours.Params, writtenParams]("Params", written[writtenParams], ogen[peer.Params])
}

func recordsColumns() ([]Column, error) {
	return columns[ours.Records, writtenRecords]("Records", written[writtenRecords], ogen[peer.Records])
}

func treeColumns() ([]Column, error) {
	return columns[ours.Tree, writtenTree]("Tree", written[writtenTree], ogen[peer.Tree])
}

func paymentsColumns() ([]Column, error) {
	return columns[ours.Payments, writtenPayments]("Payments", written[writtenPayments], ogen[peer.Payments])
}

// columns are the ways to read one of the schemas: T is our type, W what is
// written by hand.
func columns[T, W any](name string, written, ogen func([]byte) error) ([]Column, error) {
	unions, err := schema.NewUnions(schema.UnionOf[ours.Payment](ours.Card{}, ours.Transfer{}, ours.Voucher{}))
	if err != nil {
		return nil, err
	}
	codec, err := codecOf[T]("ours/contract.json", "get"+name, unions)
	if err != nil {
		return nil, err
	}
	text, err := standalone(name)
	if err != nil {
		return nil, err
	}
	foreign, err := validators(text, "")
	if err != nil {
		return nil, err
	}
	list := append(own(codec), Column{JSONValid, false, false, valid},
		Column{"encoding/json, no checks", true, false, unchecked[W]},
		Column{Written, true, false, written}, // an absent member goes unnoticed
		Column{Ogen, true, true, ogen})
	return append(append(list, foreign...), both(foreign[0], unchecked[W])), nil
}

// codecOf binds T to the result of a method in a generated contract.
func codecOf[T any](file, method string, unions *schema.Unions) (*schema.Codec[T], error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	contract, err := compiled.Read(text)
	if err != nil {
		return nil, err
	}
	m, err := contract.Method(method)
	if err != nil {
		return nil, err
	}
	return schema.Bind[T](m.ResultNode, unions)
}

func own[T any](codec *schema.Codec[T]) []Column {
	return []Column{
		{Check, false, true, codec.Checker().Check},
		{Decode, true, true, func(b []byte) error { _, err := codec.Decode(b); return err }},
	}
}

func both(check Column, decode func([]byte) error) Column {
	return Column{SanthoshTyped, true, true, func(b []byte) error {
		if err := check.Read(b); err != nil {
			return err
		}
		return decode(b)
	}}
}

func unchecked[W any](b []byte) error {
	var v W
	return stdjson.Unmarshal(b, &v)
}

var errInvalid = errors.New("invalid")

func valid(b []byte) error {
	if !stdjson.Valid(b) {
		return errInvalid
	}
	return nil
}

// standalone is one of the schemas as a JSON Schema document of its own.
func standalone(name string) ([]byte, error) {
	text, err := os.ReadFile("schemas.json")
	if err != nil {
		return nil, err
	}
	text = bytes.ReplaceAll(text, []byte("#/components/schemas/"), []byte("#/definitions/"))
	return fmt.Appendf(nil, `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/%s","definitions":%s}`, name, text), nil
}

// validators are the other validators, santhosh first, for the schema at
// pointer in a document.
func validators(document []byte, pointer string) ([]Column, error) {
	v, err := santhosh.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	c := santhosh.NewCompiler()
	c.DefaultDraft(santhosh.Draft7)
	if err := c.AddResource("mem:///s.json", v); err != nil {
		return nil, err
	}
	s, err := c.Compile("mem:///s.json#" + pointer)
	if err != nil {
		return nil, err
	}
	list := []Column{{Santhosh, false, true, func(b []byte) error {
		v, err := santhosh.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			return err
		}
		return s.Validate(v)
	}}}
	if pointer != "" {
		return list, nil // kaptinlin compiles whole documents only
	}
	k, err := kaptinlin.NewCompiler().Compile(document)
	if err != nil {
		return nil, err
	}
	return append(list, Column{"kaptinlin", false, true, func(b []byte) error {
		if !k.ValidateJSON(b).IsValid() {
			return errInvalid
		}
		return nil
	}}), nil
}
