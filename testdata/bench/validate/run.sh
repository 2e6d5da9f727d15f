#!/bin/sh
# Generates what is compared and prints the table. CORPUS names the corpus; case
# (e) is left out without it.
set -eu
cd "$(dirname "$0")"
go run ./prepare
tags=
[ -d eth ] && tags=corpus
go test -count=1 -tags "$tags" .
go run -tags "$tags" ./table "$@"
