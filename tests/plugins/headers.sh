#!/bin/sh
# headers.sh SOURCE CONFORMANCE: compiles every public header, alone and with all others, as C and as C++,
# with gcc and clang; and builds a field in C++, which must conform.
set -u
source=$1 conformance=$2
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work" || exit 1

passed=0
failed=0
# check WHAT COMMAND...
check() {
    what=$1
    shift
    if "$@" >log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$what failed:"
        cat log
    fi
}

# compile COMPILER LANGUAGE STANDARD FILE OPTIONS...
compile() {
    compiler=$1 language=$2 standard=$3 file=$4
    shift 4
    "$compiler" -x "$language" "-std=$standard" -Wall -Wextra -Wpedantic -Werror "-I$source/plugins/include" \
        "$@" "$file"
}

# each COMPILERS LANGUAGE STANDARDS: all files below with all of these compilers and standards
each() {
    for compiler in $1; do
        for standard in $3; do
            for header in *.h; do
                check "$header as $standard with $compiler" compile "$compiler" "$2" "$standard" "$header" -fsyntax-only
            done
            # warnings of the optimiser
            check "all as $standard with $compiler" compile "$compiler" "$2" "$standard" all.h -O2 -c -o all.o
        done
    done
}

n_headers=0
for header in "$source"/plugins/include/hagg/*.h; do
    name=$(basename "$header")
    echo "#include <hagg/$name>" >"$name"
    echo "#include <hagg/$name>" >>all.h
    n_headers=$((n_headers + 1))
done
# twice, because a header may be included by others
cat all.h all.h >twice.h
check "there are headers" test "$n_headers" -ge 4
each "gcc clang" c "c11 c17 c2x"
each "g++ clang++" c++ "c++11 c++14 c++17 c++20"

# controls: a header that is not C++, one that is not C11, and one that needs another
echo 'void f(int a[static 2]);' >only-c.hh
echo 'int f(void); static_assert(1);' >only-new.hh
check "only C" compile gcc c c11 only-c.hh -fsyntax-only
check "not C++" sh -c "! g++ -x c++ -std=c++11 -fsyntax-only only-c.hh"
check "not C11" sh -c "! gcc -x c -std=c11 -Wpedantic -Werror -fsyntax-only only-new.hh"

field=$source/tests/old-plugins/0.1.0/hagg-field-small.cc
for compiler in g++ clang++; do
    for standard in c++11 c++20; do
        check "a field in $standard with $compiler" \
            compile "$compiler" c++ "$standard" "$field" -O2 -fPIC -fvisibility=hidden -shared -Wl,-z,defs -o hagg-field-small.so
        check "it conforms" "$conformance" ./hagg-field-small.so p=65521
    done
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
