package schema

import (
	"embed"
	"sync"
)

// The metaschemas of json-schema.org; published/README.md says where they are from.
//
//go:embed published/*.json
var metaschemas embed.FS

// published returns the metaschemas by URI: documents refer to them, and no
// network is asked.
var published = sync.OnceValue(func() map[string][]byte {
	out := map[string][]byte{}
	add := func(name string, uris ...string) {
		b, err := metaschemas.ReadFile("published/" + name + ".json")
		if err != nil {
			panic(err) // embedded
		}
		for _, uri := range uris {
			out[uri] = b
		}
	}
	add("draft-04", "http://json-schema.org/draft-04/schema", "https://json-schema.org/draft-04/schema")
	add("draft-07", "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema")
	add("2020-12", "https://json-schema.org/draft/2020-12/schema")
	for _, part := range [...]string{
		"applicator", "content", "core", "format-annotation", "format-assertion", "meta-data", "unevaluated", "validation",
	} {
		add("2020-12-"+part, "https://json-schema.org/draft/2020-12/meta/"+part)
	}
	return out
})
