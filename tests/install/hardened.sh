#!/bin/sh
# hardened.sh FILE...: checks that each program or plugin is position independent, bound at start with its
# tables read-only, without memory that is writable and executable, and built with a stack protector and
# fortified functions. Prints what is missing.
set -eu

# check FILE WHAT TEXT PATTERN: the text has a line that matches
check() {
    if ! printf '%s\n' "$3" | grep -q "$4"; then
        echo "$1: not hardened: $2"
        failed=$((failed + 1))
    fi
}

failed=0
for file; do
    header=$(readelf -hlW "$file")
    dynamic=$(readelf -dW "$file")
    symbols=$(readelf -W --dyn-syms "$file")
    check "$file" "not position independent" "$header" '^ *Type: *DYN '
    check "$file" "the stack is executable" "$header" ' GNU_STACK .* RW '
    check "$file" "no read-only relocations" "$header" ' GNU_RELRO '
    check "$file" "symbols are bound late" "$dynamic" 'BIND_NOW\|FLAGS_1.* NOW'
    check "$file" "no stack protector" "$symbols" ' __stack_chk_fail@'
    check "$file" "no fortified function" "$symbols" ' __[a-z]*printf_chk@'
    if printf '%s\n' "$header" | grep ' LOAD .* RWE ' || printf '%s\n' "$dynamic" | grep TEXTREL; then
        echo "$file: not hardened: memory is writable and executable"
        failed=$((failed + 1))
    fi
done
echo "$(($# * 7 - failed)) passed, $failed failed"
[ $# -gt 0 ] && [ $failed = 0 ]
