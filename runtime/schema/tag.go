package schema

import (
	"fmt"
	"reflect"
	"strings"
)

// fieldsOf lists a struct's fields by member name, and the field for foreign
// members apart.
func fieldsOf(t reflect.Type) (members map[string]reflect.StructField, extra *reflect.StructField, err error) {
	members = map[string]reflect.StructField{}
	for k := range t.NumField() {
		f := t.Field(k)
		name, options, err := tag(f.Tag.Get("json"))
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("field %s: %w", f.Name, err)
		case name == "-" && options == "":
			continue
		case !f.IsExported() || f.Anonymous:
			return nil, nil, fmt.Errorf("field %s is embedded or not exported", f.Name)
		case strings.Contains(options, ",inline"):
			if extra != nil {
				return nil, nil, fmt.Errorf("fields %s and %s are both inline", extra.Name, f.Name)
			}
			extra = &f
			continue
		case name == "" && options == "":
			name = f.Name
		}
		if other, twice := members[name]; twice {
			return nil, nil, fmt.Errorf("fields %s and %s have the same member name", other.Name, f.Name)
		}
		members[name] = f
	}
	return members, extra, nil
}

// tag splits a json tag into the member name, which may stand in single
// quotes with Go escapes, and its options with their commas.
func tag(s string) (name, options string, err error) {
	if !strings.HasPrefix(s, "'") {
		name, options, found := strings.Cut(s, ",")
		if found {
			options = "," + options
		}
		return name, options, nil
	}
	for k := 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case '\'':
			inner := strings.ReplaceAll(strings.ReplaceAll(s[1:k], `\'`, `'`), `"`, `\"`)
			name, err = unquoteTag(inner)
			options = s[k+1:]
			if options == "" {
				options = ","
			}
			return name, options, err
		}
	}
	return "", "", fmt.Errorf("tag %q has no closing quote", s)
}
