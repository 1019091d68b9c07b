#!/usr/bin/env bash
# plugin-author.sh BUILD SOURCE: installs into an empty prefix, builds the example plugins outside the
# tree from the installed header, and uses them with the installed commands.
set -uo pipefail
build=$1
source=$2
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() {
    local what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what"
        cat "$work/log"
    fi
}

prefix=$work/prefix
check "install" cmake --install "$build" --prefix "$prefix"
bin=$prefix/bin
pc=$(dirname "$(find "$prefix" -name hagg.pc)")
export PKG_CONFIG_PATH=$pc
unset HAGG_PLUGIN_PATH

# a user: commands find their installed plugins, also after the installation was moved
cd "$work" || exit 1
printf '%s\n' 3 1 4 1 5 >v.txt
share() {
    "$bin/hagg-share" -n 3 -k 3 -z 2 --type i8 --format text "$@" -o 'share-{}.cbor' v.txt
}
decode() {
    "$bin/hagg-decode" --format text share-*.cbor -o w.txt && cmp v.txt w.txt
}
check "share with installed plugins" share --field m61
check "inspect with installed plugins" bash -c "'$bin/hagg-inspect' share-*.cbor | grep -q ' ok '"
check "decode with installed plugins" decode
mv "$prefix" "$work/moved"
prefix=$work/moved bin=$work/moved/bin
check "share after moving" share --field m61
check "decode after moving" decode
# hagg runs the commands in its directory, and opens the manual of its installation, wherever that is
mkdir "$work/man"
printf '#!/bin/sh\nprintf "%%s\\n" "$#" "$1"\n' >"$work/man/man"
chmod +x "$work/man/man"
check "hagg runs the command beside it" test "$("$bin/hagg" share --version)" = "$("$bin/hagg-share" --version)"
check "hagg opens the page of its installation" test \
    "$(cd "$(dirname "$(PATH=$work/man:$PATH "$bin/hagg" help share | tail -n 1)")" && pwd)" = "$prefix/share/man/man1"
mv "$work/moved" "$work/prefix"
prefix=$work/prefix bin=$work/prefix/bin
check "the manual is installed" test -s "$(find "$prefix" -name hagg-plugin.3)"
for file in bash-completion/completions/hagg-share zsh/site-functions/_hagg fish/vendor_completions.d/hagg-share.fish; do
    check "$file is installed" test -s "$prefix/share/$file"
done
check "the format is installed" test -s "$(find "$prefix" -name FORMAT.md)"

# sanitizers build differently
if [ -z "${HAGG_SANITIZE:-}" ]; then
    check "everything is hardened" "$source/tests/install/hardened.sh" "$bin"/hagg* \
        "$(pkg-config --variable=plugindir hagg)"/*.so "$(pkg-config --variable=conformance hagg)"
fi

# a plugin author: uses only the installed files and pkg-config
cp -r "$source/examples/plugin" author
check "pkg-config knows hagg" pkg-config --exists hagg
check "the examples build" make -C author
conformance=$(pkg-config --variable=conformance hagg)
check "the field conforms" "$conformance" author/hagg-field-tiny.so
check "the scheme conforms" "$conformance" author/hagg-scheme-sum.so author/hagg-field-tiny.so
check "no field plugin yet" bash -c "! '$bin/hagg-share' -n 3 -k 3 -z 2 --field tiny --type i8 --format text v.txt -o 'x-{}'"
export HAGG_PLUGIN_PATH=$work/author
check "share with the author's plugins" share --field tiny --scheme sum
check "inspect knows them" bash -c "'$bin/hagg-inspect' share-*.cbor | grep -q 'tiny.*sum 3,3,2.* ok '"
check "decode with the author's plugins" decode
plugins=$(pkg-config --variable=plugindir hagg)
unset HAGG_PLUGIN_PATH
cp author/*.so "$plugins/"
check "the author's plugins, installed" decode

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
