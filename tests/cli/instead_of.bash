# instead_of COMMAND: replaces a command by the script on standard input, which may call the command as
# "$real", until the end of the test or of the subshell.
instead_of() {
    local directory=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}/instead

    mkdir -p "$directory"
    {
        printf '#!/bin/sh\nreal=%s\n' "$(command -v "$1")"
        cat
    } >"$directory/$1"
    chmod +x "$directory/$1"
    PATH=$directory:$PATH
}
