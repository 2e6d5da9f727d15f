// Package templates holds the fixed text that commands write for people: the
// starter config and the head of a worksheet. It holds no logic and prints
// nothing from outside: whoever fills a template in has quoted the values.
package templates

import (
	_ "embed"
	"text/template"
)

//go:embed config.yaml.tmpl
var config string

//go:embed worksheet.yaml.tmpl
var worksheet string

// Config is the starter rpcgen.yaml; see config.Starter for its values.
var Config = template.Must(template.New("config").Parse(config))

// Worksheet is the amendment before anything is decided; see
// amendment.Worksheet for its values.
var Worksheet = template.Must(template.New("worksheet").Parse(worksheet))
