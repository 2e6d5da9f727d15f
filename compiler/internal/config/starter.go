package config

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/openrpc-go/rpcgen/templates"
)

// Starter is what a first config says. Server and Origin may be empty.
type Starter struct {
	ID        string
	Document  string
	Amendment string
	Package   string
	Server    string
	Origin    string
}

// Write returns the text of the config; Read accepts it when the values are
// ones that it accepts.
func (s Starter) Write() []byte {
	quoted := s
	for _, value := range []*string{&quoted.Document, &quoted.Amendment, &quoted.Package, &quoted.Server, &quoted.Origin} {
		if *value != "" {
			*value = strconv.QuoteToASCII(*value) // each escape of Go means the same in YAML
		}
	}
	var b bytes.Buffer
	if err := templates.Config.Execute(&b, quoted); err != nil {
		panic(fmt.Sprintf("config: the starter template is broken: %v", err))
	}
	return b.Bytes()
}
