#!/usr/bin/env bash
# versions.sh BIN SOURCE: whether everything that repeats a fact of another file agrees with it: the version
# in CMakeLists.txt, and the packages of the build in scripts/packages.
set -uo pipefail
bin=$1
cd "$2" || exit 1
passed=0
failed=0

# equal WHAT FOUND EXPECTED
equal() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'failed: %s\n  found:    %s\n  expected: %s\n' "$1" "$2" "$3"
    fi
}

version=$(scripts/version)
equal "the version of the commands" "$("$bin/hagg-share" --version)" "hagg-share (hagg) $version"
equal "the newest version in debian/changelog" "$(sed -n '1s/^hagg (\(.*\)) unstable; .*/\1/p' debian/changelog)" "$version"
released=$(sed -n 's/^## \[\([0-9.]*\)\] - [0-9]\{4\}-[0-9][0-9]-[0-9][0-9]$/\1/p' CHANGELOG.md)
equal "the first section of CHANGELOG.md" "$(grep -m 1 '^## ' CHANGELOG.md)" "## [Unreleased]"
equal "the other sections of CHANGELOG.md have a version and a date" \
    "$(grep -c '^## ' CHANGELOG.md)" "$(($(grep -c . <<<"$released") + 1))"
equal "the newest version in CHANGELOG.md" "$(head -n 1 <<<"${released:-$version}")" "$version"
equal "the groups of CHANGELOG.md" "$(grep '^### ' CHANGELOG.md | grep -vE '^### (Added|Changed|Deprecated|Removed|Fixed|Security)$')" ""

# debhelper and build-essential bring the compiler
packages=$(awk '/^# / { wanted = $0 == "# build"; next } wanted { sub(":.*", ""); print }' scripts/packages | grep -v '^gcc$\|^libc6-dev$')
depends=$(sed -n '/^Build-Depends:/,/^$/s/^ \([a-z0-9.-]*\).*/\1/p' debian/control | grep -v '^debhelper\|^dh-\|^pybuild-\|^python3-')
equal "the packages that debian/control builds with" "$(sort <<<"$depends")" "$(sort <<<"$packages")"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
