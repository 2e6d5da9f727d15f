package validate

import (
	"errors"
	"regexp"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// What somebody writes by hand for the schemas: types, and a check for each.
// Members that are absent go unnoticed.

type writtenParams struct {
	Block  string   `json:"block"`
	Limit  int64    `json:"limit"`
	Filter *bool    `json:"filter"`
	Tags   []string `json:"tags"`
	Owner  string   `json:"owner"`
}

type writtenRecord struct {
	ID     int64   `json:"id"`
	Name   string  `json:"name"`
	Hash   string  `json:"hash"`
	Value  float64 `json:"value"`
	Active bool    `json:"active"`
	Kind   string  `json:"kind"`
	Note   *string `json:"note"`
}

type writtenRecords struct {
	Items []writtenRecord `json:"items"`
}

type writtenTree struct {
	Name     string        `json:"name"`
	Size     int64         `json:"size"`
	Children []writtenTree `json:"children"`
}

// writtenPayment holds every variant.
type writtenPayment struct {
	Type      string  `json:"type"`
	Amount    int64   `json:"amount"`
	Number    string  `json:"number"`
	Iban      string  `json:"iban"`
	Reference *string `json:"reference"`
	Code      string  `json:"code"`
}

type writtenPayments struct {
	Items []writtenPayment `json:"items"`
}

var (
	blockPattern  = regexp.MustCompile(`^(latest|0x[0-9a-f]+)$`)
	hashPattern   = regexp.MustCompile(`^0x[0-9a-f]{64}$`)
	numberPattern = regexp.MustCompile(`^[0-9]{16}$`)
	codePattern   = regexp.MustCompile(`^[A-Z]{4}-[0-9]{4}$`)
)

var errConstraint = errors.New("a constraint does not hold")

func hold(ok bool) error {
	if !ok {
		return errConstraint
	}
	return nil
}

func sized(s string, low, high int) bool {
	n := utf8.RuneCountInString(s)
	return n >= low && n <= high
}

func (p *writtenParams) check() error {
	ok := blockPattern.MatchString(p.Block) && p.Limit >= 1 && p.Limit <= 1000 && len(p.Tags) <= 8 && sized(p.Owner, 1, 64)
	for _, tag := range p.Tags {
		ok = ok && tag != ""
	}
	return hold(ok)
}

func (r *writtenRecord) check() bool {
	return r.ID >= 0 && sized(r.Name, 1, 64) && hashPattern.MatchString(r.Hash) && r.Value >= 0 &&
		(r.Kind == "open" || r.Kind == "closed" || r.Kind == "pending") && (r.Note == nil || sized(*r.Note, 0, 200))
}

func (r *writtenRecords) check() error {
	ok := len(r.Items) <= 100_000
	for k := range r.Items {
		ok = ok && r.Items[k].check()
	}
	return hold(ok)
}

func (t *writtenTree) check() error {
	if !sized(t.Name, 1, 64) || t.Size < 0 || len(t.Children) > 100 {
		return errConstraint
	}
	for k := range t.Children {
		if err := t.Children[k].check(); err != nil {
			return err
		}
	}
	return nil
}

func (p *writtenPayment) check() bool {
	if p.Amount < 1 {
		return false
	}
	switch p.Type {
	case "card":
		return numberPattern.MatchString(p.Number)
	case "transfer":
		return sized(p.Iban, 15, 34) && (p.Reference == nil || sized(*p.Reference, 0, 140))
	case "voucher":
		return codePattern.MatchString(p.Code)
	default:
		return false
	}
}

func (p *writtenPayments) check() error {
	ok := len(p.Items) <= 100_000
	for k := range p.Items {
		ok = ok && p.Items[k].check()
	}
	return hold(ok)
}

// written decodes with json v2, strictly, and checks.
func written[T any, P interface {
	*T
	check() error
}](b []byte) error {
	var v T
	if err := json.Unmarshal(b, &v, json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	return P(&v).check()
}
