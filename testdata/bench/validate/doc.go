// Package validate compares ways to read JSON that a schema bounds: our checker
// and our decoder, other validators, another generator's code, and Go written
// by hand. prepare generates the packages it needs; table measures.
package validate
