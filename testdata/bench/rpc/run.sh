#!/bin/sh
# Generates the client, checks that all columns agree, and prints the table.
set -eu
cd "$(dirname "$0")"
go run ./prepare
go test -count=1 .
go run ./table "$@"
