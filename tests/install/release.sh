#!/usr/bin/env bash
# release.sh SOURCE: scripts/release in a copy of the source, with a key that exists only here.
set -uo pipefail
source=$1
passed=0
failed=0
work=$(mktemp -d)
export GNUPGHOME=$work/gnupg HOME=$work GIT_CONFIG_NOSYSTEM=1
trap 'gpgconf --kill all; rm -rf "$work"' EXIT

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

# refuses MESSAGE ARGUMENT...: scripts/release with these arguments fails, and this message is its last line
refuses() {
    local message=$1 said
    shift
    if said=$(scripts/release "$@" 2>&1) || [ "$(tail -n 1 <<<"$said")" != "release: $message" ]; then
        echo "scripts/release $*: $said"
        return 1
    fi
}

# fails TEXT COMMAND...: the command fails and prints this text
fails() {
    local text=$1 said
    shift
    if said=$("$@" 2>&1) || [[ $said != *$text* ]]; then
        echo "$*: $said"
        return 1
    fi
}

not() {
    ! "$@"
}

# prints TEXT COMMAND...: the command succeeds, and prints this
prints() {
    local text=$1 printed
    shift
    printed=$("$@") && [ "$printed" = "$text" ]
}

# tested COMMAND: runs scripts/test, and this shell command during the tests; prints the commit in build/tested
tested() {
    DURING=$1 PATH=$work/bin:$PATH scripts/test >&2 && { [ ! -e build/tested ] || cat build/tested; }
}

commit() {
    git add -A && git commit -q -m "$1"
}

# with COMMAND...: commits the changes of this command, runs the function that follows '--', and undoes them
with() {
    local change=()
    while [ "$1" != -- ]; do
        change+=("$1")
        shift
    done
    shift
    "${change[@]}" && commit changed && "$@"
    local status=$?
    git reset -q --hard HEAD^
    return $status
}

mkdir -m 700 "$GNUPGHOME"
check "a key" gpg --batch --passphrase '' --quick-generate-key 'hagg test <test@hagg.invalid>' ed25519 sign never
key=$(gpg --batch --with-colons --list-secret-keys | sed -n 's/^fpr:*\([0-9A-F]*\):$/\1/p' | head -n 1)
git config --global user.name "hagg test"
git config --global user.email test@hagg.invalid
git config --global init.defaultBranch main

mkdir "$work/hagg"
git -C "$source" ls-files -z --cached --others --exclude-standard |
    tar -c -C "$source" --null --ignore-failed-read -T - 2>"$work/log" | tar -x -C "$work/hagg"
cd "$work/hagg" || exit 1
git init -q
# programs of scripts/test that pass at once; ctest runs DURING, a shell command
mkdir "$work/bin"
printf '#!/bin/sh\n' | tee scripts/{setup,fuzz,cross,fresh-machine} "$work"/bin/{cmake,clang-format,ctest} >"$work/log"
# shellcheck disable=SC2016 # expanded there
printf 'eval "$DURING"\necho "100%% tests passed, 0 tests failed out of 1"\n' >>"$work/bin/ctest"
chmod +x "$work"/bin/*
# as after an earlier release, and a change
sed -i '/^## \[Unreleased\]$/,$d' CHANGELOG.md
printf '%s\n' '## [Unreleased]' '' '### Fixed' '' '- A fault.' '' "## [$(scripts/version)] - 2026-01-01" >>CHANGELOG.md
check "a commit" commit first

check "a version that is none" refuses "'1.2' is not a version like 1.2.3" prepare 1.2
check "not prepared" refuses "CHANGELOG.md has changes under [Unreleased]" check
touch new
check "changes" refuses "there are changes that are not committed" prepare 8.7.6
git config status.showUntrackedFiles no
check "changes that git status does not show" refuses "there are changes that are not committed" prepare 8.7.6
git config --unset status.showUntrackedFiles
rm new
check "prepare" scripts/release prepare 8.7.6
check "the version" test "$(scripts/version)" = 8.7.6
check "the section of the changelog" grep -qx "## \[8.7.6\] - $(date -u +%F)" CHANGELOG.md
check "the fault is in it" test "$(sed -n '/^## \[8.7.6\]/,/^## /s/^- //p' CHANGELOG.md)" = "A fault."
check "the version of the package" test "$(sed -n 1p debian/changelog)" = "hagg (8.7.6) unstable; urgency=medium"
check "the earlier entry" test "$(grep -c '^hagg (' debian/changelog)" -gt 1
check "not committed" refuses "there are changes that are not committed" check
check "commit it" commit "Version 8.7.6"
check "it can be released" scripts/release check
check "the same again" refuses "CHANGELOG.md has nothing under [Unreleased]" prepare 8.7.6
check "another version of the package" with sed -i '1s/8.7.6/8.7.5/' debian/changelog -- \
    refuses "debian/changelog does not begin with version 8.7.6" check
check "no date" with sed -i 's/^## \[8.7.6\].*/## [8.7.6]/' CHANGELOG.md -- \
    refuses "the newest version in CHANGELOG.md is not '[8.7.6] - DATE': run scripts/release prepare" check
check "a change since" with sed -i 's/^## \[Unreleased\]/&\n\n- More./' CHANGELOG.md -- \
    refuses "CHANGELOG.md has changes under [Unreleased]" check

# a commit whose build fails, and prints this and the compiler and flags that variables set
probe() {
    # shellcheck disable=SC2016 # expanded by CMake
    printf 'project(hagg LANGUAGES NONE)\nmessage(FATAL_ERROR "the build of %s with $ENV{CC}:$ENV{CFLAGS}:")\n' "$1" >CMakeLists.txt
    printf 'Source: hagg\nMaintainer: hagg test <test@hagg.invalid>\n\nPackage: hagg\nArchitecture: any\n' >debian/control
    # shellcheck disable=SC2016 # expanded by make
    printf '#!/usr/bin/make -f\n$(error the build of %s with $(if $(findstring environment,$(origin CC)),$(CC)):$(CFLAGS):)\n' "$1" >debian/rules
    commit "$1"
}
echo 'export CC=/none' >"$work/environment"
probe first
first=$(git rev-parse HEAD)
probe second
for script in tarball package; do
    check "$script: the last commit" fails "the build of second with ::" env CC=/none CFLAGS=-O0 \
        BASH_ENV="$work/environment" HAGG_CLEAN=1 "scripts/$script" "$work/none"
    check "$script: another commit" fails "the build of first with ::" "scripts/$script" --commit "$first" "$work/none"
done
git reset -q --hard HEAD^^

# stand-ins for the builds: their files are their arguments, and the tarball runs DURING, a shell command
cat >scripts/tarball <<'END'
#!/bin/bash
eval "$DURING"
echo "$*" | tee "${!#}/hagg-8.7.6-linux-x86_64.tar.gz" >"${!#}/hagg-8.7.6-linux-x86_64.tar.gz.sha256"
END
cat >scripts/package <<'END'
#!/bin/bash
for name in hagg_8.7.6{.dsc,.tar.xz,_amd64.{buildinfo,changes}} $(sed -n 's/^Package: \(.*\)/\1_8.7.6_amd64.deb/p' debian/control); do
    echo "$*" >"${!#}/$name"
done
END
check "builds without compilers" commit "Builds without compilers"
first=$(git rev-parse HEAD)
export DURING='git commit -q --allow-empty -m during'
check "a commit during the build" refuses "the tree has changed during the build" build "$work/during"
check "the source is that of the first commit" test "$(zcat "$work/during/hagg-8.7.6.tar.gz" | git get-tar-commit-id)" = "$first"
for file in hagg-8.7.6-linux-x86_64.tar.gz hagg_8.7.6_amd64.deb; do
    check "$file is that of the first commit" grep -q -e "--commit $first " "$work/during/$file"
done
git reset -q --hard HEAD^
export DURING=:

check "a kind of file is missing" with sed -i 's/{.dsc,/{/' scripts/package -- \
    refuses "$work/less has no hagg_8.7.6.dsc" build "$work/less"
check "a package is missing" with sed -i 's/ .(sed.*;/;/' scripts/package -- \
    refuses "$work/fewer has no hagg_8.7.6_*.deb" build "$work/fewer"
check "build" scripts/release build "$work/dist"
check "not twice in one directory" refuses "$work/dist exists: remove it, or use another directory" build "$work/dist"
check "the source" env TZ=Asia/Tokyo scripts/release source "$work/source"
check "the same bytes" cmp "$work/dist/hagg-8.7.6.tar.gz" "$work/source/hagg-8.7.6.tar.gz"
check "its files" test "$(tar -tf "$work/dist/hagg-8.7.6.tar.gz" | grep -c '^hagg-8.7.6/.*[^/]$')" = "$(git ls-files | wc -l)"

check "no key" refuses "git has no key: git config user.signingKey KEY" sign "$work/dist"
git config --global user.signingKey "$key"
check "not tested" refuses "scripts/test has not passed for this commit: run it without arguments" sign "$work/dist"
touch new
check "changes at the start of the tests" prints "" tested 'rm -f new'
check "changes at the end of the tests" prints "" tested 'touch new'
rm new
check "a commit during the tests" with touch new -- prints "" tested 'git commit -q --amend -m other'
check "not tested then" refuses "scripts/test has not passed for this commit: run it without arguments" sign "$work/dist"
check "the tests" prints "$(git rev-parse HEAD)" tested :
check "only the source" refuses "$work/source is not the last build of this commit: run scripts/release build" sign "$work/source"
# changed COMMAND...: sign refuses the build after this command in a copy of it
changed() {
    rm -rf "$work/copy" && cp -r "$work/dist" "$work/copy" && env -C "$work/copy" "$@" &&
        refuses "the files in $work/copy are not those in its SHA256SUMS" sign "$work/copy"
}
check "a changed file" changed sed -i 's/twice/once/' hagg_8.7.6_amd64.deb
check "a file that is missing" changed rm hagg_8.7.6_amd64.deb
check "a hidden file" changed touch .hidden
check "a directory" changed mkdir more
check "a file without a sum" changed touch hagg_8.7.6_arm64.deb
sums() {
    (cd "$1" && rm SHA256SUMS && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
}
check "a sum for it" sums "$work/copy"
check "another list of sums" refuses "$work/copy is not the last build of this commit: run scripts/release build" sign "$work/copy"
check "sign" scripts/release sign "$work/dist"
check "the tag" git verify-tag v8.7.6
check "the tag is this commit" test "$(git rev-parse 'v8.7.6^{commit}')" = "$(git rev-parse HEAD)"
check "the sums" env -C "$work/dist" sha256sum --strict -c SHA256SUMS
check "the signature" gpg --verify "$work/dist/SHA256SUMS.asc" "$work/dist/SHA256SUMS"
check "no second tag" refuses "the tag v8.7.6 exists already" sign "$work/dist"
check "a tag elsewhere" with touch new -- refuses "v8.7.6 is the tag of another commit" check
git tag -d v8.7.6 >/dev/null
touch new
commit later
git rev-parse HEAD >build/tested
check "another commit" refuses "$work/dist is not the last build of this commit: run scripts/release build" sign "$work/dist"
check "no tag then" test -z "$(git tag)"
echo >>"$work/dist/SHA256SUMS"
check "a changed sum" not gpg --verify "$work/dist/SHA256SUMS.asc" "$work/dist/SHA256SUMS"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
