package schema

import (
	"fmt"
	"reflect"
)

// Union names the Go types that may stand in a sealed interface, in the order
// of Variants.
type Union struct {
	face     reflect.Type
	variants []reflect.Type
}

// UnionOf returns the Union of interface I; variants are zero values.
func UnionOf[I any](variants ...I) Union {
	u := Union{face: reflect.TypeFor[I]()}
	for _, v := range variants {
		u.variants = append(u.variants, reflect.TypeOf(v))
	}
	return u
}

// Unions is what Bind knows about interfaces, and the memory that calls of
// Bind share: what one has prepared of a graph of nodes, the next need not.
// Make one for each generated package. It may be used by any number of
// goroutines. Nil knows no interface and shares nothing.
type Unions struct {
	byFace map[reflect.Type]Union
	shop   workshop
}

// NewUnions collects unions. It refuses one that is no interface, has a nil
// variant or is there twice.
func NewUnions(list ...Union) (*Unions, error) {
	u := &Unions{byFace: make(map[reflect.Type]Union, len(list))}
	for _, one := range list {
		if one.face == nil || one.face.Kind() != reflect.Interface {
			return nil, fmt.Errorf("schema: union of %v: not an interface", one.face)
		}
		if _, twice := u.byFace[one.face]; twice {
			return nil, fmt.Errorf("schema: union %v is given twice", one.face)
		}
		for _, v := range one.variants {
			if v == nil {
				return nil, fmt.Errorf("schema: union %v has a nil variant", one.face)
			}
		}
		u.byFace[one.face] = one
	}
	return u, nil
}

func (u *Unions) of(face reflect.Type) (Union, bool) {
	if u == nil {
		return Union{}, false
	}
	found, ok := u.byFace[face]
	return found, ok
}
