package schema

import (
	"iter"
	"strconv"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// keyword says where a keyword is at home. What it means is read by the
// translation, one group at a time.
type keyword struct {
	in    dialects
	group group
	holds holds
	vocab vocabulary // that switches it, in 2020-12
	kept  bool       // in the annotations of the node
}

type dialects uint8

const (
	in4 dialects = 1 << iota
	in7
	in2020
	in30
	inNone   = dialects(0)
	inAll    = in4 | in7 | in2020 | in30
	inModern = in7 | in2020
)

func (s dialects) has(d Dialect) bool { return s&(1<<(d-1)) != 0 }

// group is the step of the translation that reads a keyword.
type group uint16

const (
	groupCore group = 1 << iota // references, identifiers, containers
	groupType                   // type, enum, const, nullable
	groupNumber
	groupString
	groupArray
	groupObject
	groupBranch // allOf and its kin
	groupNote   // annotations
)

// holds says where a keyword's value has schemas.
type holds uint8

const (
	holdsNone   holds = iota
	holdsOne          // a schema
	holdsList         // an array of schemas
	holdsEither       // a schema or an array of schemas
	holdsMap          // an object of schemas
	holdsMixed        // an object of schemas or arrays of names
)

// vocabulary is a part of 2020-12 that a $vocabulary switches.
type vocabulary uint8

const (
	vocabCore vocabulary = iota
	vocabApplicator
	vocabUnevaluated
	vocabValidation
	vocabMetaData
	vocabFormat
	vocabContent
	vocabCondition // if, then and else: part of the applicators, and unknown to draft 6
)

var keywords = map[string]keyword{
	"$ref":             {in: inAll, group: groupCore},
	"$id":              {in: inModern, group: groupCore},
	"id":               {in: in4, group: groupCore},
	"$schema":          {in: in4 | inModern, group: groupCore},
	"$vocabulary":      {in: in2020, group: groupCore},
	"$anchor":          {in: in2020, group: groupCore},
	"$dynamicRef":      {in: in2020, group: groupCore},
	"$dynamicAnchor":   {in: in2020, group: groupCore},
	"$recursiveRef":    {in: inNone, group: groupCore},
	"$recursiveAnchor": {in: inNone, group: groupCore},
	"$comment":         {in: inAll, group: groupCore},
	"definitions":      {in: inAll, group: groupCore, holds: holdsMap},
	"$defs":            {in: inAll, group: groupCore, holds: holdsMap},

	"type":     {in: inAll, group: groupType, vocab: vocabValidation},
	"enum":     {in: inAll, group: groupType, vocab: vocabValidation},
	"const":    {in: inModern, group: groupType, vocab: vocabValidation},
	"nullable": {in: in30, group: groupType},

	"minimum":          {in: inAll, group: groupNumber, vocab: vocabValidation},
	"maximum":          {in: inAll, group: groupNumber, vocab: vocabValidation},
	"exclusiveMinimum": {in: inAll, group: groupNumber, vocab: vocabValidation},
	"exclusiveMaximum": {in: inAll, group: groupNumber, vocab: vocabValidation},
	"multipleOf":       {in: inAll, group: groupNumber, vocab: vocabValidation},

	"minLength":        {in: inAll, group: groupString, vocab: vocabValidation},
	"maxLength":        {in: inAll, group: groupString, vocab: vocabValidation},
	"pattern":          {in: inAll, group: groupString, vocab: vocabValidation},
	"format":           {in: inAll, group: groupString, vocab: vocabFormat},
	"contentEncoding":  {in: inModern, group: groupString, vocab: vocabContent},
	"contentMediaType": {in: inModern, group: groupString, vocab: vocabContent},
	"contentSchema":    {in: in2020, group: groupString, holds: holdsOne, vocab: vocabContent, kept: true},

	"items":            {in: inAll, group: groupArray, holds: holdsEither, vocab: vocabApplicator},
	"prefixItems":      {in: in2020, group: groupArray, holds: holdsList, vocab: vocabApplicator},
	"additionalItems":  {in: in4 | in7, group: groupArray, holds: holdsOne},
	"contains":         {in: inModern, group: groupArray, holds: holdsOne, vocab: vocabApplicator},
	"minContains":      {in: in2020, group: groupArray, vocab: vocabValidation},
	"maxContains":      {in: in2020, group: groupArray, vocab: vocabValidation},
	"minItems":         {in: inAll, group: groupArray, vocab: vocabValidation},
	"maxItems":         {in: inAll, group: groupArray, vocab: vocabValidation},
	"uniqueItems":      {in: inAll, group: groupArray, vocab: vocabValidation},
	"unevaluatedItems": {in: in2020, group: groupArray, holds: holdsOne, vocab: vocabUnevaluated},

	"properties":           {in: inAll, group: groupObject, holds: holdsMap, vocab: vocabApplicator},
	"patternProperties":    {in: in4 | inModern, group: groupObject, holds: holdsMap, vocab: vocabApplicator},
	"additionalProperties": {in: inAll, group: groupObject, holds: holdsOne, vocab: vocabApplicator},
	"propertyNames":        {in: inModern, group: groupObject, holds: holdsOne, vocab: vocabApplicator},
	"required":             {in: inAll, group: groupObject, vocab: vocabValidation},
	"minProperties":        {in: inAll, group: groupObject, vocab: vocabValidation},
	"maxProperties":        {in: inAll, group: groupObject, vocab: vocabValidation},
	"dependencies":         {in: in4 | inModern, group: groupObject, holds: holdsMixed, vocab: vocabApplicator}, // the metaschema of 2020-12 keeps it

	"dependentRequired":     {in: in2020, group: groupObject, vocab: vocabValidation},
	"dependentSchemas":      {in: in2020, group: groupObject, holds: holdsMap, vocab: vocabApplicator},
	"unevaluatedProperties": {in: in2020, group: groupObject, holds: holdsOne, vocab: vocabUnevaluated},

	"allOf":         {in: inAll, group: groupBranch, holds: holdsList, vocab: vocabApplicator},
	"anyOf":         {in: inAll, group: groupBranch, holds: holdsList, vocab: vocabApplicator},
	"oneOf":         {in: inAll, group: groupBranch, holds: holdsList, vocab: vocabApplicator},
	"not":           {in: inAll, group: groupBranch, holds: holdsOne, vocab: vocabApplicator},
	"if":            {in: inModern, group: groupBranch, holds: holdsOne, vocab: vocabCondition},
	"then":          {in: inModern, group: groupBranch, holds: holdsOne, vocab: vocabCondition},
	"else":          {in: inModern, group: groupBranch, holds: holdsOne, vocab: vocabCondition},
	"discriminator": {in: in30, group: groupBranch},

	// Annotations change no verdict, so they are welcome in every dialect.
	"title":        {in: inAll, group: groupNote},
	"description":  {in: inAll, group: groupNote},
	"summary":      {in: inAll, group: groupNote},
	"deprecated":   {in: inAll, group: groupNote},
	"default":      {in: inAll, group: groupNote, kept: true},
	"examples":     {in: inAll, group: groupNote},
	"example":      {in: inAll, group: groupNote},
	"readOnly":     {in: inAll, group: groupNote, kept: true},
	"writeOnly":    {in: inAll, group: groupNote, kept: true},
	"externalDocs": {in: inAll, group: groupNote},
	"xml":          {in: inAll, group: groupNote, kept: true},
}

// schemas yields the schemas that a keyword's value holds. Values of a wrong
// kind hold none; the translation reports them.
func (h holds) schemas(v *source.Node) iter.Seq[*source.Node] {
	return func(yield func(*source.Node) bool) {
		switch {
		case h == holdsOne, h == holdsEither && v.Kind != source.Array:
			yield(v)
		case (h == holdsList || h == holdsEither) && v.Kind == source.Array:
			for i := 0; i < len(v.Items) && yield(v.Items[i]); i++ {
			}
		case (h == holdsMap || h == holdsMixed) && v.Kind == source.Object:
			for _, m := range v.Members {
				if h == holdsMixed && m.Value.Kind == source.Array {
					continue
				}
				if !yield(m.Value) {
					return
				}
			}
		}
	}
}

// step is the part of a node's ID that leads to the schema under a keyword;
// token is the member name or index below it, "" for none.
func step(name, token string) string {
	switch name {
	case "properties", "definitions", "$defs":
		return "/" + escape(token)
	case "items", "prefixItems":
		return "[" + token + "]"
	case "additionalItems":
		return "[*]"
	case "additionalProperties":
		return "/*"
	case "patternProperties":
		return "/{" + escape(token) + "}"
	}
	if _, err := strconv.ParseUint(token, 10, 32); err == nil && keywords[name].holds == holdsList {
		return "/" + name + "[" + token + "]"
	}
	if token == "" {
		return "/" + name
	}
	return "/" + name + "/" + escape(token)
}
