#!/bin/sh
# Every part that the library comes in compiles, and its core needs few crates.
set -eu
for features in "" formats render window cli; do
    cargo check --locked --lib --bins --no-default-features --features "$features"
done
most=70
crates=$(cargo tree --locked --no-default-features -e normal,build --prefix none |
    awk '{ print $1, $2 }' | sort -u | wc -l)
if [ "$crates" -gt $most ]; then
    echo "the core needs $crates crates, allowed are $most" >&2
    exit 1
fi
