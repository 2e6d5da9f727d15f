#!/bin/sh
# Fetches the pinned generators, builds ours, and prints a table.
#   ./run.sh               documents of 100 and 1,000 methods
#   ./run.sh 100 1000 10000
#   RUNS=5 BUILD= ./run.sh more runs, without go build of the results
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../../.." && pwd)
work=${WORK:-${TMPDIR:-/tmp}/rpcgen-bench-gen}
tools=$work/tools
mkdir -p "$tools" "$work/out"

(cd "$repository" && go build -o "$tools/rpcgen" ./cmd/rpcgen)
[ -x "$tools/oapi-codegen" ] || GOBIN=$tools go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
[ -x "$tools/ogen" ] || GOBIN=$tools go install github.com/ogen-go/ogen/cmd/ogen@v1.24.0
[ -d "$tools/node_modules" ] || (cd "$tools" && echo '{}' >package.json && npm install --no-audit --no-fund @open-rpc/generator@1.22.3 >/dev/null) ||
	echo "without npm there is no @open-rpc/generator" >&2
cat >"$tools/ogen.yml" <<'END'
generator:
  ignore_not_implemented: ["all"]
  features:
    disable_all: true
    enable: ["paths/client"]
END

# The module that the results are built in.
cd "$work/out"
if [ ! -f go.mod ]; then
	go mod init out
	go mod edit -replace "github.com/openrpc-go/rpcgen=$repository" -require github.com/openrpc-go/rpcgen@v0.0.0
	printf 'package out\n\nimport (\n\t_ "github.com/oapi-codegen/runtime"\n\t_ "github.com/openrpc-go/rpcgen/runtime"\n\t_ "github.com/openrpc-go/rpcgen/runtime/schema"\n)\n' >imports.go
	go mod tidy
fi
cd "$here"
[ $# -gt 0 ] || set -- 100 1000
go run . -tools "$tools" -out "$work/out" -runs "${RUNS:-3}" ${BUILD--build} "$@"
