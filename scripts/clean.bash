# shellcheck shell=bash
# A clean tree and a clean environment, for scripts that include this file.

# clean_commit: prints the last commit; fails if the tree has changes, or files that git neither knows nor ignores
clean_commit() {
    local changes

    changes=$(git status --porcelain --untracked-files=all) && [ -z "$changes" ] && git rev-parse --verify 'HEAD^{commit}'
}

# only NAME=VALUE... COMMAND...: becomes this command, with no other variables than these, the terminal and the proxies
only() {
    local name variables=()

    for name in http_proxy https_proxy no_proxy TERM; do
        [ -z "${!name:-}" ] || variables+=("$name=${!name}")
    done
    exec env -i "${variables[@]}" "$@"
}

# clean_environment ARGUMENT...: starts the script again with these arguments, without the variables of the
# user, like CC and CFLAGS, and with only the programs of Debian packages. The number of the process stays.
clean_environment() {
    if [ "${HAGG_CLEAN:-}" = $$ ]; then
        unset HAGG_CLEAN
    else
        only HAGG_CLEAN=$$ HOME="${HOME:-/}" TMPDIR="${TMPDIR:-/tmp}" LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            "scripts/${0##*/}" "$@"
    fi
}
