#!/bin/sh
# libcrypto.sh BIN: checks which commands are linked with libcrypto, which costs 1 ms at each start.
# Prints the commands that are linked with it and should not be, or the other way round.
set -eu
cd "$1"

failed=0
# expect COUNT COMMAND...: each command names libcrypto COUNT times among the libraries it needs
expect() {
    count=$1
    shift
    for command; do
        found=$(readelf -d "$command" | grep -c 'NEEDED.*\[libcrypto\.so' || true)
        if [ "$found" != "$count" ]; then
            echo "$command: $found links with libcrypto, but $count expected"
            failed=1
        fi
    done
}

expect 0 hagg hagg-inspect
expect 1 hagg-keygen hagg-share # otherwise the check above would find nothing
exit $failed
