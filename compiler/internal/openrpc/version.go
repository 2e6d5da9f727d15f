package openrpc

import (
	"regexp"
	"strconv"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// version is the version of OpenRPC that a document says it follows. The
// major version is 1.
type version struct {
	text         string
	minor, patch int
}

// newestMinor is the newest minor version of the specification that is read.
const newestMinor = 4

// versionForm admits pre-releases such as 1.0.0-rc1, which are read as the
// release they led to.
var versionForm = regexp.MustCompile(`^1\.(\d{1,3})\.(\d{1,6})(-[0-9A-Za-z.-]+)?$`)

// readVersion reads the member openrpc of the document at root.
func readVersion(root *source.Node) (version, *diag.Diagnostic) {
	n := root.Get("openrpc")
	if n == nil {
		return version{}, fault(root, CodeNotOpenRPC, "the document has no member \"openrpc\"", "an OpenRPC document starts with its version: \"openrpc\": \"1.3.2\"")
	}
	if n.Kind != source.String {
		return version{}, fault(n, CodeWrongType, "\"openrpc\" is "+kindOf(n)+", not a string", "put the version in quotes, with all three numbers: \"1.3.2\"")
	}
	parts := versionForm.FindStringSubmatch(n.Text)
	if parts == nil {
		return version{}, fault(n, CodeUnsupportedVersion, "OpenRPC version "+strconv.Quote(n.Text)+" is not known", "versions 1.0.0 to 1.4.x are read; write all three numbers, as in \"1.2.6\": the meaning of params changed between 1.2.4 and 1.2.5")
	}
	minor, _ := strconv.Atoi(parts[1])
	patch, _ := strconv.Atoi(parts[2])
	if minor > newestMinor {
		return version{}, fault(n, CodeUnsupportedVersion, "OpenRPC version "+strconv.Quote(n.Text)+" is newer than what is read here", "versions 1.0.0 to 1.4.x are read")
	}
	return version{text: n.Text, minor: minor, patch: patch}, nil
}

func fault(n *source.Node, code, message, advice string) *diag.Diagnostic {
	d := diag.At(n, code, "%s", message).WithAdvice(advice)
	return &d
}

func (v version) before(minor, patch int) bool {
	return v.minor < minor || v.minor == minor && v.patch < patch
}

// structure is the param structure of a method that does not say: texts up to
// 1.2.4 say by-position, later ones say either.
func (v version) structure() contract.ParamStructure {
	if v.before(2, 5) {
		return contract.ByPosition
	}
	return contract.Either
}

// resultRequired reports whether a method must have a result. From 1.3.0 on
// a method without one may only be called as a notification.
func (v version) resultRequired() bool { return v.before(3, 0) }

// descriptorOneOf reports whether oneOf may stand in place of a content
// descriptor; 1.2.6 took it away.
func (v version) descriptorOneOf() bool { return v.before(2, 6) }
