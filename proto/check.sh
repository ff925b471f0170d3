#!/bin/sh
# The contracts: style and form, generated code that is up to date, and nothing that breaks a caller of
# the commit before (PROTO_AGAINST: of another one). `npm run check` runs it.
set -eu
cd "$(dirname "$0")"

buf lint
buf format --diff --exit-code

fresh=../node_modules/.cache/proto
rm -rf "$fresh"
buf generate --output "$fresh"
diff -rq "$fresh/gen" gen || { echo 'run npm run generate'; exit 1; }

if [ -z "$(git status --porcelain .)" ]; then ref=HEAD~1; else ref=HEAD; fi
ref=${PROTO_AGAINST:-$ref}
if git cat-file -e "$ref:proto/buf.yaml"; then
  buf breaking --against "../.git#ref=$ref,subdir=proto"
fi
