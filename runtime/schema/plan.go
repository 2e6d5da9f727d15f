package schema

import (
	"reflect"
)

// plan says how one Go type holds the values of one rule. Plans form a graph
// like rules do and are immutable once bound.
type plan struct {
	kind   planKind
	wraps  bool // decides before the value is read: pointers, unions, raw
	typ    reflect.Type
	rule   *rule   // that the plan was made for; structs, maps, slices, unions
	elem   *plan   // of pointers, Nullable, maps, slices
	prefix []*plan // of slices, where elements have rules by position
	fields []field // of structs, in the order of rule.object.known; of tuples, by position
	parts  []*rule // of tuples, by position
	extra  *field  // of structs: where foreign members go
	value  field   // of Nullable: where the value lies
	union  *unionPlan

	sendExtra bool // foreign members are encoded
	nilIsNull bool // a nil map or interface is null
	bits      int  // of integers
}

// element returns the plan of the element at a position.
func (p *plan) element(k int) *plan {
	if k < len(p.prefix) {
		return p.prefix[k]
	}
	return p.elem
}

// field binds one property.
type field struct {
	plan     *plan // nil: the struct has no such field
	name     string
	quoted   string
	optional bool
	constant string // what is encoded where there is no field; "" is nothing
	offset   uintptr
	index    int
}

type unionPlan struct {
	choice *choice
	pure   bool // the rule says nothing beside one choice
	types  []reflect.Type
	plans  []*plan
	rules  []*rule // of variants
	boxes  []box   // how variants are put into the interface
}

type planKind uint8

const (
	planString planKind = iota
	planBool
	planInt
	planUint
	planFloat
	planNumber // Integer, Decimal: text
	planBytes  // base64
	planNull
	planStruct
	planMap
	planSlice
	planPointer
	planNullable
	planUnion
	planTuple
	planLoose // an element that only its Go type describes
	planRaw
)
